"""Options and scenes around the game: where the camera goes, coordinates, replays, key turns."""

from collections.abc import Iterator

import pytest

from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Screen, Server, now_ms
from tests.browser.overlays.test_scenes import OUTSIDE, SMALLEST
from tests.browser.screenshots import story
from tests.dashboard.table_writer import TableWriter
from tests.eventually import eventually

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def event() -> Iterator[Server]:
    """Four tables, best plays shown, a logo; the public a second late."""
    with story() as server:
        yield server


def opened(screen: Screen, event: Server, path: str) -> None:
    """Open an overlay and wait until it is drawn."""
    screen.page.goto(event.url(path))
    screen.page.wait_for_selector("#scene[data-seq] *", state="attached")
    screen.page.evaluate("document.fonts.ready")


@pytest.mark.further
def test_the_guide_and_the_coordinates_are_painted_where_they_are_asked_for(
    screen: Screen, event: Server
) -> None:
    """The camera's place has its size; letters and numbers stand at the squares they name."""
    opened(screen, event, "/overlay/full?table=1&guide=1&coords=1")
    assert screen.text(".camera-guide") == "Camera 876 \N{MULTIPLICATION SIGN} 493"
    box = screen.page.locator(".camera-guide").bounding_box()
    assert [round(box[key]) for key in ("x", "y", "width", "height")] == [96, 54, 876, 493]
    middles = screen.page.evaluate(
        """() => {
            const middle = (one, low, high) => {
                const box = one.getBoundingClientRect();
                return (box[low] + box[high]) / 2;
            };
            const at = (name) => document.querySelector(`[data-square="${name}"]`);
            const [letters, numbers] = [".letters", ".numbers"].map(
                (name) => [...document.querySelector(name).children]);
            return [middle(letters[3], "left", "right") - middle(at("8D"), "left", "right"),
                middle(numbers[7], "top", "bottom") - middle(at("8D"), "top", "bottom")];
        }"""
    )
    assert max(map(abs, middles)) < 3
    assert screen.page.evaluate(OUTSIDE) == []
    assert screen.page.evaluate(SMALLEST) >= 23.9
    opened(screen, event, "/overlay/full?table=1")
    assert screen.page.locator(".camera-guide, .coordinated").count() == 0
    assert screen.complaints == []


@pytest.mark.further
def test_the_last_play_and_the_best_one_are_laid_again(own_screen: Screen, event: Server) -> None:
    """The board as it was, the play, and where best plays are shown the best one, translucent."""
    own_screen.page.clock.install(time=0)
    own_screen.page.clock.pause_at(1)  # else time runs while a busy machine opens the page
    opened(own_screen, event, "/overlay/replay?table=4")
    assert own_screen.page.locator(".tile").count() == 6
    own_screen.page.clock.run_for(1000)
    own_screen.page.wait_for_selector(".tile[data-square='6F']")
    assert own_screen.page.locator(".tile").count() == 9
    own_screen.page.clock.run_for(5500)  # the best play may not be found by then

    def has_best() -> bool:
        own_screen.page.clock.run_for(100)
        return own_screen.page.locator(".tile.forming").count() > 0

    eventually(has_best, "the best play is laid")
    assert "Best play" in own_screen.text(".replay .last")
    assert own_screen.complaints == []


def test_key_turns_bear_their_words_and_walls_fit_their_tables(
    screen: Screen, event: Server
) -> None:
    """Three turns at most are named in the curve; four tables fill four cells, nine asked for."""
    opened(screen, event, "/overlay/chance?table=3")
    words = screen.page.locator(".turn-word").all_text_contents()
    assert "ZEPHYR" in words
    assert len(words) <= 3
    assert screen.page.evaluate(OUTSIDE) == []
    opened(screen, event, "/overlay/tables?many=9&stage=1")
    assert screen.page.locator(".wall-4 .cell").count() == 4
    ground = "getComputedStyle(document.body).backgroundImage"
    assert "gradient" in screen.page.evaluate(ground)
    assert screen.complaints == []


@pytest.mark.further
def test_the_highest_play_of_the_event_is_a_moment(screen: Screen, event: Server) -> None:
    """Higher than every play of the other tables; the next one that is lower is none."""
    with SqliteEventLog(event.log) as log:
        table = TableWriter(log, at=now_ms(), table=9)
        table.start(("Cleo", "Dan"), game="g9")
        screen.page.goto(event.url("/overlay/moment?table=9&moments=record"))
        screen.page.wait_for_selector("#scene[data-seq]", state="attached")
        table.at = now_ms()
        table.play(0, "8D ZEPHYR", points=280)
        screen.page.wait_for_selector("[data-moment=record]")
        assert screen.text(".moment .title") == "EVENT HIGH"
        screen.page.wait_for_selector(".moment", state="detached")
        table.at = now_ms()
        table.play(1, "F6 CO.Y", points=279)
        screen.shows(f"document.querySelector('#scene').dataset.seq === '{table.rows[-1].seq}'")
        assert screen.page.locator(".moment").count() == 0
