"""Every page in German: what a person reads on it is walked, and none of it is English."""

import io
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from dashboard.live.scenes import SCENES
from recorder.bus.broker import free_port
from recorder.domain.event.seating import Pairing
from recorder.domain.game import EndRackPoints, TimePenalty
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from recorder.printing.event_sheets import EventSheet
from recorder.texts import LANGUAGE
from tests.browser.conftest import Screen, Server, now_ms, sign_in
from tests.browser.german import english, walked
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.event.fields import write_orders

pytestmark = pytest.mark.browser
PLAYERS = ("Abel", "Brok", "Caro", "Dube", "Eklund", "Farouk", "Gruber")
DAY = [
    ["about", "name", "Pokal"],
    *(["player", "A", name, "1500"] for name in PLAYERS),
    ["player", "B", "Hoang"],
    ["prizes", "A", "3"],
    ["times", "A", "2026-11-28", "10:00", "11:30"],
    ["round", "A", "1", "1:1-2", "2:3-4", "3:5-6", "bye", "7"],
    ["result", "A", "1", "3", "431", "4", "380"],
    ["claim", "A", "1", "5", "400", "390"],
]
PUBLIC = (
    *("/", "/builder", "/event", "/watch", "/watch/1", "/watch/game/1/A-1-1", "/join"),
    *("/nothing-here", "/login", "/director"),
)
STAFF = (
    *("/director", "/director?table=1", "/director?table=2", "/commentator?table=1"),
    *("/overview?table=1", "/director/event", "/director/camera/1", "/clock/1", "/pad/1"),
    *("/result/1", "/result/2", "/result/3", "/check-in", "/camera/1", "/mirrors"),
)
ALIKE = {
    *("/watch/game/1/A-1-1", "/director?table=2", "/result/2", "/result/3", "/watch", "/mirrors"),
    *("/join", "/nothing-here", "/login", "/check-in", "/pad/1", "/builder", "/overview?table=1"),
}
"""They show the same page as another address, or a small one of few words."""
SIZES = ((1440, 900), (390, 844))


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An event whose first round is played: one game is over, one goes on, one is reported."""
    folder = tmp_path_factory.mktemp("german")
    server = Server(folder / "log.db", free_port())
    with pytest.MonkeyPatch.context() as patch, SqliteEventLog(server.log) as log:
        patch.setenv(LANGUAGE, "german")
        write_orders(log, DAY, now_ms() - 100_000)
        for table, pair in ((1, (1, 2)), (2, (3, 4)), (3, (5, 6))):
            writer = TableWriter(log, at=now_ms() - 90_000, table=table)
            pairing = Pairing(division="A", round=1, first=pair[0], second=pair[1])
            names = (PLAYERS[pair[0] - 1], PLAYERS[pair[1] - 1])
            writer.start(names, game=f"A-1-{table}", pairing=pairing)
            for at, text in enumerate(OPENING[: 10 if table != 2 else 4]):
                writer.play(at % 2, text)
            if table == 1:
                writer.record(EndRackPoints(1, 26, read_tiles("QY")))
                writer.record(TimePenalty(0, 10))
        server.start()
        try:
            yield server
        finally:
            server.kill()


def opened(page: Page) -> set[str]:
    """What is on the page, with all that opens by itself; a dialog is another step."""
    page.wait_for_timeout(300)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_timeout(50)
    return walked(page)


SAME = frozenset({"director", "lines", "standings"})
"""Names of accounts and of kinds of files."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.further if path in ALIKE else ())
        for path in (*PUBLIC, *STAFF)
    ],
)
def test_no_text_of_a_page_is_english(screen: Screen, hall: Server, path: str) -> None:
    """Nor is a page wider than a telephone, or than a laptop, because German words are long."""
    page = screen.page
    if path in STAFF:
        sign_in(page, hall)
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto(hall.url(path))
    assert english(opened(page), SAME) == {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@pytest.mark.parametrize("scene", first_of(2, SCENES))
def test_no_text_on_air_is_english(screen: Screen, hall: Server, scene: str) -> None:
    """With the title of the source."""
    screen.page.goto(hall.url(f"/overlay/{scene}?table=1"))
    screen.shows("document.querySelector('#scene').dataset.online === 'true'")
    assert english(walked(screen.page), SAME) == {}


def test_no_text_on_paper_is_english(screen: Screen, hall: Server) -> None:
    """The sheets of the event, score sheet and result slip, cards with codes."""
    sign_in(screen.page, hall)
    asks = screen.page.request
    sheets = [f"/director/event/print/{sheet}.pdf?division=A" for sheet in EventSheet]
    answers = [asks.get(hall.url(path)) for path in sheets]
    answers += [asks.get(hall.url(f"/api/table/1/export/{name}.pdf")) for name in ("sheet", "slip")]
    origin = {"Origin": hall.url("")}
    answers += [
        asks.post(hall.url(f"/api/event/{what}"), data=body, headers=origin)
        for what, body in (("codes", {"last": 2}), ("check-in-code", {}))
    ]
    for answer in answers:
        assert answer.ok, answer.url
        pages = PdfReader(io.BytesIO(answer.body())).pages
        said = {line for page in pages for line in page.extract_text().split("\n")}
        assert len(said) > 1
        assert english(said, SAME) == {}, answer.url
