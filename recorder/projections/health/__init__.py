"""How the devices of a venue are: what was heard of each, what is wrong, what helps."""
