"""Players who are waited for, as a director orders it, beyond what the scenarios show."""

from dataclasses import replace

import pytest

from recorder.domain.game import TimePenalty
from recorder.domain.observations import ClockAct, ClockChanged, Side
from recorder.domain.orders import Absent, Act, Arrived, EndGame
from tests.recorder.order_game import STARTED, OrderGame


def clock(act: ClockAct, left_ms: int, right_ms: int, running: Side = Side.NONE) -> ClockChanged:
    return ClockChanged(act=act, left_ms=left_ms, right_ms=right_ms, running=running)


def both_late() -> OrderGame:
    """NASPA: nobody was there; Ada came after 200 s of one clock, Ben 160 s later."""
    game = OrderGame(replace(STARTED, rules="naspa", confirmed=()))
    for player in (0, 1):
        assert game.give(game.told(Absent(player=player))) == ""
    game.see(clock(ClockAct.RESUME, 1_500_000, 1_500_000, Side.RIGHT))
    game.at += 199_000
    assert game.give(game.told(Arrived(player=0))) == ""
    game.at += 159_000
    assert game.give(game.told(Arrived(player=1))) == ""
    return game


def test_the_first_arrival_pays_for_the_wait_at_the_end_of_the_game() -> None:
    """Two hundred seconds come from what the clock shows: 150 s left are 50 s of overtime."""
    game = both_late()
    game.see(clock(ClockAct.RESET, 1_500_000, 1_140_000))
    game.press(Side.LEFT, Side.RIGHT)
    game.see(clock(ClockAct.PAUSE, 150_000, 150_000))
    assert game.give(game.told(EndGame())) == ""
    events = game.game_recorder.ruled().state.events
    assert [event for event in events if isinstance(event, TimePenalty)] == [TimePenalty(0, 10)]


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (Absent(player=0), "absent_already"),
        (Arrived(player=0), "not_absent"),
        (Absent(player=1), "absent_already"),
    ],
)
def test_nobody_is_waited_for_twice(act: Act, why: str) -> None:
    """Anyone who has come is not late again, nor awaited."""
    game = both_late()
    assert game.give(game.told(act)).startswith(why)
