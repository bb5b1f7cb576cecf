"""Incidents on the director's page: reported, opened with their facts, ticked, ruled on, closed.

What happened at the tables comes from the scenarios of the clauses, played into the log of a
venue; its recorder takes the games up from there, as after a restart.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

import recorder.lab.scenario.play as playing
from recorder.domain.observations import ClockAct, ClockChanged, Side
from recorder.lab.scenario.steps import Setup, TimePasses
from recorder.lab.scenario.table_agent import ROLES
from recorder.lab.scenario.text.grammar import Scenario, parse_scenario
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import RecorderPlan
from tests.browser.conftest import Screen, now_ms
from tests.browser.director.director_hall import (
    MARKS,
    DirectorHall,
    SeenTable,
    director_hall,
    open_desk,
)
from tests.browser.director.table_after import TableAfter
from tests.eventually import eventually

pytestmark = [*MARKS, pytest.mark.further]
SCENARIOS = Path(__file__).parents[2] / "scenarios"
DEVICES = ", ".join(
    f'"{name}-{{number}}" = "{role}"' for names in ROLES.values() for name, role in names.items()
)
TABLE = f"""
[[table]]
number = {{number}}
game = "round-1-{{number}}"
players = ["Anna", "Ben"]
tiles = "english"
rules = "{{rules}}"
minutes = 25
left_player = 1
check_clock = false
words = "words.txt"
devices = {{{{ {DEVICES} }}}}
"""
INCIDENTS = [  # the scenario; what the page says of it; whether an order is offered
    ("067_challenge_in_time", "right to challenge", True),
    ("031_overdraw_detected", "kept", False),
    ("081_never_came", "margin of 50", True),
    ("001_not_in_one_line", "6 tiles", True),
    ("060_clean", "6 tiles in the bag", True),
    ("010_tile_knocked_off", "1 tile", False),
    ("053_spill_while_drawing", "5 tiles", False),
    ("002_gap", "gap", True),
    ("005_diagonal", "diagonal", True),
    ("017_second_q", "letter Q", True),
    ("062_nothing_laid_open", "tile", True),
    ("054_improper_return", "1 tile", False),
    ("037_underdraw_early", "1 tile", False),
    ("040_drawn_out_of_order_too_few", "due", False),
    ("079_opponent_has_drawn", "", False),
    ("084_beyond_ten_minutes", "margin of", True),
    ("099_not_permitted", "margin of 79", True),
]
SENSED = [  # the scenario; what the players do then; the step that a sensor sees done by it
    ("065_exchange_from_eight_returned", "return 1 4\n+3", "Put 4 tiles back into the bag"),
    ("065_exchange_from_eight", "rack 1 7\n+2", "Take all other tiles"),
    ("011_played_from_eight", "take H11 I11 K11 L11\n+3", "Remove the play from the board"),
]
EXCHANGED = "060_clean"
TABLES = [EXCHANGED, *(name for name, *_ in SENSED), *(name for name, *_ in INCIDENTS)]
"""The scenario at each table, from table 1 on."""
UNTIL = {  # what comes after it has not happened yet; else the first procedure that is expected
    "010_tile_knocked_off": "expect told tile_gone",
    "081_never_came": "expect open no_show player 2 margin",
}
LOST = {"081_never_came", "084_beyond_ten_minutes", "099_not_permitted"}
CHALLENGED = "067_challenge_in_time"
TICK_TWO = """() => [...document.querySelectorAll(".standing .steps li:not(.done) input")]
    .slice(0, 2).forEach((box) => box.click())"""
STOPPED = {
    *("001_not_in_one_line", "002_gap", "005_diagonal", "017_second_q", "031_overdraw_detected"),
}
"""The clock is stopped at these tables once the procedure is open: its sensor ticks that step."""


@pytest.fixture(scope="module")
def hall(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DirectorHall]:
    """A venue under NASPA's rules; at the tables that tests ask for it has just happened.

    An exchange from a bag with six tiles happens at the first one.
    """
    folder = tmp_path_factory.mktemp("hall")
    tests = [item for item in request.session.items if item.path == request.path]
    cases = [item.callspec.params for item in tests if hasattr(item, "callspec")]
    wanted = {1, *(case["number"] for case in cases)}
    hall_log(folder, {number: TABLES[number - 1] for number in sorted(wanted)})
    with director_hall(folder, tables=max(wanted), table=TABLE) as venue:
        yield venue


def hall_log(folder: Path, scenarios: Mapping[int, str]) -> None:
    """The log of a venue's recorder, with a scenario at each of these tables."""
    (folder / "words.txt").write_text("QUALM\nTOTEN\n")
    with SqliteEventLog(folder / "tilecast.db") as log, pytest.MonkeyPatch.context() as patch:
        for number, name in scenarios.items():
            happened(log, patch, number, name)


