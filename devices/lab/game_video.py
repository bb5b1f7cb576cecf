"""A game record filmed: arms from both sides of the table, cut-aways, zoom, compression.

What ``tilecast watch`` is measured on, for here it is known what was played. Nobody presses a clock
that could be seen; who draws reaches to a bag beside the board. The same record and seed give the
same frames.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from devices.lab.game_script import LiftBag, PressClock, PutBag, Show, Think, script
from devices.lab.scenes.lens import SceneCamera
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene, demo_scene
from devices.lab.simulated_table import SLEEVES
from devices.pictures import Image
from recorder.domain.board import CENTRE, Board
from recorder.domain.errors import DeviceError
from recorder.domain.observations import EMPTY_SYMBOL
from recorder.gcg import GcgGame

FRAMES_PER_S = 10
_HAND_FRAMES, _THOUGHT_FRAMES = 3, 10
_CUT_FRAMES = 12
_ZOOMED = 0.9
_TO_THE_BAG = (0.35, 0.45, 0.35)
"""How far an arm that stays beside the board comes towards its middle, in each of the frames for
which the bag is off its scale."""


@dataclass(frozen=True, slots=True)
class Filming:
    """What happens beside the game, by the number of the press after which it does.

    ``cuts``: the players' faces are shown, then another table's board; ``zooms``: from here on the
    camera is nearer, or again as far as at first; ``turns``: the board is turned on its table.
    """

    cuts: frozenset[int] = frozenset()
    zooms: frozenset[int] = frozenset()
    turns: frozenset[int] = frozenset()


NOTHING_BESIDE = Filming()


def film(
    game: GcgGame, seed: int, filming: Filming = NOTHING_BESIDE, scene: TableScene | None = None
) -> Iterator[Image]:
    """The frames of a game, ten a second, BGR: at this table, or at the demo's (960 x 720)."""
    scene = scene or demo_scene(game.tile_set.name, seed)
    far, near = scene.camera, replace(scene.camera, distance=_ZOOMED * scene.camera.distance)
    number = presses = 0
    presser, is_drawing = 0, False
    for happening in script(game, seed, announced=False):
        count = 0
        match happening:
            case Show() if is_drawing:
                yield from _to_the_bag(scene, presser, number)
                number += len(_TO_THE_BAG)
            case Show(frames=frames, rows=rows, hand=hand, target=target, player=player):
                scene.board, scene.far_arm = rows, player == 1
                scene.hand = None if hand is None else (hand, target, SLEEVES[player])
                count = frames if hand is None else _HAND_FRAMES * frames
            case Think():
                count = _THOUGHT_FRAMES
            case LiftBag() | PutBag():
                is_drawing = isinstance(happening, LiftBag)
            case PressClock(player=presser):
                presses += 1
                if presses in filming.cuts:
                    yield from _cut_away(seed, presses, far)
                if presses in filming.zooms:
                    scene.camera = near if scene.camera == far else far
                scene.turn_deg += 90.0 * (presses in filming.turns)
            case _:
                pass
        for _ in range(count):
            number += 1
            yield scene.frame(number)


def _to_the_bag(scene: TableScene, player: int, number: int) -> Iterator[Image]:
    """A player's arm beside the board, and gone again; ``number`` frames went before."""
    scene.far_arm = player == 1
    for at, progress in enumerate(_TO_THE_BAG, number + 1):
        scene.hand = progress, CENTRE, SLEEVES[player]
        yield scene.frame(at)
    scene.hand = None


def _cut_away(seed: int, presses: int, camera: SceneCamera) -> Iterator[Image]:
    """Another camera's picture without a board, then another table."""
    rng = np.random.default_rng([seed, presses])
    coarse = rng.integers(30, 220, (6, 8, 3), dtype=np.uint8)
    size = (camera.width, camera.height)
    faces = np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    other = TableScene(demo_style("english"), seed + 1, camera)
    other.board = _some_board()
    for _ in range(_CUT_FRAMES):
        grain = rng.integers(0, 3, faces.shape, dtype=np.uint8)
        yield np.asarray(cv2.add(faces, grain), np.uint8)
    for number in range(_CUT_FRAMES):
        yield other.frame(number)


def _some_board() -> tuple[str, ...]:
    rows = [EMPTY_SYMBOL * 15 for _ in range(15)]
    rows[3], rows[7], rows[11] = "..WITHER.......", "....NOBLEST....", ".......ARMOUR.."
    return Board.from_rows(rows).rows()


def write_video(frames: Iterator[Image], path: Path, fourcc: str = "mp4v") -> int:
    """Write frames as a compressed video; returns how many. DeviceError where OpenCV cannot."""
    writer: cv2.VideoWriter | None = None
    count = 0
    for frame in frames:
        if writer is None:
            code = cv2.VideoWriter.fourcc(*fourcc)
            writer = cv2.VideoWriter(str(path), code, FRAMES_PER_S, frame.shape[1::-1])
            if not writer.isOpened():
                raise DeviceError(f"{path}: OpenCV writes no {fourcc} video here")
        writer.write(frame)
        count += 1
    if writer is not None:
        writer.release()
    return count
