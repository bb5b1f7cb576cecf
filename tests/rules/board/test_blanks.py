"""What decides a blank's letter, disputes, and the states of a designation."""

import pytest

from recorder.domain.rules.blanks.blanks import (
    LetterDispute,
    leftover_marks,
    missing_at_press,
    settle_dispute,
)
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1
from tests.rules.laid import sq
from tests.rules.said import said

DISPUTE = LetterDispute(square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="R")
BY_NAME = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)


@BY_NAME
def test_an_undeclared_blank_has_a_remedy_everywhere(rules: RuleSet) -> None:
    """BLANK-2; none of them is a turn of the opponent."""
    procedure = missing_at_press(rules, sq("H8"))
    assert procedure.events == ()
    assert said(procedure.steps[1].act) == "write the letter down"
    assert procedure.steps[-1].code in ("press", "start_clock")
    stops = "stop the clock" in said(procedure.steps[0].act)
    assert stops == (rules in (W1, PSA))


def test_the_director_designates_in_naspa() -> None:
    """Whatever anybody says to have spoken."""
    outcome = settle_dispute(NAS, DISPUTE)
    assert [step.who for step in outcome.steps] == ["director"]


def test_without_a_word_list_the_psa_director_asks_for_one() -> None:
    """Only letters that make words can be granted."""
    outcome = settle_dispute(PSA, DISPUTE)
    assert [step.code for step in outcome.steps] == ["allow_reading"]
    assert "no word list" in said(outcome.open_questions[0])


def test_a_set_without_a_remedy_asks_the_director() -> None:
    """The rest of what no text settles, too."""
    for procedure in (leftover_marks(W1, "E"), settle_dispute(HK, DISPUTE)):
        assert procedure.for_director
        assert procedure.steps == ()
    assert leftover_marks(NAS, "").steps == ()
