"""What lies beside the board: racks, slips, tiles spread for counting."""
