"""Training squares for the eyes, cut from rendered scenes as the reader cuts them from pictures.

No real picture is used. A crop is 40 x 40 px and spans ``CROP_SPAN`` squares. Labels are the
classes of ``KNOWN``: its labels, then a letter turned by 90, 180, 270 degrees clockwise.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from devices.lab.scenes.hardships import harder
from devices.lab.scenes.lettering import FOREIGN, Face
from devices.lab.scenes.scene import Truth, render
from devices.lab.scenes.styles import TileStyle
from devices.lab.scenes.variety import random_scene
from devices.pictures import Image
from devices.vision.geometry.pose import Floats
from devices.vision.squares.net import FOREIGN as FOREIGN_LABEL
from devices.vision.squares.net import NO_VALUE, Knowledge
from devices.vision.squares.squares import cut_crops, cut_figures, cut_straightened
from recorder.domain.board import CENTRE, SQUARES, STANDARD_PREMIUMS, Board, Premium
from recorder.domain.observations import COVERED_SYMBOL, JOINED, SEEN

_COVERED = SEEN.index(COVERED_SYMBOL)
KNOWN = Knowledge((*(text.strip("[]") for text in SEEN), FOREIGN_LABEL))
"""What networks are taught."""
_CLASS_OF = {label: number for number, label in enumerate(KNOWN.labels)}
_CLASS_OF.update({text: _CLASS_OF[text.strip("[]")] for text in JOINED})
_CLASS_OF.update(dict.fromkeys(FOREIGN, _CLASS_OF[FOREIGN_LABEL]))
LETTER_LABELS = np.array(
    [n for n, label in enumerate(KNOWN.labels) if label not in {*".?#", FOREIGN_LABEL}]
)
FIRST_TURN = len(KNOWN.labels)
"""The class of a letter turned by 90 degrees; those by 180 and 270 follow."""
_HELD_OUT_FAMILIES = 8
"""One family of typefaces of so many takes no part in training: the report counts on it."""
_BARELY, _HIDDEN = 0.12, 0.35
"""Less of a square hidden: it can be read; more: nobody should try. Between them no lesson."""
_FIGURE_HIDDEN, _MIDDLE_OFF = 0.02, 0.03
_TURNED_PART = 0.3
_ASKEW_DEG, _STRAIGHTENED_OFF = 6.0, 3.0
"""Tiles turned by more are cut straightened too, with this error (degrees) of the turn."""
_MOST_COVERED = 20
_NOT_TYPE = ("symbol", "d050000l", "math", "mono", "thin", "hairline", "light.", "light-", "tamil",
             "italic", "oblique", "-it.", "biolinum_k", "_dr.", "_i.", "bi.", "bdita", "alt-i",
             "condit", "liberastika", "smallcaps", "emoji", "icons")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Squares:
    """Crops [N, 40, 40, 3] BGR with labels [N] and the number of the scene of each.

    ``shifts`` [N, 2] is where the middle of the tile lies, seen from the middle of the crop, in
    squares (x, y); not a number where there is no tile to be seen. ``figures`` [M, 40, 40, 3] are
    the corners of upright tiles where values are printed, ``values`` [M] what is printed there:
    ``NO_VALUE`` where nothing is.
    """

    crops: Image
    labels: npt.NDArray[np.uint8]
    scenes: npt.NDArray[np.int32]
    shifts: npt.NDArray[np.float32]
    figures: Image
    values: npt.NDArray[np.uint8]


def find_faces(folders: Sequence[Path]) -> list[Face]:
    """Upright typefaces with all letters, dots and digits under these folders, by file name.

    Thin cuts, slanted cuts and symbol fonts are left out, as are faces without a glyph.
    """
    files = sorted(
        {
            path.name: path
            for folder in folders
            for path in folder.rglob("*.[to]tf")
            if not any(word in path.name.lower() for word in _NOT_TYPE)
        }.items()
    )
    faces = [Face("sans", weight) for weight in (400, 600, 700, 800)]
    faces += [face for _, path in files if (face := Face(str(path))).is_complete()]
    return faces


def divided(faces: Sequence[Face]) -> tuple[list[Face], list[Face]]:
    """The faces to train with and those kept for the report, whole families together."""
    families = sorted({family(face) for face in faces})
    kept = {name for number, name in enumerate(families) if number % _HELD_OUT_FAMILIES == 3}
    train = [face for face in faces if family(face) not in kept]
    return train, [face for face in faces if family(face) in kept] or train


def family(face: Face) -> str:
    """The name of a typeface without its cut: cuts of one family resemble each other."""
    return face.name.split("-")[0].split("_")[0].lower()[:9]


def _jittered(plane: Floats, rng: np.random.Generator) -> Floats:
    """The homography with the error of a located grid: mostly hundredths of a square."""
    spread = rng.choice([0.03, 0.08, 0.14], p=[0.55, 0.3, 0.15])
    shift = rng.normal(0.0, spread * 0.5, (4, 2)) + rng.normal(0.0, spread, 2)
    field = np.array([[0.0, 0.0], [15.0, 0.0], [15.0, 15.0], [0.0, 15.0]])
    wobble = cv2.getPerspectiveTransform(
        field.astype(np.float32), (field + shift).astype(np.float32)
    )
    moved: Floats = plane @ wobble
    return moved


def _tile_shifts(truth: Truth, plane: Floats) -> npt.NDArray[np.float32]:
    """Where tiles lie in the grid that is read, off the middles of its squares, [225, 2]."""
    shifts = np.full((SQUARES, 2), np.nan, np.float32)
    for square, lying in truth.lying.items():
        row, col = divmod(square, 15)
        middle = np.array([[[col + 0.5 + lying.dx, row + 0.5 + lying.dy]]])
        pixel = cv2.perspectiveTransform(middle, truth.top_homography)
        seen = cv2.perspectiveTransform(pixel, np.linalg.inv(plane))[0, 0]
        shifts[square] = seen - (col + 0.5, row + 0.5)
    return shifts


def labels_of(truth: Truth) -> npt.NDArray[np.int16]:
    """The label of every square, [225]; -1 where a hand covers too much and too little."""
    labels = np.array([_CLASS_OF[tile] for tile in _faces_of(truth)], np.int16)
    cover = truth.cover.ravel()
    labels[cover >= _HIDDEN] = _COVERED
    labels[(cover > _BARELY) & (cover < _HIDDEN)] = -1
    return labels


def values_of(truth: Truth, style: TileStyle) -> npt.NDArray[np.uint8]:
    """The value printed on every square's tile, [225]."""
    printed = style.values if style.digit_size > 0 else {}
    return np.array([printed.get(face, NO_VALUE) for face in _faces_of(truth)], np.uint8)


