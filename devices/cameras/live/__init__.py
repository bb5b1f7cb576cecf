"""Cameras that give frames by themselves: devices and streams, whose old frames never queue."""
