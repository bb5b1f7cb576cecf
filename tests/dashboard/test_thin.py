"""What pages work out themselves is left out, and only where it comes out right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dashboard.live.derived import thinned, whole
from recorder.domain.board import Square
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPoints,
    Exchanged,
    IllegallyPlayed,
    Penalty,
    Withdrawn,
)
from recorder.domain.laying_faults import LayingFault
from recorder.projections import broadcast_frame
from tests.dashboard.table_writer import OPENING, TableWriter


def opening(table: TableWriter) -> None:
    """Ten plays, words across words, a blank among them."""
    for at, text in enumerate(OPENING):
        table.play(at % 2, text)


def taken_back(table: TableWriter) -> None:
    """The last play is withdrawn."""
    opening(table)
    table.record(Withdrawn(1, 0))


def fined_first(table: TableWriter) -> None:
    """Points go before anybody has played."""
    table.record(Penalty(1, 10))


def counted_out(table: TableWriter) -> None:
    """A bonus and end-rack points change totals after the play."""
    opening(table)
    table.record(ChallengeBonus(1, 5))
    table.record(EndRackPoints(1, 18, "QE"))


def out_of_line(table: TableWriter) -> None:
    """Tiles against the rules, in no single line."""
    opening(table)
    tiles = ((Square(0), "A"), (Square(16), "T"), (Square(32), "E"))
    table.record(IllegallyPlayed(0, tiles, (LayingFault.DIAGONAL,), 3))


def drawn_anew(table: TableWriter) -> None:
    """An exchange lies nowhere on the board."""
    opening(table)
    table.record(Exchanged(0, 3))


def too_many(table: TableWriter) -> None:
    """More Z than the set has, and a letter that it lacks."""
    for at, text in enumerate(("8D ZZÄZ", "D8 .ZZ")):
        table.play(at % 2, text, points=7)


STORIES: tuple[Callable[[TableWriter], None], ...] = (
    lambda _: None, opening, taken_back, fined_first, counted_out, out_of_line, drawn_anew,
    too_many,
)  # fmt: skip


@pytest.mark.parametrize("story", STORIES)
@pytest.mark.parametrize("tiles", ["english", "german"])
def test_a_thin_frame_is_made_whole_again(
    tmp_path: Path, story: Callable[[TableWriter], None], tiles: str
) -> None:
    """Whatever happens in a game, what was left out comes out as it was."""
    table = TableWriter(tmp_path / "log.db", at=1)
    table.start(tile_set=tiles)
    story(table)
    table.log.close()
    frame = broadcast_frame(table.rows)
    assert frame is not None
    assert whole(thinned(frame)) == frame


def test_what_does_not_follow_is_told(tmp_path: Path) -> None:
    """Cross words, and unseen tiles where the board has more than the set."""
    table = TableWriter(tmp_path / "log.db", at=1)
    table.start()
    table.play(0, "8D ZEPHYR")
    table.play(1, "F6 CO.Y")
    frame = broadcast_frame(table.rows)
    assert frame is not None
    assert thinned(frame)["last_play"].keys().isdisjoint({"words", "squares", "total"})
    assert thinned(frame).keys().isdisjoint({"unseen", "turns"})
    assert not any("score" in player for player in thinned(frame)["players"])
    table.play(0, "9C ÄÄ", points=3)
    table.log.close()
    frame = broadcast_frame(table.rows)
    assert frame is not None
    assert thinned(frame)["last_play"]["cross"] == ["ZÄ"]
    assert thinned(frame)["unseen"] == frame["unseen"]
