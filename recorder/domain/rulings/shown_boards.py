"""The boards that the looks showed, beside those that orders have made of them.

A play is made on what lies there. Where an order has taken tiles from below a later play, that play
broke no rule of placement: what does not fit is the order, and the play is in doubt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from recorder.domain.board import Board, name_across, neighbours
from recorder.domain.game import Lying, Played
from recorder.domain.laying_faults import shape_faults
from recorder.domain.notices import CodedText, coded
from recorder.domain.reading.notation import notation
from recorder.domain.turns import Turn


def shown_boards(groups: Sequence[Turn], read: Mapping[int, Turn]) -> dict[int, Board]:
    """The board before each turn that nobody has ruled about, as it was read; by ``ref``.

    ``read`` are the turns without any order. Empty where no order changes what is read.
    """
    boards: dict[int, Board] = {}
    if not any(group.rulings for group in groups):
        return boards
    lying = Lying()
    for group in groups:
        turn = read.get(group.ref)
        if turn is None:
            continue
        if not group.rulings:
            boards[group.ref] = lying.board
        lying = lying.after(turn.events)
    return boards


def doubted_over_gaps(groups: Sequence[Turn], read: Mapping[int, Turn]) -> tuple[Turn, ...]:
    """The turns, in doubt where a play rests on tiles that are gone by an order."""
    shown, lying = shown_boards(groups, read), Lying()
    done: list[Turn] = []
    for group in groups:
        before, lying = lying.board, lying.after(group.events)
        doubts = _doubts(read[group.ref], before, shown[group.ref]) if group.ref in shown else ()
        done.append(replace(group, firm=(*group.firm, *doubts)) if doubts else group)
    return tuple(done)


def _doubts(turn: Turn, ruled: Board, shown: Board) -> tuple[CodedText, ...]:
    """What is missing below or beside the first play of a turn, as read, that it needs."""
    first = next((event for event in turn.events if isinstance(event, Played)), None)
    if first is None:
        return ()
    line, laid = set(first.placement.squares()), set(first.laid)
    beside = {near for square in laid for near in neighbours(square)} | line
    gone = {sq for sq in beside if shown.has_tile(sq) and not ruled.has_tile(sq)}
    is_free = not any(ruled.has_tile(sq) for sq in laid)
    if not gone & line and not (gone and is_free and shape_faults(ruled.occupied(), laid)):
        return ()
    names = " ".join(map(name_across, sorted(gone)))
    return (coded("no_tiles_there", play=notation(first), squares=names),)
