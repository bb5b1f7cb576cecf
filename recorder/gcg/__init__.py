"""GCG, the exchange format of the field: a tolerant reader and a strict writer.

``read_gcg`` never fails: it gives the game as far as it can be followed, and named faults with
their lines. ``write_gcg`` writes what every program of the field can read.
"""

from recorder.gcg.model import GcgFault, GcgGame, GcgMove, GcgPlayer, Severity
from recorder.gcg.reader import read_gcg
from recorder.gcg.writer import write_gcg

__all__ = [
    "GcgFault",
    "GcgGame",
    "GcgMove",
    "GcgPlayer",
    "Severity",
    "read_gcg",
    "write_gcg",
]
