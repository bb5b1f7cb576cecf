"""What a photograph costs to read and reconstruct, a replay of a game, and the demo's start."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import cv2

from devices.lab.game_script import faces
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.pictures import decode_picture
from devices.vision.eyes import Eyes
from devices.vision.look import BoardReading, board_seen
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import Played
from recorder.domain.observations import BoardSeen
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.reconstruct import begin, step
from recorder.gcg import read_gcg
from recorder.tilesets import load_tile_set

Result = dict[str, Any]
STARTS = 5
MOST_TURNS = 25


def run() -> dict[str, Result]:
    """The figures by name. Baselines: decoding the JPEG alone, and a Python that does nothing."""
    with tempfile.TemporaryDirectory() as place:
        photos = photographs(Path(place))
        decode = [cpu(lambda data=data: decode_picture(data)) for data in photos]
        return {
            **photo_figures(photos, statistics.median(decode)),
            "replay of a game, wall": replay(Path(place), len(photos)),
            "demo ready": demo_ready(),
        }


def photographs(folder: Path) -> list[bytes]:
    """The program's own English game as photographs, one per press."""
    import devices.lab

    game = read_gcg((Path(devices.lab.__path__[0]) / "games" / "english.gcg").read_bytes())
    scene, board, pictures = TableScene(demo_style(), 3), EMPTY_BOARD, []
    for number, event in enumerate(game.events[:MOST_TURNS]):
        if isinstance(event, Played):
            board = board.place(event.placement.new_tiles())
        scene.board = faces(board)
        path = folder / f"{number:02}.jpg"
        cv2.imwrite(str(path), scene.frame(number))
        pictures.append(path.read_bytes())
    return pictures


def cpu(work: Any) -> float:
    """CPU milliseconds of a call."""
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)


def photo_figures(photos: list[bytes], decode_ms: float) -> dict[str, Result]:
    """CPU of finding, reading and reconstructing, each photograph by itself and in a series."""
    cold, warm, weighed = [], [], []
    eyes, known = Eyes("english"), begin(load_tile_set("english"))
    prior: BoardReading | None = None
    for number, data in enumerate(photos):
        image = decode_picture(data)
        cold.append(cpu(lambda image=image: eyes.read(image)))
        before = time.process_time()
        look = eyes.read(image, prior=prior)
        warm.append(1000 * (time.process_time() - before))
        seen = board_seen(look, str(number), 0)
        if isinstance(seen, BoardSeen):
            prior, before = look, time.process_time()
            known = step(known, seen.squares, LookContext(LookKind.PHOTO), ref=number)
            list(known.turns)
            weighed.append(1000 * (time.process_time() - before))
    return {
        "photograph found and read, cold, CPU": figure("ms", cold, decode_ms),
        "photograph read in a series, CPU": figure("ms", warm, decode_ms),
        "photograph reconstructed, CPU": figure("ms", weighed, decode_ms),
    }


def replay(folder: Path, turns: int) -> Result:
    """Seconds of ``tilecast replay`` on the folder, as a process of its own, three times."""
    command = [sys.executable, "-m", "tilecast", "replay", str(folder), "--json"]
    times = [wall(command) for _ in range(3)]
    nothing = statistics.median(wall([sys.executable, "-c", "pass"]) for _ in range(3))
    return {**figure("s", times, nothing), "unit": f"s for {turns} photographs"}


def wall(command: list[str]) -> float:
    """Seconds until a command has ended."""
    before = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - before


def demo_ready() -> Result:
    """Seconds from the start of ``tilecast demo`` until its first page was served."""
    times = []
    for _ in range(STARTS):
        before = time.monotonic()
        command = [sys.executable, "-u", "-m", "tilecast", "demo", "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("ready in"):
                    times.append(time.monotonic() - before)
                    break
            process.terminate()
            process.stdout.read()
    nothing = statistics.median(wall([sys.executable, "-c", "pass"]) for _ in range(3))
    return figure("s", times, nothing)


def figure(unit: str, values: list[float], baseline: float) -> Result:
    """Median, 95th percentile and the ratio of the median to the baseline."""
    ordered = sorted(values)
    median = statistics.median(ordered)
    return {
        "unit": unit,
        "median": round(median, 3),
        "p95": round(ordered[round(0.95 * (len(ordered) - 1))], 3),
        "baseline": round(baseline, 3),
        "ratio": round(median / baseline, 2),
    }
