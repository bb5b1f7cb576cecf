"""The laboratory of the devices: simulated tables, clocks and sensors, below the drivers.

Demo, scenarios, training and tests use it; what runs at a table never imports it.
"""
