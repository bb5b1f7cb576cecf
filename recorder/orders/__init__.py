"""A director's or scorer's order: typed, sent from a console, taken in by the recorder."""
