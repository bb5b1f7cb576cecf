"""Drawing from the bag: too many, too few, too early, out of order, loose and foreign tiles."""
