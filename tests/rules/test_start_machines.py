"""Set-up, late arrival, overtime and recount as tables: the ways through them by rule set."""

import pytest

from recorder.domain.errors import RecorderError
from recorder.domain.rules.ending.result_slip import RecountFacts
from recorder.domain.rules.start.lateness import Late
from recorder.domain.rules.start.start_machines import (
    ARRIVAL,
    OVERTIME,
    RECOUNT,
    SET_UP,
    Arrival,
    ArrivalEvent,
    LateFacts,
    OverFacts,
    Overtime,
    OvertimeEvent,
    RecountCase,
    RecountEvent,
    RecountState,
    SetUp,
    SetUpEvent,
)
from recorder.domain.rules.start.starting import check_tiles
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import NAS, W1

ENGLISH = load_tile_set("english")
FULL = ["_" * 25] * 4
SHORT = ["_" * 25] * 3 + ["_" * 24]
MINUTE = 60_000


def test_a_table_comes_to_its_first_turn() -> None:
    """Check, starter, first tile, clock; nothing is skipped."""
    complete = check_tiles(W1, FULL, ENGLISH)
    state = SetUp.LAID_OUT
    for event in (SetUpEvent.CHECK, SetUpEvent.ORDER, SetUpEvent.DRAW, SetUpEvent.CLOCK):
        state = SET_UP.next(state, event, complete)
    assert state is SetUp.STARTED
    with pytest.raises(RecorderError, match="set-up"):
        SET_UP.next(SetUp.ARMED, SetUpEvent.CLOCK, complete)


@pytest.mark.parametrize(("rules", "opens"), [(W1, True), (NAS, False)])
def test_a_wrong_set_bars_the_start(rules: RuleSet, opens: bool) -> None:  # noqa: FBT001
    """The director may open the gate, except where the rule set itself forbids to start."""
    short = check_tiles(rules, SHORT, ENGLISH)
    assert SET_UP.next(SetUp.LAID_OUT, SetUpEvent.CHECK, short) is SetUp.BARRED
    assert (SET_UP.row(SetUp.BARRED, SetUpEvent.OVERRIDE, short) is not None) is opens


@pytest.mark.parametrize(
    ("minutes", "after"),
    [(5, Arrival.PLAYING), (11, Arrival.CHOOSING), (26, Arrival.FORFEITED)],
)
def test_a_late_player_plays_chooses_or_has_lost(minutes: int, after: Arrival) -> None:
    """By the time that is left of 25 minutes, in the oldest set: below fifteen is a choice."""
    late = Late(scheduled_ms=0, clock_started_ms=0, arrived_ms=minutes * MINUTE)
    facts = LateFacts(rules=W1, late=late)
    assert ARRIVAL.next(Arrival.MISSING, ArrivalEvent.ARRIVE, facts) is after


def test_overtime_costs_points_and_then_the_game() -> None:
    """In time, over, lost; and an end in time costs nothing."""
    over, lost = OverFacts(rules=NAS, seconds=61), OverFacts(rules=NAS, seconds=601)
    state = OVERTIME.next(Overtime.IN_TIME, OvertimeEvent.TICK, over)
    assert OVERTIME.next(state, OvertimeEvent.END, over) is Overtime.PENALISED
    assert OVERTIME.next(state, OvertimeEvent.TICK, lost) is Overtime.LOST
    in_time = OverFacts(rules=NAS, seconds=0)
    assert OVERTIME.row(Overtime.IN_TIME, OvertimeEvent.TICK, in_time) is None


@pytest.mark.parametrize(
    ("rules", "margin", "after_s", "state"),
    [
        (W1, 10, 30, RecountState.RECOUNTING),
        (W1, 11, 30, RecountState.REFUSED),
        (NAS, 5, 61, RecountState.REFUSED),
    ],
)
def test_a_recount_is_a_right_within_margin_and_time(
    rules: RuleSet, margin: int, after_s: int, state: RecountState
) -> None:
    """END-10, as the worked cases have it."""
    case = RecountCase(rules=rules, facts=RecountFacts(margin=margin, asked_after_s=after_s))
    assert RECOUNT.next(RecountState.AGREED, RecountEvent.ASK, case) is state
