"""The scene after a game, as a viewer sees it: who has won, and how it was decided."""

import pytest

from recorder.domain.game import Conceded, EndRackPoints
from recorder.domain.tile_text import read_tiles
from tests.browser.conftest import Screen, Server
from tests.browser.overlays.test_scenes import OUTSIDE
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.browser


def test_the_end_tells_how_the_game_was_decided(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """The last board, the turns that decided it with why, and the same numbers on the curve."""
    table.start()
    for at, text in enumerate(OPENING):
        table.play(at % 2, text, points=90 if text == "M9 .LF" else None)
    table.record(EndRackPoints(1, 12, read_tiles("QY")))
    screen.page.goto(server.url(f"/o/table-{table.table}/final"))
    screen.page.wait_for_selector(".story")
    story = [
        turn.translate({0x2068: "", 0x2069: ""}).split("\n")
        for turn in _texts(screen, ".story-turn")
    ]
    assert [turn[:3] for turn in story] == [
        ["1", "Ben \u00b7 leads for good \u00b7 highest play", "ELF"],
        ["2", "Ben \u00b7 plays out", "GNUS"],
    ]
    marks = screen.page.locator(".graph .mark text").all_text_contents()
    assert marks == ["1", "2"]
    assert screen.page.locator(".story-board .mini g:has(text)").count() == 32
    assert screen.text(".changes") == "The lead changed 1 time"
    assert screen.page.evaluate(OUTSIDE) == []
    assert screen.complaints == []


def test_a_game_that_nobody_played_has_no_story(
    screen: Screen, server: Server, table: TableWriter
) -> None:
    """Who has won, and nothing that stands empty."""
    table.start()
    table.record(Conceded(0, 100, "lateness"))
    screen.page.goto(server.url(f"/o/table-{table.table}/final"))
    screen.page.wait_for_selector(".final")
    assert screen.page.locator(".story, .graph").count() == 0
    assert screen.text(".final-line.won .name") == "Ben"
    assert screen.text(".final-line.won .by").startswith("wins")


def _texts(screen: Screen, selector: str) -> list[str]:
    return screen.page.locator(selector).all_inner_texts()
