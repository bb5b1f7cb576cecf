"""Tiles of two turns that came into sight in one: a camera may be behind without saying so.

Nothing new lay on the board at a press, as far as the looks tell, and nobody said or showed what
the turn was; the next player's tiles then make no one play. The first of them may be those of the
turn before.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from recorder.domain.game import IllegallyPlayed, NoPlay
from recorder.domain.laying_faults import NOT_OF_SHAPE
from recorder.domain.notices import coded
from recorder.domain.reading.turns import ReadTurn


def doubted_after_quiet(turns: Sequence[ReadTurn]) -> tuple[ReadTurn, ...]:
    """The turns, those in doubt whose tiles may be of two; what a director has ruled stays."""
    pairs = pairwise(turns)
    return (*turns[:1], *(_after(before, turn) for before, turn in pairs))


def _after(before: ReadTurn, turn: ReadTurn) -> ReadTurn:
    if turn.rulings or not _is_unsaid(before):
        return turn
    (quiet,) = before.events
    for event in turn.events:
        if not isinstance(event, IllegallyPlayed) or event.player == quiet.player:
            continue
        if any(fault not in NOT_OF_SHAPE for fault in event.faults):
            late = coded("tiles_of_turn_before", player=quiet.player)
            return replace(turn, doubts=(*turn.doubts, late))
    return turn


def _is_unsaid(turn: ReadTurn) -> bool:
    """Whether nothing tells what a turn without a play was."""
    is_asked = any(doubt.code == "quiet_unsaid" for doubt in turn.doubts)
    return is_asked and len(turn.events) == 1 and isinstance(turn.events[0], NoPlay)
