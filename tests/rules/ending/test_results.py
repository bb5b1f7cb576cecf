"""Overtime, games given up, result slips, recounts: what is open, and what always holds."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.game import TimePenalty
from recorder.domain.notices import coded
from recorder.domain.rules.ending.conclusions import left_for_good, nobody_came, resignation
from recorder.domain.rules.ending.overtime import (
    CHARGING,
    Limit,
    limit_state,
    over_s,
    overtime_forfeit,
    overtime_points,
    time_penalties,
)
from recorder.domain.rules.ending.result_slip import SlipFacts, slip_change
from recorder.rulesets import load_rule_set
from tests.rules.case_book import ALL, HK, NAS, PSA, W1
from tests.rules.said import said

BARE_W4 = load_rule_set("wespa4")
SCORES = st.tuples(st.integers(0, 700), st.integers(0, 700))


def test_overtime_is_what_the_display_shows() -> None:
    """Fractions of a second do not count; a late start is deducted at the end (LATE-3)."""
    assert [over_s(left) for left in (500, 0, -1, -999, -1000, -1999, -2000)] == [
        0, 0, 0, 0, 1, 1, 2,
    ]  # fmt: skip
    late = over_s(130_000, deferred_ms=200_000)
    assert (late, overtime_points(NAS, late)) == (70, 20)


@given(st.integers(0, 3600))
def test_a_second_more_never_costs_less(seconds: int) -> None:
    for rules in ALL:
        now, then = overtime_points(rules, seconds), overtime_points(rules, seconds + 1)
        assert now is not None
        assert then is not None
        assert then - now in (0, 10)
        assert now == min(100, 10 * -(-seconds // 60))


def test_penalties_that_are_not_settled_are_asked_for() -> None:
    """Only when there is overtime at all; both players can have some."""
    assert time_penalties(W1, (61, 1)).events == (TimePenalty(0, 20), TimePenalty(1, 10))
    assert time_penalties(BARE_W4, (0, 0)).open_questions == ()
    open_one = time_penalties(BARE_W4, (61, 0))
    assert open_one.events == ()
    assert len(open_one.open_questions) == len(CHARGING)
    assert overtime_points(BARE_W4, 61) is None


def test_the_director_is_told_before_a_game_is_lost() -> None:
    """A minute before; a set without a limit never loses one."""
    states = [limit_state(W1, seconds) for seconds in (0, 1, 539, 540, 599, 600)]
    assert states == [
        Limit.WITHIN, Limit.OVER, Limit.OVER, Limit.NEAR, Limit.NEAR, Limit.LOST,
    ]  # fmt: skip
    assert limit_state(BARE_W4, 5000) is Limit.OVER


@given(SCORES, st.integers(0, 1))
def test_who_loses_by_overtime_loses(scores: tuple[int, int], offender: int) -> None:
    """By 100 at least, or by one; seats make no difference."""
    for rules, least in ((W1, 100), (PSA, 100), (NAS, 1)):
        found = overtime_forfeit(rules, scores, offender)
        assert found.margin is not None
        assert found.margin >= least
        turned = overtime_forfeit(rules, scores[::-1], 1 - offender)
        assert turned.margin == found.margin
        assert turned.scores == found.scores[::-1]
        assert bool(found.events) != bool(found.open_questions)


@given(SCORES, st.integers(0, 1))
def test_giving_up_loses_by_fifty_at_least(scores: tuple[int, int], player: int) -> None:
    """Resigned or left, in every set that says so."""
    for found in (
        resignation(W1, scores, player, emergency=True),
        resignation(NAS, scores, player, emergency=True, permitted=True),
        left_for_good(NAS, scores, player),
        left_for_good(PSA, scores, player),
    ):
        assert found.margin is not None
        assert found.margin >= 50


def test_giving_up_without_leave_is_a_question() -> None:
    """No emergency, no permission, no text."""
    improper = resignation(W1, (300, 340), 0, emergency=False)
    assert (improper.margin, improper.events) == (90, ())
    assert "at least 90" in said(improper.open_questions[0])
    assert resignation(NAS, (300, 340), 0, emergency=True).open_questions
    assert resignation(HK, (300, 340), 0, emergency=True).margin is None
    assert left_for_good(HK, (300, 340), 0).open_questions


def slip(*, handed_in: bool = False, **others: object) -> SlipFacts:
    """A slip with a counting error of ten points."""
    known = {"written": (401, 388), "agreed": (401, 388), "computed": (401, 398), **others}
    return SlipFacts(handed_in=handed_in, **known)  # type: ignore[arg-type]


def test_a_right_slip_stays() -> None:
    for rules in ALL:
        right = slip_change(rules, slip(handed_in=True, computed=(401, 388)))
        assert (right.changed, right.scores) == (False, (401, 388))


def test_afterwards_it_takes_both_or_the_director() -> None:
    """By how far the slip has come."""
    assert slip_change(W1, slip(refusal_unfair=True)).changed is None
    assert slip_change(W1, slip(handed_in=True)).changed is False
    petition = slip_change(PSA, slip(handed_in=True, both_agree=True))
    assert petition.changed is None
    assert "grant" in said(petition.open_questions[0])
    assert slip_change(NAS, slip()).open_questions
    assert slip_change(HK, slip(handed_in=True)).open_questions


@given(SCORES, SCORES, SCORES)
def test_a_slip_without_difference_is_right(
    written: tuple[int, int], agreed: tuple[int, int], computed: tuple[int, int]
) -> None:
    facts = SlipFacts(handed_in=False, written=written, agreed=agreed, computed=computed)
    is_right = slip_change(W1, facts).why == coded("slip_right")
    assert is_right == (written == agreed == computed)


def test_nobody_came() -> None:
    """Both lose in NASPA, elsewhere the director says."""
    assert nobody_came(NAS) == 50
    assert nobody_came(W1) is None
