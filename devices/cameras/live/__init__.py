"""Cameras that give frames by themselves: devices and streams, read by a thread that never queues."""
