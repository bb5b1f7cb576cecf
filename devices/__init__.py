"""Everything that touches the physical table: cameras, clocks, and the simulator below them."""
