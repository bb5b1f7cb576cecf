"""Orders about the event as people read them."""

import pytest

from recorder.domain.event import orders as acts
from recorder.domain.event.register import Register
from recorder.texts.event import event_order_in_words
from tests.event.fields import register_after

GIVEN = {
    "about name Harbour Open": "the event is called Harbour Open",
    "about date 1 May 2027": "the event is on 1 May 2027",
    "about cap 350": "a win counts at most 350 points of spread",
    "about rounds 1": "the event has 1 round",
    "player A Ślusarz, Żaneta 1905": "Ślusarz, Żaneta, rated 1905, plays in division A",
    "player A Nguyễn, Hương": "Nguyễn, Hương plays in division A",
    "change A 2 name Nguyễn, Thị Hương": "division A: player 2 is called Nguyễn, Thị Hương",
    "change A 2 rating 1500": "division A: 2 Nguyễn, Thị Hương is rated 1500",
    "player A Caro, Mateo": "Caro, Mateo plays in division A",
    "round A 1 1:1-2 bye 3": "division A, round 1 is paired: 1 game, and 3 Caro, Mateo has a bye",
    "first A 1 2": "division A, round 1: 2 Nguyễn, Thị Hương goes first",
    "table A 1 2 4": "division A, round 1: 2 Nguyễn, Thị Hương plays at table 4",
    "adjourn A 1 1": "division A, round 1: the game of 1 Ślusarz, Żaneta is adjourned",
    "resume A 1 1": "division A, round 1: the game of 1 Ślusarz, Żaneta goes on",
    "replay A 1 1": "division A, round 1: the game of 1 Ślusarz, Żaneta is replayed",
    "claim A 1 1 400 380": "division A, round 1: 1 Ślusarz, Żaneta reports 400 to 380",
    "1 400 2 380": "division A, round 1: 1 Ślusarz, Żaneta 400, 2 Nguyễn, Thị Hương 380",
    "result A 1 3 -50": "division A, round 1: 3 Caro, Mateo has no opponent; this counts \u221250",
    "penalty A 1 1 -20": "division A, round 1: \u221220 on the spread of 1 Ślusarz, Żaneta",
    "left A 3": "division A: 3 Caro, Mateo has left; each missed round counts \u221250",
    "returned A 3": "division A: 3 Caro, Mateo is back",
    "round A 2 1:2-1": "division A, round 2 is paired: 1 game",
    "undo o1": "order o1 no longer counts",
}


@pytest.fixture(scope="module")
def day() -> Register:
    return register_after(*GIVEN)


def test_every_order_is_said_in_a_line(day: Register) -> None:
    """With the names that players have by now."""
    said = [event_order_in_words(order.act, day.event) for order in day.orders]
    assert said == list(GIVEN.values())
    assert day.left_out == ()


def test_a_division_moved_whole_is_said_with_the_numbers_it_was_given(day: Register) -> None:
    """The recorder notes the new numbers; the order names none."""
    whole = acts.MovePlayers(division="B", to="A", given=(8, 9))
    assert event_order_in_words(whole, day.event)
    uneven = acts.MovePlayers(division="B", numbers=(1,), to="A", given=(8, 9))
    assert event_order_in_words(uneven, day.event)
