"""What can be read of a game from its log: turns, what was reported, procedures, the end.

Values with their form as JSON; ``table_record`` reads them. Players are 1 and 2.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from recorder.declared.codec import Json

EntryKey = tuple[int, int]
"""An entry as an order names it: the row that holds it, and which of the row's events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """A turn as the record has it.

    ``kind`` is ``withdraw`` for a play that was taken back. ``entry`` names it for orders;
    ``readings`` are what it may be, the one that stands first, empty where it is not doubtful.
    """

    number: int
    player: int
    kind: str
    position: str = ""
    word: str = ""
    score: int = 0
    count: int = 0
    doubtful: bool = False
    readings: tuple[str, ...] = ()
    entry: EntryKey = (0, 0)
    group: int = 0

    @property
    def points_said(self) -> int:
        """The points, or of an exchange the number of tiles."""
        return self.count if self.kind == "exchange" else self.score

    def as_json(self) -> Json:
        """The turn as plain JSON values."""
        return {
            "n": self.number,
            "player": self.player,
            "kind": self.kind,
            "position": self.position,
            "word": str(self.count) if self.kind == "exchange" else self.word,
            "score": self.score,
            "doubtful": self.doubtful,
            "readings": list(self.readings),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Something that was reported: its code, to whom, and what goes with it.

    ``row`` is in the log.
    """

    row: int
    code: str
    to: str
    at_s: float
    text: str
    turn: int | None = None
    player: int | None = None
    squares: tuple[str, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def facts(self) -> Mapping[str, object]:
        """What an expectation can ask of it."""
        square = self.squares[0] if len(self.squares) == 1 else None
        return {"player": self.player, "turn": self.turn, "square": square, **self.numbers}

    def as_json(self) -> Json:
        """The same as plain JSON values."""
        return {
            "code": self.code,
            "to": self.to,
            "at_s": self.at_s,
            "turn": self.turn,
            "player": self.player,
            "squares": list(self.squares),
            "numbers": dict(self.numbers),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStep:
    """A step of a procedure; what is None is not said."""

    code: str
    player: int | None = None
    tiles: int | None = None
    seconds: int | None = None
    done: bool = False

    def facts(self) -> Mapping[str, object]:
        """What an expectation can ask of it."""
        return {"player": self.player, "tiles": self.tiles, "seconds": self.seconds}

    def as_json(self) -> Json:
        """The step as plain JSON values."""
        return {"code": self.code, **self.facts(), "done": self.done}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenProcedure:
    """A procedure that stands open."""

    code: str
    player: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    steps: tuple[OpenStep, ...] = ()
    orders: tuple[Json, ...] = ()

    def all_facts(self) -> Mapping[str, object]:
        """What an expectation can ask of it."""
        return {"player": self.player, **self.facts}

    def as_json(self) -> Json:
        """The procedure as plain JSON values."""
        return {
            "code": self.code,
            "player": self.player,
            "facts": dict(self.facts),
            "steps": [step.as_json() for step in self.steps],
            "orders": list(self.orders),
        }


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended, and the points or the margin that follow from it."""

    kind: str
    points: int
