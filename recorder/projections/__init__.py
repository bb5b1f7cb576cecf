"""Read models: everything on a screen is a projection of log rows, and nothing else.

Pure folds over ``recorder.log.port.Row``: no files, no clock, no network. ``Projection`` is the
table as the public may see it, ``score_sheet`` the game in lines, ``timeline`` what the director
reads, with doubts and the rows that each statement rests on. Rows of an unknown type are counted
and passed over, so that an older screen survives a newer recorder.
"""
