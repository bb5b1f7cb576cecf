"""What devices make of a table: the port, and the one that goes without pixels and bytes.

``Senses`` is what a table's agent asks; ``PlainSenses`` answers as good devices do, with the
likelihoods that the eyes give for a clear picture. The simulated table has another one, which
looks at rendered pictures.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log
from typing import Protocol

from recorder.domain.board import Square
from recorder.domain.instruments import SlipEntry, SlipMark, SlipSeen, TurnedTile
from recorder.domain.observations import (
    COST_PER_NAT,
    STANDARD_ORDER,
    BoardNotSeen,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Corners,
    RackSeen,
    Side,
    SquareCosts,
    order_for,
)
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, TileSet, shows_its_way
from recorder.lab.scenario.steps import SlipShows
from recorder.lab.scenario.table_top import LyingTile

SURE_LETTER, SURE_EMPTY = 0.97, 0.995
"""The probability that the eyes give to what they see on a clear picture (docs/eyes.md)."""
_FIELD: Corners = ((60.0, 60.0), (960.0, 60.0), (960.0, 960.0), (60.0, 960.0))
_KNOCKED_PX = 6.0

ClockSaid = ClockPressed | ClockChanged


@dataclass(frozen=True, slots=True)
class BoardView:
    """What lies before the board camera. ``turned`` is how the board stands, in degrees."""

    tiles: Mapping[Square, LyingTile]
    turned: int = 0
    is_covered: bool = False
    knocks: int = 0


class ClockLine(Protocol):
    """A table clock, by its switches: what it says to each, often nothing."""

    def reset(self) -> Sequence[ClockSaid]:
        """Back to the starting times, stopped."""

    def press(self, side: Side) -> Sequence[ClockSaid]:
        """A player presses a half."""

    def pause(self) -> Sequence[ClockSaid]:
        """Both halves stop."""

    def run(self, side: Side) -> Sequence[ClockSaid]:
        """A half runs from now on."""

    def set(self, left_ms: int, right_ms: int) -> Sequence[ClockSaid]:
        """Both times are set; what runs goes on running."""

    def advance(self, elapsed_ms: int) -> Sequence[ClockSaid]:
        """Time passes."""


class Senses(Protocol):
    """The devices of a table, as far as they look at something."""

    @property
    def clock(self) -> ClockLine:
        """The table's clock."""

    def board(self, view: BoardView, frame: str, still_ms: int) -> BoardSeen | BoardNotSeen:
        """A look at the board."""

    def rack(self, side: Side, count: int, letters: Tiles | None) -> RackSeen | None:
        """A look at a rack; without ``letters`` the tiles stand with their backs to the camera.

        None when nothing can be said of it.
        """

    def slip(self, shown: SlipShows) -> SlipSeen | None:
        """A look at a slip; None when it cannot be found."""

    def close(self) -> None:
        """Let go of everything."""


@dataclass(slots=True)
class PlainClock:
    """A clock that says what it does, without a line."""

    start_ms: int
    left_ms: dict[Side, int] = field(init=False)
    running: Side = Side.NONE

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        self.left_ms = dict.fromkeys((Side.LEFT, Side.RIGHT), self.start_ms)
        self.running = Side.NONE
        return [self._changed(ClockAct.RESET)]

    def press(self, side: Side) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        other = Side.RIGHT if side is Side.LEFT else Side.LEFT
        if self.running is other:
            return []
        self.running = other
        left, right = self.left_ms[Side.LEFT], self.left_ms[Side.RIGHT]
        return [ClockPressed(side=side, left_ms=left, right_ms=right, running=other)]

    def pause(self) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        if self.running is Side.NONE:
            return []
        self.running = Side.NONE
        return [self._changed(ClockAct.PAUSE)]

    def run(self, side: Side) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        self.running = side
        return [self._changed(ClockAct.RESUME)]

    def set(self, left_ms: int, right_ms: int) -> Sequence[ClockSaid]:
        """See ``ClockLine``."""
        self.left_ms = {Side.LEFT: left_ms, Side.RIGHT: right_ms}
        return [self._changed(ClockAct.ADJUST)]

    def advance(self, elapsed_ms: int) -> Sequence[ClockSaid]:
        """See ``ClockLine``; the flag that falls on the way is reported."""
        if self.running is Side.NONE:
            return []
        before = self.left_ms[self.running]
        self.left_ms[self.running] = before - elapsed_ms
        return [self._changed(ClockAct.FLAG)] if before > 0 >= before - elapsed_ms else []

    def _changed(self, act: ClockAct) -> ClockChanged:
        left, right = self.left_ms[Side.LEFT], self.left_ms[Side.RIGHT]
        return ClockChanged(act=act, left_ms=left, right_ms=right, running=self.running)


