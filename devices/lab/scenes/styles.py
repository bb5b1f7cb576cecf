"""How boards and tile sets look: plain values, and the two good-looking styles of the demo.

Colours are BGR 0..255, lengths are parts of a square. Knows nothing of cameras or of drawing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from devices.lab.scenes.lettering import AS_DRAWN, Cut, Face
from recorder.domain.board import Premium
from recorder.tilesets import load_tile_set

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStyle:
    """A board. ``words`` are printed on premium squares, turned by ``word_turns`` quarters.

    ``shape`` is ``square``, ``inset``, ``spiked``, ``circle`` or ``diamond``; ``wall`` is the
    height of raised walls between the squares (0: printed lines); ``star`` is ``star``,
    ``disc``, ``flower`` or empty.
    """

    ground: Colour
    premiums: Mapping[Premium, Colour] = field(hash=False)
    shape: str = "square"
    shape_size: float = 0.92
    spikes: int = 3
    line: Colour = (235, 240, 240)
    line_width: float = 0.04
    wall: float = 0.0
    words: Mapping[Premium, tuple[str, ...]] = field(default_factory=dict, hash=False)
    word_ink: Colour = (20, 20, 20)
    word_size: float = 0.14
    word_turns: int = 0
    star: str = "star"
    star_ink: Colour = (30, 30, 30)
    frame: Colour = (40, 80, 30)
    frame_width: float = 0.9
    coordinates: bool = True
    coordinate_ink: Colour = (230, 230, 230)
    grain: float = 0.0
    table: Colour = (70, 110, 150)
    table_grain: float = 0.4
    clutter: int = 0
    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class TileStyle:
    """A tile set. Letters without a value carry no digit.

    ``mark`` is what a blank carries: nothing, ``star``, ``logo``, ``sticker``, ``ring``, ``disc``,
    ``words``. With ``digit_gap`` the digit follows the letter at this distance instead of keeping a
    place of its own: the distance from the ink beside the digit where it ``is_tucked`` in, as under
    the bowl of a P, else from the letter's right. ``bevel_width`` is how far the slope of the rim
    reaches in; ``cut`` is what is changed about the typeface.
    """

    face_colour: Colour
    ink: Colour
    side: Colour
    values: Mapping[str, int]
    size: float = 0.94
    corner: float = 0.1
    height: float = 0.24
    letter_size: float = 0.5
    letter_at: tuple[float, float] = (0.47, 0.47)
    digit_size: float = 0.17
    digit_at: tuple[float, float] = (0.83, 0.8)
    umlaut_squeeze: float = 0.6
    bevel: float = 0.3
    grain: float = 0.0
    variety: float = 4.0
    wear: float = 0.0
    mark: str = ""
    mark_colour: Colour = (40, 40, 200)
    digit_gap: float | None = None
    is_tucked: bool = False
    bevel_width: float = 0.03
    cut: Cut = AS_DRAWN
    face: Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """A board with a tile set; ``jitter`` and ``turn_jitter_deg`` say how neatly tiles lie.

    ``turn_deg`` is how far all of them are turned (clockwise) where they lie.
    """

    name: str
    board: BoardStyle
    tiles: TileStyle
    jitter: float = 0.02
    turn_jitter_deg: float = 1.2
    turn_deg: float = 0.0


_DEMO_PREMIUMS = {
    Premium.TRIPLE_WORD: (48, 42, 205),
    Premium.DOUBLE_WORD: (150, 140, 240),
    Premium.TRIPLE_LETTER: (165, 92, 28),
    Premium.DOUBLE_LETTER: (225, 185, 120),
}


def demo_style(tile_set: str = "english") -> Style:
    """The look of the simulated table: a green tournament board with ivory tiles."""
    face = Face("sans", 700)
    board = BoardStyle(
        ground=(86, 112, 34),
        premiums=_DEMO_PREMIUMS,
        shape="spiked",
        line=(196, 205, 178),
        line_width=0.045,
        frame=(62, 74, 28),
        frame_width=1.0,
        star="star",
        star_ink=(240, 240, 245),
        table=(72, 104, 142),
        face=Face("sans", 500),
    )
    tiles = TileStyle(
        face_colour=(188, 222, 238),
        ink=(38, 34, 30),
        side=(128, 166, 190),
        values={str(face): value for face, value in load_tile_set(tile_set).values.items()},
        face=face,
    )
    return Style(name=f"demo-{tile_set}", board=board, tiles=tiles)
