"""Challenges beyond the worked cases: binding, words, prices, verdicts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.game import ChallengeBonus, Passed, Penalty
from recorder.domain.rules.challenge.challenge import (
    Progress,
    check_slip,
    is_binding,
    issue,
    may_take_back,
)
from recorder.domain.rules.challenge.penalties import (
    ChallengedPlay,
    System,
    cost,
    system_of,
)
from recorder.domain.rules.challenge.verdict import (
    ChallengeResult,
    after_verdict,
    correct_verdict,
    wrong_removal,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, in_force
from tests.rules.said import said


def good(words: int = 1, *, wrong_before: int = 0) -> ChallengedPlay:
    """A challenge by player 1 of a play of 20 points that stands."""
    return ChallengedPlay(mover=0, words=words, stands=True, score=20, wrong_before=wrong_before)


def test_the_systems_of_the_sets() -> None:
    """By lexicon in NASPA, none in Hong Kong, an event's own where it names one."""
    assert system_of(NAS, lexicon="NWL23") is System.DOUBLE
    assert system_of(NAS, lexicon="CSW24") is System.PER_WORD_5
    assert cost(NAS, good(), lexicon="German").open_questions
    assert cost(HK, good()).open_questions
    assert [system_of(rules) for rules in (W1, W4, PSA)] == [
        System.PER_WORD_5,
        System.PER_WORD_5,
        System.SINGLE,
    ]
    own = in_force("psa", challenge__default="double")
    assert system_of(own) is System.DOUBLE


@pytest.mark.parametrize(
    ("system", "points"),
    [
        (System.SINGLE, (0, 0, 0)),
        (System.DOUBLE, (0, 0, 0)),
        (System.PER_WORD_5, (15, 15, 15)),
        (System.PER_TURN_5, (5, 5, 5)),
        (System.PER_WORD_10, (30, 30, 30)),
        (System.PER_TURN_10, (10, 10, 10)),
        (System.FIVE_THEN_TEN, (5, 10, 10)),
        (System.GROWING, (5, 10, 30)),
        (System.VOID, (0, 0, 0)),
    ],
)
def test_points_of_the_first_third_and_ninth_wrong_challenge(
    system: System, points: tuple[int, ...]
) -> None:
    """Of three words each; a series goes on with its last step."""
    rules = in_force("wespa1", challenge__default=system.value)
    found = tuple(cost(rules, good(3, wrong_before=before)).points for before in (0, 2, 8))
    assert found == points


def test_a_price_in_time_is_set_by_the_director_within_limits() -> None:
    """What is taken off the clock is 30 to 60 s, as the system's name says."""
    rules = in_force("wespa1", challenge__default="time_30_60s")
    price = cost(rules, good())
    assert (price.seconds, price.points, bool(price.open_questions)) == ((30, 60), 0, True)
    steps = after_verdict(
        rules, ChallengeResult(stands=True, score=20, tiles=3, due=3), price
    ).steps
    assert "30 to 60 s off" in said(steps[0].act)


@given(
    words=st.lists(st.booleans(), min_size=1, max_size=8),
    before=st.integers(0, 9),
    system=st.sampled_from(list(System)),
    name=st.sampled_from(["wespa1", "naspa", "psa"]),
)
def test_one_bad_word_and_the_challenge_is_free(
    words: list[bool], before: int, system: System, name: str
) -> None:
    """Under every system; the verdict does not tell which word it was."""
    stands = all(words)
    verdict = ChallengedPlay(
        mover=0, words=len(words), stands=stands, score=20, wrong_before=before
    )
    price = cost(in_force(name, challenge__default=system.value), verdict)
    if not stands:
        assert (price.points, price.turn_lost, price.seconds) == (0, False, None)
    charged = [e.points for e in price.events if isinstance(e, ChallengeBonus | Penalty)]
    assert charged in ([], [price.points])
    assert price.turn_lost is (Passed(1) in price.events)


def test_what_binds() -> None:
    """In each set, as far as it says."""
    said, stopped = Progress(said=True), Progress(said=True, stopped=True)
    walking = Progress(said=True, moving=True)
    for rules in ALL:
        assert is_binding(rules, said) is False
        assert is_binding(rules, stopped) is True
        assert is_binding(rules, walking) is (rules is NAS)
    assert is_binding(W1, Progress(stopped=True)) is False
    assert may_take_back(in_force("wespa4", confirmed=False), said).allowed is None


def test_a_found_tile_lets_the_challenge_be_taken_back() -> None:
    """Of a play-out that was none, in NASPA."""
    progress = Progress(said=True, stopped=True, tile_found=True)
    assert may_take_back(NAS, progress).rule == "LOOSE-3"
    assert may_take_back(NAS, progress).allowed is True
    assert may_take_back(W1, progress).allowed is False


def test_how_a_challenge_is_made() -> None:
    """In the set's own order."""
    assert [said(step.act) for step in issue(W1).steps][:2] == [
        "announce the challenge",
        "stop both clocks",
    ]
    assert "face down" in said(issue(PSA).steps[1].act)
    assert issue(NAS).steps[-1].who == "player"
    assert issue(W4).for_director


def test_a_word_twice_on_the_slip_must_be_twice_on_the_board() -> None:
    """A turn can make the same word two times."""
    assert check_slip(W1, slip=["AS", "AS"], formed=["AS", "AS", "ASS"]) is None
    found = check_slip(NAS, slip=["AS", "AS"], formed=["AS", "ASS"])
    assert found is not None
    assert found.for_director


@pytest.mark.parametrize(
    ("rules", "starter"),
    [(W1, "either"), (PSA, "player"), (NAS, "player")],
    ids=("w1", "psa", "nas"),
)
def test_a_play_comes_off_before_the_clock_runs(rules: RuleSet, starter: str) -> None:
    """And who starts it is the set's."""
    verdict = ChallengedPlay(mover=0, words=1, stands=False, score=20)
    price = cost(rules, verdict, lexicon="CSW24")
    steps = after_verdict(
        rules, ChallengeResult(stands=False, score=20, tiles=3, due=0), price
    ).steps
    assert (steps[0].tiles, steps[0].done_when) == (3, "board-3")
    assert "challenger's clock" in said(steps[-1].act)
    assert steps[-1].who == starter


def test_a_play_that_stands_is_announced_again_where_the_set_says_so() -> None:
    """Then the clock runs and the mover draws."""
    price = cost(W1, good(2))
    procedure = after_verdict(W1, ChallengeResult(stands=True, score=20, tiles=3, due=3), price)
    assert [said(step.act) for step in procedure.steps] == [
        "enter 10 points",
        "announce the score again: 20",
        "start the challenger's clock",
        "draw",
    ]
    assert procedure.for_director


def test_a_wrong_verdict_where_the_set_is_silent() -> None:
    """Is the director's."""
    for rules in (HK, NAS):
        assert correct_verdict(rules, ruled_good=True, touched=0).allowed is None


def test_a_tile_too_many_is_put_back() -> None:
    """Where the set is silent, the director decides."""
    now: dict[str, Any] = {"play": frozenset({"9F"}), "wrong": frozenset({"8H"})}
    now |= {"challenger_played": False, "mover_played": False}
    remedy = wrong_removal(NAS, **now)
    assert remedy is not None
    assert "8H" in said(remedy.steps[0].act)
    silent = wrong_removal(W1, **now)
    assert silent is not None
    assert silent.for_director
    assert wrong_removal(NAS, **{**now, "wrong": frozenset()}) is None
