"""The screens: from the press to the picture.

One simulated game through camera, clock, broker, recorder and dashboard (``tilecast demo --once``),
watched by a real Chromium. The press is the instant that the recorder gave it; the picture is the
animation frame after the score changed. Where there is no browser there are no figures.
"""

import itertools
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from recorder.bus.broker import free_port
from recorder.domain.row_kind import Kind
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.bench.figures import Figure, Figures, figure_of
from tests.chromium import find_chromium, open_chromium

SPEED = 20
LONGEST_S = 480
GOALS = {"press": 150, "slowest": 250, "fps": 60}
"""``slowest``: the goal for the 99th of a hundred; a game has some two dozen."""
WATCH = """() => {
    window.seen = [];
    window.frames = [];
    const texts = () => [...document.querySelectorAll(".half")].sort(
        (one, other) => one.dataset.player - other.dataset.player).map(
        (half) => half.querySelector(".points").innerText);
    let before = "";
    const loop = (at) => {
        window.frames.push(at);
        if (window.frames.length > 4000) window.frames.shift();
        const now = texts().join(" ");
        if (now !== before) { before = now; window.seen.push([Date.now(), now]); }
        requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
}"""


def run() -> Figures:
    """Milliseconds; ``baseline`` is the goal."""
    with tempfile.TemporaryDirectory() as name:
        seen, frames = _watched_game(Path(name))
        with SqliteEventLog.open_reader(Path(name) / "demo" / "record" / "tilecast.db") as log:
            rows = list(log.read_from(1))
    figures: Figures = {}
    if late := _press_to_overlay(rows, seen):
        figures["press_to_overlay_ms"] = figure_of("ms", [one for one, _ in late], GOALS["press"])
        slowest = max(one for one, _ in late)
        figures[f"the slowest of {len(late)}"] = Figure("ms", slowest, baseline=GOALS["slowest"])
        recorded = [one for _, one in late]
        figures["of these, from the record to the picture"] = figure_of("ms", recorded, 50)
    gaps = [after - before for before, after in itertools.pairwise(frames)]
    if gaps:
        figures["frame of the whole scene, clock running"] = figure_of("ms", gaps, 17)
        slowest = sorted(gaps)[int(0.99 * (len(gaps) - 1))]
        figures["the slowest of 100 frames"] = Figure("ms", slowest, baseline=34)
    return figures


def _watched_game(folder: Path) -> tuple[list[tuple[int, str]], list[float]]:
    """Play the game; the scores as the page showed them, and the times of its frames."""
    port = free_port()
    words = [
        "demo",
        "--once",
        "--json",
        "--sensors",
        "box",
        "--speed",
        str(SPEED),
        "--port",
        str(port),
    ]
    command = [sys.executable, "-m", "tilecast", *words, "--folder", str(folder / "demo")]
    demo = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _answers(port)
        if find_chromium() is None:
            demo.wait(LONGEST_S)
            return [], []
        return _watch(port, demo)
    finally:
        demo.terminate()
        demo.wait()


def _answers(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def _watch(port: int, demo: "subprocess.Popen[bytes]") -> tuple[list[tuple[int, str]], list[float]]:
    with open_chromium() as browser:
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(f"http://127.0.0.1:{port}/overlay/full?table=1")
        page.wait_for_selector(".half .points", timeout=60_000)
        page.evaluate(WATCH)
        deadline = time.monotonic() + LONGEST_S
        seen: list[tuple[int, str]] = []
        frames: list[float] = []
        while demo.poll() is None and time.monotonic() < deadline:
            seen, frames = page.evaluate("[window.seen, window.frames]")
            page.wait_for_timeout(500)
    return [(int(at), text) for at, text in seen], frames


def _press_to_overlay(rows: list[Row], seen: list[tuple[int, str]]) -> list[tuple[float, float]]:
    """By play: ms from the press, and from its row, to the frame that first showed its total."""
    shown: dict[str, int] = {}
    for at, text in seen:
        shown.setdefault(text, at)
    totals, late, press = [0, 0], [], None
    for row in rows:
        kind, data = row.body.get("type"), row.body.get("data", {})
        if kind == "clock.press":
            press = row.at
        elif row.kind is Kind.RECORDED and kind == "game.played":
            totals[data["player"]] += data["score"]
            at = shown.get(f"{totals[0]} {totals[1]}")
            if at is not None and press is not None and data["score"]:
                late.append((float(at - press), float(at - row.at)))
            press = None
        elif row.kind is not Kind.OBSERVED and str(kind).startswith("game."):
            changed = {"game.withdrawn": "score", "game.challenge_bonus": "points"}.get(str(kind))
            if changed is not None:
                sign = -1 if kind == "game.withdrawn" else 1
                totals[data["player"]] += sign * data[changed]
    return late
