"""Illegal layings on score sheets and pages."""

from collections.abc import Callable

import pytest

from recorder.domain.board import Square
from recorder.domain.game import IllegallyPlayed, Withdrawn
from recorder.domain.laying_faults import LayingFault
from recorder.domain.tiles import Tile
from tests.dashboard.table_writer import TableWriter
from tests.folded import broadcast_frame, score_sheet


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    return write_table(1_800_000_000_000)


def test_an_illegal_laying_is_told_to_the_director_and_is_a_play_in_public(
    table: TableWriter,
) -> None:
    """What was wrong is a finding; tiles, points and words are facts of the game (INT-2)."""
    table.start()
    table.play(0, "8D ZEPHYR")
    gap = tuple(
        (Square(at), Tile(tile)) for at, tile in ((54, "L"), (69, "O"), (99, "N"), (114, "S"))
    )
    table.record(IllegallyPlayed(1, gap, (LayingFault.GAP, LayingFault.NOT_TOUCHING), 14))
    line = score_sheet(table.rows)[1]
    assert (line["kind"], line["position"], line["word"]) == ("illegal", "J4", "LO.NS")
    assert (line["faults"], line["tiles"]) == (["gap", "not_touching"], "LONS")
    frame = broadcast_frame(table.rows)
    assert frame["last_play"]["kind"] == "play"
    assert frame["last_play"]["score"] == 14
    assert "illegal" not in str(frame)
    assert "not_touching" not in str(frame)
    table.record(Withdrawn(1, 14))
    back = score_sheet(table.rows)[2]
    assert (back["kind"], back["n"], back["score"], back["squares"]) == (
        "withdraw", 2, -14, line["squares"],
    )  # fmt: skip
