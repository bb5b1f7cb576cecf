"""Racks that a person types: known to commentators as those that a camera reads, to nobody else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.commentator.analysis import Analysis, load_lists
from dashboard.live.sensor_state import table_at
from recorder.domain.notices import in_words
from recorder.domain.observations import ClockPressed, DeviceLost, RackSeen, RackTyped, Side
from recorder.domain.tile_text import read_tiles
from tests.dashboard.table_writer import TableWriter
from tests.dashboard.test_commentator_model import told

TYPIST = "phone-racks-1"


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    """A table with a log of its own; a game is on."""
    writer = write_table(1_700_000_000_000)
    writer.start()
    return writer


def types(table: TableWriter, side: Side, letters: str) -> None:
    table.observe(RackTyped(side=side, letters=read_tiles(letters)), TYPIST)


def presses(table: TableWriter, side: Side) -> int:
    """A player ends the turn; the row of the press."""
    other = Side.RIGHT if side is Side.LEFT else Side.LEFT
    press = ClockPressed(side=side, left_ms=9, right_ms=9, running=other)
    return table.observe(press, "clock-1").seq


def test_a_typed_rack_holds_until_its_players_turn_is_over(table: TableWriter) -> None:
    """In the player's order, marked; neither the other's press nor a page that goes changes it."""
    types(table, Side.LEFT, "YZEPRHS")
    presses(table, Side.RIGHT)
    table.observe(DeviceLost(device=TYPIST, reason=in_words("the page is gone")), TYPIST)
    seen = told(table)["racks"][0]["seen"]
    assert (seen["letters"], seen["typed"]) == ("YZEPRHS", True)
    table.play(0, "8D ZEPHYR", refs=[presses(table, Side.LEFT)])
    model = told(table)
    assert model["racks"][0]["seen"] is None
    rack = model["sheet"][0]["rack"]
    assert (rack["letters"], rack["typed"]) == ("YZEPRHS", True)


def test_what_is_known_last_counts(table: TableWriter) -> None:
    """A slip of the finger is typed over, also by fewer letters; nothing takes it back."""
    for letters in ("RETAINS", "RETAI", ""):
        types(table, Side.LEFT, letters)
        seen = told(table)["racks"][0]["seen"]
        assert (seen and seen["letters"]) == (letters or None)
    look = RackSeen(
        side=Side.LEFT, letters=read_tiles("RETAINS"), slots=read_tiles("RETAINS"), confidence=0.9
    )
    table.observe(look, "rack-1")
    assert told(table)["racks"][0]["seen"]["typed"] is False


def test_best_plays_of_a_typed_rack(table: TableWriter, tmp_path: Path) -> None:
    """They are asked for as with a camera; a tile that is not left is reported."""
    (tmp_path / "words").write_text("RETAINS\nNASTIER\nAT\n", encoding="utf-8")
    analysis = Analysis(lists=load_lists(tmp_path / "words"))
    types(table, Side.LEFT, "RETAINS")
    best = told(table, analysis)["best"]
    assert (best["rack"], best.get("why", "")) == ("RETAINS", "")
    types(table, Side.LEFT, "ZZ")
    assert told(table, analysis)["best"]["why"] == "rack_not_left"


def test_a_director_sees_that_a_rack_is_typed(table: TableWriter) -> None:
    """Beside what sensors say, never as their word: no form is filled in from it."""
    types(table, Side.LEFT, "YZEPRHS")
    types(table, Side.RIGHT, "AB")
    types(table, Side.RIGHT, "")
    now = table_at(table.rows, 1, table.rows[-1].seq)["senses"]
    assert now["racks"] == [None, None]
    assert [typed and typed["letters"] for typed in now["typed"]] == ["YZEPRHS", None]
    presses(table, Side.LEFT)
    assert table_at(table.rows, 1, table.rows[-1].seq)["senses"]["typed"] == [None, None]
