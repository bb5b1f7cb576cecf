"""Remakes the pictures of ``docs/screenshots``: every scene over a rendered table.

``make screenshots`` writes those that have changed; ``make screenshots ARGS=--compare`` writes
nothing and ends with 1 where one has. Real server, real browser, a record written row by row; the
table behind is the simulator's. Small WebP files: they are for pages, not for print.
"""

import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser

from devices.lab.demonstration import load_game
from devices.lab.game_script import faces
from devices.lab.scenes.hands import Arm
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import Image
from recorder.bus.broker import free_port, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.board import name_across
from recorder.domain.game import EndRackPoints, Played, TimePenalty
from recorder.domain.observations import (
    Acted,
    ClockAct,
    ClockChanged,
    ClockPressed,
    RackSeen,
    Side,
    TurnAct,
)
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tiles
from recorder.log.sqlite import SqliteEventLog
from recorder.wire.control import Presence, RecorderState, encode
from recorder.wire.topics import RecorderTopic
from tests.browser.conftest import KEY, Server, now_ms
from tests.browser.mounting_pictures import sheet as mounting_sheet
from tests.chromium import find_chromium, open_chromium
from tests.dashboard.table_writer import OPENING, TableWriter, look_at
from tests.eventually import eventually

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
WIDTH, HEIGHT = 1920, 1080
QUALITY = 72
DIFFERS, SAME = 24, 0.0012
"""Levels by which a pixel differs; the share of such pixels that running clocks make at most."""
FRAMES, FRAME_MS = 48, 200
"""Of the film of a turn."""
BEHIND = (*("." * 15,) * 7, "...ZEPHYR......", *("." * 15,) * 7)
PHONY, BINGO = "2D REPLAIN", "2E PRALINE"
NAMES = ("Anna Lindqvist", "Jürgen Müller")
TOURNAMENT = """
title = "Harbour Open"
round = "Round 5"
[next]
players = ["Jürgen Müller", "Cleo Marchetti"]
round = "Round 6"
at = "15:30"
[[player]]
name = "Anna Lindqvist"
wins = 3
losses = 1
spread = 212
place = 2
rating = 1874
from = "Göteborg"
[[player]]
name = "Jürgen Müller"
wins = 2
losses = 1
draws = 1
spread = -37
place = 11
rating = 1790
from = "Köln"
"""


WORDS = """ZEPHYR ZEPHYRS COPY COPAY CAVE CAVES SOY YES OPE SCOPE COVEYS ECHO VOCES HOVE HAVOC SAVOY
EARN NOBLE ELF OAF OTTER STIR GNUS WORM WORD WORDY DORM ROW MOW DOW MOD ROD DOM ROMEO DROVE DO OD"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: its name, the address, the table of the story it shows, and its theme."""

    name: str
    path: str
    theme: str = "studio"


SHOTS = (
    Shot("full", "/overlay/full?table=1"),
    Shot("full-paper", "/overlay/full?table=1", "paper"),
    Shot("full-contrast", "/overlay/full?table=1", "contrast"),
    Shot("hold", "/overlay/full?table=2"),
    Shot("score", "/overlay/score?table=1&scale=0.7&safe=1&align=bottom"),
    Shot("bug", "/overlay/bug?table=1&scale=0.36&safe=1&align=top,left"),
    Shot("board", "/overlay/board?table=1&scale=0.9&safe=1&align=right"),
    Shot("racks", "/o/open/racks?scale=0.7&safe=1&align=bottom"),
    Shot("last", "/overlay/last?table=1&scale=0.46&safe=1&align=bottom"),
    Shot("clocks", "/overlay/clocks?table=1&scale=0.7&safe=1&align=top"),
    Shot("unseen", "/overlay/unseen?table=1&scale=0.46&safe=1&align=bottom"),
    Shot("banner", "/overlay/banner?table=2&scale=0.46&safe=1&align=bottom"),
    Shot("players", "/overlay/players?table=1&scale=0.7&safe=1&align=bottom"),
    Shot("graph", "/overlay/graph?table=3&scale=0.5&safe=1&align=left"),
    Shot("best", "/overlay/best?table=4&scale=0.5&safe=1&align=left"),
    Shot("chance", "/overlay/chance?table=3&scale=0.5&safe=1&align=left"),
    Shot("sheet", "/overlay/sheet?table=3&scale=0.8&safe=1&align=right"),
    Shot("replay", "/overlay/replay?table=3&scale=0.8&safe=1&align=right"),
    Shot("tables", "/overlay/tables?stage=1"),
    Shot("guide", "/overlay/full?table=1&guide=1&coords=1"),
    Shot("next", "/overlay/next?table=1"),
    Shot("final", "/overlay/final?table=3"),
)


