"""What players can still win: nobody who can is said to be out, the last round settles all."""

from dataclasses import replace
from itertools import product

import pytest

from dashboard.event.view import event_model, player_cards
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import placings
from recorder.domain.event.reach import finished_rounds, places_in_reach
from recorder.domain.event.register import Register, register_of
from recorder.domain.event.wanted import Method
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.orders.event_syntax import parse_event_order
from tests.event.fields import paired, played, register_after


def after_round(field: EventDivision, round_: int, wins: tuple[bool, ...]) -> EventDivision:
    """The division after its round was played, with the first or the second winning by 400."""
    lines = {}
    for pair, first in zip(paired(field, Method.KOTH, round_).pairs, wins, strict=True):
        for number, other, won in (
            (pair.first, pair.second, first),
            (pair.second, pair.first, not first),
        ):
            known = field.player(number)
            seen = known.in_round(99)._replace(opponent=other, score=700 if won else 300)
            lines[number] = replace(known, rounds=(*known.rounds, seen))
    return replace(field, players=tuple(lines[p.number] for p in field.players))


@pytest.mark.parametrize("seed", range(3))
def test_every_place_that_is_reached_was_in_reach(seed: int) -> None:
    """Over every outcome of the last round."""
    field = replace(played(8, Method.SWISS, 4, seed=seed), last_round=5)
    reach = places_in_reach(field, NO_RULE_SET)
    for wins in product((True, False), repeat=4):
        end = after_round(field, 5, wins)
        for row in placings(NO_RULE_SET, end, 5):
            best, worst = reach[row.number]
            assert best <= row.rank <= worst
        assert places_in_reach(end, NO_RULE_SET) == {}


def test_a_round_that_is_on_counts_for_nothing_yet() -> None:
    """What is settled holds whatever the open games bring; without rounds nobody can say."""
    field = replace(played(8, Method.SWISS, 4), last_round=5)
    player = field.player(1)
    rounds = (*player.rounds[:3], player.rounds[3]._replace(score=None))
    half = field.with_player(replace(player, rounds=rounds))
    assert finished_rounds(half) == 3
    assert places_in_reach(replace(field, last_round=None), NO_RULE_SET) == {}


def test_pages_and_plates_have_what_is_in_reach() -> None:
    """Once not everybody can reach everything any more; and the pair's game of this round."""
    day = [
        "about rounds 3",
        *(f"player A {name}" for name in ("Ann", "Bob", "Cat", "Dan")),
        "round A 1 1:1-4 2:2-3",
        *("result A 1 1 700 4 200", "result A 1 2 400 3 390"),
        "round A 2 1:1-3 2:2-4",
        *("result A 2 1 700 3 200", "result A 2 2 400 4 390"),
    ]

    def after(count: int) -> Register:
        orders = [
            EventOrder(id=f"e{n}", who="Dora", act=parse_event_order(words.split()))
            for n, words in enumerate(day[:count])
        ]
        return register_of(orders)

    (early,), (late,) = (event_model(after(n))["divisions"] for n in (8, len(day)))
    assert {row["reach"] for row in early["standings"]} == {None}
    assert [row["reach"] for row in late["standings"]] == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert player_cards(after(len(day)))["Cat"]["reach"] == (3, 4)
    assert [game["met"] for game in late["games"]] == [
        [{"round": 2, "scores": [700, 200], "winner": 0}],
        [{"round": 2, "scores": [400, 390], "winner": 0}],
    ]


def test_who_has_left_keeps_nobody_from_a_place() -> None:
    """The leader of three rounds goes home: the second can win; before, they could not."""
    day = [
        "about rounds 4",
        *(f"player A {name}" for name in ("Ann", "Bob", "Cat", "Dan")),
        *("round A 1 1:1-2 2:3-4", "result A 1 1 700 2 200", "result A 1 3 400 4 300"),
        *("round A 2 1:1-3 2:2-4", "result A 2 1 700 3 200", "result A 2 2 400 4 390"),
        *("round A 3 1:1-4 2:2-3", "result A 3 1 700 4 200", "result A 3 2 400 3 390"),
    ]
    there, gone = (player_cards(register_after(*said)) for said in (day, [*day, "left A 1"]))
    assert [there[name]["reach"] for name in ("Ann", "Bob")] == [(1, 1), (2, 3)]
    assert (gone["Bob"]["reach"], gone["Ann"].get("reach")) == ((1, 2), None)
    on = register_after(*day, "round A 4 1:1-2 2:3-4", "left A 1")
    assert player_cards(on)["Bob"]["reach"] == (2, 3)  # their game is still on
