"""What makes a rendered table hard to read: by lot, on top of a scene of ``variety``.

Shadows with hard edges that cross letters, light far too little or of a strong colour, fingers,
tiles knocked askew or laid out without a board, a blank on the centre square. Used for training;
tests and demo stay mild.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from devices.lab.scenes.hands import Glare, Sheet
from devices.lab.scenes.lettering import LETTERS
from devices.lab.scenes.scene import Scene
from devices.lab.scenes.variety import Rng, any_colour, random_arm
from recorder.domain.board import CENTRE
from recorder.domain.tile_text import tile_parts

Hardship = Callable[[Rng, Scene], Scene]

_MOST_ASKEW_DEG = 40.0


def _band(
    side: int, middle: npt.NDArray[np.float64], width: float, angle: float
) -> npt.NDArray[np.int32]:
    """A straight band over a picture of this side, ``width`` px wide: a wide one is half of it."""
    along = np.array([np.cos(angle), np.sin(angle)]) * 2.0 * side
    across = np.array([-np.sin(angle), np.cos(angle)]) * width
    ends = np.stack([middle - along, middle + along])
    corners: npt.NDArray[np.float64] = np.concatenate([ends, ends[::-1] + across])
    return np.rint(corners).astype(np.int32)


def hard_shadow(rng: Rng, scene: Scene) -> Scene:
    """The shadow of a head, a wall, or a blind: 15 to 75 % of the light is left in it."""
    side = scene.camera.width
    per_square = scene.camera.focal_px / scene.camera.distance
    light = float(rng.uniform(0.15, 0.75))
    soft = 0.0 if rng.random() < 0.6 else float(per_square * rng.uniform(0.02, 0.5))
    angle = float(rng.uniform(0.0, 2 * np.pi))
    count = int(rng.choice([1, 2, 4, 6], p=[0.55, 0.2, 0.15, 0.1]))
    bands = []
    for number in range(count):
        start = rng.uniform(0.15, 0.85, 2) * side
        width = 4.0 * side if count == 1 else side * float(rng.uniform(0.03, 0.25))
        turned = angle + float(rng.normal(0.0, 0.1)) * (number > 0)
        bands.append((_band(side, start, width, turned), 1.0 - light, soft))
    return replace(scene, light=replace(scene.light, shadows=tuple(bands)))


def poor_light(rng: Rng, scene: Scene) -> Scene:
    """Far too dark, or so bright that it burns out."""
    dark = rng.random() < 0.65
    gain = float(rng.uniform(0.18, 0.45) if dark else rng.uniform(1.5, 2.3))
    return replace(scene, sensor=replace(scene.sensor, gain=gain))


def coloured_light(rng: Rng, scene: Scene) -> Scene:
    """Tungsten, neon, a coloured lamp: a white balance that is far off."""
    blue, green, red = rng.uniform(0.45, 1.35, 3).tolist()
    return replace(scene, sensor=replace(scene.sensor, cast=(blue, green, red)))


def fingers(rng: Rng, scene: Scene) -> Scene:
    """One or two hands over the tiles, of any size, as they place and point."""
    side = scene.camera.width
    arms = tuple(
        replace(random_arm(rng, side), width=float(side * rng.uniform(0.04, 0.2)))
        for _ in range(int(rng.integers(1, 3)))
    )
    return replace(scene, arms=arms)


def askew(rng: Rng, scene: Scene) -> Scene:
    """Tiles turned where they lie, all alike or each by itself, one over its neighbours' rims."""
    if rng.random() < 0.5:
        turn = float(rng.uniform(-_MOST_ASKEW_DEG, _MOST_ASKEW_DEG))
        style = replace(scene.style, turn_deg=turn, turn_jitter_deg=float(rng.uniform(0.3, 4.0)))
    else:
        style = replace(scene.style, turn_jitter_deg=float(rng.uniform(6.0, 22.0)))
    return replace(scene, style=style)