@dataclass(frozen=True, slots=True)
class StaffShot:
    """A picture of pages of people at work, side by side, each ``width`` x ``height`` pixels."""

    name: str
    paths: tuple[str, ...]
    width: int = 1440
    height: int = 740
    changes: float = SAME
    """The share of it that is another each time: running clocks, a number that is drawn."""


STAFF_SHOTS = (
    StaffShot("role-director", ("/director?table=2",), changes=0.005),
    StaffShot("role-commentator", ("/commentator?table=1",)),
    StaffShot("role-streamer", ("/builder",)),
    StaffShot("role-table", ("/clock/1", "/pad/1", "/join"), 390, 640, changes=0.03),
)
"""Those of the sheets for each role."""


def main(arguments: list[str]) -> int:
    """0: all is right; 1: no browser, or a picture differs; 2: wrong usage."""
    if arguments not in ([], ["--compare"]):
        print("usage: python -m tests.browser.screenshots [--compare]", file=sys.stderr)
        return 2
    if find_chromium() is None:
        print("no Chromium found: install one, or name it in TILECAST_CHROMIUM", file=sys.stderr)
        return 1
    compare, changed = bool(arguments), []
    with story() as server, turn() as filmed, open_chromium() as browser:
        behind = table_behind()
        for shot in SHOTS:
            picture = over(behind, taken(browser, server, shot))
            changed += kept(f"{shot.name}.webp", picture, compare=compare)
        for staff in STAFF_SHOTS:
            picture = np.hstack(list(staff_pages(browser, server, staff)))
            changed += kept(f"{staff.name}.webp", picture, staff.changes, compare=compare)
        if "full.webp" in changed and not compare:
            write_film(FOLDER / "turn.webp", filming(browser, filmed))
    changed += kept("mounting.webp", mounting_sheet(), compare=compare)
    print(f"{len(changed)} changed: {', '.join(changed)}" if changed else "all as they were")
    return 1 if compare and changed else 0


def kept(name: str, picture: Image, least: float = SAME, *, compare: bool) -> list[str]:
    """The name where the file shows another picture, which is then written unless only compared.

    The film of a turn is not compared: it is made again with ``full.webp``.
    """
    file = FOLDER / name
    _, coded = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
    share = difference(cv2.imread(str(file)), cv2.imdecode(coded, cv2.IMREAD_COLOR))
    if share <= least:
        return []
    print(f"{name}: {share:.2%} of it differs")
    if not compare:
        file.write_bytes(coded.tobytes())
    return [name]


def difference(one: Image | None, other: Image) -> float:
    """The share of pixels that differ plainly, both coded alike; 1.0 for none or another size."""
    if one is None or one.shape != other.shape:
        return 1.0
    return float((cv2.absdiff(one, other).max(axis=2) > DIFFERS).mean())


