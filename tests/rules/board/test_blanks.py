"""What decides a blank's letter, disputes, and the states of a designation."""

from dataclasses import replace

import pytest

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.rules.blanks.blanks import (
    LetterDispute,
    LetterEvidence,
    RecordKind,
    ask_again,
    deciding_letter,
    fitting_letters,
    leftover_marks,
    misread_blank,
    missing_at_press,
    redesignate,
    settle_dispute,
    words_through,
)
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tile
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4
from tests.rules.laid import ENGLISH, board_of, sq
from tests.rules.said import all_said, said

DISPUTE = LetterDispute(square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="R")
BY_NAME = pytest.mark.parametrize("rules", ALL, ids=lambda rules: rules.name)


@BY_NAME
def test_a_spoken_letter_is_never_the_record(rules: RuleSet) -> None:
    """BLANK-1: each set wants it in writing."""
    decided = deciding_letter(rules, LetterEvidence(spoken="S"))
    assert (decided.letter, decided.record) == ("?", RecordKind.NONE)
    assert all_said(decided.notes) == ("S was said, nothing that counts is written",)


def test_sheets_that_differ_decide_nothing() -> None:
    """And one sheet alone does, where the other is empty."""
    both = deciding_letter(PSA, LetterEvidence(mover_sheet="E", opponent_sheet="O"))
    assert both.letter == "?"
    assert "the sheets differ" in said(both.open_questions[0])
    assert deciding_letter(PSA, LetterEvidence(mover_sheet="E")).letter == "E"
    assert deciding_letter(PSA, LetterEvidence(slip="E")).letter == "?"


@BY_NAME
def test_an_undeclared_blank_has_a_remedy_everywhere(rules: RuleSet) -> None:
    """BLANK-2; none of them is a turn of the opponent."""
    procedure = missing_at_press(rules, sq("H8"))
    assert procedure.events == ()
    assert said(procedure.steps[1].act) == "write the letter down"
    assert procedure.steps[-1].code in ("press", "start_clock")
    stops = "stop the clock" in said(procedure.steps[0].act)
    assert stops == (rules in (W1, PSA))


def test_a_set_without_a_remedy_asks_the_director() -> None:
    """The rest of what no text settles, too."""
    for procedure in (
        leftover_marks(W1, "E"),
        ask_again(PSA, played_since=True),
        misread_blank(NAS, recorded=True, just_played=True),
        settle_dispute(HK, DISPUTE),
    ):
        assert procedure.for_director
        assert procedure.steps == ()
    assert leftover_marks(NAS, "").steps == ()


def test_the_director_designates_in_naspa() -> None:
    """Whatever anybody says to have spoken."""
    outcome = settle_dispute(NAS, DISPUTE)
    assert outcome.chooser is None
    assert [step.who for step in outcome.steps] == ["director"]


def test_without_a_word_list_the_psa_director_asks_for_one() -> None:
    """Only letters that make words can be granted."""
    outcome = settle_dispute(PSA, DISPUTE)
    assert outcome.chooser is None
    assert "no word list" in said(outcome.open_questions[0])
    granted = settle_dispute(PSA, replace(DISPUTE, fitting=(Tile("R"),)))
    assert granted.chooser == 1


def test_only_the_last_move_can_be_played_again_in_version_4() -> None:
    """BLANK-6: version 1 looks at the record alone."""
    assert misread_blank(W4, recorded=True, just_played=True).steps
    assert not misread_blank(W4, recorded=True, just_played=False).steps
    assert misread_blank(W1, recorded=True, just_played=False).steps


def test_every_word_through_the_blank_must_be_good() -> None:
    """Across and down, other blanks with their letters."""
    board = board_of(["8G TO?n", "I7 A.E"])
    assert words_through(board, sq("I8")) == (read_tiles("TO?N"), read_tiles("A?E"))
    good = {read_tiles(word) for word in ("TOON", "TORN", "TOWN", "ARE", "AWE")}
    assert fitting_letters(board, sq("I8"), ENGLISH.letters, good.__contains__) == read_tiles("RW")
    # A second blank of which nothing is known decides nothing.
    unknown = board_of(["8G T??N", "I7 A.E"])
    assert fitting_letters(unknown, sq("I8"), read_tiles("ORW"), good.__contains__) == read_tiles(
        "RW"
    )


def test_redesignating_touches_blanks_only() -> None:
    """A letter tile, or no tile, stays what it is."""
    board = board_of(["8G TO?N"])
    assert redesignate(board, sq("G8"), read_tile("X")) == board
    assert redesignate(board, sq("A1"), read_tile("X")) == board
    assert redesignate(EMPTY_BOARD, sq("A1"), read_tile("X")) == EMPTY_BOARD
    assert redesignate(redesignate(board, sq("I8"), read_tile("R")), sq("I8"), read_tile("w"))[
        sq("I8")
    ] == read_tile("w")
