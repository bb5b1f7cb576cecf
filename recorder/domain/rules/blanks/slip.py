"""What the slip says about the blanks: which mark belongs to which blank, and what is missing.

BLANK-1 to BLANK-3, BLANK-8, BLANK-9. The slip is the record wherever it lies in both players'
view; where the players' own sheets are the record (``blank.medium``), marks on a slip decide
nothing. Letters are those of the tile set, capital.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.board import Square
from recorder.domain.errors import RecorderError
from recorder.domain.tiles import BLANK, EMPTY, Tile

OWN_SHEETS = "oral_plus_both_score_sheets"
"""The medium of ``blank.medium`` in which there is no neutral slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A mark on the slip: its letter (``EMPTY`` when it cannot be read) and when it first showed.

    ``top`` and ``left`` say where it is, in any unit that grows downwards and to the right.
    """

    letter: Tile
    at_ms: int
    top: float = 0.0
    left: float = 0.0

    @property
    def place(self) -> tuple[float, float]:
        """The order of marks on the slip: topmost, then leftmost (BLANK-3)."""
        return (self.top, self.left)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankPlay:
    """A play with one or two blanks: ``squares`` are theirs, in the order of the main word.

    ``began_ms`` is when the turn began, ``pressed_ms`` when it was pressed (None: not yet).
    """

    turn: int
    squares: tuple[Square, ...]
    began_ms: int
    pressed_ms: int | None = None


class DesignationStatus(StrEnum):
    """How a blank's letter stands on the slip (BLANK-1)."""

    UNDECLARED = "undeclared"
    DECLARED = "declared"
    LATE = "late"
    MISSING = "missing"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Designation:
    """What the slip makes of one blank; ``letter`` is ``BLANK`` unless it is declared or late."""

    turn: int
    square: Square
    letter: Tile
    status: DesignationStatus
    marked_ms: int | None = None


def match_marks(
    plays: Sequence[BlankPlay], marks: Iterable[Mark], *, before_game: Iterable[Mark] = ()
) -> tuple[Designation, ...]:
    """Which mark belongs to which blank; ``plays`` in the order of the game, as are the answers.

    The time of a mark only shows the turn, its place on the slip the order within the turn. A
    mark counts as late until the next play with a blank begins, and in its turn where that play has
    its own letters below it. Letters from ``before_game`` belong to no blank (BLANK-8); marks that
    come when every blank has its letter change nothing (BLANK-9). RecorderError when a play has no
    blank, or plays are out of order.
    """
    fresh = sorted(set(marks) - set(before_game), key=lambda mark: mark.at_ms)
    if any(not play.squares for play in plays):
        raise RecorderError("a play without a blank needs no slip")
    begins = [play.began_ms for play in plays]
    if begins != sorted(begins):
        raise RecorderError("plays with blanks are out of order")
    designations: list[Designation] = []
    windows = [
        [mark for mark in fresh if begin <= mark.at_ms and (until is None or mark.at_ms < until)]
        for begin, until in zip(begins, [*begins[1:], None], strict=False)
    ]
    for at, play in enumerate(plays):
        if at + 1 < len(plays):
            late = _still_owed(play, windows[at], plays[at + 1], windows[at + 1])
            windows[at + 1] = [mark for mark in windows[at + 1] if mark not in late]
            windows[at] += late
        designations += _read_play(play, windows[at])
    return tuple(designations)


def _still_owed(
    play: BlankPlay, window: Sequence[Mark], after: BlankPlay, its: Sequence[Mark]
) -> Sequence[Mark]:
    """Letters for a play that were written while the next one with a blank was being made.

    They stand above that play's own, and were there before them.
    """
    timely = [mark for mark in its if after.pressed_ms is None or mark.at_ms <= after.pressed_ms]
    spare = min(len(play.squares) - len(window), len(timely) - len(after.squares))
    late = timely[: max(0, spare)]
    own = [mark for mark in its if mark not in late]
    is_above = all(mark.place < other.place for mark in late for other in own)
    return late if is_above else ()


def _read_play(play: BlankPlay, window: Sequence[Mark]) -> list[Designation]:
    """The letters of one play."""
    need, pressed = len(play.squares), play.pressed_ms
    timely = [mark for mark in window if pressed is None or mark.at_ms <= pressed]
    after = [mark for mark in window if mark not in timely]
    mine = [*timely, *after[: max(0, need - len(timely))]]
    status = DesignationStatus.LATE if len(timely) < need else DesignationStatus.DECLARED
    if not mine:
        status = DesignationStatus.UNDECLARED if pressed is None else DesignationStatus.MISSING
    elif len(mine) != need or any(mark.letter is EMPTY for mark in mine):
        status = DesignationStatus.UNCLEAR
    read = status in (DesignationStatus.LATE, DesignationStatus.DECLARED)
    placed = sorted(mine, key=lambda mark: mark.place) if read else [None] * need
    return [
        Designation(
            turn=play.turn,
            square=sq,
            letter=BLANK if mark is None else mark.letter,
            status=status,
            marked_ms=None if mark is None else mark.at_ms,
        )
        for sq, mark in zip(play.squares, placed, strict=True)
    ]
