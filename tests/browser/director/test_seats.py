"""Players who sit the other way round than the recorder holds: put right from the doubt itself."""

from pathlib import Path

import pytest

import tilecast
from recorder.domain.game import Played
from recorder.domain.observations import Side
from recorder.domain.record import Corrected, Recorded
from recorder.domain.recorded_turns import RecordedTurns
from tests.browser.conftest import Screen
from tests.browser.director.director_hall import (
    MARKS,
    DirectorHall,
    SeenTable,
    done,
    hall_of,
    open_desk,
)
from tests.eventually import eventually
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT

pytestmark = [*MARKS, pytest.mark.further]

hall = hall_of(1)


def _players(table: SeenTable) -> list[int]:
    turns = RecordedTurns()
    for row in table.rows():
        if isinstance(row.says, Recorded | Corrected):
            turns.take(row)
    return [event.player for event in turns.events if isinstance(event, Played)]


def test_the_doubt_of_the_first_turn_offers_to_exchange_the_seats(
    screen: Screen, hall: DirectorHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ada begins, at the right; the page shows in advance what changes, and the GCG is right."""
    page, table = screen.page, hall.table(1)
    table.show(EMPTY)
    table.press(Side.LEFT)
    table.show(HAND)
    table.press(Side.RIGHT)
    table.show(HAND)
    table.press(Side.LEFT)
    table.show(HAND_CAT)
    eventually(lambda: _players(table) == [1, 0], "both turns are the other player's")
    open_desk(page, hall, 1)
    need = page.locator(".need.doubt", has_text="order of play")
    page.screenshot(path=tmp_path / "doubt.png")
    need.get_by_role("button", name="Players sit the other way round").click()
    page.get_by_role("button", name="Apply").and_(page.locator(":enabled")).wait_for()
    page.screenshot(path=tmp_path / "form.png")
    page.get_by_role("button", name="Apply").click()
    done(page, table, "order.seats")
    eventually(lambda: _players(table) == [0, 1], "each has their own turn")
    need.wait_for(state="detached")
    eventually(lambda: hall.frame(1)["clock"]["running"] == 0, "Ada's clock runs, at the right")
    page.screenshot(path=tmp_path / "after.png")
    gcg = page.request.get(hall.server.url("/api/table/1/export/gcg"))
    (tmp_path / "game.gcg").write_bytes(gcg.body())
    assert tilecast.main(["gcg", "check", str(tmp_path / "game.gcg")]) == 0, capsys.readouterr().out
