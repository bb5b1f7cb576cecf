"""Sensors on a serial line: bag scale and rack counter."""