def reflections(rng: Rng, scene: Scene) -> Scene:
    """Lamps mirrored on tiles and board, as large as a few squares."""
    side = scene.camera.width
    glares = tuple(
        Glare(
            at=(float(rng.uniform(0.1, 0.9) * side), float(rng.uniform(0.1, 0.9) * side)),
            axes=(float(side * rng.uniform(0.05, 0.2)), float(side * rng.uniform(0.05, 0.2))),
            turn_deg=float(rng.uniform(0, 180)),
            strength=float(rng.uniform(60, 220)),
            window=bool(rng.random() < 0.25),
        )
        for _ in range(int(rng.integers(1, 4)))
    )
    return replace(scene, light=replace(scene.light, glares=glares))


def laid_out(rng: Rng, scene: Scene) -> Scene:
    """Tiles side by side on a cloth or a table, without a board: one block of them, or several."""
    board, tiles = scene.style.board, scene.style.tiles
    cloth = replace(
        board,
        premiums=dict.fromkeys(board.premiums, board.ground),
        line_width=0.0,
        wall=0.0,
        words={},
        star="",
        grain=float(rng.uniform(0.0, 1.2)),
    )
    close = replace(tiles, size=float(rng.uniform(0.94, 1.02)))
    style = replace(scene.style, board=cloth, tiles=close)
    return replace(scene, style=style, rows=_in_blocks(rng))


def covered_by_sheet(rng: Rng, scene: Scene) -> Scene:
    """A score sheet on the board, or a banner over the picture: of any size, colour and turn."""
    side = scene.camera.width
    wide, high = side * rng.uniform(0.12, 0.6), side * rng.uniform(0.06, 0.3)
    angle = float(rng.normal(0.0, 0.08) if rng.random() < 0.6 else rng.uniform(0, np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = rng.uniform(0.1, 0.9, 2) * side
    field = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    a, b, c, d = ((float(x), float(y)) for x, y in middle + field @ turn.T)
    sheet = Sheet(
        corners=(a, b, c, d),
        colour=any_colour(rng),
        ink=any_colour(rng),
        lines=int(rng.choice([0, 1, 3, 6])),
    )
    return replace(scene, sheets=(sheet,))


def _in_blocks(rng: Rng) -> tuple[str, ...]:
    """One to four blocks of tiles without a gap, a few or half of them face down."""
    rows = [["."] * 15 for _ in range(15)]
    face_down = 0.5 if rng.random() < 0.25 else 0.04
    for _ in range(int(rng.integers(1, 5))):
        high, wide = (int(side) for side in rng.integers(4, 8, 2))
        top, left = int(rng.integers(0, 16 - high)), int(rng.integers(0, 16 - wide))
        for row in range(top, top + high):
            for col in range(left, left + wide):
                letter = LETTERS[int(rng.integers(len(LETTERS)))]
                rows[row][col] = "?" if rng.random() < face_down else letter
    return tuple("".join(row) for row in rows)


_HARDSHIPS: tuple[tuple[Hardship, float], ...] = (
    (laid_out, 0.07),
    (hard_shadow, 0.3),
    (poor_light, 0.12),
    (coloured_light, 0.12),
    (fingers, 0.16),
    (askew, 0.2),
    (reflections, 0.1),
    (covered_by_sheet, 0.06),
)
"""With how probable each is; they come together, too."""
_BLANK_IN_THE_MIDDLE = 0.25


def harder(rng: Rng, scene: Scene) -> Scene:
    """The scene with hardships by lot; about a third stay as they are."""
    for hardship, chance in _HARDSHIPS:
        if rng.random() < chance:
            scene = hardship(rng, scene)
    if rng.random() < _BLANK_IN_THE_MIDDLE:
        scene = replace(scene, rows=_with_blank_in_the_middle(scene))
    return scene


def _with_blank_in_the_middle(scene: Scene) -> tuple[str, ...]:
    row, col = divmod(int(CENTRE), 15)
    rows = list(scene.rows)
    tiles = list(tile_parts(rows[row]))
    rows[row] = "".join([*tiles[:col], "?", *tiles[col + 1 :]])
    return tuple(rows)
