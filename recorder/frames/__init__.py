"""What pages are drawn from, typed: one dataclass-like declaration a frame, and nothing else.

``make schema`` writes the scripts' types from these files (``tests/script_frames.py``). Times are
milliseconds, moments milliseconds since 1970 by the server, players are 0 and 1, squares are named
8H (row 8, column H).

A key of type ``Maybe`` may be None here and is left out of what is sent: a change of a frame could
not tell null (RFC 7396). Within lists None is sent as null. ``NotRequired`` keys are not always
there. ``Annotated`` gives the scripts' type where lists have a fixed length.
"""
