"""A clock against itself: what it reports must fit the time that it says has passed."""

import pytest

from recorder.domain.notices import coded
from recorder.domain.observations import ClockAct, ClockChanged, ClockFault, ClockPressed, Side
from recorder.domain.reading.clock_trust import ClockFinding, ClockTrust, check_clock

START = 1_500_000


def _press(side: Side, left_ms: int, right_ms: int) -> ClockPressed:
    running = Side.RIGHT if side is Side.LEFT else Side.LEFT
    return ClockPressed(side=side, left_ms=left_ms, right_ms=right_ms, running=running)


def _all(*said: tuple[int, ClockPressed | ClockChanged]) -> list[ClockFinding]:
    trust: ClockTrust | None = None
    found: list[ClockFinding] = []
    for t_ms, one in said:
        trust, news = check_clock(trust, one, t_ms=t_ms)
        found += news
    return found


def _game(ppm: float, turns: int = 30, think_ms: int = 60_000) -> list[ClockFinding]:
    """Presses of a clock whose times fall by so many millionths too much."""
    left_ms, right_ms, t_ms = START * 2, START * 2, 1_000
    said = [(t_ms, _press(Side.RIGHT, left_ms, right_ms))]
    for turn in range(turns):
        t_ms += think_ms
        fell = round(think_ms * (1 + ppm / 1e6))
        if turn % 2:
            right_ms -= fell
        else:
            left_ms -= fell
        said.append((t_ms, _press(Side.RIGHT if turn % 2 else Side.LEFT, left_ms, right_ms)))
    return _all(*said)


def test_an_honest_clock_is_believed():
    """Half an hour, also 200 ppm off: no word."""
    assert _game(0) == []
    assert _game(200) == []


@pytest.mark.parametrize("ppm", [5_000, -5_000, 2_000])
def test_a_clock_that_runs_too_fast_or_too_slow_is_told(ppm: float):
    """Each turn is within the tolerance of a second; together they are not."""
    found = _game(ppm, turns=30, think_ms=60_000)
    assert found
    assert {fault for fault, _ in found} == {ClockFault.DRIFT}
    values = dict(found[0][1].values)
    assert values["ppm"] == pytest.approx(ppm, rel=0.1)


def test_times_that_do_not_fall_are_told():
    """A minute passed, and the running half fell by two seconds."""
    found = _all(
        (1_000, _press(Side.RIGHT, START, START)),
        (61_000, _press(Side.LEFT, START - 2_000, START)),
    )
    fell = coded("half_fell", half="L", fell_ms=2_000, passed_ms=60_000)
    assert found == [(ClockFault.REMAINING, fell)]


def test_a_waiting_half_that_changes_is_told():
    found = _all(
        (1_000, _press(Side.RIGHT, START, START)),
        (2_000, _press(Side.LEFT, START - 1_000, START - 30_000)),
    )
    assert [fault for fault, _ in found] == [ClockFault.IDLE]


def test_time_that_runs_backwards_is_told():
    """A clock's own milliseconds never go back."""
    found = _all(
        (9_000, _press(Side.RIGHT, START, START)), (5_000, _press(Side.LEFT, START, START))
    )
    assert [fault for fault, _ in found] == [ClockFault.BACKWARDS]


def test_setting_and_stopping_a_clock_is_no_lie():
    """An adjustment begins again; a stopped clock does not fall."""
    adjusted = ClockChanged(
        act=ClockAct.ADJUST, left_ms=600_000, right_ms=700_000, running=Side.LEFT
    )
    paused = ClockChanged(act=ClockAct.PAUSE, left_ms=590_000, right_ms=700_000, running=Side.NONE)
    resumed = ClockChanged(
        act=ClockAct.RESUME, left_ms=590_000, right_ms=700_000, running=Side.LEFT
    )
    found = _all(
        (1_000, _press(Side.RIGHT, START, START)),
        (2_000, adjusted),
        (12_000, paused),
        (500_000, resumed),
        (510_000, _press(Side.LEFT, 580_000, 700_000)),
    )
    assert found == []
