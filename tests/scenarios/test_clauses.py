"""What the rules demand at the table, clause by clause: every scenario."""

from collections.abc import Iterator
from typing import Any

import pytest

from devices.lab.scenario_senses import RenderedSenses
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import Notice
from recorder.lab.scenario.expectations import ExpectTold
from recorder.lab.scenario.text.grammar import read_scenario
from tests.cases import first_of
from tests.scenarios.clause_files import (
    UNSORTED,
    ClauseFile,
    all_plays,
    clause_files,
    read_open,
    read_pixels,
)
from tests.scenarios.clause_page import PAGE, render_page
from tests.scenarios.mishap_table import PAGE as COMMANDS
from tests.scenarios.mishap_table import SHOWN, render_mishaps
from tests.scenarios.playing import first_fault, looks_read_once

OPEN = read_open()
pytestmark = pytest.mark.slow


ALONE = frozenset({11, 29, 55, 77})
"""Odd clauses by which `make test` notices changes that nothing else in it does (mutants)."""


def _plays() -> Iterator[Any]:
    """The files with their numbers; all but the first of every second clause are further ones."""
    tried = {file.clause for file in clause_files() if file.clause % 2} - ALONE
    for number, file in enumerate(clause_files()):
        marks = pytest.mark.further if file.clause in tried else ()
        tried.add(file.clause)
        yield pytest.param(number, file, id=file.name, marks=marks)


@pytest.fixture(autouse=True, scope="module")
def _read_once() -> Iterator[None]:
    with looks_read_once():
        yield


@pytest.mark.parametrize(("number", "file"), list(_plays()))
def test_a_clause_holds_or_is_listed_as_open(number: int, file: ClauseFile):
    """Under one rule set of its header a scenario holds, or the list says what is amiss.

    The files take turns with the sets, and `make test` plays one of every second clause;
    ``make scenarios`` plays every file under all of its own.
    """
    rules = file.sets[number % len(file.sets)]
    fault, listed = first_fault(file.path, rules), OPEN.get((file.name, rules))
    assert fault is None or listed, f"{rules}: {fault}"
    assert fault or not listed, f"{rules} holds: take it off open.toml (make scenarios)"


@pytest.mark.pixels
@pytest.mark.parametrize(
    "name", first_of(1, ["007_late_centre_doubles.scn", "028_letter_disputed.naspa.scn"])
)
def test_a_clause_holds_through_pictures(name: str):
    """Two of those that `make scenarios PIXELS=1` plays."""
    file = next(file for file in clause_files() if file.name == name)
    assert first_fault(file.path, file.sets[0], senses=RenderedSenses) is None


def test_a_file_plays_by_a_rule_set_of_its_header():
    """So that it shows the same when somebody plays it as it is."""
    set_up = {file.name: read_scenario(file.path).setup.rules for file in clause_files()}
    assert [file.name for file in clause_files() if set_up[file.name] not in file.sets] == []


def test_what_is_listed_as_open_is_there_and_has_a_cause():
    """No entry outlives its file or rule set, and none waits for somebody to look at it."""
    assert [play for play in OPEN if play not in set(all_plays())] == []
    assert [play for play, one in OPEN.items() if one.cause == UNSORTED] == []
    assert [play for play in read_pixels() if play not in set(all_plays())] == []


def test_the_page_of_the_clauses_is_current():
    """It says what the list says; ``make scenarios`` writes both."""
    assert PAGE.read_text(encoding="utf-8") == render_page(OPEN, read_pixels())


def test_the_table_of_mishaps_says_what_scenarios_show():
    """``make scenarios`` writes it; each mishap has a scenario, or a test of the demonstration."""
    assert render_mishaps(OPEN) in COMMANDS.read_text(encoding="utf-8")
    names = [file.name for file in clause_files()]
    starts = [start for some in SHOWN.values() for start in some]
    assert [one for one in starts if not any(name.startswith(one) for name in names)] == []


NEVER_A_NOTICE = {
    *(Notice.BAG_COUNT, Notice.BEST_PLAY, Notice.PHONY, Notice.RACK_LETTERS),  # kept knowledge
    *(Notice.DOUBTFUL_RULING, Notice.FACT_IN_DISPUTE, Notice.SUSPECTED_CHEATING),  # people's words
    *(Notice.SCORE_NOT_ANNOUNCED, Notice.TILE_FACE_DOWN),  # no sensor hears or sees it
}
SHOWN_ELSEWHERE = {
    *(Notice.NO_CLOCK, Notice.OTHER_BOARD),  # a camera alone: tests/domain/reading/test_by_hands.py
    Notice.DOUBTFUL_READING,  # an account off its track: tests/rules/tiles/test_account.py
}


def test_every_notice_and_every_fault_of_a_laying_is_told_in_some_scenario():
    """With who is informed of it; what no table can show is listed, and nothing that one does."""
    lines = [line.what for file in clause_files() for line in read_scenario(file.path).lines]
    wanted = [what for what in lines if isinstance(what, ExpectTold)]
    told = {what.code for what in wanted if what.to}
    assert set(Notice) - told == NEVER_A_NOTICE | SHOWN_ELSEWHERE
    as_another_notice = {LayingFault.EARLIER_MOVED, LayingFault.AFTER_END}
    assert set(LayingFault) - {what.facts.get("fault") for what in wanted} == as_another_notice