@contextmanager
def story() -> Iterator[Server]:
    """A server over a record of four tables.

    A game under way, one in a hold, one that is over, one with a play that was not the best.
    """
    with tempfile.TemporaryDirectory() as name, start_broker(workdir=Path(name)) as broker:
        folder = Path(name)
        (folder / "open.toml").write_text(TOURNAMENT, "utf-8")
        cv2.imwrite(str(folder / "logo.png"), logo())
        (folder / "words.txt").write_text("\n".join(WORDS.split()), "utf-8")
        (folder / "look.toml").write_text('logo = "logo.png"\n', "utf-8")
        (folder / "slots.json").write_text('{"slots": {"open": {"table": 1, "racks": true}}}')
        with SqliteEventLog(folder / "log.db") as log:
            for table in (1, 2, 3):
                play(TableWriter(log, at=now_ms() - 40_000, table=table), table)
            miss(TableWriter(log, at=now_ms() - 40_000, table=4))
            server = Server(folder / "log.db", free_port())
            server.start(
                "--tournament", str(folder / "open.toml"), "--branding", str(folder / "look.toml"),
                "--slots", str(folder / "slots.json"),
                "--words", str(folder / "words.txt"), "--show-best", "--delay", "1",
                "--broker", broker.url,
            )  # fmt: skip
            try:
                with MqttBus(broker.url, "recorder") as bus:
                    seen = RecorderState(state=Presence.READY, since_ms=now_ms())
                    eventually(lambda: bus.is_connected, "the broker answers")
                    bus.publish(str(RecorderTopic("main", "1")), encode(seen), retain=True)
                    yield server
            finally:
                server.kill()


def play(table: TableWriter, number: int) -> None:
    """The rows of one table of the story."""
    table.start(NAMES, game=f"g{number}")
    plays = OPENING if number == 3 else OPENING[:7]
    for at, text in enumerate(plays):
        table.play(at % 2, text)
    if number == 3:
        table.record(EndRackPoints(1, 18, read_tiles("QE")))
        table.record(TimePenalty(0, 10))
        return
    table.at = now_ms() - 1000
    assert table.state is not None
    times = {"left_ms": 754_000, "right_ms": -37_000 if number == 2 else 611_000}
    running = Side.NONE if number == 2 else Side.RIGHT
    table.observe(ClockChanged(act=ClockAct.ADJUST, running=running, **times), "clock-1")
    assert table.state is not None
    if number == 2:
        table.observe(Acted(side=Side.RIGHT, act=TurnAct.HOLD), "pad")
    else:
        table.observe(look_at(table.state, {"K12": "T", "K13": "T"}), "board-1")
        for side, letters in ((Side.LEFT, "AEGI?ST"), (Side.RIGHT, "DMORW")):
            seen = RackSeen(
                side=side, letters=read_tiles(letters), slots=read_tiles(letters), confidence=0.99
            )
            table.observe(seen, f"rack-{side.value}")


def miss(table: TableWriter, names: tuple[str, str] = NAMES) -> None:
    """A play that was not the best for its rack, which a camera has read."""
    table.start(names, game="g4")
    table.play(0, "8D ZEPHYR")
    rack = RackSeen(
        side=Side.RIGHT, letters=read_tiles("CAVEOYS"), slots=read_tiles("CAVEOYS"), confidence=0.99
    )
    table.observe(rack, "rack-2")
    press = ClockPressed(side=Side.RIGHT, left_ms=1_460_000, right_ms=1_440_000, running=Side.LEFT)
    pressed = table.observe(press, "clock-1")
    table.play(1, "F6 CO.Y", refs=[pressed.seq])


def taken(browser: Browser, server: Server, shot: Shot) -> Image:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(server.url(f"{shot.path}&theme={shot.theme}"))
    page.wait_for_selector("#scene[data-seq] *", state="attached", timeout=8000)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(400 if "replay" not in shot.path else 2000)
    layer = _layer(page.screenshot(omit_background=True))
    page.close()
    return layer


def staff_pages(browser: Browser, server: Server, shot: StaffShot) -> Iterator[Image]:
    """The pages as a director who is signed in sees them."""
    size = {"width": shot.width, "height": shot.height}
    context = browser.new_context(viewport=size)
    page = context.new_page()
    page.goto(server.url(f"/enter/{KEY}"))
    for path in shot.paths:
        page.goto(server.url(path))
        page.wait_for_timeout(5000)  # the preview of an overlay is a page of its own
        yield _layer(page.screenshot())[..., :3]
    context.close()


def _layer(content: bytes) -> Image:
    picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture.shape[2] == 3:  # a backdrop leaves nothing clear
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return np.asarray(picture, np.uint8)


