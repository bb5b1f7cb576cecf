"""Holds and courtesy draws beyond the worked cases."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.turn.courtesy import courtesy_from_ms
from recorder.domain.rules.turn.hold import AfterPlay, Right, right_to_challenge
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, W1
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
    from_ms = courtesy_from_ms(rules, press_ms=press, hold_ms=press + after)
    assert from_ms is not None
    assert from_ms > press
