"""Where tiles may lie: placement, orientation, moved tiles, announced scores."""
