"""What a scenario expects of the record, and whether it holds.

An expectation says what it wants in a line, and ``unmet`` says what stands there instead. It sees
a ``TableRecord`` of what was read from the log, and nothing of the recorder.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from recorder.domain.board import Square, name_across, parse_square
from recorder.domain.errors import NotationError
from recorder.domain.tiles import Tile
from recorder.lab.scenario.recorded_values import OpenProcedure, OpenStep, RecordedTurn
from recorder.lab.scenario.table_record import TableRecord

Facts = Mapping[str, str]


class Expectation(ABC):
    """One line that begins with ``expect``."""

    __slots__ = ()

    @abstractmethod
    def unmet(self, record: TableRecord) -> str | None:
        """What stands there instead; None when it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectTurn(Expectation):
    """A turn of the record; what is None is not asked."""

    number: int
    player: int
    kind: str
    place: str | None = None
    word: str | None = None
    score: int | None = None

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        turn = record.turn(self.number)
        if turn is None:
            return f"{len(record.turns)} turns"
        asked = (self.player, self.kind, self.place, self.word, self.score)
        found = (turn.player, turn.kind, turn.position, turn.word, turn.points_said)
        same = all(wanted in (None, other) for wanted, other in zip(asked, found, strict=True))
        return None if same else _turn_words(turn)


@dataclass(frozen=True, slots=True)
class ExpectTurns(Expectation):
    """How many turns are recorded."""

    count: int

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        count = len(record.turns)
        return None if count == self.count else str(count)


@dataclass(frozen=True, slots=True)
class ExpectTotals(Expectation):
    """Both totals, player 1 first."""

    totals: tuple[int, int]

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        first, second = record.totals
        return None if record.totals == self.totals else f"{first} {second}"


@dataclass(frozen=True, slots=True)
class ExpectTold(Expectation):
    """Something was reported, at any time until now: to anybody, or to one audience."""

    code: str
    to: str | None = None
    facts: Facts = field(default_factory=dict)

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        saying = [said for said in record.told if said.code == self.code]
        if any(self.to in (None, said.to) and _has(said.facts(), self.facts) for said in saying):
            return None
        if saying:
            return ", ".join(f"{said.code} {said.to}" for said in saying)
        return ", ".join(dict.fromkeys(said.code for said in record.told)) or "nothing was reported"


@dataclass(frozen=True, slots=True)
class ExpectNot(Expectation):
    """Something was not reported, at no time until now: to nobody, or not to one audience."""

    code: str
    to: str | None = None

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        saying = [
            said for said in record.told if said.code == self.code and self.to in (None, said.to)
        ]
        return ", ".join(f"{said.code} {said.to}: {said.text}" for said in saying) or None


@dataclass(frozen=True, slots=True)
class ExpectSilence(Expectation):
    """Nobody was informed: neither players nor director.

    What is only kept is not reported.
    """

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        saying = [said for said in record.told if said.to in ("players", "director")]
        return ", ".join(f"{said.code} {said.to}" for said in saying) or None


@dataclass(frozen=True, slots=True)
class ExpectOpen(Expectation):
    """A procedure stands open, with these facts."""

    code: str
    facts: Facts = field(default_factory=dict)

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        if any(
            procedure.code == self.code and _has(procedure.all_facts(), self.facts)
            for procedure in record.open
        ):
            return None
        return _open_words(record.open)


@dataclass(frozen=True, slots=True)
class ExpectStep(Expectation):
    """A step of a procedure that stands open, with these facts."""

    code: str
    facts: Facts = field(default_factory=dict)

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        steps = [step for procedure in record.open for step in procedure.steps]
        if any(step.code == self.code and _has(step.facts(), self.facts) for step in steps):
            return None
        return ", ".join(map(_step_words, steps)) or f"no step; {_open_words(record.open)}"


@dataclass(frozen=True, slots=True)
class ExpectNoProcedure(Expectation):
    """No procedure stands open."""

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        return _open_words(record.open) if record.open else None


@dataclass(frozen=True, slots=True)
class ExpectDoubt(Expectation):
    """A turn is doubtful."""

    number: int

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        turn = record.turn(self.number)
        if turn is None:
            return f"{len(record.turns)} turns"
        return None if turn.doubtful else f"{_turn_words(turn)}, not doubtful"


@dataclass(frozen=True, slots=True)
class ExpectBoard(Expectation):
    """What lies on a square, as recorded: a tile, or ``.``."""

    square: Square
    tile: Tile

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        tile = record.board[self.square]
        return None if tile is self.tile else f"{tile} on {name_across(self.square)}"


@dataclass(frozen=True, slots=True)
class ExpectBag(Expectation):
    """How many tiles are in the bag."""

    count: int

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        return None if record.bag == self.count else str(record.bag)


@dataclass(frozen=True, slots=True)
class ExpectEnd(Expectation):
    """How the game ended, and the points that follow from it."""

    kind: str
    points: int | None = None

    def unmet(self, record: TableRecord) -> str | None:
        """See ``Expectation``."""
        end = record.ending
        if end is None:
            return "the game goes on"
        same = end.kind == self.kind and self.points in (None, end.points)
        return None if same else f"{end.kind} {end.points}"


def _has(facts: Mapping[str, object], asked: Facts) -> bool:
    return all(_plain(_word(facts.get(name))) == _plain(value) for name, value in asked.items())


def _plain(word: str) -> str:
    """A word as it is compared: a square may be named from either side."""
    try:
        return name_across(parse_square(word)[0])
    except NotationError:
        return word


def _word(value: object) -> str:
    """A fact as a scenario writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _fact_words(facts: Mapping[str, object]) -> str:
    return "".join(f" {name} {_word(value)}" for name, value in facts.items() if value is not None)


def _turn_words(turn: RecordedTurn) -> str:
    parts = (str(turn.player), turn.kind, turn.position, turn.word, str(turn.points_said))
    return " ".join(part for part in parts if part)


def _open_words(opened: tuple[OpenProcedure, ...]) -> str:
    words = [f"{procedure.code}{_fact_words(procedure.all_facts())}" for procedure in opened]
    return ", ".join(words) or "no procedure is open"


def _step_words(step: OpenStep) -> str:
    return f"{step.code}{_fact_words(step.facts())}"
