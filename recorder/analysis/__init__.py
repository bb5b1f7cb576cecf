"""What commentators ask: best plays for a known rack, odds of a draw, who is likely to win.

Opinions, never part of the record, and for nobody in the room: the recorder does not play.
"""
