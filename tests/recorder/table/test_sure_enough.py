"""What is seen with doubt moves nothing: from where on a reading counts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from recorder.domain.board import parse_square
from recorder.domain.game import GameEvent, Played, Withdrawn
from recorder.domain.observations import COST_PER_NAT, SYMBOLS, BoardSeen, Side, SquareCosts
from recorder.domain.plays import parse_placement
from tests.dashboard.table_writer import TableWriter, look_at
from tests.folded import broadcast_frame
from tests.looks import Beliefs
from tests.recorder.order_game import EMPTY, HAND, OrderGame

HAND_PLAYED: list[GameEvent] = [Played(0, parse_placement("8G HAND"), 16)]


def hand_gone(empty: float) -> Beliefs:
    """The squares of HAND, each empty with this probability, else with its tile."""
    tiles = zip("GHIJ", "HAND", strict=True)
    return {f"8{column}": {".": empty, letter: 0.96 - empty} for column, letter in tiles}


def test_a_play_that_seems_gone_for_a_moment_stays_on_record() -> None:
    """Glare over the tiles, 2.7 nats for a bare board, takes nothing off; 7 nats do."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    assert list(game.game_recorder.recorded.events) == HAND_PLAYED
    game.stop_clock()
    game.show(EMPTY, hand_gone(0.8))
    assert list(game.game_recorder.recorded.events) == HAND_PLAYED
    game.show(EMPTY, hand_gone(0.9))
    assert list(game.game_recorder.recorded.events) == [*HAND_PLAYED, Withdrawn(0, 16)]


def unsure(look: BoardSeen, nats: float, symbols: dict[str, str]) -> BoardSeen:
    """The look, where on some squares another symbol is only so many nats less likely."""
    costs = bytearray(look.squares.costs)
    for name, symbol in symbols.items():
        square = parse_square(name)[0]
        costs[square * len(SYMBOLS) + SYMBOLS.index(symbol)] = round(nats * COST_PER_NAT)
    return replace(look, squares=SquareCosts(bytes(costs)))


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    writer = write_table(1_000_000)
    writer.start()
    writer.play(0, "8D ZEPHYR")
    return writer


def forming(table: TableWriter) -> Any:
    """What forms on the board, as pages show it."""
    frame = broadcast_frame(table.rows)
    return frame["forming"]


@pytest.mark.parametrize(
    ("nats", "shown"), [(2.0, None), (4.0, {"squares": {"9J": "A"}})], ids=["shadow", "tile"]
)
def test_a_tile_forms_once_it_is_sure(
    table: TableWriter, nats: float, shown: dict[str, Any] | None
) -> None:
    """Two nats over a bare square may be a shadow and do not go on air; four are a tile."""
    assert table.state is not None
    table.observe(unsure(look_at(table.state, {"9J": "A"}), nats, {"9J": "."}))
    assert forming(table) == shown


@pytest.mark.parametrize(
    ("nats", "shown"), [(2.0, {"squares": {"9J": "A"}}), (4.0, None)], ids=["worn", "other"]
)
def test_letters_that_seem_others_hide_a_play_once_they_surely_are(
    table: TableWriter, nats: float, shown: dict[str, Any] | None
) -> None:
    """Two worn letters of the record still fit the board; what surely reads otherwise does not."""
    assert table.state is not None
    look = look_at(table.state, {"8D": "N", "8F": "R", "9J": "A"})
    table.observe(unsure(look, nats, {"8D": "Z", "8F": "P"}))
    assert forming(table) == shown
