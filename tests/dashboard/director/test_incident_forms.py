"""Every form that a director can open: what it is filled in with, and what the rules say then."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from dashboard.incidents.facts import Situation, situation
from dashboard.incidents.plan import plan_of
from dashboard.web.incidents import incidents
from recorder.domain.errors import NotationError, TilecastError
from recorder.rulesets import rule_set_names
from tests.dashboard.table_writer import TableWriter

EVERY = incidents()
MEANT = {
    "slip_words": {"slip": "FABLE ZZZ"},
    "one_by_one": {"results": "good bad"},
    "askew": {"shares": "8H 60 8I 40"},
    "tiles_checked": {"blocks": "AAAAA EEEEE"},
    "start_draw": {"first": "C", "second": "?"},
}
"""What is answered otherwise than the form comes."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Situation]:
    """A table under any rule set: FABLE with a blank has been played, and AL."""
    known: dict[str, Situation] = {}

    def table(rules: str) -> Situation:
        if rules not in known:
            log = tmp_path_factory.mktemp(rules) / "log.db"
            writer = TableWriter(log, at=1_000_000)
            writer.start(rules=rules)
            writer.play(0, "8D FAbLE")
            writer.play(1, "G7 A.")
            writer.log.close()
            known[rules] = situation(writer.rows, 1)
        return known[rules]

    return table


def answers(now: Situation, name: str) -> dict[str, Any]:
    """A form's answers as it comes, but for what it cannot know."""
    form = next(incident for incident in EVERY if incident.name == name).fields(now)
    return {field["name"]: field["value"] for field in form} | MEANT.get(name, {})


@pytest.mark.parametrize("rules", rule_set_names())
def test_every_form_is_worked_out_under_every_rule_set(
    tables: Callable[[str], Situation], rules: str
) -> None:
    """No form lacks a field that its plan reads, and each plan has something to say."""
    now = tables(rules)
    for incident in EVERY:
        plan = plan_of(EVERY, incident.name, now, answers(now, incident.name))
        parts = [plan, *plan["alternatives"]]
        said = [part["steps"] or part["numbers"] or part["questions"] for part in parts]
        assert any(said) or incident.name == "other", incident.name
        assert all(part["rule"] for part in parts) or incident.name == "other", incident.name


SAYS = [
    ("wespa1", "slip_words", "a challenge is settled by", "CHAL-1"),
    ("naspa", "one_by_one", "one entry of all words would say", "bad"),
    ("wespa1", "tiles_checked", "tiles", 10),
    ("wespa1", "start_draw", "starts", "Ben"),
    ("wespa1", "askew", "it is on", "8H"),
    ("wespa1", "blank_disputed", "they read then", "FAsLE"),
]


@pytest.mark.parametrize(("rules", "name", "figure", "value"), SAYS)
def test_a_form_says_what_the_rules_say(
    tables: Callable[[str], Situation], rules: str, name: str, figure: str, value: object
) -> None:
    """Figures of forms whose answer is known from the rulebook."""
    now = tables(rules)
    given = answers(now, name) | ({"slip": "S"} if name == "blank_disputed" else {})
    said = dict(plan_of(EVERY, name, now, given)["numbers"])
    assert figure in said
    assert value is None or said[figure] == value


WRONG = [
    ("askew", {"shares": "8H"}, "8H 60"),
    ("askew", {"shares": "8H much"}, "shares"),
    ("start_draw", {"first": "C D", "second": "E"}, "second"),
    ("one_by_one", {"results": "maybe"}, "good bad"),
]


@pytest.mark.parametrize(("name", "given", "word"), WRONG)
def test_answers_that_cannot_be_name_their_field(
    tables: Callable[[str], Situation], name: str, given: dict[str, str], word: str
) -> None:
    """And say what is wanted."""
    now = tables("wespa1")
    with pytest.raises(NotationError, match=word):
        plan_of(EVERY, name, now, answers(now, name) | given)


JUNK: tuple[Any, ...] = (
    "",
    "x",
    "-1",
    "99999999",
    "8H",
    "9.9.999",
    "²",
    None,
    3,
    True,
    [1],
    {"a": 1},
)


def test_no_answer_breaks_a_form(tables: Callable[[str], Situation]) -> None:
    """Whatever stands in a field: a plan, or a fault that the page can say; nothing else."""
    now = tables("naspa")
    for incident in EVERY:
        given = answers(now, incident.name)
        for name in given:
            for junk in JUNK:
                with suppress(TilecastError, ValueError):
                    assert plan_of(EVERY, incident.name, now, given | {name: junk})["title"]
