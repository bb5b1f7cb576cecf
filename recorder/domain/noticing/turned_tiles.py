"""Tiles of a play that lie another way than the game, until they are put right (ORIENT-2).

Their letters are read all the same, so no play changes by it.
"""

from collections.abc import Iterator

from recorder.domain.board import Square
from recorder.domain.game import Laid
from recorder.domain.notices import Notice
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.noticing.on_board import LIES_SO_MS
from recorder.domain.observations import COVERED
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.looks import Look
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.tiles import EMPTY, Tile
from recorder.domain.turns import Turn


def turned_alarms(ruled: RuledGame, table: TableState, rules: Rules) -> Iterator[Alarm]:
    """The turns of which tiles lie turned, and from when on it is reported.

    Of the newest play at once; of an earlier one after a while, for hands put right what they have
    knocked. While the clocks stand tiles are put right, and nothing else that happens counts.
    """
    look = table.witness
    if look is None:
        return
    since_ms = _lying_turned(ruled, look)
    if table.looks.latest is not None and table.looks.latest is not look:
        righted = since_ms.keys() - _lying_turned(ruled, table.looks.latest).keys()
        for square in righted & _as_recorded(ruled, table.looks.latest):
            del since_ms[square]
    newest = max((group.ref for group in ruled.groups if group.look), default=0)
    for group, player, squares in _turns_of(ruled, frozenset(since_ms)):
        from_ms = min(since_ms[square] for square in squares)
        rows, code = (group.ref, look.seq), Notice.TILE_TURNED
        notice = noticed(rules, code, rows, player=player, squares=squares)
        yield Alarm(from_ms + (0 if group.ref == newest else LIES_SO_MS), notice)


def _lying_turned(ruled: RuledGame, look: Look) -> dict[Square, int]:
    """The tiles of the record that lie turned by a look, each with the time since when.

    A tile that is hidden now lies as it lay; one that is read as another letter is none of them.
    """
    lying, cells = _as_recorded(ruled, look), ruled.state.board.cells
    return {
        square: at_ms
        for tile, at_ms in look.turned
        if (square := Square(tile.square)) in lying
        or (_is_lettered(cells[square]) and not _is_sure(look, square))
    }


def _is_sure(look: Look, square: Square) -> bool:
    symbol, margin = look.squares.best_and_margin(square)
    return symbol is not COVERED and margin > PLAIN


def _is_lettered(tile: Tile) -> bool:
    return tile is not EMPTY and not tile.is_blank


def _as_recorded(ruled: RuledGame, look: Look) -> set[Square]:
    """The squares on which a look shows the letter of the record."""
    board, shown = ruled.state.board, look.squares.symbols
    return {square for square in board.occupied() if shown[square] == board.cells[square]}


def _turns_of(
    ruled: RuledGame, turned: frozenset[Square]
) -> Iterator[tuple[Turn, int, tuple[Square, ...]]]:
    """The turns that laid these tiles, with their players and squares; the last layer counts."""
    left = set(turned)
    for group in reversed(ruled.groups):
        for event in reversed(group.events):
            if isinstance(event, Laid) and (squares := tuple(sorted(left & set(event.lying)))):
                left.difference_update(squares)
                yield group, event.player, squares
