"""``tilecast venue`` without a folder: a venue set up in a real browser, to the first press."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import tilecast
from calibration.venue.setup.made import read_setup
from dashboard.auth.accounts import Accounts
from devices.lab.peers.serial_peer import SerialPeer
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import encode_jpeg
from recorder.bus.broker import find_mosquitto, free_port, serves
from recorder.domain.observations import Side
from recorder.log.places import open_log_reader
from tests.browser.accessible import audit
from tests.calibration.test_guide_page import Phone
from tests.eventually import BUSY_S, eventually

__all__ = ["audit"]
pytestmark = [
    pytest.mark.browser,
    pytest.mark.broker,
    pytest.mark.skipif(find_mosquitto() is None, reason="needs Mosquitto: apt install mosquitto"),
]
SIZES = {"desk": (1440, 900), "phone": (390, 844)}


@pytest.fixture
def phone() -> Iterator[Phone]:
    """A snapshot camera over a bare board."""
    phone = Phone()
    scene = TableScene(demo_style(), 3, SceneCamera(tilt_deg=8.0, focal_px=1560.0, distance=36.0))
    phone.jpeg = encode_jpeg(scene.frame(1))
    yield phone
    phone.close()


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page that ``tilecast venue`` opens in an empty folder, until it is ended."""
    with opened(browser, tmp_path) as page:
        yield page


