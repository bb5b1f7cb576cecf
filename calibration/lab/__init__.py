"""The laboratory of calibration: eyes are trained, measured and tried here; demo tournaments too.

Its commands and tests use it; what guides a venue never imports it.
"""
