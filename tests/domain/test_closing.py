"""What the end of a game counts by each rule set, and what is asked."""

from dataclasses import replace

import pytest

from recorder.domain.game import (
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    replay,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import parse_placement
from recorder.domain.rulings.closing import GameEnd, closing, out_player, racks_after
from recorder.domain.rulings.replay_turns import replay_turns
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import Face, TileSet
from recorder.domain.turns import Turn
from recorder.rulesets import RuleSet, load_rule_set

TINY = TileSet("tiny", (Face("A", 1, 8, is_vowel=True), Face("B", 3, 7)), blanks=1)
"""Sixteen tiles: two in the bag at the beginning."""
OUT: tuple[GameEvent, ...] = (
    Played(0, parse_placement("8G AAAA"), 8),
    Played(1, parse_placement("G7 B.B"), 7),
    Played(0, parse_placement("9H AAAA"), 12),
    Passed(1),
    Played(0, parse_placement("10H B"), 4),
)
"""The first player is out: four tiles, two drawn; four more, none drawn; the last one."""
LEFT = "BBBB?"


def out_state() -> GameState:
    """The position after the play-out."""
    return replay(TINY, OUT)


def ended(rules: RuleSet, remaining: tuple[int, int] = (1, 1)) -> Turn:
    end = GameEnd(ref=9, refs=(9,), remaining_ms=remaining)
    return closing(end, out_state(), rules)


DOUBLE = (EndRackPoints(0, 24, read_tiles(LEFT)),)
TRANSFER = (EndRackPoints(0, 12, read_tiles(LEFT)), EndRackPenalty(1, 12, read_tiles(LEFT)))


def test_who_is_out_is_told_by_the_tile_account_alone() -> None:
    """Both racks and the bag after every play; a withdrawn play gives its tiles back."""
    assert racks_after(OUT, TINY.total) == (0, 5, 0)
    assert out_player(out_state()) == 0
    assert out_player(replay(TINY, OUT[:-1])) is None
    taken_back = (*OUT, Withdrawn(0, 4))
    assert out_player(replay(TINY, taken_back)) is None
    assert racks_after(taken_back, TINY.total) == (1, 5, 0)


SETTLED = [
    ("naspa", {}, (), DOUBLE),
    ("psa", {}, (), DOUBLE),
    ("wespa3_hk", {}, (), DOUBLE),
    ("wespa4", {}, ("endgame",), DOUBLE),
    ("wespa1", {"endgame": {"out_bonus": ["transfer"]}}, (), TRANSFER),
    ("wespa1", {"endgame": {"out_bonus": ["double"]}}, (), DOUBLE),
]


@pytest.mark.parametrize(("name", "overrides", "confirmed", "events"), SETTLED)
def test_tiles_left_count_as_the_rule_set_says(
    name: str,
    overrides: dict[str, object],
    confirmed: tuple[str, ...],
    events: tuple[GameEvent, ...],
) -> None:
    """Doubled or moved from one to the other, and nobody has to be asked."""
    group = ended(load_rule_set(name, overrides=overrides, confirmed=confirmed))
    assert group.events == events
    assert group.doubts == ()
    assert group.alternatives == ()


@pytest.mark.parametrize("name", ["wespa1", "wespa4"])
def test_where_the_rule_set_leaves_it_open_both_are_candidates(name: str) -> None:
    """WESPA 1 lets the organiser choose, WESPA 4 lost the sentence: the director is asked."""
    group = ended(load_rule_set(name))
    assert group.events == DOUBLE
    assert [other.events for other in group.alternatives] == [TRANSFER]
    assert [doubt.code for doubt in group.doubts] == ["convention_open"]


@pytest.mark.parametrize(
    ("left_ms", "points"), [(0, 0), (-999, 0), (-1000, 10), (-60_000, 10), (-61_000, 20)]
)
def test_each_started_minute_of_overtime_costs(left_ms: int, points: int) -> None:
    """END-6: whole seconds as the display shows them."""
    group = ended(load_rule_set("naspa"), (5, left_ms))
    expected = (TimePenalty(1, points),) if points else ()
    assert group.events == (*DOUBLE, *expected)


def test_overtime_that_the_rule_set_does_not_price_is_asked() -> None:
    """WESPA 4 without a confirmation: no points, a question how many they are."""
    group = ended(load_rule_set("wespa4", confirmed=["endgame"]), (-5000, 1))
    assert group.events == DOUBLE
    assert group.doubts == (coded("overtime_open", player=0, seconds=5),)


def test_ten_minutes_over_is_for_the_director() -> None:
    """END-7: at 10:00 PSA takes the game, NASPA only beyond it."""
    lost = coded("maybe_lost", player=0, minutes=10)
    assert lost in ended(load_rule_set("psa"), (-600_000, 1)).doubts
    assert lost not in ended(load_rule_set("naspa"), (-600_000, 1)).doubts
    assert lost in ended(load_rule_set("naspa"), (-601_000, 1)).doubts


def zeros(rules: RuleSet, *events: GameEvent) -> list[tuple[CodedText, ...]]:
    groups = [Turn(ref, (ref,), (event,), 0.0) for ref, event in enumerate(events, 1)]
    return [group.firm for group in replay_turns(groups, TINY, rules).groups]


def test_the_sixth_zero_in_a_row_is_told_with_what_follows() -> None:
    """END-4: the game is over by itself, or may be claimed; a score in between starts again."""
    run = [Exchanged(0, 1), Passed(1), Passed(0), Passed(1), Passed(0), Passed(1)]
    over = coded("zeros_over", turns=6)
    assert not any(zeros(load_rule_set("psa"), *run))  # the end itself says so
    assert not any(zeros(load_rule_set("psa"), *run, Passed(0)))  # it ended before that pass
    claim = coded("zeros_claimable", turns=6)
    assert zeros(load_rule_set("naspa"), *run, Passed(0)) == [(), (), (), (), (), (claim,), ()]
    played = Played(0, parse_placement("8G AB"), 8)
    assert zeros(load_rule_set("psa"), *run, played) == [(), (), (), (), (), (over,), ()]
    assert not any(zeros(load_rule_set("psa"), *run[:4], played, *run[:4]))


def test_an_unconfirmed_rule_set_asks_about_six_zeros() -> None:
    """WESPA 4 has the heading alone: whether the game is over is for the director."""
    run = [Passed(0), Passed(1)] * 3
    (told,) = zeros(load_rule_set("wespa4"), *run)[-1]
    assert told.code == "zeros_asked"


def test_a_turn_lost_to_a_failed_challenge_counts_where_the_rule_set_says_so() -> None:
    """NASPA counts it, PSA does not list it: there the director is asked."""
    run: list[GameEvent] = [Passed(0), Passed(1)] * 3
    groups = [Turn(ref, (ref,), (event,), 0.0) for ref, event in enumerate(run, 1)]
    groups[0] = replace(groups[0], lost_turns=frozenset({0}))
    naspa = replay_turns(groups, TINY, load_rule_set("naspa")).groups[-1].firm
    assert naspa == (coded("zeros_claimable", turns=6),)
    (psa,) = replay_turns(groups, TINY, load_rule_set("psa")).groups[-1].firm
    assert psa == coded("zeros_unlisted", turns=6, kinds="lost_challenge")
