"""What makes a laying of tiles illegal, by kind, and how a rule set treats each kind.

Geometry only: words are never illegal by themselves (PLACE-1). What follows from an illegal
placement is in ``placement``.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.board import Board, Direction, Square
from recorder.domain.laying_faults import LayingFault, shape_faults, tile_groups
from recorder.domain.plays import run_through
from recorder.domain.rules.core.parameters import NASPA, WESPA, Rules, has_remedy
from recorder.domain.tiles import Tile


class IllegalKind(StrEnum):
    """The kinds of illegal placement, by the codes of PLACE-2."""

    CENTRE = "P-CENTRE"
    ONE = "P-ONE"
    LINE = "P-LINE"
    GAP = "P-GAP"
    TWO = "P-TWO"
    DISCONNECTED = "P-DISC"
    MOVED = "P-MOVED"
    OVERDRAWN = "P-OVER"


class Treatment(StrEnum):
    """How an illegal placement comes to be dealt with."""

    MUST_ANNOUNCE = "whoever_sees_it_must_say_so"
    CHALLENGEABLE = "the_opponent_may_challenge_it_or_let_it_stand"
    OVERDRAW = "the_rules_on_too_many_tiles_apply_not_those_on_placement"
    UNSETTLED = "the_director_decides"


_IN_ONE_WORD = {IllegalKind.LINE, IllegalKind.GAP, IllegalKind.TWO}
_LISTED: Mapping[str, Collection[IllegalKind]] = {
    NASPA: {*_IN_ONE_WORD, IllegalKind.DISCONNECTED, IllegalKind.MOVED, IllegalKind.OVERDRAWN},
    WESPA: {*_IN_ONE_WORD, IllegalKind.CENTRE},
}
"""The kinds that a text names among the illegal ones, by ``placement.procedure``."""

_OF_FAULT: Mapping[LayingFault, IllegalKind] = {
    LayingFault.NOT_IN_LINE: IllegalKind.LINE,
    LayingFault.DIAGONAL: IllegalKind.LINE,
    LayingFault.TWO_PLAYS: IllegalKind.TWO,
    LayingFault.GAP: IllegalKind.GAP,
    LayingFault.OFF_CENTRE: IllegalKind.CENTRE,
    LayingFault.ONE_TILE: IllegalKind.ONE,
    LayingFault.NOT_TOUCHING: IllegalKind.DISCONNECTED,
    LayingFault.OVER_SEVEN: IllegalKind.OVERDRAWN,
    LayingFault.EARLIER_MOVED: IllegalKind.MOVED,
}


def kinds_of(faults: Iterable[LayingFault]) -> tuple[IllegalKind, ...]:
    """The kinds of illegal placement that recorded faults are, in the order of the faults."""
    return tuple(_OF_FAULT[fault] for fault in faults if fault in _OF_FAULT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laying:
    """What was laid in one turn, on the board ``before`` it."""

    before: Board
    tiles: Mapping[Square, Tile]

    def __hash__(self) -> int:
        return hash((self.before, tuple(self.tiles.items())))

    @property
    def board(self) -> Board:
        """The earlier tiles where they belong, and the new ones."""
        return self.before.place(self.tiles)


def illegal_kinds(laying: Laying) -> tuple[IllegalKind, ...]:
    """Everything that makes a laying illegal, in the order of ``IllegalKind``; empty when legal.

    PLACE-1, PLACE-2. A laying can be of several kinds. Not judged: words, and tiles that the set
    does not have (ADJ-1).
    """
    board, new = laying.board, frozenset(laying.tiles)
    found = set(kinds_of(shape_faults(laying.before.occupied(), new) if new else ()))
    if IllegalKind.TWO in found:
        found.add(IllegalKind.LINE)  # of tiles in no line the shape names one fault alone
    parts = tile_groups(frozenset(board.occupied()), new)
    if sum(_is_word(board, part) for part in parts) > 1:
        found.add(IllegalKind.TWO)
    return tuple(kind for kind in IllegalKind if kind in found)


def _is_word(board: Board, part: Iterable[Square]) -> bool:
    return any(len(run_through(board, sq, direction)) > 1 for sq in part for direction in Direction)


def treatment(rules: Rules, kinds: Iterable[IllegalKind]) -> Treatment:
    """How the rule set deals with a laying of these kinds: by the strictest of them (PLACE-2)."""
    found = {_treatment(rules, kind) for kind in kinds}
    return next((strictest for strictest in Treatment if strictest in found), Treatment.UNSETTLED)


def _treatment(rules: Rules, kind: IllegalKind) -> Treatment:
    if not rules.usable("placement.procedure"):
        return Treatment.UNSETTLED
    if not is_listed(rules, kind):
        over = kind is IllegalKind.OVERDRAWN
        return Treatment.OVERDRAW if over else Treatment.CHALLENGEABLE
    is_announced = has_remedy(rules, "placement.procedure")
    return Treatment.MUST_ANNOUNCE if is_announced else Treatment.CHALLENGEABLE


def score_until_ruled(rules: Rules, faults: Collection[LayingFault], points: int) -> int:
    """What an illegal laying counts as long as nobody has ruled about it (PLACE-2).

    Its ``points``, as if it were legal, where the opponent may let it stand or the text is silent;
    what an illegal play counts where a player must report it. After the end nothing (END-1).
    """
    if LayingFault.AFTER_END in faults:
        return 0
    if treatment(rules, kinds_of(faults)) is Treatment.MUST_ANNOUNCE:
        return 0
    return points


def is_listed(rules: Rules, kind: IllegalKind) -> bool:
    """Whether the rule set names the kind among the illegal ones."""
    return kind in _LISTED.get(str(rules.get("placement.procedure")), ())
