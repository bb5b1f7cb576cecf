"""A feed that is followed says whatever its server wants: on every page it is text, and no more."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.sync_api import Request

from dashboard.event.feed_follower import FeedFollower
from dashboard.event.view import EventView
from dashboard.live.log_follower import Batch
from dashboard.live.scenes import EVENT_SCENES, SCENES
from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from recorder.printing.event_sheets import EventSheet
from tests.browser.conftest import KEY, Screen, Server
from tests.cases import first_of
from tests.event.event_hall import EventHall, HallLine

pytestmark = pytest.mark.browser

AWAY = "https://elsewhere.example"
NAMES = (
    "<img src=x onerror=window.ran=1>",
    f'"><script src={AWAY}/a.js></script>',
    "';window.ran=1;//\\u0027-->",
    f"</script><iframe src={AWAY}>",
    f"<style>@import'{AWAY}/b.css'</style>",
    "${window.ran=1}{{window.ran=1}}",
)
"""Each as a player's name; the first ones also as names of the event and of its divisions."""
PICTURE = f"{AWAY}/face.png"
ACTIVE = (b"/JS", b"/JavaScript", b"/URI", b"/OpenAction", b"/Launch", b"/EmbeddedFile")
STANDINGS = "name,wins,losses,place,photo,country,rating"


def feed() -> str:
    """Six players who have played a round, with a picture elsewhere each."""
    opponents = {1: [2, 3], 2: [1, 4], 3: [4, 1], 4: [3, 2], 5: [6, 6], 6: [5, 5]}
    players = [
        {
            "id": n,
            "name": NAMES[n - 1],
            "rating": 1900 - n,
            "photo": ("javascript:window.ran=1", PICTURE)[n % 2],
            "pairings": opponents[n],
            "scores": [400 + n],
            "etc": {"board": [[1, 1, 2, 2, 3, 3][n - 1]] * 2, "team": [NAMES[0]]},
        }
        for n in opponents
    ]
    division = {"name": NAMES[0][:20], "players": [None, *players]}
    return f"newt={json.dumps({'config': {'event_name': NAMES[1]}, 'divisions': [division]})};"


def follow(hall: EventHall, file: Path) -> None:
    """The feed becomes the event of the log, by the orders that a dashboard gives for it."""
    file.write_text(feed(), encoding="utf-8")
    event = EventView(0, lambda: hall.now_ms)
    event.take(Batch(rows=tuple(hall.rows()), anew=False, caught_up=True))
    follower = FeedFollower(str(file), event, cast("Any", HallLine(hall)), lambda: hall.now_ms)
    follower.look()
    event.take(Batch(rows=tuple(hall.rows()), anew=False, caught_up=True))
    assert event.register.event.divisions, follower.as_json()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard whose log, standings and title all come from somebody else."""
    tmp_path = tmp_path_factory.mktemp("hostile")
    running = Server(tmp_path / "log.db", free_port())
    with SqliteEventLog(running.log) as log:
        hall = EventHall(tmp_path, log, tables=2)
        hall.now_ms = time.time_ns() // 1_000_000 - 60_000
        follow(hall, tmp_path / "tourney.js")
        hall.orders(f"about name {NAMES[1]}")
        for table in (1, 2):
            hall.start(table)
            hall.press(table, next(iter(hall.left[table])))
        hall.recorder.stop()
    rows = [f'"{name.replace(chr(34), chr(34) * 2)}",3,1,1,{PICTURE},SE,1900' for name in NAMES]
    (tmp_path / "standings.csv").write_text("\n".join([STANDINGS, *rows]), "utf-8")
    title = json.dumps(NAMES[0])
    (tmp_path / "look.toml").write_text(f"title = {title}\n", "utf-8")
    files = ("--tournament", "standings.csv", "--branding", "look.toml", "--photos", "faces")
    (tmp_path / "faces").mkdir()
    running.start(*(w if w.startswith("--") else str(tmp_path / w) for w in files))
    yield running
    running.kill()


def addresses(division: str, scenes: int) -> Iterator[str]:
    """Every page that shows what a feed says, and so many scenes, those of the event first."""
    yield from ("/event", "/director/event", "/watch", "/watch/1", "/watch/2", "/director?table=1")
    yield from ("/director/tables", "/commentator?table=1", "/builder", "/result/1", "/")
    for scene in sorted(SCENES, key=lambda scene: scene not in EVENT_SCENES)[:scenes]:
        yield f"/overlay/{scene}?table=1&division={division}"


@pytest.mark.further
@pytest.mark.parametrize("scenes", first_of(1, [len(EVENT_SCENES) + 2, len(SCENES)]))
def test_what_a_feed_says_is_text_on_every_page(
    own_screen: Screen, server: Server, scenes: int
) -> None:
    """No script of it runs, no mark of it becomes an element, and nothing is asked elsewhere."""
    page, asked = own_screen.page, []
    page.set_viewport_size({"width": 480, "height": 270})  # painting is most of what pages cost

    def note(request: Request) -> None:
        if not request.url.startswith((server.url("/"), "data:", "ws://127.0.0.1")):
            asked.append(request.url)

    page.on("request", note)
    page.on("dialog", lambda dialog: asked.append(dialog.message))
    page.goto(server.url(f"/enter/{KEY}?to=/event"))
    page.wait_for_function("n => document.body.innerText.includes(n)", arg=NAMES[0])
    model = page.request.get(server.url("/event/data.json")).json()
    (division,) = (found["name"] for found in model["divisions"])
    named = 0
    for address in addresses(division, scenes):
        page.goto(server.url(address))
        page.wait_for_load_state("load")
        page.wait_for_timeout(50)  # what is asked for by a script that ran would be asked by then
        assert page.evaluate("() => window.ran") is None, address
        made = "[src*='elsewhere'],[href*='elsewhere'],[onerror],[href^='javascript']"
        assert page.locator(made).count() == 0, address
        named += any(name in page.locator("body").inner_text() for name in NAMES)
    assert asked == []
    assert named >= 5, "they were shown"
    assert [said for said in own_screen.complaints if "Refused" in said or "ran" in said] == []


@pytest.mark.further
def test_what_a_feed_says_does_nothing_on_paper(screen: Screen, server: Server) -> None:
    """A sheet has no script, no link, no file in it."""
    request = screen.page.request
    request.get(server.url(f"/enter/{KEY}"))
    division = request.get(server.url("/api/event")).json()["divisions"][0]["name"]
    for sheet in EventSheet:
        address = server.url(f"/director/event/print/{sheet}.pdf")
        answer = request.get(address, params={"division": division})
        assert answer.status == 200, sheet
        assert answer.headers["content-disposition"].count('"') == 2
        data = answer.body()
        for active in ACTIVE:
            assert active not in data, (sheet, active)