def happened(log: SqliteEventLog, patch: pytest.MonkeyPatch, number: int, name: str) -> None:
    """Play a scenario at a table, until its procedure opens, in times that end now."""
    scenario = until_open(name)
    lasted_s = sum(
        line.what.seconds for line in scenario.lines if isinstance(line.what, TimePasses)
    )
    plan_of = playing.plan_of

    def plan(setup: Setup) -> RecorderPlan:
        made = plan_of(setup)
        started = replace(made.tables[0].started, game=f"round-1-{number}", table=number)
        return replace(made, tables=(replace(made.tables[0], started=started),))

    with patch.context() as here:
        here.setattr(playing, "TABLE", number)
        here.setattr(playing, "BEGAN_MS", now_ms() - round(1000 * lasted_s))
        here.setattr(playing, "_BOOT", f"{number:08x}")
        here.setattr(playing, "plan_of", plan)
        playing.play_through(scenario, store=log)


def until_open(name: str) -> Scenario:
    (file,) = [found for found in SCENARIOS.glob(f"{name}.*.scn") if "naspa" in found.name]
    text, _, _ = file.read_text().partition(f"\n{UNTIL.get(name, 'expect open')}")
    return parse_scenario(text, file.name, "naspa")


@pytest.mark.parametrize(
    ("number", "name", "known", "has_order"),
    [(number, *one) for number, one in enumerate(INCIDENTS, 2 + len(SENSED))],
    ids=[incident[0] for incident in INCIDENTS],
)
def test_an_incident_from_its_alert_to_its_ruling(
    screen: Screen, hall: DirectorHall, number: int, name: str, known: str, *, has_order: bool
) -> None:
    """The page asks for nothing that the record has; what it closes with is in the record."""
    page, seen = screen.page, hall.table(number)
    open_desk(page, hall, number)
    page.locator(".need.open button.open").first.click()
    card = page.locator(f".standing .procedure:has(.known:text('{known}'))").first
    if name in STOPPED:
        seen_done(card, hall, seen)
    card.locator(".steps li:not(.done) input").first.click()
    eventually(lambda: "order.procedure.begin" in seen.types(), f"{name}: a step is ticked")
    card.locator(".steps li.done").first.wait_for()
    if card.locator("button.countdown").count():
        timed(page, card, seen)
    card.locator("button:has-text('Rule and apply')").click()
    ruled(page, has_order=has_order)
    eventually(lambda: "order.ruling" in seen.types(), f"{name}: a ruling is in the log")
    if name == CHALLENGED:
        after_the_verdict(page, card, hall, number)
    eventually(lambda: "order.procedure.close" in seen.types(), f"{name}: it is closed")
    if name in LOST:
        eventually(lambda: hall.frame(number)["phase"] == "over", f"{name}: the game is over")
    page.wait_for_selector("dialog", state="detached")
    assert screen.complaints == []


