"""The set of tiles, laid out face up for a check before the game (EQUIP-1, EQUIP-8).

A tile that the camera is not sure of is there and has no face; then only the count is judged.
"""

from collections.abc import Iterator

from recorder.domain.notices import Notice, Phase, PlainValue, TableNotice
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.observations import COVERED_SYMBOL, EMPTY_SYMBOL
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.reading.table_state import Look, TableState
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.starting import UNREADABLE, TileCheck, check_tiles

LAID_OUT_MS = 5_000
"""So long the tiles must lie as they are: they are laid out one after another."""


def set_alarms(table: TableState, rules: Rules) -> Iterator[Alarm]:
    """A set that was laid out and lacks tiles, or has some too many.

    It holds until a whole set lies there; once the game runs it is the director's alone.
    """
    look = table.laid_out
    if look is None:
        return
    check = check_tiles(rules, (_faces(look),), table.known.tile_set)
    lack = sum(count for _, count in check.missing) or table.known.tile_set.total - check.total
    if check.armed:
        return
    phase = Phase.BEFORE if table.began_ms is None else Phase.PLAYING
    case = _case(check)
    numbers: dict[str, PlainValue] = {"tiles": lack, "laid_out": check.total}
    numbers |= {"case": case} if case else {}
    numbers |= {name: _named(found) for name, found in _found(check) if found}
    yield Alarm(
        look.at_ms + LAID_OUT_MS,
        TableNotice(
            ref=look.seq,
            refs=(look.seq,),
            code=Notice.SET_INCOMPLETE,
            numbers=numbers,
            routing=route(rules, Notice.SET_INCOMPLETE, phase),
        ),
    )


def _faces(look: Look) -> str:
    seen = (look.squares.best_and_margin(square) for square in range(225))
    return "".join(
        symbol if margin > PLAIN else UNREADABLE
        for symbol, margin in seen
        if symbol not in (EMPTY_SYMBOL, COVERED_SYMBOL)
    )


def _case(check: TileCheck) -> str:
    if check.missing and check.surplus:
        return "other_tiles"
    return "too_many" if check.surplus else "missing" if check.missing else ""


def _found(check: TileCheck) -> Iterator[tuple[str, tuple[tuple[str, int], ...]]]:
    yield from (("missing", check.missing), ("surplus", check.surplus))


def _named(found: tuple[tuple[str, int], ...]) -> str:
    return " ".join(face * count for face, count in found)