@contextmanager
def opened(browser: Browser, folder: Path, *words: str, status: int = 0) -> Iterator[Page]:
    program = subprocess.Popen(
        [sys.executable, "-m", "tilecast", "venue", "--port", "0", "--plain", *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )
    assert program.stdout
    (address,) = re.findall(r"http://127\.0\.0\.1:\d+/open\?key=\S+", program.stdout.readline())
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    expect.set_options(timeout=1000 * BUSY_S)
    page.goto(address)
    yield page
    context.close()
    if not status:
        program.send_signal(signal.SIGTERM)
    assert program.wait(60) == status
    program.stdout.close()


def picture(page: Page, name: str) -> None:
    if folder := os.environ.get("TILECAST_SCREENSHOTS"):
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            page.screenshot(path=Path(folder) / f"setup-{name}-{size}.png", full_page=True)


def test_from_plugs_to_the_first_press(
    page: Page, phone: Phone, tmp_path: Path, audit: Callable[[Page], list[Any]]
) -> None:
    """The camera shows its picture, the clock its press; then the record has the press."""
    table = page.locator(".table")
    with SerialPeer(beat_s=0.1) as clock:
        table.get_by_label("Goes first").fill("Ada")
        table.get_by_label("Opponent").fill("Ben")
        table.locator("[name=camera]").fill(phone.url)
        table.locator("select").select_option("serial")
        table.get_by_label("Its port").fill(clock.path)
        page.locator("h1").click()
        expect(table.locator(".seen")).to_have_text("1280 x 960")
        expect(table.locator("img")).to_be_visible()
        expect(table.locator(".heard")).to_contain_text("press both sides")
        clock.press(Side.RIGHT)
        expect(table.locator(".heard")).to_contain_text("its right side was pressed")
        picture(page, "form")
        assert audit(page) == []
        page.get_by_role("link", name="Deutsch").click()
        table.get_by_label("Beginnt").fill("Ada")
        table.get_by_label("Gegner").fill("Ben")
        table.locator("[name=camera]").fill(phone.url)
        table.locator("select").select_option("serial")
        table.get_by_label("Ihr Anschluss").fill(clock.path)
        page.locator("h1").click()
        expect(table.locator(".heard")).to_contain_text("ihre rechte Hälfte wurde gedrückt")
        picture(page, "form-german")
        page.get_by_label("Adresse dieses Rechners").fill("none")
        page.get_by_role("button", name="Spielort anlegen und starten").click()
        expect(page.get_by_role("heading", name="Der Spielort läuft")).to_be_visible()
        picture(page, "done-german")
        director = page.get_by_role("link", name="director").get_attribute("href")
        assert director
        desk = page.context.new_page()
        _open_when_it_runs(desk, director)
        clock.press(Side.LEFT)
        clock.press(Side.RIGHT)
        expect(desk.locator("body")).to_contain_text("Ada")
        page.goto(page.url.partition("?")[0] + "sheet")
        expect(page.locator("body")).to_contain_text("Keep this page to yourself")
    folder = tmp_path / "hall"
    assert (folder / "venue.toml").is_file()
    with open_log_reader(folder / "record" / "tilecast.db") as log:
        eventually(lambda: [row for row in log.read_from(1) if row.type == "clock.press"])


def _open_when_it_runs(page: Page, address: str) -> None:
    """The dashboard needs a moment to come up."""
    for _ in range(100):
        try:
            page.goto(address)
        except Exception:  # noqa: BLE001 - the browser's own: nobody listens yet
            page.wait_for_timeout(300)
        else:
            return
    page.goto(address)


@pytest.mark.further
def test_what_cannot_be_is_said_beside_the_button(page: Page, tmp_path: Path) -> None:
    """Each fault names its table or field; nothing is written, and the form stays as it was."""
    table = page.locator(".table")
    key = page.get_by_role("button", name="Make the venue and start it")
    fault = page.locator("#fault")
    table.locator("[name=camera]").fill("")
    key.click()
    expect(fault).to_have_text("table 1: choose its camera")
    table.locator("[name=camera]").fill(str(tmp_path / "nowhere"))
    page.locator("h1").click()
    expect(table.locator(".seen")).to_contain_text("nowhere")
    table.get_by_label("Goes first").fill("Ada")
    table.get_by_label("Opponent").fill("ada")
    key.click()
    expect(fault).to_contain_text("table 1: write two names that differ")
    page.get_by_label("several rounds").check()
    expect(table.get_by_label("Goes first")).to_be_hidden()
    (tmp_path / "hall").mkdir()
    (tmp_path / "hall" / "venue.toml").write_text("# somebody's own\n")
    key.click()
    expect(fault).to_contain_text("already exists")
    page.get_by_role("button", name="Add a table").click()
    expect(page.locator(".table h2")).to_have_text(["Table 1", "Table 2"])
    assert [file.name for file in (tmp_path / "hall").iterdir()] == ["venue.toml"]


@pytest.mark.further
def test_what_keeps_a_venue_from_starting_is_said_on_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    """Its port is taken: the venue is made, the page says what helps and what to type then."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        with opened(browser, tmp_path, "--broker-port", port, status=1) as page:
            page.locator("[name=camera]").fill(str(tmp_path))
            page.get_by_label("several rounds").check()
            page.get_by_role("button", name="Make the venue and start it").click()
            expect(page.locator("#done h2")).to_have_text("The venue is made, but cannot start yet")
            said = page.locator("#unstarted")
            expect(said).to_contain_text(f"port {port}")
            expect(said).to_contain_text(f"tilecast venue {tmp_path / 'hall'}")


@pytest.mark.further
def test_tables_and_devices_change_later_and_keys_stay(browser: Browser, tmp_path: Path) -> None:
    """A table is added, one gets another camera, clock and players; each key that is left stays."""
    hall = tmp_path / "hall"
    words = ("--yes", "--clock", "mqtt", "--camera", str(tmp_path), "--players", "Ada", "Ben")
    pages = free_port()
    ports = ("--broker-port", str(free_port()), "--dashboard-port", str(pages))
    assert tilecast.main(["init", str(hall), *words, *ports, "--address", "none"]) == 0
    before, keys = read_setup(hall), (hall / "keys.env").read_text()
    with opened(browser, tmp_path, str(hall), "--change") as page:
        tables = page.locator(".table")
        expect(page.locator("h1")).to_have_text("Change a venue")
        expect(tables.nth(0).get_by_label("Goes first")).to_have_value("Ada")
        tables.nth(0).get_by_label("Opponent").fill("Cleo")
        page.get_by_role("button", name="Add a table").click()
        tables.nth(1).get_by_label("Goes first").fill("Dan")
        tables.nth(1).get_by_label("Opponent").fill("Eve")
        tables.nth(1).locator("[name=camera]").fill(str(tmp_path))
        tables.nth(1).locator("select").select_option("none")
        picture(page, "change")
        page.get_by_role("button", name="Save and start it").click()
        expect(page.get_by_role("heading", name="The venue is running")).to_be_visible()
        after = read_setup(hall)
        assert after.keys.broker.items() >= before.keys.broker.items()
        assert after.phones[:1] == before.phones
        assert (hall / "keys.env").read_text().splitlines()[2:4] == keys.splitlines()[2:4]
        assert 'players = ["Ada", "Cleo"]' in (hall / "venue.toml").read_text()
        assert "divides_turns = true" in (hall / "table-2.toml").read_text()
        assert "/up/cam-2/ev" in (hall / "broker" / "acl").read_text()
        assert serves(pages), "it is said to run once its pages answer"
        assert main_refuses(hall)
    assert entered(hall, after.phones[1]) == "table-2"
    with opened(browser, tmp_path, str(hall), "--change") as page:
        page.get_by_role("button", name="Remove this table").nth(1).click()
        page.locator(".table select").select_option("phone")
        page.get_by_role("button", name="Save and start it").click()
        expect(page.get_by_role("heading", name="The venue is running")).to_be_visible()
        assert not (hall / "table-2.toml").exists()
        assert not (hall / "clocks" / "clock-1.json").exists()
        assert "user clock-1" not in (hall / "broker" / "acl").read_text()
        assert read_setup(hall).phones == before.phones
    assert entered(hall, before.phones[0]) == "table-1"
    assert entered(hall, after.phones[1]) == "", "the link of a table that is gone opens nothing"


def entered(hall: Path, key: str) -> str:
    """The account that a link signs in as; empty for none."""
    with closing(Accounts(hall / "record" / "tilecast.access")) as accounts:
        return (accounts.entered_by(key) or ("", None))[0]


def main_refuses(hall: Path) -> bool:
    """A venue that runs is not changed under its feet."""
    return tilecast.main(["venue", str(hall), "--change", "--port", "0"]) == 1