def _faces_of(truth: Truth) -> list[str]:
    """What lies on the 225 squares, each in the notation of tiles."""
    return [str(tile) for tile in Board.from_rows(truth.rows).cells]


def _chosen(labels: npt.NDArray[np.int16], rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Which squares to keep: the tiles, some empties and covered ones."""
    keep = labels > 0
    empty = labels == 0
    # Printed squares are few on the board and many among the mistakes: they come first.
    printed = np.array([premium is not Premium.NONE for premium in STANDARD_PREMIUMS])
    for part in (empty & printed, empty & ~printed):
        some = rng.permutation(np.flatnonzero(part))
        keep[some[: int(rng.integers(16, 32))]] = True
    keep[CENTRE] = labels[CENTRE] >= 0
    covered = rng.permutation(np.flatnonzero(labels == _COVERED))
    keep[covered[_MOST_COVERED:]] = False
    return np.flatnonzero(keep)


def squares_of_scene(faces: Sequence[Face], seed: int, number: int) -> Squares:
    """The crops of one scene. The same for the same faces, seed and number."""
    rng = np.random.default_rng([seed, number])
    scene = harder(rng, random_scene(rng, faces))
    image, truth = render(scene)
    labels = labels_of(truth)
    chosen = _chosen(labels, rng)
    # Empty squares lie on the board, tiles above it, and the height is guessed from the pose.
    lift = rng.normal(1.0, 0.25)
    ground, top = _scaled(truth.homography), _scaled(truth.top_homography)
    plane = _jittered(ground + lift * (top - ground), rng)
    crops = cut_crops(image, plane, chosen)
    kept = labels[chosen].astype(np.uint8)
    all_shifts = _tile_shifts(truth, plane)
    figures, values = _figures_of(image, truth, scene.style.tiles, plane, all_shifts, rng)
    shifts = all_shifts[chosen]
    shifts[kept == _COVERED] = np.nan
    straight = _straightened(image, truth, plane, chosen, rng)
    picked = np.searchsorted(chosen, straight.squares)
    crops = np.concatenate([crops, straight.crops])
    kept = np.concatenate([kept, kept[picked]])
    shifts = np.concatenate([shifts, _turned_back(shifts[picked], straight.degrees)])
    _turn_some(crops, kept, shifts, rng)
    scenes = np.full(len(kept), number, np.int32)
    return Squares(crops, kept, scenes, shifts, figures, values)


def _figures_of(
    image: Image,
    truth: Truth,
    style: TileStyle,
    plane: Floats,
    shifts: npt.NDArray[np.float32],
    rng: np.random.Generator,
) -> tuple[Image, npt.NDArray[np.uint8]]:
    """The corners with the values of tiles that lie straight and in full sight, and the values."""
    turns = {square: abs(lying.turn_deg) for square, lying in truth.lying.items()}
    squares = np.array([s for s, turn in turns.items() if turn < _ASKEW_DEG], dtype=np.intp)
    squares = squares[truth.cover.ravel()[squares] <= _FIGURE_HIDDEN]
    rows, cols = np.divmod(squares, 15)
    middles = np.stack([cols + 0.5, rows + 0.5], axis=1) + shifts[squares]
    middles += rng.normal(0.0, _MIDDLE_OFF, middles.shape)
    return cut_figures(image, plane, middles), values_of(truth, style)[squares]


def _turn_some(
    crops: Image,
    kept: npt.NDArray[np.uint8],
    shifts: npt.NDArray[np.float32],
    rng: np.random.Generator,
) -> None:
    """Turn some crops by quarters in place, with their labels and shifts."""
    turns = np.where(rng.random(len(kept)) < _TURNED_PART, rng.integers(1, 4, len(kept)), 0)
    loose = ~np.isin(kept, LETTER_LABELS)
    turns[loose] = rng.integers(0, 4, int(loose.sum()))
    for index, turn in enumerate(turns):
        crops[index] = np.rot90(crops[index], -turn)
        for _ in range(turn):
            shifts[index] = (-shifts[index, 1], shifts[index, 0])
        if turn and not loose[index]:
            kept[index] = FIRST_TURN + turn - 1


@dataclass(frozen=True, slots=True)
class _Straightened:
    """Crops of tiles that lie askew, cut turned by ``degrees`` as the reader does."""

    squares: npt.NDArray[np.intp]
    degrees: Floats
    crops: Image


def _straightened(
    image: Image,
    truth: Truth,
    plane: Floats,
    chosen: npt.NDArray[np.intp],
    rng: np.random.Generator,
) -> _Straightened:
    lying = {
        int(square): truth.lying[square].turn_deg for square in chosen if square in truth.lying
    }
    squares = np.array([s for s, turn in lying.items() if abs(turn) > _ASKEW_DEG], dtype=np.intp)
    degrees = np.array([lying[int(square)] for square in squares], dtype=np.float64)
    degrees = degrees + rng.normal(0.0, _STRAIGHTENED_OFF, len(squares))
    return _Straightened(squares, degrees, cut_straightened(image, plane, squares, degrees))


def _turned_back(shifts: npt.NDArray[np.float32], degrees: Floats) -> npt.NDArray[np.float32]:
    """Shifts as a crop turned clockwise by ``degrees`` shows them."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    across = shifts[:, 0] * cos + shifts[:, 1] * sin
    down = shifts[:, 1] * cos - shifts[:, 0] * sin
    return np.stack([across, down], axis=1).astype(np.float32)


def _scaled(homography: Floats) -> Floats:
    """Scaled so that planes of different heights can be mixed: the first column is shared."""
    scaled: Floats = homography / np.linalg.norm(homography[:, 0])
    return scaled


def generate(
    faces: Sequence[Face], scenes: Sequence[int], seed: int, jobs: int = 1
) -> Iterator[Squares]:
    """The crops of these scenes, one by one in their order, rendered by ``jobs`` processes."""
    if jobs == 1:
        yield from (squares_of_scene(faces, seed, number) for number in scenes)
        return
    spawn = get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _begin_rendering, (faces,)) as pool:
        yield from pool.map(partial(_rendered_here, seed), scenes, chunksize=8)


_faces_here: list[Face] = []
"""The typefaces of a process that renders: loaded once."""


def _begin_rendering(faces: Sequence[Face]) -> None:
    cv2.setNumThreads(1)
    _faces_here[:] = faces


def _rendered_here(seed: int, number: int) -> Squares:
    return squares_of_scene(_faces_here, seed, number)


def gather(parts: Sequence[Squares]) -> Squares:
    """Many scenes as one set (at least one scene)."""
    return Squares(
        *(
            np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(Squares)
        )
    )
