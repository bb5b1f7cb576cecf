"""What the eyes made of one picture: a value, kept for the next picture of the same board."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from devices.vision.finding.markers import MarkerPlaces
from devices.vision.geometry.pose import Pose
from devices.vision.squares.changes import covered_squares
from devices.vision.squares.colours import Reference
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import SIZE, SQUARES, Square, name_across
from recorder.domain.instruments import TurnedTile
from recorder.domain.observations import (
    BLANK_SYMBOL,
    COST_PER_NAT,
    COVERED_SYMBOL,
    SEEN,
    STANDARD_ORDER,
    BoardNotSeen,
    BoardSeen,
    SquareCosts,
)
from recorder.domain.tile_text import tile_parts
from recorder.domain.tiles import Tiles

SURE, SURE_SQUARE, SURE_BLANK = 0.9, 0.95, 0.98
"""What is less probable is doubtful: tiles of racks; squares of a board; blanks on it, known by
colours that a bare square may have too."""
_COVERED = SEEN.index(COVERED_SYMBOL)
_BLANK = SEEN.index(BLANK_SYMBOL)


def sure_from(symbol: str) -> float:
    """The probability from which a square that shows this symbol is not doubtful."""
    return SURE_BLANK if symbol == BLANK_SYMBOL else SURE_SQUARE


@dataclass(frozen=True, slots=True)
class RackLook:
    """A rack in the picture, in the order in which its letters read.

    "?" is a tile that shows no letter: a blank, or any tile face down. ``slots`` shows gaps
    between tiles as "."; ``confidence`` is the probability of each tile; ``corners`` are the
    outline of the tiles in pixels, clockwise from the first tile's top-left.
    """

    letters: str
    slots: str = ""
    confidence: tuple[float, ...] = ()
    corners: tuple[tuple[float, float], ...] = ()

    @property
    def tiles(self) -> tuple[str, ...]:
        """The letters one by one, as text: ``("A", "[CH]", "?")``."""
        return tuple(tile_parts(self.letters))

    @property
    def count(self) -> int:
        """How many tiles, face down or not."""
        return len(self.tiles)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """The tiles that are less than sure, counted from 1: they lie turned, or show no letter."""
        return tuple(n for n, sure in enumerate(self.confidence, start=1) if sure < SURE)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardReading:
    """One picture, read. ``reason`` says in words why there is no board when not ``found``.

    ``log_probs`` [15, 15, n] are natural logarithms in the order of ``SEEN``, over the letters of
    the tile set; ``order`` are its symbols, in which costs are reported. ``turned`` are the
    quarters by which the letters lie clockwise against the board's own top, None where nothing
    names that; ``lying`` [15, 15] those by which single tiles surely lie turned among the others.
    ``turn_margin`` is in nats; ``sides`` is how much the letters speak for the pose turned by 0 to
    3 quarters, in nats, the best 0; ``seen`` what the networks said of the squares and how these
    looked; ``covered`` the fraction of squares under a hand; ``markers`` where printed markers lie
    on the frame, as far as ever seen, in board units; ``beside`` smaller boards that a first look
    found in the picture too; ``notes`` what people should know of it, each one sentence; ``ms``
    what the parts took. When not found, only ``reason``, ``score`` and ``ms`` mean anything.
    """

    found: bool
    reason: str = ""
    pose: Pose | None = None
    score: float = 0.0
    turn_margin: float = 0.0
    sides: tuple[float, ...] = (0.0,) * 4
    turned: int | None = None
    log_probs: npt.NDArray[np.float32]
    order: Tiles = STANDARD_ORDER
    lying: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((15, 15), np.uint8))
    reference: Reference = field(default_factory=Reference)
    seen: SquareReading | None = None
    racks: tuple[RackLook, ...] = ()
    markers: MarkerPlaces = field(default_factory=dict)
    beside: tuple[Pose, ...] = ()
    notes: tuple[str, ...] = ()
    ms: Mapping[str, float] = field(default_factory=dict)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The likeliest board, square by square: "." empty, a letter, "?" blank, "#" covered."""
        return tuple(SEEN[index] for index in self.log_probs.argmax(axis=2).ravel())

    @property
    def rows(self) -> tuple[str, ...]:
        """``symbols`` as 15 rows of text, letters of several characters in brackets."""
        symbols = self.symbols
        return tuple("".join(symbols[at : at + SIZE]) for at in range(0, SQUARES, SIZE))

    @property
    def confidence(self) -> npt.NDArray[np.float32]:
        """The probability of the likeliest symbol on each square, [15, 15]."""
        result: npt.NDArray[np.float32] = np.exp(self.log_probs.max(axis=2))
        return result

    @property
    def doubtful(self) -> tuple[Square, ...]:
        """The squares that are covered or less than sure."""
        best = self.log_probs.argmax(axis=2)
        needed = np.where(best == _BLANK, SURE_BLANK, SURE_SQUARE)
        unsure = (self.confidence < needed) | (best == _COVERED)
        return tuple(Square(int(number)) for number in np.flatnonzero(unsure))

    @property
    def covered(self) -> float:
        """The fraction of the squares that is under something."""
        return float(np.exp(self.log_probs[..., _COVERED]).mean())

    def doubtful_names(self) -> tuple[str, ...]:
        """The doubtful squares as ``8H``."""
        return tuple(name_across(square) for square in self.doubtful)


def unread(
    reason: str, *, score: float = 0.0, ms: Mapping[str, float] | None = None
) -> BoardReading:
    """A look that saw no board, and why."""
    nothing = np.full((15, 15, len(SEEN)), -np.log(len(SEEN)), np.float32)
    return BoardReading(found=False, reason=reason, score=score, log_probs=nothing, ms=ms or {})


def square_costs(look: BoardReading) -> SquareCosts:
    """The costs of the symbols of ``look.order``: 1/16 nat, cut at 255."""
    columns = [SEEN.index(str(symbol)) for symbol in look.order]
    costs = np.rint(-look.log_probs[..., columns].astype(np.float64) * COST_PER_NAT)
    return SquareCosts(np.clip(costs, 0, 255).astype(np.uint8).tobytes(), look.order)


def board_seen(
    look: BoardReading, frame: str, still_ms: int, picture: str = ""
) -> BoardSeen | BoardNotSeen:
    """The observation of a look. ``frame`` names the picture, ``picture`` its stored JPEG.

    What changed since an earlier look is for the camera to add, which knows that look.
    """
    if not look.found or look.pose is None:
        return BoardNotSeen(frame=frame, reason=look.reason, picture=picture)
    return BoardSeen(
        frame=frame,
        squares=square_costs(look),
        corners=look.pose.corners(),
        pose_score=look.score,
        turn_margin=look.turn_margin,
        covered=look.covered,
        still_ms=still_ms,
        picture=picture,
        hidden=covered_squares(look.log_probs),
        letters_turned=None if look.turned is None else 90 * look.turned,
        turned_tiles=_turned_tiles(look),
        notes=look.notes,
    )


def _turned_tiles(look: BoardReading) -> tuple[TurnedTile, ...]:
    """The tiles that surely lie turned, where all that was weighed since leaves a sure letter."""
    best, doubtful = look.symbols, frozenset(look.doubtful)
    return tuple(
        TurnedTile(square=number, degrees=90 * int(look.lying.flat[number]))
        for number in map(int, np.flatnonzero(look.lying))
        if best[number] not in ".?#" and Square(number) not in doubtful
    )