def test_one_procedure_stays_one_whoever_takes_it_up_while_its_form_is_open(
    screen: Screen, hall: DirectorHall, browser: Browser
) -> None:
    """A second director ticks two steps in one breath; it is closed with the first one's ruling."""
    number = 1
    page, seen = screen.page, hall.table(number)
    second = browser.new_context().new_page()
    for desk in (page, second):
        open_desk(desk, hall, number)
    page.locator(".need.open button.open").first.click()
    page.locator(".standing button:has-text('Rule and apply')").first.click()
    page.wait_for_selector("dialog [name=text]")
    second.locator(".need.open button.open").first.click()
    second.locator(".standing .steps li:not(.done) input").nth(1).wait_for()
    second.evaluate(TICK_TWO)
    page.locator(".standing .steps li.done").nth(1).wait_for()
    ruled(page, has_order=True)
    page.wait_for_selector("dialog", state="detached")
    page.locator(".standing").wait_for(state="detached")
    assert seen.types().count("order.procedure.close") == 1
    second.context.close()
    assert screen.complaints == []


@pytest.mark.parametrize(
    ("number", "name", "doing", "step"),
    [(number, *sensed) for number, sensed in enumerate(SENSED, 2)],
    ids=[name for name, *_ in SENSED],
)
def test_a_step_that_a_sensor_sees_done_is_ticked(
    screen: Screen, hall: DirectorHall, number: int, name: str, doing: str, step: str
) -> None:
    """With nobody's click: the bag for tiles back, a rack for its seven, the board for a play off.

    What the players do then is done at the table of the scenario, and its devices say so.
    """
    page, seen = screen.page, hall.table(number)
    table = TableAfter(until_open(name), seen)
    open_desk(page, hall, number)
    page.locator(".need.open button.open").first.click()
    its_act = f".act:has-text('{step}')"
    card = page.locator(f".standing .procedure:has({its_act})")
    seen_done(card, hall, seen)
    ticked = card.locator(f".steps li.done:has-text('seen'):has(input:disabled):has({its_act})")
    assert ticked.count() == 0
    table.does(doing)
    ticked.wait_for()
    assert "order.procedure.begin" not in seen.types()
    assert screen.complaints == []


def seen_done(card: Locator, hall: DirectorHall, seen: SeenTable) -> None:
    """The clock stops: the page ticks the step by what the sensor says, with nobody's click."""
    ticked = card.locator(".steps li.done:has-text('seen'):has(input:disabled)")
    step = ticked.filter(has_text=re.compile("stop the clock", re.IGNORECASE))
    assert step.count() == 0
    seen.say("clock-1", stopped_at(hall.frame(seen.number)["clock"]))
    step.wait_for()
    assert "order.procedure.begin" not in seen.types()


def stopped_at(clock: dict[str, Any]) -> ClockChanged:
    """The clock as it is stopped now; its left half is the first player's."""
    left = list(clock["remaining_ms"])
    if "running" in clock:
        left[clock["running"]] -= now_ms() - clock["at"]
    return ClockChanged(act=ClockAct.PAUSE, left_ms=left[0], right_ms=left[1], running=Side.NONE)


def after_the_verdict(page: Page, card: Locator, hall: DirectorHall, number: int) -> None:
    """The word list knows no BOY: it is removed, on air too; what is left to do is on the page."""
    card.locator(".act:has-text('remove the play')").wait_for()
    card.locator(".known:has-text('verdict: the play is challenged off')").wait_for()
    air = page.context.new_page()
    air.goto(hall.server.url(f"/o/table-{number}/score"))
    # A function, not a text: pages forbid the evaluation of texts, which polling does.
    air.wait_for_function("() => /52\\s[^]*\\b0\\b/.test(document.body.innerText)")
    air.close()
    card.get_by_role("button", name="Done", exact=True).click()


def timed(page: Page, card: Locator, seen: SeenTable) -> None:
    """Let the time of a step run: anyone who opens the page again sees the same countdown."""
    card.locator("button.countdown").first.click()
    eventually(lambda: "order.procedure.time" in seen.types(), "timer running")
    page.reload()
    clock = card.locator("button.countdown").first
    eventually(lambda: re.fullmatch(r"\d+ s", clock.inner_text().strip()) is not None, "seconds")


def ruled(page: Page, *, has_order: bool) -> None:
    page.wait_for_selector("dialog [name=text]")
    assert bool(page.locator("dialog label:has-text('Record: ')").count()) is has_order
    assert page.locator("dialog .why[role=alert]").count() == 0
    page.locator("dialog [name=text]").press("Control+Enter")
