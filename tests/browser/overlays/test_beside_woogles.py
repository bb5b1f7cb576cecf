"""A reader of the mirrored document alone, beside the overlay: both draw the same at every turn."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from devices.lab.demonstration import load_game
from recorder.bus.broker import free_port
from recorder.domain.game import ChallengeBonus, Exchanged, Passed, Withdrawn
from tests.browser.conftest import Server, now_ms
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually
from tests.woogles.mirroring import phonies_of
from tests.woogles.test_mirroring_process import Program
from tests.woogles.their_server import TheirServer

pytestmark = [pytest.mark.browser, pytest.mark.further]

READER = Path(__file__).parents[2] / "woogles" / "reader.html"


@pytest.fixture
def pages(browser: Browser) -> Iterator[tuple[Page, Page]]:
    overlay, reader = browser.new_page(), browser.new_page()
    reader.goto(READER.as_uri())
    yield overlay, reader
    overlay.close()
    reader.close()


def overlay_board(overlay: Page) -> dict[str, str]:
    """By square, the letter of every tile of the overlay, small for a blank."""
    found: dict[str, str] = overlay.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.tiles [data-square]')]"
        ".map((tile) => { const letter = tile.querySelector('.letter').textContent;"
        " return [tile.dataset.square, tile.querySelector('.value') ? letter :"
        " letter.toLowerCase()]; }))"
    )
    return found


def test_both_draw_the_same_at_every_turn(pages: tuple[Page, Page], tmp_path: Path) -> None:
    """The game of the demonstration: a blank, a phony taken off, a challenge in vain, the end."""
    overlay, reader = pages
    game = load_game(None)
    log = tmp_path / "log.db"
    table = TableWriter(log, at=now_ms() - 1_000_000)
    table.start(game.names)
    server = Server(log, free_port())
    server.start()
    with TheirServer() as theirs, Program(theirs, log) as program:
        theirs.phonies = phonies_of(game.tile_set, game.events)
        overlay.goto(server.url("/overlay/full?table=1"))
        compared = 0
        for number, event in enumerate(game.events, 1):
            table.record(event)
            eventually(lambda number=number: in_step(program, number))  # type: ignore[misc]
            # Points that are no turn there, as overtime's, come with the document a little later.
            wanted = table.state.scores
            eventually(lambda wanted=wanted: scores_of(reader, theirs) == wanted, str(event))  # type: ignore[misc]
            drawn = reader.evaluate("() => drawn()")
            eventually(lambda drawn=drawn: overlay_board(overlay) == drawn, str(event))  # type: ignore[misc]
            compared += 1
        overlay.screenshot(path=tmp_path / "overlay.png")
        reader.screenshot(path=tmp_path / "reader.png")
    server.kill()
    table.log.close()
    assert compared == len(game.events)
    kinds = {type(event) for event in game.events}
    assert kinds & {Exchanged, Passed, Withdrawn, ChallengeBonus}


def scores_of(reader: Page, theirs: TheirServer) -> tuple[int, ...]:
    (document,) = theirs.documents.values()
    reader.evaluate("(game) => draw(game)", document)
    scores = re.findall(r"(-?\d+)(?: -|$)", reader.inner_text("#scores"))
    return tuple(map(int, scores))


def in_step(program: Program, number: int) -> bool:
    """Whether all that is recorded so far is there."""
    stands = program.kept.states()
    if stands and stands[0].state == "waits":
        return True
    return (
        bool(stands)
        and stands[0].state == "in_step"
        and number <= stands[0].turns == stands[0].sent
    )
