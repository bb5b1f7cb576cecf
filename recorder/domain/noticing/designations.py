"""What there is to notice about the letters of blanks (BLANK-1, BLANK-7 to BLANK-9)."""

from collections.abc import Iterator, Sequence

from recorder.domain.board import Square
from recorder.domain.game import Laid, Unseen
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.reading.blank_letters import LetteredBlank
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.blanks.slip import DesignationStatus
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.tiles import BLANK, Tile
from recorder.domain.turns import Turn


def blank_notices(
    groups: Sequence[Turn], table: TableState, rules: Rules, phase: Phase
) -> Iterator[TableNotice]:
    """Blanks without a letter, or with one that came otherwise than the rules want it."""
    by_ref = {group.ref: group for group in groups}
    lettered = {(blank.ref, blank.square): blank for blank in table.turns.acts.blanks(groups)}
    for group in groups:
        for event in group.events:
            if isinstance(event, Laid) and not isinstance(event, Unseen):
                for square, tile in event.laid.items():
                    blank = lettered.get((group.ref, square))
                    if blank is None and tile is BLANK:
                        yield _notice(Notice.BLANK_UNNAMED, group, event, square, rules, phase)
    for blank in lettered.values():
        group = by_ref[blank.ref]
        event = group.events[blank.event]
        if isinstance(event, Laid) and not isinstance(event, Unseen):
            for code in _codes(blank, tile=event.laid.get(blank.square, BLANK)):
                yield _notice(code, group, event, blank.square, rules, phase)
    yield from _leftover(table, rules, phase)


def _codes(blank: LetteredBlank, tile: Tile) -> Iterator[Notice]:
    """What is to be noticed of a blank; ``tile`` is what it is in the record."""
    if tile is BLANK:
        if blank.status is DesignationStatus.UNCLEAR:
            yield Notice.SLIP_UNCLEAR
        else:
            yield Notice.BLANK_SPOKEN_ONLY if blank.said else Notice.BLANK_UNNAMED
    elif blank.said and BLANK != blank.letter != blank.said:
        yield Notice.BLANK_SPOKEN_OTHERWISE
    if blank.status is DesignationStatus.LATE:
        yield Notice.BLANK_LATE
    if blank.changed:
        yield Notice.BLANK_CHANGED


def _notice(
    code: Notice, group: Turn, event: Laid, square: Square, rules: Rules, phase: Phase
) -> TableNotice:
    player, squares = event.player, (square,)
    return noticed(rules, code, group.refs, phase, ref=group.ref, player=player, squares=squares)


def _leftover(table: TableState, rules: Rules, phase: Phase) -> Iterator[TableNotice]:
    """Letters of another game; where the slip is no record they mean nothing."""
    rows = tuple(dict.fromkeys(blank.seq for blank in table.turns.said.slip.leftover))
    if rows and not table.turns.said.by_sheets:
        yield noticed(rules, Notice.SLIP_LEFTOVER, rows, phase)
