"""A press that no look shows, looks without a press, a board that was cleared: what time shows."""

from collections.abc import Iterator

from recorder.domain.notices import Notice
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.reading.histories.clearing import is_laid_out
from recorder.domain.reading.looks import NO_LOOK_MS
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules

CLEARED_MS = 30_000
"""So long the tiles of a game are gone before that is reported: a camera may be moved and put
back."""


def look_alarms(table: TableState, rules: Rules) -> Iterator[Alarm]:
    """The oldest press that waits for a look at a table with a board camera, once it waits long.

    And that no press has come at all: the camera alone divides the turns.
    """
    if table.questions.by_hands is not None and table.turns.presses:
        first = table.turns.presses[0]
        no_clock = noticed(rules, Notice.NO_CLOCK, (first.seq,), player=first.player)
        yield Alarm(first.at_ms, no_clock)
    yield from _other_board(table, rules)
    yield from _cleared(table, rules)
    for press in table.turns.unread[:1]:
        yield Alarm(press.at_ms + NO_LOOK_MS, noticed(rules, Notice.NO_LOOK, (press.seq,)))


def _cleared(table: TableState, rules: Rules) -> Iterator[Alarm]:
    """The tiles of the game are off the board.

    Reported once, for somebody must say what comes now.
    """
    away_ms = table.looks.away_since_ms
    if away_ms is None:
        return
    rows = tuple(press.seq for press in table.turns.presses if press.at_ms <= away_ms)
    gone = {"tiles": len(table.turns.occupied)}
    notice = noticed(rules, Notice.BOARD_CLEARED, rows[-1:], numbers=gone)
    yield Alarm(away_ms + CLEARED_MS, notice)


def _other_board(table: TableState, rules: Rules) -> Iterator[Alarm]:
    """A camera alone that has shown something else for long: half a game, or another table."""
    astray = (
        table.questions.by_hands.division.astray if table.questions.by_hands is not None else None
    )
    look = table.looks.latest
    if astray is None or (
        look is not None and is_laid_out(look.squares, table.turns.tile_set.total)
    ):
        return
    shown = {"tiles": len(astray.first.tiles)}
    notice = noticed(rules, Notice.OTHER_BOARD, (astray.first.ref,), numbers=shown)
    yield Alarm(astray.first.at_ms + NO_LOOK_MS, notice)
