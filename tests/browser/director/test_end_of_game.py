"""The end of a game by the rules that a new venue has: what the director is asked, and answers."""

import re
from collections.abc import Iterator

import pytest

from recorder.domain.observations import Side
from tests.browser.conftest import Screen
from tests.browser.director.director_hall import (
    MARKS,
    TABLE,
    DirectorHall,
    SeenTable,
    director_hall,
    done,
    open_desk,
)
from tests.recorder.order_game import EMPTY, HAND

pytestmark = [*MARKS, pytest.mark.further]
RULES = 'rules = "{rules}"\nconfirmed = ["overtime", "endgame"]'


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
    """A table for each test, with the rules that ``tilecast init`` writes."""
    folder = tmp_path_factory.mktemp("hall")
    table = TABLE.replace('rules = "{rules}"', RULES)
    with director_hall(folder, tables=2, rules="wespa4", table=table) as venue:
        yield venue


def end_early(screen: Screen, hall: DirectorHall, number: int) -> SeenTable:
    """HAND is played, and the director ends the game on the page."""
    seen = hall.table(number)
    seen.press(Side.RIGHT)
    seen.show(EMPTY)
    seen.press(Side.LEFT)
    seen.show(HAND)
    open_desk(screen.page, hall, number)
    screen.shows("document.body.innerText.includes('HAND')")
    screen.page.click("summary:has-text('End of the game')")
    screen.page.click(".bar button:has-text('End the game')")
    screen.page.click("dialog button.main:not(:disabled)")
    done(screen.page, seen, "order.end")
    screen.page.wait_for_selector(".need.doubt")
    return seen


def test_a_game_that_nobody_played_out_asks_for_the_racks_and_nothing_else(
    screen: Screen, hall: DirectorHall
) -> None:
    """In words of players; its answers are the form for the tiles left, and none at all."""
    seen = end_early(screen, hall, 1)
    need = screen.text(".need.doubt")
    assert "which tiles are left on both racks?" in need
    assert not re.search("procedure|overrides", need)
    buttons = screen.page.locator(".need.doubt .answers button").all_inner_texts()
    assert buttons == ["Tiles left…", "No points for that"]
    screen.page.click(".need.doubt .answers button:has-text('No points')")
    done(screen.page, seen, "order.accept")
    screen.shows("!document.querySelector('.need.doubt')")


def test_the_tiles_left_are_entered_where_they_are_asked_for(
    screen: Screen, hall: DirectorHall
) -> None:
    """The question itself opens the form; what is entered settles it."""
    seen = end_early(screen, hall, 2)
    screen.page.click(".need.doubt button.open")
    screen.page.wait_for_selector("dialog[aria-label='Tiles left']")
    screen.page.fill("dialog [name=minus0]", "9")
    screen.page.fill("dialog [name=minus1]", "4")
    screen.page.click("dialog button.main:not(:disabled)")
    done(screen.page, seen, "order.end_racks")
    screen.shows("!document.querySelector('.need.doubt')")
