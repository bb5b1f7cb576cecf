"""Turns as the sensors of racks, bag and clock show them, beside what the board shows."""
