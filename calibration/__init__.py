"""Produces what a table needs to be read: trained eyes, geometry, reports."""
