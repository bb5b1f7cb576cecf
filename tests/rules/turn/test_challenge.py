"""Challenges beyond the worked cases: binding, words, prices, verdicts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.game import ChallengeBonus, Passed, Penalty
from recorder.domain.rules.challenge.challenge import Progress, check_slip, may_take_back
from recorder.domain.rules.challenge.penalties import ChallengedPlay, System, cost
from recorder.domain.rules.challenge.verdict import ChallengeResult, after_verdict
from tests.rules.case_book import NAS, W1, in_force
from tests.rules.said import said


def good(words: int = 1, *, wrong_before: int = 0) -> ChallengedPlay:
    return ChallengedPlay(mover=0, words=words, stands=True, score=20, wrong_before=wrong_before)


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


def test_a_found_tile_lets_the_challenge_be_taken_back() -> None:
    """Of a play-out that was none, in NASPA."""
    progress = Progress(said=True, stopped=True, tile_found=True)
    assert may_take_back(NAS, progress) is True
    assert may_take_back(W1, progress) is False


def test_a_word_twice_on_the_slip_must_be_twice_on_the_board() -> None:
    """A turn can make the same word two times."""
    assert check_slip(W1, slip=["AS", "AS"], formed=["AS", "AS", "ASS"]) is None
    found = check_slip(NAS, slip=["AS", "AS"], formed=["AS", "ASS"])
    assert found.for_director