@contextmanager
def turn() -> Iterator[tuple[Server, TableWriter]]:
    """A server over the demo's game up to the turn that is filmed, without the phony."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "open.toml").write_text(TOURNAMENT, "utf-8")
        with SqliteEventLog(folder / "log.db") as log:
            table = TableWriter(log, at=now_ms() - 40_000)
            table.start(NAMES)
            plays = [event for event in load_game(None).events if isinstance(event, Played)]
            standing = [str(play.placement) for play in plays if str(play.placement) != PHONY]
            for number, text in enumerate(standing[: standing.index(BINGO)]):
                table.play(number % 2, text)
            server = Server(folder / "log.db", free_port())
            server.start("--tournament", str(folder / "open.toml"))
            try:
                yield server, table
            finally:
                server.kill()


def filming(browser: Browser, filmed: tuple[Server, TableWriter]) -> Iterator[Image]:
    """A turn as the overlay shows it: a word grows on the board, the clock is pressed, a bingo."""
    server, table = filmed
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(server.url("/overlay/full?table=1"))
    page.wait_for_selector("#scene[data-seq] *", state="attached", timeout=8000)
    page.wait_for_timeout(500)
    laid = {
        name_across(square): str(tile)
        for square, tile in parse_placement(BINGO).new_tiles().items()
    }
    times = {"left_ms": 754_000, "right_ms": 611_000}
    steps: list[Callable[[], object]] = [
        lambda: table.observe(
            ClockChanged(act=ClockAct.ADJUST, running=Side.LEFT, **times), "clock-1"
        ),
        *(partial(_lay, table, dict(list(laid.items())[:count])) for count in (2, 5, 7)),
        lambda: table.play(0, BINGO),
        lambda: table.observe(
            ClockChanged(
                act=ClockAct.ADJUST, running=Side.RIGHT, left_ms=742_000, right_ms=611_000
            ),
            "clock-1",
        ),
    ]
    for at in range(FRAMES):
        if at % (FRAMES // 8) == 0 and steps:
            table.at = now_ms()
            steps.pop(0)()
        if at in (0, FRAMES // 2):
            behind = table_behind(faces(table.state.board))
        yield over(behind, _layer(page.screenshot(omit_background=True)))
        page.wait_for_timeout(FRAME_MS / 2)
    page.close()


def _lay(table: TableWriter, laid: dict[str, str]) -> None:
    assert table.state is not None
    table.observe(look_at(table.state, laid), "board-1")


def write_film(file: Path, frames: Iterable[Image]) -> None:
    """An animated WebP, small enough for a page."""
    film = cv2.Animation()
    film.frames = [
        cv2.resize(frame, (WIDTH * 3 // 8, HEIGHT * 3 // 8), interpolation=cv2.INTER_AREA)
        for frame in frames
    ]
    film.durations = [FRAME_MS] * (len(film.frames) - 1) + [2000]
    cv2.imwriteanimation(str(file), film, [cv2.IMWRITE_WEBP_QUALITY, 60])


def table_behind(rows: Sequence[str] = BEHIND) -> Image:
    """A table as the broadcast camera would see it."""
    camera = SceneCamera(
        width=WIDTH, height=HEIGHT, focal_px=1500, distance=26, tilt_deg=38, target=(13.5, 10.5)
    )
    arm = Arm(elbow=(1500, 1080), tip=(900, 700), width=90)
    picture, _ = render(
        Scene(style=demo_style(), rows=tuple(rows), camera=camera, arms=(arm,), seed=3)
    )
    return picture


def over(behind: Image, layer: Image) -> Image:
    part = layer[..., 3:].astype(np.float32) / 255
    mixed = behind * (1 - part) + layer[..., :3].astype(np.float32) * part
    return np.asarray(mixed.round(), np.uint8)


def logo() -> Image:
    """A plain sign for an event that does not exist."""
    picture = np.zeros((168, 168, 4), np.uint8)
    cv2.circle(picture, (84, 84), 80, (214, 122, 26, 255), -1, cv2.LINE_AA)
    cv2.circle(picture, (84, 84), 80, (255, 255, 255, 255), 6, cv2.LINE_AA)
    points = np.array([[84, 30], [130, 112], [38, 112]], np.int32)
    cv2.fillPoly(picture, [points], (255, 255, 255, 255), cv2.LINE_AA)
    return picture


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
