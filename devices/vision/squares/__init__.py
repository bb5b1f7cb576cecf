"""What lies on each square, in light, shadow and under hands."""
