"""Two cameras that stand over each other's tables: named on the page, exchanged by its button."""

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from recorder.domain.game import Played
from recorder.domain.observations import Side
from recorder.domain.record import Corrected, GameStarted, Observed, Recorded, Sender
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.tiles import face
from recorder.log.port import NewRow
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, now_ms
from tests.browser.director.director_hall import MARKS, DirectorHall, director_hall, open_desk
from tests.eventually import eventually
from tests.simulated_tables import START_MS, USUAL, Game, Said, hall_of, said_in

pytestmark = [*MARKS, pytest.mark.further]

TURNS = 6


@cache
def games() -> dict[int, Game]:
    """What is played at the two tables."""
    return hall_of(USUAL, 0)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectorHall]:
    """Six turns at each of two tables are in the log when the venue starts again."""
    folder = tmp_path_factory.mktemp("hall")
    until = max(game.presses[TURNS][0] for game in games().values())
    said = [each for each in said_in(games(), {1: 2, 2: 1}) if each[0] <= until]
    with SqliteEventLog(folder / "tilecast.db") as log:
        log.append(_history(said))
    with director_hall(folder, tables=2) as venue:
        yield venue


def _history(said: list[Said]) -> list[NewRow]:
    begun = now_ms() - 5_000 - said[-1][0]
    rows = [
        NewRow.saying(
            GameStarted(
                game=f"round-1-{table}", table=table, players=("Ada", "Ben"), tile_set="english",
                rules="naspa", starts_ms=(START_MS, START_MS), left_player=0,
            ),
            table=table, game=f"round-1-{table}", at=begun - 10_000,
        )
        for table in games()
    ]  # fmt: skip
    for number, (at, table, device, what) in enumerate(said, 1):
        row = NewRow.saying(Observed(what), table=table, game=f"round-1-{table}", at=begun + at)
        sender = Sender(dev=device, boot="0000abcd", seq=number, t_ms=at + 5_000)
        rows.append(row.sent_by(sender))
    return rows


def _is_read(hall: DirectorHall, table: int) -> bool:
    """Whether the table has the turns of its own game, and no tile of another."""
    turns = RecordedTurns()
    for row in hall.table(table).rows():
        if isinstance(row.says, Recorded | Corrected):
            turns.take(row)
    plays = [event for event in turns.events if isinstance(event, Played)]
    laid = {(sq, face(tile)) for play in plays for sq, tile in play.laid.items()}
    board = games()[table].looks[-1][2]
    own = {(sq, face(board[sq])) for sq in board.occupied()}
    return len(plays) >= TURNS - 1 and laid <= own


def test_the_cameras_are_named_and_one_click_reads_both_games_again(
    screen: Screen, hall: DirectorHall, tmp_path: Path
) -> None:
    """The next press names them; the button confirms the exchange; each table has its own game."""
    page, table = screen.page, hall.table(1)
    page.set_viewport_size({"width": 1440, "height": 900})
    open_desk(page, hall, 1)
    table.press(Side.LEFT)
    need = page.locator(".need", has_text="cam-1 seems to see the game of table 2")
    expect(need).to_be_visible()
    page.screenshot(path=tmp_path / "named.png")
    need.locator(".answers").get_by_role("button").click()
    eventually(lambda: "camera.exchanged" in hall.table(1).types(), "the cameras are exchanged")
    expect(need).to_have_count(0)
    for number in games():
        eventually(partial(_is_read, hall, number), f"table {number} has its own game")
    expect(page.get_by_role("option").first).to_contain_text("POI")
    page.screenshot(path=tmp_path / "exchanged.png")
