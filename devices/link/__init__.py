"""Serial ports and the comparison of times over them."""
