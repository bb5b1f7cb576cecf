"""A venue on one machine: its files made, its programs run as one, its health reported.

Stands above all other packages: it starts their programs and asks their readers. Must not know how
a turn is read, or what a page shows.
"""
