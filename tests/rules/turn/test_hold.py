"""Holds and courtesy draws beyond the worked cases."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.turn.courtesy import (
    CourtesyTiles,
    after_decision,
    courtesy_draw,
    too_early,
)
from recorder.domain.rules.turn.hold import (
    AfterPlay,
    Right,
    drawn_ms,
    flash_draw,
    right_to_challenge,
    unpressed_draw,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, in_force
from tests.rules.said import said

INSTANT = st.integers(0, 100_000)
MAYBE = st.none() | INSTANT


def test_a_tile_and_a_call_at_the_same_time_are_not_told_apart() -> None:
    """Within what the sensors can tell, the director decides."""
    facts = AfterPlay(press_ms=0, first_tile_out_ms=6000, hold_ms=6200)
    standing = right_to_challenge(W1, facts)
    assert standing.right is Right.UNDECIDED
    assert "200 ms apart" in said(standing.open_questions[0])
    exact = replace(facts, accuracy_ms=100)
    assert right_to_challenge(W1, exact).right is Right.LOST


def test_a_hold_keeps_the_right_whatever_is_drawn_meanwhile() -> None:
    """Courtesy tiles do not end it; clear words put it back to the first tile."""
    held = AfterPlay(press_ms=0, hold_ms=3000, first_tile_out_ms=70_000)
    assert right_to_challenge(W1, held).right is Right.OPEN
    released = replace(held, released_ms=10_000)
    assert right_to_challenge(W1, released).lost_ms == 70_000
    in_time = replace(released, challenge_ms=20_000)
    assert right_to_challenge(W1, in_time).right is Right.OPEN


def test_what_was_drawn_during_a_hold_counts_from_its_end() -> None:
    """The right ends when the hold is given up and tiles are out already."""
    facts = AfterPlay(press_ms=0, hold_ms=3000, first_tile_out_ms=65_000, released_ms=80_000)
    assert right_to_challenge(W1, facts).lost_ms == 80_000


def test_the_right_ends_with_the_opponents_own_turn() -> None:
    """Where nothing is drawn, and after a hold that led to nothing."""
    nothing_drawn = AfterPlay(press_ms=0, replied_ms=40_000, bag=0)
    standing = right_to_challenge(HK, nothing_drawn)
    assert (standing.right, standing.by) == (Right.LOST, "opponent_completed_own_turn")
    held = replace(nothing_drawn, hold_ms=5000)
    assert right_to_challenge(HK, held).right is Right.LOST
    challenged = replace(held, challenge_ms=9000)
    assert right_to_challenge(HK, challenged).right is Right.OPEN


def test_a_right_that_ends_later_is_open_now() -> None:
    """The window after an unpressed draw, while it lasts."""
    facts = AfterPlay(first_tile_out_ms=3000, now_ms=10_000)
    standing = right_to_challenge(NAS, facts)
    assert (standing.right, standing.lost_ms) == (Right.OPEN, 18_000)
    assert right_to_challenge(NAS, replace(facts, now_ms=18_000)).right is Right.LOST


def test_a_set_that_says_nothing_of_the_right_asks() -> None:
    """Version 4 before anybody confirmed version 3's words."""
    bare = in_force("wespa4", confirmed=False)
    assert right_to_challenge(bare, AfterPlay(press_ms=0)).open_questions


def test_a_tile_is_drawn_when_the_hand_is_out_where_a_set_says_so() -> None:
    """Half a second later than elsewhere."""
    facts = AfterPlay(press_ms=0, first_tile_out_ms=6000, hand_out_ms=6500, hold_ms=6400)
    assert (drawn_ms(NAS, facts), drawn_ms(W1, facts)) == (6500, 6000)
    exact = replace(facts, accuracy_ms=50)
    assert right_to_challenge(NAS, exact).right is Right.OPEN
    assert right_to_challenge(W1, exact).right is Right.LOST


