"""Drawing lots for styles, cameras, light and hands: the world that the eyes are trained for.

Every choice comes from the given numpy Generator. The ranges follow what boards in use look like:
printed and moulded boards of any colour, ink lighter or darker than its tile, sloppy tiles, lamps.
"""

import colorsys
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from devices.lab.scenes.hands import Arm, Glare
from devices.lab.scenes.lens import SceneCamera, Sensor
from devices.lab.scenes.lettering import FOREIGN, LETTERS, Cut, Face, QTail
from devices.lab.scenes.scene import Light, Scene
from devices.lab.scenes.styles import BoardStyle, Colour, Style, TileStyle
from recorder.domain.board import Premium
from recorder.domain.observations import ACCENTED, JOINED

Rng = np.random.Generator

_WORDS = {
    Premium.TRIPLE_WORD: (("TRIPLE", "WORD", "SCORE"), ("3X", "WORD"), ("DREIFACHER", "WORTWERT")),
    Premium.DOUBLE_WORD: (("DOUBLE", "WORD", "SCORE"), ("2X", "WORD"), ("DOPPELTER", "WORTWERT")),
    Premium.TRIPLE_LETTER: (("TRIPLE", "LETTER", "SCORE"), ("3X", "LETTER"), ("3L",)),
    Premium.DOUBLE_LETTER: (("DOUBLE", "LETTER", "SCORE"), ("2X", "LETTER"), ("2L",)),
}
_SHAPES = ("square", "inset", "spiked", "circle", "diamond")
_MARKS = ("", "star", "logo", "sticker", "ring", "disc", "words")
_PRINTED_LINES = (0.0, 0.02, 0.04, 0.06)
_CLASSIC = {
    Premium.TRIPLE_WORD: (0.0, 0.85, 0.8),
    Premium.DOUBLE_WORD: (0.97, 0.4, 0.92),
    Premium.TRIPLE_LETTER: (0.6, 0.8, 0.7),
    Premium.DOUBLE_LETTER: (0.57, 0.4, 0.9),
}
_GROUNDS = (  # hue, saturation, value of fields in use: green, beige, white, teal, yellow, grey ...
    (0.4, 0.7, 0.45), (0.1, 0.2, 0.8), (0.12, 0.05, 0.95), (0.5, 0.5, 0.65), (0.14, 0.8, 0.85),
    (0.1, 0.08, 0.7), (0.62, 0.5, 0.4), (0.08, 0.4, 0.75), (0.35, 0.5, 0.6),
)  # fmt: skip
_FACES_LIGHT = (
    (0.12, 0.2, 0.95), (0.1, 0.35, 0.9), (0.09, 0.45, 0.8), (0.15, 0.5, 0.97), (0.11, 0.1, 0.85),
    (0.08, 0.35, 0.7), (0.58, 0.08, 0.9),
)  # fmt: skip
_FACES_DARK = (
    (0.72, 0.65, 0.45), (0.6, 0.5, 0.35), (0.03, 0.55, 0.45), (0.07, 0.5, 0.35), (0.0, 0.0, 0.25),
    (0.45, 0.7, 0.35), (0.98, 0.7, 0.5),
)  # fmt: skip


def _bgr(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(
        hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)
    )
    return round(blue * 255), round(green * 255), round(red * 255)


def _near(rng: Rng, colour: Sequence[float], spread: float = 1.0) -> Colour:
    steps = rng.normal(0.0, [0.025 * spread, 0.1 * spread, 0.1 * spread])
    return _bgr(colour[0] + steps[0], colour[1] + steps[1], colour[2] + steps[2])


def any_colour(rng: Rng) -> Colour:
    """A colour of any hue, from dark to light."""
    return _bgr(rng.random(), rng.random() ** 0.8, rng.uniform(0.12, 1.0))


