"""The turns of a game as its rows have them, recorded and corrected."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, GameEvent, NoPlay, Passed, Played, Withdrawn
from recorder.domain.orders import EntryName
from recorder.domain.plays import parse_placement
from recorder.domain.record import Corrected, Recorded, TurnNote
from recorder.domain.recorded_turns import RecordedTurns

QUALM = Played(0, parse_placement("8D QUALM"), 52)
BOY = Played(1, parse_placement("9G BOY"), 23)


@dataclass(frozen=True)
class Row:
    """A row of the log, as far as it matters here."""

    seq: int
    says: Recorded | Corrected
    refs: tuple[int, ...] = ()


def turns(rows: Sequence[Row]) -> RecordedTurns:
    recorded = RecordedTurns()
    for row in rows:
        recorded.take(row)
    return recorded


def said(row: int, event: GameEvent, group: int = 0) -> Row:
    return Row(row, Recorded(event=event, turn=TurnNote(group=group)))


def corrected(row: int, supersedes: int, *events: GameEvent, group: int = 0) -> Row:
    return Row(row, Corrected(supersedes=supersedes, events=events, turn=TurnNote(group=group)))


def test_a_correction_can_be_corrected_and_the_later_one_holds() -> None:
    """Naming the first entry or the correction comes to the same; nothing at all removes it."""
    rows = [
        said(1, QUALM),
        said(2, NoPlay(1)),
        corrected(5, 2, Exchanged(1, 2)),
        corrected(7, 5, BOY, Withdrawn(1, 23)),
    ]
    assert turns(rows).events == (QUALM, BOY, Withdrawn(1, 23))
    assert turns([*rows, corrected(9, 2)]).events == (QUALM,)


def test_a_correction_of_nothing_is_refused() -> None:
    """Superseding an entry that is not there would lose events silently."""
    with pytest.raises(RecorderError, match="supersedes 7"):
        turns([said(1, QUALM), corrected(2, 7)])
    with pytest.raises(RecorderError, match="twice"):
        turns([said(1, QUALM), said(1, BOY)])


def test_a_turn_keeps_its_name_when_it_is_corrected_and_when_it_moves() -> None:
    """It is the press that ended it, also where the turn is taken out and recorded again later."""
    rows = [
        said(12, QUALM, group=10),
        said(13, BOY, group=11),
        corrected(14, 13, Exchanged(1, 2), group=11),
        corrected(15, 12, group=10),
        said(16, Passed(0), group=10),
    ]
    recorded = turns(rows)
    assert [(turn.ref, turn.events) for turn in recorded.turns] == [
        (11, (Exchanged(1, 2),)),
        (10, (Passed(0),)),
    ]
    assert [name for name, _ in recorded.entries()] == [EntryName(14), EntryName(16)]


def test_a_turn_of_two_rows_is_corrected_as_one_or_event_by_event() -> None:
    """The first row stands for the turn, another row for itself; both keep the order."""
    rows = [said(2, BOY, group=1), said(3, Withdrawn(1, 23), group=1)]
    one = turns([*rows, corrected(4, 3, Withdrawn(1, 22), group=1)])
    assert one.events == (BOY, Withdrawn(1, 22))
    assert [name for name, _ in one.entries()] == [EntryName(2), EntryName(4)]
    whole = turns([*rows, corrected(4, 2, Exchanged(1, 2), group=1), corrected(5, 3, group=1)])
    assert whole.events == (Exchanged(1, 2),)