class PlainSenses:
    """Good devices, for what they look at is told to them; ``start_ms`` is each player's time.

    The camera has a symbol for each letter of ``tile_set``; without one the usual symbols.
    """

    def __init__(self, start_ms: int, tile_set: TileSet | None = None) -> None:
        self._clock = PlainClock(start_ms)
        self._order = STANDARD_ORDER if tile_set is None else order_for(tile_set)

    @property
    def clock(self) -> ClockLine:
        """See ``Senses``."""
        return self._clock

    def board(self, view: BoardView, frame: str, still_ms: int) -> BoardSeen | BoardNotSeen:
        """See ``Senses``. Squares are named as the letters lie, as the eyes name them."""
        if view.is_covered:
            return BoardNotSeen(frame=frame, reason="no board found: something covers it")
        turned = letters_turned(view.tiles)
        cells = [EMPTY] * 225
        for square, lying in view.tiles.items():
            cells[as_letters_lie(square, turned)] = lying.shows
        off = _KNOCKED_PX * view.knocks
        x, y = _FIELD[0]
        return BoardSeen(
            frame=frame,
            squares=likelihoods(cells, self._order),
            corners=((x + off, y), *_FIELD[1:]),
            pose_score=0.9,
            turn_margin=20.0 if view.tiles else 4.0,
            covered=0.0,
            still_ms=still_ms,
            letters_turned=turned,
            turned_tiles=_turned_tiles(view.tiles, turned),
        )

    def rack(self, side: Side, count: int, letters: Tiles | None) -> RackSeen:
        """See ``Senses``."""
        seen = (BLANK,) * min(count, 8) if letters is None else letters[:8]
        hidden = tuple(range(1, len(seen) + 1)) if letters is None else ()
        sure = SURE_LETTER if seen else 0.0
        return RackSeen(side=side, letters=seen, slots=seen, confidence=sure, doubtful=hidden)

    def slip(self, shown: SlipShows) -> SlipSeen:
        """See ``Senses``; a row below the last letter is empty."""
        entries = [_slip_entry(letter) for letter in shown.letters]
        rows = 2
        entries += [SlipEntry(mark=SlipMark.EMPTY, confidence=1)] * (rows - len(entries))
        word = hashlib.sha256(shown.word.encode()).hexdigest() if shown.word else ""
        return SlipSeen(entries=tuple(entries), challenge=word)

    def close(self) -> None:
        """See ``Senses``."""


def _slip_entry(letter: Tile) -> SlipEntry:
    if not letter:
        return SlipEntry(mark=SlipMark.UNREADABLE, confidence=0.4, marked=read_tiles("EF"))
    return SlipEntry(mark=SlipMark.LETTER, letter=letter, confidence=SURE_LETTER, marked=(letter,))


def letters_turned(tiles: Mapping[Square, LyingTile]) -> int:
    """How most of the letters lie against the board's own top, in quarters of a turn clockwise."""
    quarters = Counter(90 * round(lying.degrees / 90) % 360 for lying in tiles.values())
    return min(quarters, key=lambda turn: (-quarters[turn], turn), default=0)


def _turned_tiles(tiles: Mapping[Square, LyingTile], turned: int) -> tuple[TurnedTile, ...]:
    """The tiles that lie another way than most, as far as their letters show it."""
    quarters = {
        square: (90 * round(lying.degrees / 90) - turned) % 360 for square, lying in tiles.items()
    }
    return tuple(
        TurnedTile(square=as_letters_lie(square, turned), degrees=degrees)
        for square, degrees in quarters.items()
        if degrees and shows_its_way(str(tiles[square].shows), degrees)
    )


def as_letters_lie(square: Square, turned: int) -> int:
    """The number of a square as one counts who reads letters that lie turned so far clockwise."""
    row, col = square // 15, square % 15
    for _ in range(turned // 90):
        row, col = 14 - col, row
    return row * 15 + col


@cache
def _costs_of(symbol: Tile, order: Tiles) -> bytes:
    sure = SURE_EMPTY if symbol is EMPTY else SURE_LETTER
    rest = (1 - sure) / (len(order) - 1)
    return bytes(
        min(255, round(-COST_PER_NAT * log(sure if kind is symbol else rest))) for kind in order
    )


def likelihoods(cells: Iterable[Tile], order: Tiles = STANDARD_ORDER) -> SquareCosts:
    """A clear look at 225 squares, by a camera with these symbols."""
    return SquareCosts(b"".join(_costs_of(cell, order) for cell in cells), order)
