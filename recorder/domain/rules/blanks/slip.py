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
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, has_remedy
from recorder.domain.tile_text import label_text
from recorder.domain.tiles import BLANK, EMPTY, Tile

OWN_SHEETS = "oral_plus_both_score_sheets"
"""The medium of ``blank.medium`` in which there is no neutral slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A mark on the slip: its letter (``EMPTY`` when it cannot be read) and when it first showed.

    ``set_number`` counts the printed alphabets from 0, or is 0 for a mark written freely; ``top``
    and ``left`` say where it is, in any unit that grows downwards and to the right.
    """

    letter: Tile
    at_ms: int
    set_number: int = 0
    top: float = 0.0
    left: float = 0.0

    @property
    def place(self) -> tuple[int, float, float]:
        """The order of marks on the slip: first set, then topmost, then leftmost (BLANK-3)."""
        return (self.set_number, self.top, self.left)


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
    open_questions: tuple[CodedText, ...] = ()


@dataclass(frozen=True, slots=True)
class SlipReading:
    """The slip against all plays with blanks so far.

    ``designations`` in the order of the turns and words. ``leftover`` are letters that were there
    before the game; they belong to no blank (BLANK-8). ``later`` are marks that came when every
    blank had its letter; they change nothing (BLANK-9).
    """

    designations: tuple[Designation, ...]
    leftover: tuple[Mark, ...]
    later: tuple[Mark, ...]

    def letter(self, sq: Square) -> Tile:
        """The letter of the blank on a square, ``BLANK`` while the slip does not tell.

        Of two plays on the same square, the first taken off since, it is the later one's.
        """
        last = reversed(self.designations)
        return next((designation.letter for designation in last if designation.square == sq), BLANK)


def match_marks(
    rules: Rules | None,
    plays: Sequence[BlankPlay],
    marks: Iterable[Mark],
    *,
    before_game: Iterable[Mark] = (),
) -> SlipReading:
    """Which mark belongs to which blank; ``plays`` in the order of the game.

    Without ``rules`` nothing is asked of how sure they are.

    The time of a mark only shows the turn, its place on the slip the order within the turn. A
    mark counts as late until the next play with a blank begins, and in its turn where that play has
    its own letters below it. RecorderError when a play has no blank, or plays are out of order.
    """
    leftover = tuple(sorted(before_game, key=lambda mark: mark.place))
    fresh = sorted(set(marks) - set(leftover), key=lambda mark: mark.at_ms)
    if any(not play.squares for play in plays):
        raise RecorderError("a play without a blank needs no slip")
    begins = [play.began_ms for play in plays]
    if begins != sorted(begins):
        raise RecorderError("plays with blanks are out of order")
    designations: list[Designation] = []
    later = [mark for mark in fresh if not begins or mark.at_ms < begins[0]]
    windows = [
        [mark for mark in fresh if begin <= mark.at_ms and (until is None or mark.at_ms < until)]
        for begin, until in zip(begins, [*begins[1:], None], strict=False)
    ]
    for at, play in enumerate(plays):
        if at + 1 < len(plays):
            late = _still_owed(play, windows[at], plays[at + 1], windows[at + 1])
            windows[at + 1] = [mark for mark in windows[at + 1] if mark not in late]
            windows[at] += late
        found, unused = _read_play(rules, play, windows[at])
        designations += found
        later += unused
    return SlipReading(tuple(designations), leftover, tuple(later))


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


def _read_play(
    rules: Rules | None, play: BlankPlay, window: Sequence[Mark]
) -> tuple[list[Designation], list[Mark]]:
    """The letters of one play, and the marks that came when it had them all."""
    need, pressed = len(play.squares), play.pressed_ms
    timely = [mark for mark in window if pressed is None or mark.at_ms <= pressed]
    after = [mark for mark in window if mark not in timely]
    if len(timely) >= need:
        mine, unused = timely, after
    else:
        missing = need - len(timely)
        mine, unused = [*timely, *after[:missing]], after[missing:]
    if not mine:
        none = DesignationStatus.UNDECLARED if pressed is None else DesignationStatus.MISSING
        return [_designation(play, sq, BLANK, none) for sq in play.squares], unused
    question = _why_unclear(mine, need)
    if question is not None:
        unclear = DesignationStatus.UNCLEAR
        return [_designation(play, sq, BLANK, unclear, question) for sq in play.squares], unused
    status = DesignationStatus.LATE if len(timely) < need else DesignationStatus.DECLARED
    order = _convention(rules, mine)
    placed = sorted(mine, key=lambda mark: mark.place)
    pairs = zip(play.squares, placed, strict=True)
    return [
        _designation(play, sq, mark.letter, status, order, mark.at_ms) for sq, mark in pairs
    ], unused


def _why_unclear(mine: Sequence[Mark], need: int) -> CodedText | None:
    if any(mark.letter is EMPTY for mark in mine):
        return coded("mark_slip_cannot_read")
    letters = " and ".join(
        label_text(mark.letter) for mark in sorted(mine, key=lambda mark: mark.place)
    )
    if len(mine) > need:
        return coded("too_many_marks", marks=len(mine), letters=letters, need=need)
    if len(mine) < need:
        return coded("one_mark_blanks_both", letters=letters, need=need)
    return None


def _convention(rules: Rules | None, mine: Sequence[Mark]) -> CodedText | None:
    """Where no rule shows which of two marks is the first, the recorder's habit is said so."""
    letters = {mark.letter for mark in mine}
    if len(letters) < 2 or rules is None or has_remedy(rules, "blank.procedure"):
        return None
    return coded("order_two_letters_recorders_convention")


def _designation(
    play: BlankPlay,
    sq: Square,
    letter: Tile,
    status: DesignationStatus,
    question: CodedText | None = None,
    marked_ms: int | None = None,
) -> Designation:
    return Designation(
        turn=play.turn,
        square=sq,
        letter=letter,
        status=status,
        marked_ms=marked_ms,
        open_questions=() if question is None else (question,),
    )
