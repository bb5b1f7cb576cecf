"""What decides a blank's letter, disputes, and the states of a designation."""

from dataclasses import replace

from recorder.domain.rules.blanks.blanks import LetterDispute, leftover_marks, settle_dispute
from tests.rules.case_book import HK, NAS, PSA, W1
from tests.rules.laid import sq
from tests.rules.said import said

DISPUTE = LetterDispute(square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="R")


def test_without_a_word_list_the_psa_director_asks_for_one() -> None:
    """Only letters that make words can be granted."""
    outcome = settle_dispute(PSA, DISPUTE)
    assert [step.code for step in outcome.steps] == ["allow_reading"]
    assert "no word list" in said(outcome.open_questions[0])


def test_a_dispute_is_named_by_the_letters_that_are_known() -> None:
    """A director may begin it with the square alone."""
    unsaid = replace(DISPUTE, owner_says="", opponent_says="")
    titles = [said(settle_dispute(W1, dispute).title) for dispute in (DISPUTE, unsaid)]
    assert titles == ["The unrecorded blank on 8I: O or R", "The unrecorded blank on 8I"]


def test_a_set_without_a_remedy_asks_the_director() -> None:
    """The rest of what no text settles, too."""
    for procedure in (leftover_marks(W1, "E"), settle_dispute(HK, DISPUTE)):
        assert procedure.for_director
        assert procedure.steps == ()
    assert leftover_marks(NAS, "").steps == ()
