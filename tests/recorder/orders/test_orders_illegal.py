"""Orders about layings against the rules of placement, through the recorder."""

import time
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.board import Square
from recorder.domain.orders import Challenged, Correct, EntryName, Outcome, TurnKind, Undo
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from tests.folded import broadcast_frame
from tests.recorder.orders.test_session_orders import LAID, entry, settle, texts
from tests.recorder.session_table import Table, play_two_turns, recorded, run

pytestmark = pytest.mark.slow


def first_entry(tmp_path: Path, text: str) -> EntryName:
    deadline = time.monotonic() + 60
    while texts(rows := recorded(tmp_path))[0] != text:
        assert time.monotonic() < deadline, texts(rows)
        time.sleep(0.01)
    game = RecordedTurns()
    for row in rows:
        game.take(row)
    return next(game.entries())[0]


def test_tiles_of_an_illegal_laying_come_off_after_the_reply(tmp_path: Path, table: Table) -> None:
    """The turn counts 0, the reply stands, and the rest of the laying stays on the board."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    table.order(Correct(entry=entry(rows, "HAND"), laid=LAID))
    name = first_entry(tmp_path, "1 illegal 8G=H 8H=A 15O=N +10")
    lifted = Correct(entry=name, lifted=(Square(224),))
    last = table.order(lifted)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert texts(rows) == ["1 illegal 8G=H 8H=A 15O=N +0", "2 9F CAT +14"]
    frame = broadcast_frame(rows)
    assert frame["board"][14] == "." * 15
    assert frame["board"][7] == "......HA......."
    assert "came off: 15O" in (tmp_path / "live.gcg").read_text(encoding="utf-8")
    recorder, store = run(tmp_path, table)
    table.order(Undo(order=last))
    recorder.stop()
    store.close()
    assert texts(recorded(tmp_path))[0] == "1 illegal 8G=H 8H=A 15O=N +10"


def test_an_illegal_laying_is_challenged_off(tmp_path: Path, table: Table) -> None:
    """As a play is: its points go, its turn does not; what was built on it stands alone."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    table.order(Correct(entry=entry(rows, "HAND"), laid=LAID))
    name = first_entry(tmp_path, "1 illegal 8G=H 8H=A 15O=N +10")
    table.order(Challenged(entry=name, outcome=Outcome.OFF))
    recorder.stop()
    store.close()
    assert texts(recorded(tmp_path)) == [
        "1 illegal 8G=H 8H=A 15O=N +10",
        "1 Withdrawn",
        "2 9F CAT +6",
    ]


WRONG_LAYINGS = [
    ("a legal one", {"laid": ((Square(111), "H"), (Square(112), "A"))}, "laying_is_legal"),
    ("letters of another set", {"laid": ((Square(0), "Ä"),)}, "no_such_tile"),
    ("two things at once", {"laid": LAID, "kind": TurnKind.PASS}, "laying_and_else"),
    ("off a play", {"lifted": (Square(111),)}, "no_illegal_laying"),
    ("with points", {"lifted": (Square(111),), "score": 5}, "lifted_scores_zero"),
]


@pytest.mark.parametrize(
    ("what", "given", "reason"), WRONG_LAYINGS, ids=[what for what, *_ in WRONG_LAYINGS]
)
def test_an_illegal_laying_that_cannot_be_is_refused(
    tmp_path: Path, table: Table, what: str, given: dict[str, Any], reason: str
) -> None:
    """The code names what is wrong; the record stays."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    table.order(Correct(entry=entry(rows, "HAND"), **given))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    refused = next(row for row in rows if row.kind is Kind.RULED)
    assert refused.body["data"]["reason"]["code"] == reason
    assert texts(rows) == ["1 8G HAND +16", "2 9F CAT +14"]
