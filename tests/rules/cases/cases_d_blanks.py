"""Cases D: what the slip says, what follows when it says nothing, and who decides."""

from recorder.domain.game import Passed, Played, replay
from recorder.domain.plays import parse_placement
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
)
from recorder.domain.rules.blanks.slip import (
    BlankPlay,
    DesignationStatus,
    Mark,
    SlipReading,
    match_marks,
    other_order,
    with_letters,
)
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import unnamed
from recorder.rulesets import RuleSet
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, case
from tests.rules.laid import ENGLISH, board_of, sq
from tests.rules.said import all_said, said

TO_N = board_of(["8G TO?N"])


def two_blanks(rules: RuleSet, *marks: Mark) -> SlipReading:
    """The slip after a play across row 8 with blanks on its second and sixth square."""
    play = BlankPlay(turn=1, squares=(sq("E8"), sq("I8")), began_ms=0, pressed_ms=60_000)
    return match_marks(rules, [play], marks)


@case("D1")
def _two_blanks_in_the_order_of_the_slip() -> None:
    """The upper letter is the blank that comes first in the word, for better or worse."""
    reading = two_blanks(
        NAS,
        Mark(letter=read_tile("N"), at_ms=50_000, top=10),
        Mark(letter=read_tile("E"), at_ms=52_000, top=30),
    )
    play = parse_placement("8D R?TAI?S")
    read = with_letters(play, reading)
    assert tuple(map(unnamed, read.word)) == read_tiles("RNTAIES")
    assert [one.status for one in reading.designations] == [DesignationStatus.DECLARED] * 2
    assert not any(one.open_questions for one in reading.designations)
    other = other_order(play, reading)
    assert other is not None
    assert tuple(map(unnamed, other.word)) == read_tiles("RETAINS")


@case("D2")
def _two_blanks_side_by_side_on_the_slip() -> None:
    """N was written first, but stands to the right: the place decides."""
    reading = two_blanks(
        NAS,
        Mark(letter=read_tile("N"), at_ms=50_000, top=10, left=40),
        Mark(letter=read_tile("E"), at_ms=52_000, top=10, left=5),
    )
    assert (reading.letter(sq("E8")), reading.letter(sq("I8"))) == (read_tile("E"), read_tile("N"))


@case("D3")
def _said_and_written_differ() -> None:
    """The written letter holds; the director gets to know of the other."""
    decided = deciding_letter(NAS, LetterEvidence(slip="T", spoken="S"))
    assert (decided.letter, decided.record) == ("T", RecordKind.SLIP)
    assert all_said(decided.notes) == ("S was said, T is written",)
    assert decided.open_questions == ()


@case("D4")
def _only_spoken() -> None:
    """A spoken letter is none."""
    decided = deciding_letter(NAS, LetterEvidence(spoken="S"))
    assert (decided.letter, decided.record) == ("?", RecordKind.NONE)
    play = BlankPlay(turn=3, squares=(sq("H8"),), began_ms=0, pressed_ms=9_000)
    reading = match_marks(NAS, [play], [])
    assert reading.designations[0].status is DesignationStatus.MISSING


@case("D5")
def _pressed_without_a_record() -> None:
    """The clock may go back until the letter is written; nobody loses a turn."""
    played = Played(0, parse_placement("8D qUALM"), 12)
    for rules in (HK, W4):
        procedure = missing_at_press(rules, sq("D8"))
        assert [step.who for step in procedure.steps] == ["opponent", "player", "player"]
        assert "press the clock back" in said(procedure.steps[0].act)
        assert not procedure.for_director
        play = BlankPlay(turn=1, squares=(sq("D8"),), began_ms=0, pressed_ms=60_000)
        before = match_marks(rules, [play], []).designations[0]
        after = match_marks(
            rules, [play], [Mark(letter=read_tile("Q"), at_ms=64_000)]
        ).designations[0]
        assert (before.status, before.letter) == (DesignationStatus.MISSING, read_tile("?"))
        assert (after.status, after.letter) == (DesignationStatus.LATE, read_tile("Q"))
        events = (played, *procedure.events)
        assert replay(ENGLISH, events).on_turn == 1
        assert not any(isinstance(event, Passed) for event in events)


@case("D6")
def _unrecorded_and_disputed_on_move() -> None:
    """Anyone who is on move names it, and answers for its words in that turn."""
    for on_move in (0, 1):
        dispute = LetterDispute(
            square=sq("I8"), owner=0, on_move=on_move, owner_says="O", opponent_says="R"
        )
        outcome = settle_dispute(W1, dispute)
        assert (outcome.chooser, outcome.words_of) == (on_move, on_move)
        assert outcome.challengeable
        assert outcome.letters is None
        assert not outcome.for_director
    named = redesignate(TO_N, sq("I8"), read_tile("R"))
    assert str(named).splitlines()[7][6:10] == "TOrN"


