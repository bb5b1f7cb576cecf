"""Holds and courtesy draws beyond the worked cases."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.turn.courtesy import (
    CourtesyTiles,
    after_decision,
    courtesy_from_ms,
)
from recorder.domain.rules.turn.hold import (
    AfterPlay,
    Right,
    is_flash_draw,
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


def test_a_hold_keeps_the_right_whatever_is_drawn_meanwhile() -> None:
    """Courtesy tiles do not end it; clear words put it back to the first tile."""
    held = AfterPlay(press_ms=0, hold_ms=3000, first_tile_out_ms=70_000)
    assert right_to_challenge(W1, held).right is Right.OPEN
    released = replace(held, released_ms=10_000)
    assert right_to_challenge(W1, released).right is Right.LOST
    in_time = replace(released, challenge_ms=20_000)
    assert right_to_challenge(W1, in_time).right is Right.OPEN


def test_what_was_drawn_during_a_hold_counts_from_its_end() -> None:
    """The right ends when the hold is given up and tiles are out already."""
    facts = AfterPlay(press_ms=0, hold_ms=3000, first_tile_out_ms=65_000, released_ms=80_000)
    at = {ms: replace(facts, challenge_ms=ms) for ms in (79_000, 81_000)}
    assert [right_to_challenge(W1, called).right for called in at.values()] == [
        Right.OPEN,
        Right.LOST,
    ]


def test_a_set_that_says_nothing_of_the_right_asks() -> None:
    """Version 4 before anybody confirmed version 3's words."""
    bare = in_force("wespa4", confirmed=False)
    assert right_to_challenge(bare, AfterPlay(press_ms=0)).open_questions


def test_a_flash_is_less_than_the_time_to_wait() -> None:
    """Exactly five seconds is none; without a number it is evidence only."""
    assert [is_flash_draw(NAS, ms) for ms in (4999, 5000)] == [True, False]
    assert is_flash_draw(HK, 3200) is None


def test_a_draw_before_the_press_leaves_the_right_where_no_window_is_set() -> None:
    """Until when is asked."""
    facts = AfterPlay(first_tile_out_ms=3000, press_ms=5000)
    for rules in (W1, HK, W4, PSA):
        standing = right_to_challenge(rules, facts)
        assert standing.right is Right.OPEN
        assert any("hold" in said(question) for question in standing.open_questions)


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
    """And always one later."""
    from_ms = courtesy_from_ms(rules, press_ms=press, hold_ms=press + after)
    assert from_ms is not None
    assert from_ms > press


def test_a_set_without_a_courtesy_delay_has_no_instant() -> None:
    """Version 4 before anybody confirmed version 3's words."""
    bare = in_force("wespa4", confirmed=False)
    assert courtesy_from_ms(bare, press_ms=0, hold_ms=1) is None


def test_what_a_set_does_not_say_of_courtesy_tiles_is_asked() -> None:
    """Hong Kong on all, NASPA on mixed ones."""
    for rules, mixed in ((HK, False), (HK, True), (NAS, True)):
        tiles = CourtesyTiles(count=3, mixed=mixed)
        assert after_decision(rules, tiles).for_director
