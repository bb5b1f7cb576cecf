"""The error tree: who is at fault decides the family.

::

    TilecastError
    ├── NotationError (also ValueError)   text that we were given does not say what it must
    ├── DeviceError                       a device, or a peer on the wire, broke the protocol
    └── RecorderError                     we broke an invariant of our own: stop, loudly

A wrong position on the board is no error: it is a value (``recorder.domain.plays.Fault``).
"""


class TilecastError(Exception):
    """Whatever this program raises on purpose; the message names the remedy."""


class NotationError(TilecastError, ValueError):
    """A text (square, placement, GCG, tile set) that cannot be read as what it claims to be."""


class DeviceError(TilecastError):
    """A device or a peer broke the protocol: truncated, damaged, of an unknown version, silent."""


class RecorderError(TilecastError):
    """An invariant of the recorder does not hold; going on would record something untrue."""
