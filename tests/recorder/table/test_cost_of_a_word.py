"""What a word of a sensor costs does not depend on how many were said before: lines are counted."""

import sys
from types import FrameType

import pytest

from recorder.domain.instruments import BagLifted, BagWeighed, CountEstimate
from recorder.domain.observations import RackCounted, Side
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT, OrderGame

pytestmark = pytest.mark.slow

FEW, MANY = 4, 150
MOST_TIMES = 1.3


def say(game: OrderGame, words: int) -> None:
    """Tiles are moved about on a rack, and counted each time."""
    for number in range(words):
        game.see(RackCounted(side=Side.LEFT, places="#" * (7 - number % 2), confidence=0.99))


def draw(game: OrderGame, side: Side, bag: int) -> None:
    """The bag is lifted, a rack is full again, the bag lies weighed."""
    game.see(BagLifted(grams=None))
    game.see(RackCounted(side=side, places="#" * 7, confidence=0.99))
    tiles = CountEstimate(bag, 0.99, ())
    game.see(BagWeighed(grams=1.5 * bag, spread_g=0.0, settled=True, tiles=tiles, taken=None))


def after(words: int) -> OrderGame:
    """Two plays with their draws, and so many words while each player thinks."""
    game = OrderGame()
    game.press(Side.RIGHT, Side.LEFT)
    for side in (Side.LEFT, Side.RIGHT):
        game.see(RackCounted(side=side, places="#" * 7, confidence=0.99))
    game.show(EMPTY)
    say(game, words)
    game.turn(Side.LEFT, HAND)
    draw(game, Side.LEFT, 82)
    say(game, words)
    game.turn(Side.RIGHT, HAND_CAT)
    draw(game, Side.RIGHT, 79)
    game.turn(Side.LEFT, HAND_CAT)
    game.turn(Side.RIGHT, HAND_CAT)
    say(game, FEW)
    return game


def lines_of_a_word(game: OrderGame) -> int:
    """How many lines of the program run for one more word of a counter below a rack."""
    lines = 0

    def count(frame: FrameType, event: str, _: object) -> object:
        nonlocal lines
        if "recorder" not in frame.f_code.co_filename:
            return None
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)  # type: ignore[arg-type]
    try:
        say(game, 1)
    finally:
        sys.settrace(before)
    return lines


def test_a_word_late_in_a_long_game_costs_what_it_costs_in_a_short_one() -> None:
    """Of the tiles on racks; the turns are the same."""
    short, long = after(FEW), after(MANY)
    assert len(long.game_recorder.concluded.sensed) > 10 * len(short.game_recorder.concluded.sensed)
    first, last = lines_of_a_word(short), lines_of_a_word(long)
    assert last <= MOST_TIMES * first, f"{first} lines became {last}"
