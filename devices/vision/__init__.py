"""Pixels to likelihoods. Pure functions of arrays: no cameras, no files but the shipped weights."""
