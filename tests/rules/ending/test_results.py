"""Overtime, games given up, result slips, recounts: what is open, and what always holds."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.game import TimePenalty
from recorder.domain.notices import coded
from recorder.domain.rules.ending.conclusions import (
    left_for_good,
    never_came,
    nobody_came,
    resignation,
)
from recorder.domain.rules.ending.overtime import (
    CHARGING,
    Limit,
    left_running,
    limit_state,
    over_s,
    overtime_forfeit,
    overtime_points,
    time_penalties,
)
from recorder.domain.rules.ending.result_slip import (
    SlipFacts,
    recount,
    slip_change,
    submitted_by,
)
from recorder.rulesets import load_rule_set
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4
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
    """And at most ten points more."""
    for rules in ALL:
        now, then = overtime_points(rules, seconds), overtime_points(rules, seconds + 1)
        assert now is not None
        assert then is not None
        assert then - now in (0, 10)
        assert now == 10 * -(-seconds // 60)


def test_penalties_that_are_not_settled_are_asked_for() -> None:
    """Only when there is overtime at all; both players can have some."""
    assert time_penalties(W1, (61, 1)).events == (TimePenalty(0, 20), TimePenalty(1, 10))
    assert time_penalties(BARE_W4, (0, 0)).open_questions == ()
    open_one = time_penalties(BARE_W4, (61, 0))
    assert open_one.events == ()
    assert len(open_one.open_questions) == len(CHARGING)
    assert overtime_points(BARE_W4, 61) is None


def test_a_clock_that_ran_on() -> None:
    """Open where the set says nothing and it matters."""
    assert "overtime.left_running" in said(left_running(HK, at_end_s=52, shown_s=70)[0])
    assert left_running(HK, at_end_s=52, shown_s=60) == ()


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
        assert found.scores is not None
        assert turned.scores == found.scores[::-1]
        assert bool(found.events) != bool(found.open_questions)


def test_a_margin_that_is_not_settled_is_asked_for() -> None:
    """Hong Kong says that the game is lost, not by how much."""
    found = overtime_forfeit(HK, (420, 300), 0)
    assert (found.margin, found.events) == (None, ())
    assert "overtime.forfeit_margin" in said(found.open_questions[0])


def test_the_opponents_own_overtime_counts_too() -> None:
    """Both clocks ran over."""
    found = overtime_forfeit(W1, (250, 430), 0, others_over_s=61)
    assert (found.scores, found.margin) == ((150, 410), 260)


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


def test_a_game_that_was_left_is_rated_where_the_set_says_so() -> None:
    """NASPA rates it; elsewhere nobody says."""
    assert left_for_good(NAS, (0, 0), 0).rated is True
    assert left_for_good(NAS, (300, 300), 0).margin == 50
    assert left_for_good(W1, (300, 300), 0).rated is None


def test_who_never_came() -> None:
    """A margin that can be raised is asked about."""
    assert never_came(W1) == never_came(PSA) == ()
    assert "100" in said(never_came(W4)[0])


def slip(*, handed_in: bool = False, **others: object) -> SlipFacts:
    """A slip with a counting error of ten points."""
    known = {"written": (401, 388), "agreed": (401, 388), "computed": (401, 398), **others}
    return SlipFacts(handed_in=handed_in, **known)  # type: ignore[arg-type]


def test_a_right_slip_stays() -> None:
    """In every set."""
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


def test_what_was_agreed_stands_when_the_slip_says_something_else() -> None:
    """Entered wrongly and handed in: NASPA writes what was agreed, right or wrong."""
    wrong = slip(handed_in=True, written=(411, 388), computed=(401, 398))
    ruling = slip_change(NAS, wrong)
    assert ruling.scores == (401, 388)


@given(SCORES, SCORES, SCORES)
def test_a_slip_without_difference_is_right(
    written: tuple[int, int], agreed: tuple[int, int], computed: tuple[int, int]
) -> None:
    """And only such a one."""
    facts = SlipFacts(handed_in=False, written=written, agreed=agreed, computed=computed)
    is_right = slip_change(W1, facts).why == coded("slip_right")
    assert is_right == (written == agreed == computed)


def test_who_hands_it_in() -> None:
    """The winner; at a tie only one set says who."""
    assert submitted_by(W1, (400, 390))[0] == 0
    assert submitted_by(W1, (400, 400))[1]
    assert submitted_by(HK, (400, 390))[1]


def test_recounts_by_right_by_grace_and_not_at_all() -> None:
    """With the reason in words."""
    wide: dict[str, Any] = {"margin": 12, "asked_after_s": 5}
    assert recount(PSA, **wide).granted is None
    assert recount(PSA, **wide, is_director_convinced=True).granted is True
    assert recount(W1, **wide, is_director_convinced=True).granted is False
    assert recount(NAS, **wide).granted is True
    lost = recount(NAS, margin=1, asked_after_s=5, is_overtime_forfeit=True)
    assert "overtime" in said(lost.title)
    assert recount(HK, **wide).granted is None
    steps = [said(step.act) for step in recount(W1, margin=3, asked_after_s=5).steps]
    assert "Recount the whole game or nothing" in steps
    assert len(steps) == 4


def test_nobody_came() -> None:
    """Both lose in NASPA, elsewhere the director says."""
    assert nobody_came(NAS) == 50
    assert nobody_came(W1) is None
