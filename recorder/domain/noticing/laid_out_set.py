"""The set of tiles, laid out face up for a check before the game (EQUIP-1, EQUIP-8).

A tile that the camera is not sure of is there and has no face; then only the count is judged.
But one that can be none of the missing tiles is what it looks like: the set is wrong.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from recorder.domain.board import SQUARES
from recorder.domain.notices import Notice, Phase, PlainValue
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.observations import COVERED
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.looks import Look
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.starting import UNREADABLE, TileCheck, check_tiles
from recorder.domain.tile_text import label_text
from recorder.domain.tiles import EMPTY, Tile, Tiles, TileSet

_NO_TILE = (EMPTY, COVERED)
LAID_OUT_MS = 5_000
"""So long the tiles must lie as they are: they are laid out one after another."""


def set_alarms(table: TableState, rules: Rules) -> Iterator[Alarm]:
    """A set that was laid out and is missing tiles, or has some too many.

    It holds until a whole set lies there; once the game runs it is the director's alone.
    """
    look = table.looks.laid_out
    if look is None:
        return
    check = check_tiles(_faces(look, table.turns.tile_set), table.turns.tile_set)
    lack = sum(count for _, count in check.missing) or table.turns.tile_set.total - check.total
    if check.is_whole:
        return
    phase = Phase.BEFORE if table.clock.started_ms is None else Phase.PLAYING
    case = _case(check)
    numbers: dict[str, PlainValue] = {"tiles": lack, "laid_out": check.total}
    numbers |= {"case": case} if case else {}
    numbers |= {name: _named(found) for name, found in _found(check) if found}
    notice = noticed(rules, Notice.SET_INCOMPLETE, (look.seq,), phase, numbers=numbers)
    yield Alarm(look.at_ms + LAID_OUT_MS, notice)


def _faces(look: Look, tile_set: TileSet) -> Tiles:
    seen = {square: look.squares.best_and_margin(square) for square in range(SQUARES)}
    tiles = {sq: shown for sq, shown in seen.items() if shown[0] not in _NO_TILE}
    sure = {sq: symbol for sq, (symbol, margin) in tiles.items() if margin > PLAIN}
    lacking = Counter(tile_set.counts) - Counter(sure.values())
    return tuple(
        symbol if sq in sure or not _may_be(look, sq, lacking) else UNREADABLE
        for sq, (symbol, _) in tiles.items()
    )


def _may_be(look: Look, square: int, faces: Iterable[Tile]) -> bool:
    """Whether a tile may show one of these faces, by what a look says of its square.

    Twice as sure as of a letter is a slip that says that it shows none of them.
    """
    shown = look.squares
    least = shown.cost(square, shown.best(square))
    return any(shown.cost(square, face) - least <= 2 * PLAIN for face in faces)


def _case(check: TileCheck) -> str:
    if check.missing and check.surplus:
        return "other_tiles"
    return "too_many" if check.surplus else "missing" if check.missing else ""


def _found(check: TileCheck) -> Iterator[tuple[str, tuple[tuple[Tile, int], ...]]]:
    yield from (("missing", check.missing), ("surplus", check.surplus))


def _named(found: tuple[tuple[Tile, int], ...]) -> str:
    return " ".join(label_text(face) * count for face, count in found)
