"""What the eyes cost on one 1080p frame of a board with a whole game on it, on one thread."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2

import devices.lab
from devices.lab.game_script import faces
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.scene import Scene, render
from devices.lab.scenes.styles import demo_style
from devices.pictures import decode_picture
from devices.vision.eyes import Eyes
from devices.vision.finding.locate import locate
from devices.vision.geometry.pose import Pose
from devices.vision.squares.squares import read_squares
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import Played
from recorder.gcg import read_gcg
from tests.bench.figures import Figures, figure_of

ROUNDS = 15
CHANGED = list(range(105, 117))
"""A play of seven tiles and what lies beside it."""


def run() -> Figures:
    """The figures by name. Baseline: decoding the frame's JPEG."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return _figures()
    finally:
        cv2.setNumThreads(threads)


def _figures() -> Figures:
    image, pose = _frame()
    _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])
    data, eyes = jpeg.tobytes(), Eyes("english")
    look = eyes.read(image)
    decode = statistics.median(_cpu(lambda: decode_picture(data)))
    works: dict[str, Callable[[], object]] = {
        "1080p frame, all squares of a located board, CPU": lambda: read_squares(image, pose),
        "1080p frame, twelve changed squares, CPU": lambda: read_squares(
            image, pose, squares=CHANGED
        ),
        "1080p frame, board found cold, CPU": lambda: locate(image),
        "1080p frame, whole look after an earlier one, CPU": lambda: eyes.read(image, prior=look),
    }
    return {name: figure_of("ms", _cpu(work), decode) for name, work in works.items()}


def _frame() -> tuple[Any, Pose]:
    """The last board of the program's own English game, 1920 x 1080."""
    game = read_gcg((Path(devices.lab.__path__[0]) / "games" / "english.gcg").read_bytes())
    board = EMPTY_BOARD
    for event in game.events:
        if isinstance(event, Played):
            board = board.place(event.placement.new_tiles())
    camera = SceneCamera(width=1920, height=1080, focal_px=1800.0, tilt_deg=10.0)
    scene = Scene(style=demo_style(), rows=faces(board), camera=camera, sensor=Sensor(noise=3.0))
    image, truth = render(scene)
    return image, Pose(truth.homography)


def _cpu(work: Callable[[], object]) -> list[float]:
    """CPU milliseconds of each of some calls; the first one warms up and is not counted."""
    times = []
    for _ in range(ROUNDS + 1):
        before = time.process_time()
        work()
        times.append(1000 * (time.process_time() - before))
    return times[1:]
