"""Mishaps on the board: a tile pushed off its square, a hand in the way, tiles the wrong way round.

Pure: happenings in, happenings out.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devices.lab.game_script import (
    STILL_AFTER_PRESS,
    STILL_BEFORE_PRESS,
    Happening,
    PressClock,
    Show,
    TurnTiles,
)
from devices.lab.mishaps.turns import Turn, is_play, rows_of, turns
from recorder.domain.board import SQUARES, Square
from recorder.domain.errors import NotationError
from recorder.domain.observations import EMPTY_SYMBOL

_STEPS = (15, -15, 1, -1)


def with_symbol(rows: tuple[str, ...], square: int, symbol: str) -> tuple[str, ...]:
    """The board with another symbol on one square."""
    row, col = divmod(square, 15)
    changed = rows[row][:col] + symbol + rows[row][col + 1 :]
    return (*rows[:row], changed, *rows[row + 1 :])


def hand_over_board(turn: Turn) -> Turn:
    """The opponent's hand lies over the new tiles when the clock is pressed, and for a while."""
    press = next(at for at, happening in enumerate(turn) if isinstance(happening, PressClock))
    clock, target = turn[press], _last_target(turn)
    assert isinstance(clock, PressClock)
    rows = rows_of(turn)
    over = Show(STILL_BEFORE_PRESS, rows, hand=1.0, target=target, player=1 - clock.player)
    longer = replace(over, frames=2 * STILL_AFTER_PRESS)
    return [*turn[: press - 1], over, clock, longer, *turn[press + 1 :]]


def _last_target(turn: Turn) -> Square:
    return [
        happening.target
        for happening in turn
        if isinstance(happening, Show) and happening.hand == 1.0
    ][-1]


def bump_tile(number: int) -> "_Bump":
    """A sleeve takes a tile along to the next square after that play; it lies there for a turn."""
    return _Bump(number)


class _Bump:
    def __init__(self, number: int) -> None:
        self._number = number

    def __call__(self, script: Iterable[Happening]) -> Iterator[Happening]:
        parts = turns(script)
        plays = [at for at, turn in enumerate(parts) if is_play(turn)]
        if len(plays) <= self._number:
            raise NotationError(f"the game has {len(plays)} plays; this needs {self._number + 1}")
        at, after = plays[self._number - 1], plays[self._number]
        square, beside = _free_step(rows_of(parts[at]), rows_of(parts[after]))
        for part in parts[at + 1 : after + 1]:
            part[:] = [_moved(happening, square, beside) for happening in part]
        # The player who moves next puts it back first.
        return (happening for turn in parts for happening in turn)


def _free_step(rows: tuple[str, ...], later: tuple[str, ...]) -> tuple[int, int]:
    """A tile, and a square beside it that stays free and touches nothing new."""
    for square in range(SQUARES):
        if rows[square // 15][square % 15] == EMPTY_SYMBOL:
            continue
        for step in _STEPS:
            beside = square + step
            across = abs(beside % 15 - square % 15)
            if (
                0 <= beside < SQUARES
                and across < 2
                and later[beside // 15][beside % 15] == EMPTY_SYMBOL
            ):
                return square, beside
    raise NotationError("no tile has a free square beside it")


def _moved(happening: Happening, square: int, beside: int) -> Happening:
    if not isinstance(happening, Show):
        return happening
    tile = happening.rows[square // 15][square % 15]
    rows = with_symbol(with_symbol(happening.rows, square, EMPTY_SYMBOL), beside, tile)
    return replace(happening, rows=rows)


def misorient_first_play(script: Iterable[Happening]) -> Iterator[Happening]:
    """The first play lies a quarter turn against the lettering of the board, and all after it."""
    yield TurnTiles(1)
    yield from script