def test_a_flash_is_less_than_the_time_to_wait() -> None:
    """Exactly five seconds is none; without a number it is evidence only."""
    at = {ms: flash_draw(NAS, AfterPlay(press_ms=0, first_tile_out_ms=ms)) for ms in (4999, 5000)}
    assert [flash.is_flash for flash in at.values() if flash is not None] == [True, False]
    evidence = flash_draw(HK, AfterPlay(press_ms=0, first_tile_out_ms=3200, recorded_ms=9000))
    assert evidence is not None
    assert (evidence.is_flash, evidence.may_restore) == (None, True)
    assert said(evidence.evidence) == "drawn 3.2 s after the press, before the score was written"
    assert flash_draw(W1, AfterPlay(first_tile_out_ms=3000)) is None


def test_a_draw_before_the_press_leaves_the_right_where_no_window_is_set() -> None:
    """Until when is asked; the opponent's own turn ends it at the latest."""
    facts = AfterPlay(first_tile_out_ms=3000, press_ms=5000)
    for rules in (W1, HK, W4, PSA):
        standing = right_to_challenge(rules, facts)
        assert standing.right is Right.OPEN
        assert any("hold" in said(question) for question in standing.open_questions)
        replied = replace(facts, replied_ms=60_000)
        assert right_to_challenge(rules, replied).lost_ms == 60_000


def test_a_courtesy_draw_too_early_is_found() -> None:
    """To the second, and not when it was in time."""
    draw = courtesy_draw(HK, press_ms=0, hold_ms=4000)
    finding = too_early(draw, at_ms=31_500)
    assert finding is not None
    assert "2.5 s too early" in said(finding.text)
    assert too_early(draw, at_ms=34_001) is None


def test_what_to_do_when_tiles_are_drawn_before_the_press() -> None:
    """A window, or stopping the drawing first."""
    assert len(unpressed_draw(NAS).steps) == 1
    assert "stop the drawing" in said(unpressed_draw(W1).steps[0].act)


@given(
    press=INSTANT,
    tile=MAYBE,
    wrote=MAYBE,
    challenge=MAYBE,
    rules=st.sampled_from(ALL),
)
def test_a_later_call_is_never_better(
    press: int, tile: int | None, wrote: int | None, challenge: int | None, rules: RuleSet
) -> None:
    """A right that was lost stays lost; a call before anything else is in time."""
    facts = AfterPlay(
        press_ms=press, first_tile_out_ms=tile, wrote_ms=wrote, challenge_ms=challenge
    )
    if right_to_challenge(rules, facts).right is Right.LOST and challenge is not None:
        later = replace(facts, challenge_ms=challenge + 1)
        assert right_to_challenge(rules, later).right is Right.LOST
    first = replace(facts, challenge_ms=-1000)
    assert right_to_challenge(rules, first).right is Right.OPEN


@given(press=INSTANT, after=INSTANT, rules=st.sampled_from(ALL))
def test_no_courtesy_draw_before_its_delay(press: int, after: int, rules: RuleSet) -> None:
    """And always one after it."""
    draw = courtesy_draw(rules, press_ms=press, hold_ms=press + after)
    assert draw.from_ms is not None
    assert draw.from_ms > press
    assert not draw.allowed(draw.from_ms - 1)
    assert draw.allowed(draw.from_ms + 1)


def test_a_set_without_a_courtesy_delay_allows_no_draw_and_asks() -> None:
    """Version 4 before anybody confirmed version 3's words."""
    draw = courtesy_draw(in_force("wespa4", confirmed=False), press_ms=0, hold_ms=1)
    assert (draw.from_ms, draw.allowed(10**9)) == (None, False)
    assert draw.open_questions


def test_courtesy_tiles_of_a_play_that_stands_are_the_draw() -> None:
    """In every set, mixed or not."""
    for rules in ALL:
        for mixed in (True, False):
            tiles = CourtesyTiles(count=3, mixed=mixed)
            (step,) = after_decision(rules, tiles, play_stands=True).steps
            assert (step.who, step.tiles) == ("player", 3)


def test_what_a_set_does_not_say_of_courtesy_tiles_is_asked() -> None:
    """Hong Kong on all, NASPA on mixed ones."""
    for rules, mixed in ((HK, False), (HK, True), (NAS, True)):
        tiles = CourtesyTiles(count=3, mixed=mixed)
        assert after_decision(rules, tiles, play_stands=False).for_director