def _luma(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _ink_for(rng: Rng, face_colour: Colour, *, light: bool) -> Colour:
    """An ink that is readable on the face, lighter or darker than it as asked."""
    for _ in range(40):
        if rng.random() < 0.6:
            value = rng.uniform(0.75, 1.0) if light else rng.uniform(0.03, 0.3)
            ink = _bgr(rng.random(), rng.random() * 0.25, value)
        else:
            ink = any_colour(rng)
        gap = _luma(ink) - _luma(face_colour)
        if (gap if light else -gap) > rng.uniform(45, 90):
            return ink
    return (255, 255, 255) if light else (10, 10, 10)


def _pick(rng: Rng, options: Sequence[str], chances: Sequence[float] | None = None) -> str:
    return options[int(rng.choice(len(options), p=chances))]


def _board(rng: Rng, face: Face) -> BoardStyle:
    ground = any_colour(rng)
    if rng.random() < 0.7:
        ground = _near(rng, _GROUNDS[int(rng.integers(len(_GROUNDS)))])
    if rng.random() < 0.65:
        premiums = {premium: _near(rng, colour) for premium, colour in _CLASSIC.items()}
    else:
        premiums = {premium: any_colour(rng) for premium in _CLASSIC}
    words: dict[Premium, tuple[str, ...]] = {}
    if rng.random() < 0.6:
        version = int(rng.integers(3))
        words = {premium: lines[version] for premium, lines in _WORDS.items()}
    raised = rng.random() < 0.35
    light_line = rng.random() < 0.6
    line = _bgr(
        rng.random(),
        rng.random() * 0.3,
        rng.uniform(0.75, 1) if light_line else rng.random() * 0.35,
    )
    return BoardStyle(
        ground=ground,
        premiums=premiums,
        shape=_pick(rng, _SHAPES, (0.35, 0.15, 0.4, 0.05, 0.05)),
        shape_size=float(rng.uniform(0.8, 1.0)),
        spikes=int(rng.integers(2, 5)),
        line=any_colour(rng) if rng.random() < 0.2 else line,
        line_width=float(rng.uniform(0.03, 0.12) if raised else rng.choice(_PRINTED_LINES)),
        wall=float(rng.uniform(0.03, 0.12)) if raised else 0.0,
        words=words,
        word_ink=(20, 20, 20) if rng.random() < 0.6 else (245, 245, 245),
        word_size=float(rng.uniform(0.1, 0.2)),
        word_turns=int(rng.integers(4)),
        star=_pick(rng, ("star", "disc", "flower", "")),
        star_ink=any_colour(rng),
        frame=any_colour(rng),
        frame_width=float(rng.uniform(0.1, 1.6)),
        coordinates=bool(rng.random() < 0.5),
        coordinate_ink=any_colour(rng),
        grain=float(rng.random() ** 2),
        table=any_colour(rng),
        table_grain=float(rng.random()),
        clutter=int(rng.integers(0, 9)),
        face=face,
    )  # fmt: skip


def _values(rng: Rng) -> dict[str, int]:
    """Point values, each of 1 to 10 as often: letters and digits are learned apart."""
    letters = [*LETTERS, *ACCENTED, *JOINED, *FOREIGN]
    return dict(zip(letters, rng.integers(1, 11, len(letters)).tolist(), strict=True))


def _cut(rng: Rng) -> Cut:
    """What makers of tiles do to a typeface: width, weight, bars on the I, tails on the Q."""
    return Cut(
        stretch=float(np.clip(rng.normal(1.0, 0.12), 0.72, 1.35)),
        heft=float(rng.uniform(-0.035, 0.06)) if rng.random() < 0.45 else 0.0,
        i_serifs=float(rng.uniform(0.08, 0.24)) if rng.random() < 0.35 else 0.0,
        q_tail=_q_tail(rng) if rng.random() < 0.5 else None,
    )


def _q_tail(rng: Rng) -> QTail:
    """A tail at the lower right or below, from a tick to a sweep, straight or bent."""
    angle = rng.uniform(0.15, 1.6)
    ring = 0.46
    start, end = ring - rng.uniform(-0.02, 0.28), ring + rng.uniform(0.04, 0.26)
    way = np.array([np.cos(angle), np.sin(angle)])
    first = start * way
    last = end * np.array(
        [np.cos(angle + rng.normal(0, 0.15)), np.sin(angle + rng.normal(0, 0.15))]
    )
    bend = (first + last) / 2 + rng.normal(0.0, 0.05, 2)
    points = tuple((float(x), float(y)) for x, y in (first, bend, last))
    return QTail((points[0], points[1], points[2]), float(rng.uniform(0.05, 0.17)))


def _tiles(rng: Rng, face: Face, board: BoardStyle) -> TileStyle:
    light_ink = rng.random() < 0.45
    wooden = rng.random() < 0.35
    kind = rng.random()
    if kind < 0.3:
        # As a blank that nothing but its rim tells from the square it lies on.
        alike = (board.ground, board.ground, *board.premiums.values())
        like = alike[int(rng.integers(len(alike)))]
        colour = tuple(int(np.clip(c + rng.normal(0, 14), 0, 255)) for c in like)
        face_colour: Colour = (colour[0], colour[1], colour[2])
    elif kind < 0.7:
        palette = _FACES_DARK if light_ink else _FACES_LIGHT
        face_colour = _near(rng, palette[rng.integers(len(palette))])
    else:
        face_colour = any_colour(rng)
    luma = _luma(face_colour)
    light_ink = (light_ink or luma < 70) and luma < 190
    ink = _ink_for(rng, face_colour, light=light_ink)
    tone = rng.uniform(0.45, 1.0)
    side = tuple(int(c * tone) for c in face_colour)
    is_small = rng.random() < 0.25
    letter_size = float(rng.uniform(0.27, 0.42) if is_small else rng.uniform(0.36, 0.68))
    digits = rng.random() < 0.92
    follows = rng.random() < 0.5
    is_large = letter_size > 0.5
    digit_size = float(rng.uniform(0.1, 0.2 if is_large else 0.27)) if digits else 0.0
    # A large letter makes room for its digit, as makers let them touch at most.
    across = 0.47 - 0.05 * (is_large or follows) * digits
    letter_at = (float(rng.normal(across, 0.04)), float(rng.normal(0.48 - 0.03 * is_large, 0.04)))
    digit_at = (float(rng.uniform(0.66, 0.9)), float(rng.uniform(0.66, 0.88)))
    if is_large:
        digit_at = (float(rng.uniform(0.8, 0.92)), float(rng.uniform(0.78, 0.9)))
    if follows:
        # Beside the letter's foot, mostly a little below it.
        foot = letter_at[1] + letter_size / 2 + digit_size * float(rng.uniform(-0.5, 0.45))
        digit_at = (digit_at[0], min(foot, 0.92 - digit_size / 2))
    mark_like_ink = rng.random() < 0.5
    other_mark = any_colour(rng) if rng.random() < 0.7 else (245, 245, 245)
    return TileStyle(
        face_colour=face_colour,
        ink=ink,
        side=(side[0], side[1], side[2]) if rng.random() < 0.8 else any_colour(rng),
        values=_values(rng),
        size=float(rng.uniform(0.84, 1.02)),
        corner=float(rng.choice([0.02, 0.06, 0.1, 0.15, 0.2]) * rng.uniform(0.7, 1.2)),
        height=float(rng.uniform(0.14, 0.34)),
        letter_size=letter_size,
        letter_at=letter_at,
        digit_size=digit_size,
        digit_at=digit_at,
        umlaut_squeeze=float(rng.random()),
        bevel=float(rng.choice([0.0, 0.2, 0.5]) * rng.random()),
        grain=float(rng.uniform(0.3, 1.3)) if wooden else float(rng.random() * 0.2),
        variety=float(rng.uniform(4, 14)) if wooden else float(rng.uniform(0, 5)),
        wear=float(rng.random() ** 3 * 0.7),
        mark=_pick(rng, _MARKS, (0.58, 0.04, 0.09, 0.07, 0.04, 0.03, 0.15)),
        mark_colour=ink if mark_like_ink else other_mark,
        digit_gap=float(rng.uniform(-0.01, 0.06)) if follows else None,
        is_tucked=bool(rng.random() < 0.65),
        bevel_width=float(rng.uniform(0.02, 0.08)),
        cut=_cut(rng),
        face=face,
    )  # fmt: skip


def random_style(rng: Rng, faces: Sequence[Face], name: str = "") -> Style:
    """A board with a tile set as nobody ever saw it."""
    board = _board(rng, faces[int(rng.integers(len(faces)))])
    face = faces[int(rng.integers(len(faces)))]
    loose = board.wall == 0 and rng.random() < 0.45
    return Style(
        name=name,
        board=board,
        tiles=_tiles(rng, face, board),
        jitter=float(rng.uniform(0.04, 0.11) if loose else rng.uniform(0.005, 0.04)),
        turn_jitter_deg=float(rng.uniform(1.5, 6.0) if loose else rng.uniform(0.2, 2.0)),
    )


_EXTRA_SCENES, _EXTRA_PART = 0.5, 0.4
"""Scenes that show letters of other sets too, and how many of their tiles are such."""


def random_letters(rng: Rng, face: Face) -> Sequence[str]:
    """The letters of a tile set drawn by lot, repeated as often as they are to come."""
    if rng.random() >= _EXTRA_SCENES or not face.extras:
        return LETTERS
    wanted = round(len(LETTERS) * _EXTRA_PART / (1.0 - _EXTRA_PART))
    return [*LETTERS, *(face.extras[k] for k in rng.integers(0, len(face.extras), wanted))]


def random_rows(rng: Rng, letters: Sequence[str] = LETTERS) -> tuple[str, ...]:
    """Tiles all over: lone ones, runs and blocks, every letter about as often, 10 % blanks."""
    taken = rng.random((15, 15)) < rng.choice([0.02, 0.1, 0.25, 0.45])
    for _ in range(int(rng.integers(3, 22))):
        length, line, start = int(rng.integers(2, 9)), int(rng.integers(15)), int(rng.integers(14))
        if rng.random() < 0.5:
            taken[line, start : start + length] = True
        else:
            taken[start : start + length, line] = True
    marks = np.where(
        rng.random((15, 15)) < 0.15, len(letters), rng.integers(0, len(letters), (15, 15))
    )
    symbols = [*letters, "?"]
    return tuple(
        "".join(symbols[m] if t else "." for m, t in zip(marks[r], taken[r], strict=True))
        for r in range(15)
    )


def random_camera(rng: Rng) -> SceneCamera:
    """Phones and tripods: mostly from above, up to 50 degrees, 13 to 48 pixels per square."""
    tilt = abs(rng.normal(0.0, 14.0)) if rng.random() < 0.6 else rng.uniform(15.0, 50.0)
    distance = float(rng.uniform(20.0, 48.0))
    per_square = float(np.exp(rng.uniform(np.log(15), np.log(50))))
    side = int(per_square * 15 * rng.uniform(1.12, 1.35))
    focal = per_square * distance
    return SceneCamera(
        width=side,
        height=side,
        focal_px=focal,
        distance=distance,
        tilt_deg=float(min(tilt, 50.0)),
        azimuth_deg=float(rng.uniform(0, 360)),
        turn_deg=float(rng.normal(0.0, 6.0)),
        target=(7.5 + float(rng.normal(0, 0.4)), 7.5 + float(rng.normal(0, 0.4))),
    )


def random_sensor(rng: Rng, per_square: float) -> Sensor:
    """From a sharp still to a dark, soft, noisy and compressed frame."""
    soft = rng.random() < 0.35
    return Sensor(
        blur_px=float(per_square * (rng.uniform(0.02, 0.11) if soft else rng.uniform(0, 0.025))),
        motion_px=float(per_square * rng.uniform(0.05, 0.4)) if rng.random() < 0.15 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        gain=float(np.exp(rng.normal(0.0, 0.28)))
        * (float(rng.uniform(0.15, 0.45)) if rng.random() < 0.1 else 1.0),
        gamma=float(np.exp(rng.normal(0.0, 0.2))),
        saturation=float(np.clip(rng.normal(1.0, 0.25), 0.1, 1.7)),
        cast=tuple(np.clip(rng.normal(1.0, 0.1, 3), 0.6, 1.4).tolist()),
        noise=float(rng.random() ** 2 * 14),
        sharpen=float(rng.uniform(0.3, 1.2)) if rng.random() < 0.25 else 0.0,
        jpeg=int(rng.integers(35, 97)) if rng.random() < 0.7 else 0,
    )


def _polygon(rng: Rng, side: int) -> npt.NDArray[np.int32]:
    middle = rng.uniform(0, side, 2)
    reach = side * rng.uniform(0.1, 0.7)
    angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
    points = middle + reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.rint(points).astype(np.int32)


def random_light(rng: Rng, side: int) -> Light:
    """Fall-off, hard shadows and reflections that blow out."""
    shadows = tuple(
        (_polygon(rng, side), float(rng.uniform(0.15, 0.6)), float(rng.uniform(0.5, 0.03 * side)))
        for _ in range(int(rng.choice([0, 0, 0, 1, 2])))
    )
    glares = tuple(
        Glare(
            at=(float(rng.uniform(0, side)), float(rng.uniform(0, side))),
            axes=(float(side * rng.uniform(0.03, 0.2)), float(side * rng.uniform(0.02, 0.12))),
            turn_deg=float(rng.uniform(0, 180)),
            strength=float(rng.uniform(40, 260)),
            window=bool(rng.random() < 0.35),
        )
        for _ in range(int(rng.choice([0, 0, 1, 2, 3])))
    )
    low = float(rng.uniform(0.55, 1.0))
    shift = rng.uniform(-0.22, 0.22, 2)
    return Light(
        low=low,
        high=float(rng.uniform(low, 1.15)),
        angle=float(rng.uniform(0, 2 * np.pi)),
        shadows=shadows,
        glares=glares,
        tile_shadow=float(rng.uniform(0.0, 0.7)),
        shadow_shift=(float(shift[0]), float(shift[1])),
    )


def random_arm(rng: Rng, side: int) -> Arm:
    """An arm that reaches in from outside the picture."""
    angle = rng.uniform(0, 2 * np.pi)
    elbow = side / 2 + side * 0.9 * np.array([np.cos(angle), np.sin(angle)])
    tip = side * rng.uniform(0.15, 0.85, 2)
    skin = _near(rng, (0.06, rng.uniform(0.2, 0.6), rng.uniform(0.25, 0.95)))
    return Arm(
        elbow=(float(elbow[0]), float(elbow[1])),
        tip=(float(tip[0]), float(tip[1])),
        width=float(side * rng.uniform(0.05, 0.13)),
        skin=skin,
        sleeve=any_colour(rng),
        bare=float(rng.uniform(0.1, 1.0)),
        spread_deg=float(rng.uniform(2, 22)),
        fingers=int(rng.integers(1, 6)),
    )


def random_scene(rng: Rng, faces: Sequence[Face], name: str = "") -> Scene:
    """A scene of a style, camera, light and hands drawn by lot."""
    camera = random_camera(rng)
    arms = int(rng.choice([0, 1, 2], p=[0.7, 0.22, 0.08]))
    style = random_style(rng, faces, name)
    return Scene(
        style=style,
        rows=random_rows(rng, random_letters(rng, style.tiles.face)),
        camera=camera,
        sensor=random_sensor(rng, camera.focal_px / camera.distance),
        light=random_light(rng, camera.width),
        arms=tuple(random_arm(rng, camera.width) for _ in range(arms)),
        seed=int(rng.integers(2**31)),
    )
