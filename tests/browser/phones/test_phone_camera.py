"""A phone over the board: a browser with a camera, a real dashboard over TLS, agent, recorder."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page

import tilecast
from calibration.venue.setup.certificates import make_authority, sign_server
from devices.lab.demo_processes import DemoProcesses
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.watching import settled_looks
from recorder.bus.broker import BrokerHandle
from recorder.domain.board import EMPTY_BOARD, parse_square
from recorder.domain.observations import BoardNotSeen, BoardSeen
from recorder.domain.record import Observed
from recorder.domain.tiles import Tile
from recorder.lab.venue_files import venue_toml
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import KEY
from tests.chromium import find_chromium
from tests.eventually import eventually

pytestmark = [
    pytest.mark.browser,
    pytest.mark.broker,
    pytest.mark.pixels,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl"),
]

WORD = {"8D": "Q", "8E": "U", "8F": "A", "8G": "L", "8H": "M"}
TABLE = """
[broker]
url = "{url}"
[[device]]
kind = "board-camera"
name = "cam-1"
source = "{source}?ca=ca/ca.crt"
tiles = "english"
"""
POSTED = """async (path) => (await fetch(path, {method: "POST", body: new Uint8Array([255, 216, 1]),
  headers: {"content-type": "image/jpeg", "x-phone": "00000000", "x-taken-ms": "1"}})).status"""


@pytest.fixture
def phone_browser(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    """A browser whose camera sees a board on which QUALM was played."""
    scene = TableScene(demo_style("english"), 3)
    laid = {parse_square(at)[0]: Tile(tile) for at, tile in WORD.items()}
    scene.board = EMPTY_BOARD.place(laid).rows()
    small = cv2.resize(scene.frame(1), (960, 720), interpolation=cv2.INTER_AREA)
    seen = tmp_path / "seen.y4m"  # says its rate itself: few pictures a second cost less
    planes = cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420).tobytes()
    seen.write_bytes(b"YUV4MPEG2 W960 H720 F5:1 Ip A1:1 C420jpeg\nFRAME\n" + planes)
    flags = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    flags.append(f"--use-file-for-fake-video-capture={seen}")
    flags += ["--no-sandbox"] if os.geteuid() == 0 else []
    with_camera = browser.browser_type.launch(executable_path=find_chromium(), args=flags)
    yield with_camera
    with_camera.close()


def looks(log: Path) -> list[BoardSeen | BoardNotSeen]:
    """What the board camera has in the record."""
    with SqliteEventLog.open_reader(log) as reader:
        said = [row.says for row in reader.read_from(1)]
    what = [saying.what for saying in said if isinstance(saying, Observed)]
    return [look for look in what if isinstance(look, BoardSeen | BoardNotSeen)]


def why_unseen(log: Path) -> str:
    """Why the newest look saw no board; empty where it did."""
    newest = looks(log)[-1]
    return newest.reason if isinstance(newest, BoardNotSeen) else ""


def reads_the_word(look: object) -> bool:
    """Whether a look shows QUALM where it lies."""
    return isinstance(look, BoardSeen) and all(
        look.squares.best(parse_square(at)[0]) is Tile(tile) for at, tile in WORD.items()
    )


def says(page: Page, words: str) -> None:
    page.locator("#state").get_by_text(words).wait_for(timeout=60_000)


def test_a_phone_is_the_camera_over_a_board(
    phone_browser: Browser,
    broker: BrokerHandle,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From its code to a read board in the record; asleep it is lost, awake it is back.

    ``tilecast watch`` of one that sleeps ends with that as the reason.
    """
    log = tmp_path / "record" / "tilecast.db"
    (tmp_path / "venue.toml").write_text(venue_toml(broker.url, ["Ada", "Ben"], "english"))
    make_authority(tmp_path / "ca")
    sign_server(tmp_path / "ca", tmp_path / "web", "web", ["127.0.0.1"])
    tls = [tmp_path / "web" / name for name in ("web.crt", "web.key")]
    with ExitStack() as running:
        processes = DemoProcesses(tmp_path, running)
        processes.start("record", tmp_path / "venue.toml")
        words = ["--log", log, "--port", 0, "--tls", *tls, "--director-token", KEY]
        output = processes.start("dashboard", *words)
        eventually(lambda: "all pages" in output.read_text(encoding="utf-8"), within_s=60)
        (home,) = re.findall(r"all pages +(http\S+)/", output.read_text(encoding="utf-8"))
        desk = phone_browser.new_context(ignore_https_errors=True).new_page()
        desk.goto(f"{home}/enter/{KEY}?to=/director/camera/1")
        desk.click("#make")
        desk.wait_for_selector("#made:not([hidden])")
        address, source = desk.inner_text("#address"), desk.inner_text("#source")
        found = re.search(r'"(.+)"', source)
        file = tmp_path / "table-1.toml"
        file.write_text(TABLE.format(url=broker.url, source=found[1]))
        processes.start("agent", file)

        phone = phone_browser.new_context(ignore_https_errors=True).new_page()
        phone.goto(address)
        assert phone.url == f"{home}/camera/1"
        phone.wait_for_selector("body[data-state='found']", timeout=30_000)
        assert reads_the_word(looks(log)[-1])
        assert "960 \u00d7 720" in phone.inner_text("#figures")
        painted = "grid.getContext('2d').getImageData(0, 0, 960, 720).data.some((x) => x)"
        assert phone.evaluate(painted), "the grid lies over the picture"
        assert phone.evaluate(POSTED, "/camera/2/picture") == 403
        assert phone.evaluate("fetch('/camera/1/newest').then((answer) => answer.status)") == 401
        assert phone.evaluate("fetch('/clock/1').then((answer) => answer.status)") == 403
        assert phone.evaluate(POSTED, "/camera/1/picture") == 200, "as a second phone would"
        says(phone, "Another phone is the camera of this table now")

        eventually(lambda: "is its page open" in why_unseen(log), "asleep: told, with the reason")
        monkeypatch.setattr(settled_looks, "STALLED_S", 1.5)
        assert tilecast.main(["watch", f"{found[1]}?ca={tmp_path}/ca/ca.crt"]) == 1
        assert "the phone sends nothing: is its page open" in capsys.readouterr().err
        phone.reload()
        eventually(lambda: reads_the_word(looks(log)[-1]), "awake again", within_s=60)
        desk.click("#make")
        says(phone, "This code has ended")
