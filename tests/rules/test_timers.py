"""The countdowns of the rules: how long, from when, and that none is forgotten."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.turn.timers import TIMERS, RunningTimer, Timer, TimerEvent, timers
from recorder.rulesets import RuleSet, load_parameters
from tests.rules.case_book import HK, NAS, PSA, W1, W4, in_force

SETS = (W1, HK, W4, PSA, NAS)
NO_COUNTDOWN = {
    "turn.accidental_press_bonus_s": "time given",
    "challenge.time_penalty_s": "time taken",
    "challenge.wrong_removal_bonus_s": "time given",
    "infraction.minor_remedy_s": "time given or taken",
    "overtime.starts_at_s": "a place on the display",
}


def only(rules: RuleSet, moments: dict[TimerEvent, int]) -> RunningTimer:
    """The one countdown that is on."""
    (timer,) = timers(rules, moments)
    return timer


def test_every_number_of_seconds_is_counted_down_or_says_why_not() -> None:
    """A new parameter in seconds must find its place."""
    in_seconds = {name for name, one in load_parameters().items() if one.unit == "seconds"}
    used = {one.parameter for one in TIMERS} | {one.less for one in TIMERS}
    assert in_seconds == (used - {""}) | set(NO_COUNTDOWN)


@pytest.mark.parametrize(
    ("name", "lengths"),
    [  # W1, HK, W4 with all confirmed, PSA, NAS
        ("wait before the draw", (None, None, None, None, 5)),
        ("courtesy draw, from the press", (60, None, None, 60, None)),
        ("courtesy draw, from the hold", (None, 30, 30, None, 15)),
        ("hold or challenge after an unpressed draw", (None, None, None, None, 15)),
        ("hold or challenge after coming back", (None, None, None, None, 5)),
        ("shuffle", (None, None, None, None, 10)),
        ("grace for a late player", (None, None, None, None, 300)),
        ("time after which a late player may decline", (600, 600, 600, 600, None)),
        ("time of an absent player", (1500, 1500, 1500, 1500, None)),
        ("time to arrive", (None, None, None, None, 1500)),
        ("bag kept for a hold", (None, None, None, None, 15)),
        ("hold", (None, None, None, None, None)),
        ("reaction to a play-out, then the other clock", (5, None, 5, 5, None)),
        ("reaction to a play-out, then the end", (None, None, None, None, 15)),
        ("disconnected tiles at the end", (None, None, None, None, 15)),
        ("picking after an overdraw", (None, None, None, None, 15)),
        ("picking after an overdraw, bag low", (None, None, None, None, 60)),
        ("picking after a wrong exchange", (None, None, None, None, 60)),
        ("picking after a draw in absence", (None, None, None, None, 60)),
        ("picking after an improper return", (None, None, None, None, 60)),
        ("picking after a spill, bag low", (None, None, None, None, 60)),
        ("asking for a recount", (None, None, None, None, 60)),
        ("overtime that loses the game", (600, 600, 600, 600, 600)),
    ],
)
def test_lengths_are_those_of_the_sets(name: str, lengths: tuple[int | None, ...]) -> None:
    """As in the rulebook's table of seconds."""
    (timer,) = (one for one in TIMERS if one.name == name)
    assert tuple(timer.seconds(rules) for rules in SETS) == lengths


def test_a_name_comes_once() -> None:
    """Screens tell countdowns apart by name."""
    assert len({timer.name for timer in TIMERS}) == len(TIMERS)


def test_a_hold_arms_the_courtesy_draw_from_the_press() -> None:
    """Without a hold nothing is counted; with one the press counts."""
    assert timers(W1, {TimerEvent.PRESS: 0}) == ()
    timer = only(W1, {TimerEvent.PRESS: 0, TimerEvent.HOLD: 4000})
    assert (timer.started_ms, timer.until_ms) == (0, 60_000)
    assert (timer.left_ms(45_000), timer.is_over(60_000)) == (15_000, True)
    assert only(HK, {TimerEvent.PRESS: 0, TimerEvent.HOLD: 4000}).until_ms == 34_000
    assert timers(W1, {TimerEvent.PRESS: 0, TimerEvent.HOLD: 4000, TimerEvent.RELEASED: 9000}) == ()


def test_a_hold_can_be_limited_by_the_event() -> None:
    """The sets know no limit; an organiser may."""
    rules = in_force("wespa1", hold__max_s=180)
    found = {one.name: one.until_ms for one in timers(rules, {TimerEvent.HOLD: 1000})}
    assert found == {"hold": 181_000}


def test_a_draw_before_the_press_opens_a_window() -> None:
    """A press before the draw makes it an ordinary one; a press after it does not close it."""
    assert only(NAS, {TimerEvent.TILE_OUT: 3000}).until_ms == 18_000
    assert only(NAS, {TimerEvent.TILE_OUT: 3000, TimerEvent.PRESS: 5000}).name.startswith("hold or")
    assert timers(NAS, {TimerEvent.TILE_OUT: 3000, TimerEvent.PRESS: 2000}) == ()
    assert timers(NAS, {TimerEvent.TILE_OUT: 3000, TimerEvent.CHALLENGE: 9000}) == ()


def test_the_one_that_is_over_first_comes_first() -> None:
    """After the end of a game two run side by side."""
    found = timers(NAS, {TimerEvent.OVER: 0})
    assert [one.until_ms for one in found] == [15_000, 60_000]
    assert timers(NAS, {TimerEvent.OVER: 0, TimerEvent.FINAL: 5000}) == ()


def test_the_programs_own_reminders_run_under_every_set() -> None:
    """A stop without a reason, and clocks that stand after their cause was settled."""
    for rules in SETS:
        assert only(rules, {TimerEvent.STOPPED: 0}).until_ms == 60_000
        assert only(
            rules, {TimerEvent.STOPPED: 0, TimerEvent.REASON: 5, TimerEvent.SETTLED: 9}
        ).until_ms == (30_009)


@given(
    moments=st.dictionaries(st.sampled_from(list(TimerEvent)), st.integers(0, 10**7)),
    rules=st.sampled_from(SETS),
    timer=st.sampled_from(TIMERS),
)
def test_what_has_ended_is_not_on(
    moments: dict[TimerEvent, int], rules: RuleSet, timer: Timer
) -> None:
    """An end after everything else stops a countdown, and what is on began at its start."""
    for one in timers(rules, moments):
        assert one.until_ms > one.started_ms
        assert one.started_ms in moments.values()
    late = max(moments.values(), default=0) + 1
    names = {one.name for one in timers(rules, {**moments, timer.ends[0]: late})}
    assert timer.name not in names


def row_of_page(timer: Timer) -> str:
    """A countdown's row in docs/procedures.md; brackets where a value awaits confirmation."""
    cells = []
    for name in ("wespa1", "wespa3_hk", "wespa4", "psa", "naspa"):
        own = timer.seconds(in_force(name, confirmed=False))
        agreed = timer.seconds(in_force(name))
        cells.append(str(own) if own else f"({agreed})" if agreed else "-")
    return f"| {timer.name} | {timer.start} | {' | '.join(cells)} | {timer.then} |"


def test_the_page_lists_every_countdown() -> None:
    """With its length under each set."""
    page = Path(__file__).parents[2] / "docs" / "procedures.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    first = lines.index("| countdown | from | W1 | HK | W4 | PSA | NAS | then |") + 2
    assert lines[first : first + len(TIMERS)] == [row_of_page(timer) for timer in TIMERS]
