"""Tiles of a play challenged off that were forgotten on the board (CHAL-9).

Who orders a play off knows it as a whole; the board may show that part of it stayed. What lies
lies: the next play is built on it, and moved no earlier tile. Until both players have made a turn
the rest may still be removed, and the turn that was built on it is taken again.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.board import Square
from recorder.domain.game import TURNS, Laid, Played, Withdrawn
from recorder.domain.tiles import EMPTY
from recorder.domain.turns import Turn


def with_left_lying(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns as ruled, with what the looks after a removal show of the play that came off."""
    done = list(turns)
    for at in reversed(range(len(done))):
        play = _ordered_off(done[at])
        if play is not None:
            done[at:] = _as_it_lay(done[at], play, done[at + 1 :])
    return tuple(done)


def _ordered_off(group: Turn) -> Laid | None:
    """The play of a turn that an order has taken off."""
    if not group.rulings or not group.events or not isinstance(group.events[-1], Withdrawn):
        return None
    plays = [event for event in group.events if isinstance(event, Laid)]
    return plays[-1] if plays else None


def is_answered(mover: int, later: Sequence[Turn]) -> bool:
    """Whether the player whose play came off has made a turn since: the board stays as it is."""
    return any(_is_turn_of(mover, group) for group in later)


def _is_turn_of(player: int, group: Turn) -> bool:
    return any(isinstance(event, TURNS) and event.player == player for event in group.events)


def _as_it_lay(off: Turn, play: Laid, later: Sequence[Turn]) -> list[Turn]:
    replies = [at for at, group in enumerate(later) if _is_turn_of(play.player, group)]
    count = replies[0] + 1 if replies else len(later)
    near = list(later[:count])
    first = next((group for group in near if group.events), None)
    if first is None or not _is_answer(off, play, first):
        return [off, *later]
    squares = frozenset(play.lying)
    shown = _gone(first, squares)
    if shown == squares or not (shown or _is_built_on(first, squares)):
        return [off, *later]
    left = squares.difference(*(_gone(group, squares) for group in near))
    near = [_without(group, squares) for group in near]
    if not left:
        near = _taken_again(near, play.player)
    *before, withdrawn = off.events
    if isinstance(withdrawn, Withdrawn):
        off = replace(off, events=(*before, replace(withdrawn, left=tuple(sorted(left)))))
    return [off, *near, *later[count:]]


def _is_answer(off: Turn, play: Laid, first: Turn) -> bool:
    """Whether a turn was made after the order, by the opponent, with nothing else taken off."""
    kinds = [isinstance(event, TURNS) and event.player != play.player for event in first.events]
    return kinds == [True] and first.ref > max(off.rulings)


def _gone(group: Turn, squares: frozenset[Square]) -> frozenset[Square]:
    return frozenset(sq for sq, _ in group.astray if sq in squares)


def _is_built_on(group: Turn, squares: frozenset[Square]) -> bool:
    """Whether a play of that turn goes through a tile on one of these squares."""
    return any(
        tile is EMPTY and square in squares
        for event in group.events
        if isinstance(event, Played)
        for square, tile in zip(event.placement.squares(), event.placement.word, strict=False)
    )


def _without(group: Turn, squares: frozenset[Square]) -> Turn:
    astray = tuple(pair for pair in group.astray if pair[0] not in squares)
    return group if astray == group.astray else replace(group, astray=astray)


def _taken_again(near: list[Turn], mover: int) -> list[Turn]:
    """The turns without that of the challenger which came off together with the forgotten tiles."""
    turns = [group for group in near if group.events]
    if len(turns) < 2:
        return near
    first, back = turns[:2]
    is_back = [type(event) for event in back.events] == [Withdrawn]
    if not is_back or back.events[0].player == mover or first.rulings or back.rulings:
        return near
    return [group for group in near if group is not first and group is not back]
