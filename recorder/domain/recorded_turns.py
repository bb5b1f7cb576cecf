"""The turns of a game as its rows have them: recorded once, then corrected, never amended.

One fold for all that read them: the recorder, its orders, pages and exports. Knows no log: a row
is its number, what it says, and the rows that it names.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from recorder.domain.errors import RecorderError
from recorder.domain.game import GameEvent
from recorder.domain.orders import EntryName
from recorder.domain.record import (
    Corrected,
    CorrectionReason,
    Doubt,
    Recorded,
    Statement,
    TurnNote,
)
from recorder.domain.turns import Turn, TurnEnd


class TurnRow(Protocol):
    """A row of a log, as far as it matters here."""

    @property
    def seq(self) -> int:
        """Its number."""

    @property
    def says(self) -> Statement:
        """What it says."""

    @property
    def refs(self) -> tuple[int, ...]:
        """The rows that it rests on."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry of the record is: its turn, and its place among the turn's events."""

    turn: Turn
    part: int

    @property
    def event(self) -> GameEvent:
        """What the entry says."""
        return self.turn.events[self.part]


class RecordedTurns:
    """The turns of one game, folded row by row.

    A turn is named by the row that ended it (``Turn.ref``), whatever is corrected; one that names
    no such row, by its own first row. A correction of a turn's first row stands for the turn, of
    another row for that one; it may name a correction.
    """

    def __init__(self) -> None:
        self.by_ref: dict[int, Turn] = {}
        self._turn_of: dict[int, int] = {}
        self._first: dict[int, int] = {}
        self._superseded: set[int] = set()
        self.gone: dict[int, tuple[GameEvent, ...]] = {}
        """What was recorded and did not happen, as later evidence showed, by its turn's row."""

    def take(self, row: TurnRow) -> Turn | None:
        """The turn as a row leaves it; None where the row is of no turn.

        RecorderError, and nothing is changed, where the row came before or corrects no earlier one.
        """
        says = row.says
        if not isinstance(says, Recorded | Corrected):
            return None
        if row.seq in self._turn_of:
            raise RecorderError(f"entry {row.seq} comes twice")
        turn = (
            self._recorded(row, says) if isinstance(says, Recorded) else self._corrected(row, says)
        )
        self.by_ref[turn.ref] = turn
        self._turn_of[row.seq] = turn.ref
        return turn

    def _recorded(self, row: TurnRow, says: Recorded) -> Turn:
        ref = says.turn.group or row.seq
        turn = self.by_ref.get(ref)
        if turn is None or not turn.events:
            # What was taken out and is recorded again stands where it is recorded now.
            self.by_ref.pop(ref, None)
            self.gone.pop(ref, None)
            turn = Turn(ref=ref, refs=(), events=(), log_odds=0.0)
        self._first[row.seq] = row.seq
        whole = replace(
            turn,
            events=(*turn.events, says.event),
            entries=(*turn.entries, EntryName(row.seq)),
            rows=(*turn.rows, row.seq),
        )
        return _noted(whole, row, says.turn)

    def _corrected(self, row: TurnRow, says: Corrected) -> Turn:
        if says.supersedes not in self._turn_of:
            raise RecorderError(
                f"correction {row.seq} supersedes {says.supersedes}, which is not an earlier entry"
            )
        self._superseded.add(says.supersedes)
        turn = self.by_ref[self._turn_of[says.supersedes]]
        first = self._first[row.seq] = self._first[says.supersedes]
        if says.reason is CorrectionReason.GONE and turn.events:
            self.gone[turn.ref] = turn.events
        names = [EntryName(row.seq, part) for part in range(len(says.events))]
        if first == turn.rows[0]:
            whole = replace(turn, events=says.events, entries=tuple(names))
            return _noted(whole, row, says.turn, says.reason)
        if first not in turn.rows:
            return turn  # it had been taken out before the turn was recorded again
        parts: dict[int, list[tuple[EntryName, GameEvent]]] = {part: [] for part in turn.rows}
        for name, event in zip(turn.entries, turn.events, strict=True):
            parts[self._first[name.row]].append((name, event))
        parts[first] = list(zip(names, says.events, strict=True))
        held = [entry for part in parts.values() for entry in part]
        return replace(
            turn,
            entries=tuple(name for name, _ in held),
            events=tuple(event for _, event in held),
        )

    def end(self, ref: int, ended: TurnEnd | None) -> None:
        """How the table was when a turn ended; what is known of it already stays."""
        if self.by_ref[ref].ended is None:
            self.by_ref[ref] = replace(self.by_ref[ref], ended=ended)

    @property
    def turns(self) -> Iterable[Turn]:
        """All turns in the order of the game, also those that were taken out and have no event."""
        return self.by_ref.values()

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """What holds, in the order of the game."""
        return tuple(event for turn in self.turns for event in turn.events)

    def entries(self) -> Iterator[tuple[EntryName, Place]]:
        """Every entry that holds, in the order of the game."""
        for turn in self.turns:
            for part, name in enumerate(turn.entries):
                yield name, Place(turn, part)

    def turn_of(self, row: int) -> Turn | None:
        """The turn that a row recorded or corrected; None where it did neither."""
        ref = self._turn_of.get(row)
        return None if ref is None else self.by_ref[ref]

    def is_superseded(self, row: int) -> bool:
        """Whether a correction names that row."""
        return row in self._superseded


def _noted(
    turn: Turn, row: TurnRow, note: TurnNote, reason: CorrectionReason | None = None
) -> Turn:
    """The turn with what its newest row says beside the events."""
    doubt = note.doubt or Doubt(reasons=())
    return replace(
        turn,
        refs=tuple(sorted({*turn.refs, *row.refs})),
        log_odds=note.log_odds or 0.0,
        doubts=tuple(code for code in doubt.reasons if code not in doubt.firm),
        firm=doubt.firm,
        squares=doubt.squares,
        alternatives=doubt.alternatives,
        facts=note.facts,
        rulings=note.ruled,
        refitted=reason is CorrectionReason.FOLLOWS,
    )