@case("D7")
def _unrecorded_and_three_letters_fit() -> None:
    """The director may let the opponent's reading hold, if it makes a word."""
    words = {read_tiles(word) for word in ("TOON", "TORN", "TOWN")}
    fitting = fitting_letters(TO_N, sq("I8"), ENGLISH.letters, words.__contains__)
    assert set(fitting) == {read_tile("O"), read_tile("R"), read_tile("W")}
    dispute = LetterDispute(
        square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="R", fitting=fitting
    )
    outcome = settle_dispute(PSA, dispute)
    assert outcome.chooser == 1
    assert outcome.letters == fitting
    assert [step.who for step in outcome.steps] == ["director"]
    other = LetterDispute(
        square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="X", fitting=fitting
    )
    assert settle_dispute(PSA, other).chooser is None


@case("D8")
def _badly_declared_and_plausibly_confused() -> None:
    """The opponent says which letter it is; words with it can be challenged."""
    dispute = LetterDispute(
        square=sq("I8"), owner=0, on_move=1, owner_says="O", opponent_says="R", plausible=True
    )
    outcome = settle_dispute(W4, dispute)
    assert (outcome.chooser, outcome.challengeable) == (1, True)
    assert not outcome.for_director
    for plausible in (None, False):
        open_case = LetterDispute(
            square=sq("I8"),
            owner=0,
            on_move=1,
            owner_says="O",
            opponent_says="R",
            plausible=plausible,
        )
        assert settle_dispute(W4, open_case).chooser is None
        assert settle_dispute(W4, open_case).for_director


@case("D9")
def _well_recorded_and_misread() -> None:
    """The director may let the move be made again; without a record it stands."""
    again = misread_blank(W1, recorded=True, just_played=True)
    assert [step.who for step in again.steps] == ["director"]
    assert misread_blank(W1, recorded=False, just_played=True).steps == ()


@case("D10")
def _a_letter_of_the_last_game_on_the_slip() -> None:
    """The old E belongs to no blank of this game."""
    old = Mark(letter=read_tile("E"), at_ms=-5_000)
    play = BlankPlay(turn=4, squares=(sq("H8"),), began_ms=100_000, pressed_ms=140_000)
    reading = match_marks(NAS, [play], [old], before_game=[old])
    assert reading.designations[0].status is DesignationStatus.MISSING
    assert reading.letter(sq("H8")) == read_tile("?")
    assert reading.leftover == (old,)
    procedure = leftover_marks(NAS, [str(mark.letter) for mark in reading.leftover])
    codes = [step.code for step in procedure.steps]
    assert codes == ["stop_clock", "correct_slip", "start_clock"]


@case("D11")
def _a_blank_z_on_a_triple_letter() -> None:
    """Three times nothing is nothing."""
    play, real = parse_placement("6E IzE"), parse_placement("6E IZE")
    board = board_of(["8F X"])
    for rules in ALL:
        blank = play_score(rules, board, play, ENGLISH).total
        assert blank == 2
        assert play_score(rules, board, real, ENGLISH).total - blank == 3 * 10


@case("D12")
def _asked_again_with_the_clock_stopped() -> None:
    """Declared a turn ago; the opponent is not sure and may stop the clock."""
    procedure = ask_again(W4, played_since=False)
    assert [step.who for step in procedure.steps] == ["opponent"]
    assert "stop the clock" in said(procedure.steps[0].act)
    assert not procedure.for_director


@case("D13")
def _asked_again_after_another_play() -> None:
    """Only the asker's own time is used."""
    after = ask_again(NAS, played_since=True)
    assert "your own time" in said(after.steps[0].act)
    assert "your own time" not in said(ask_again(NAS, played_since=False).steps[0].act)


@case("D14")
def _both_sheets_against_a_claim() -> None:
    """Where the sheets are the record they decide, elsewhere private notes do not."""
    evidence = LetterEvidence(mover_sheet="E", opponent_sheet="E", claimed="O")
    decided = deciding_letter(PSA, evidence)
    assert (decided.letter, decided.record) == ("E", RecordKind.SHEETS)
    assert all_said(decided.notes) == ("O is claimed, E is written",)
    for rules in (W1, W4):
        elsewhere = deciding_letter(rules, evidence)
        assert (elsewhere.letter, elsewhere.record) == ("?", RecordKind.NONE)
