"""The pure core: values and functions of the standard library; no I/O, clock or randomness."""
