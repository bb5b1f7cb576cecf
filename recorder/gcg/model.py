"""What a GCG file says: players, moves with their notes, racks, and what is wrong with it.

GCG is the exchange format of the field: one line per event, ``>nick: RACK 8D WORD +24 24``.
This module holds the values that the reader makes and the writer takes; it knows no text.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from recorder.domain.game import GameEvent, Laid
from recorder.domain.tiles import Tiles, TileSet

UNKNOWN_RACK = "UNKNOWN"
"""What the field's programs write where a rack must stand and nobody knows it."""

UNDECIDED_NOTE = "exchange or pass: the board was unchanged, which of the two is undecided"
"""The note that distinguishes an undecided turn, written as a pass, from a pass."""

EXCESS_NOTE = "more of these tiles than the set has, as they were read from the board"
"""The note under a play of tiles that the set does not have: a letter, or the set, is wrong."""

_AGREED = re.compile(r"score agreed -?\d+, computed -?\d+")


def agreed_note(agreed: int, computed: int) -> str:
    """The note under a play whose agreed score is not what the squares give."""
    return f"score agreed {agreed}, computed {computed}"


def is_agreed_note(text: str) -> bool:
    """Whether a note says that a wrong score was agreed at the table."""
    return _AGREED.fullmatch(text) is not None


class Severity(StrEnum):
    """Whether a fault makes the file wrong (error) or only doubtful (warning)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class GcgFault:
    """One thing wrong with a file: the line (counted from 1), the fault's name, and words."""

    line: int
    fault: str
    message: str
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class GcgPlayer:
    """A player: the name without blanks that stands in every line, and the full name."""

    nick: str
    name: str


@dataclass(frozen=True, slots=True)
class GcgMove:
    """One event of the game as a line of the file.

    ``rack`` is what the line says of the mover's rack, also where the event has no place for it
    (withdrawn plays, bonuses); ``line`` is 0 for a move that was not read from a file.
    """

    event: GameEvent
    rack: Tiles = ()
    notes: tuple[str, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class GcgGame:
    """A game as GCG knows it.

    ``pragmata`` are keyword and text of the header (title, description, id, lexicon and the
    like); the encoding, the players, the tile distribution and the racks have fields of their
    own. ``final`` and ``faults`` are what the reader found; the writer ignores both.
    """

    players: tuple[GcgPlayer, GcgPlayer]
    tile_set: TileSet
    moves: tuple[GcgMove, ...] = ()
    pragmata: tuple[tuple[str, str], ...] = ()
    racks: tuple[Tiles, Tiles] = ((), ())
    final: tuple[int, int] = (0, 0)
    faults: tuple[GcgFault, ...] = field(default=())

    @property
    def names(self) -> tuple[str, str]:
        """How a table calls the players: by full name, by nick where that is the same."""
        first, second = self.players
        if first.name.casefold() == second.name.casefold():
            return first.nick, second.nick
        return first.name, second.name

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The events of the game, ready for ``recorder.domain.game.replay``."""
        return tuple(move.event for move in self.moves)

    @property
    def plays(self) -> int:
        """How many times tiles were laid, plays withdrawn later included."""
        return sum(isinstance(move.event, Laid) for move in self.moves)

    @property
    def ok(self) -> bool:
        """Whether nothing worse than a warning was found."""
        return all(fault.severity is not Severity.ERROR for fault in self.faults)
