"""Cases D: what the slip says, what follows when it says nothing, and who decides."""

from recorder.domain.game import Passed, Played, replay
from recorder.domain.notices import Manner, Notice, Phase
from recorder.domain.plays import parse_placement
from recorder.domain.rules.blanks.blanks import (
    LetterDispute,
    leftover_marks,
    missing_at_press,
    settle_dispute,
)
from recorder.domain.rules.blanks.slip import (
    OWN_SHEETS,
    BlankPlay,
    Designation,
    DesignationStatus,
    Mark,
    match_marks,
)
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tile_text import read_tile
from tests.boards import board_of
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, case
from tests.rules.laid import ENGLISH, letter_at, sq
from tests.rules.said import said

TO_N = board_of("8G TO?N")


def two_blanks(*marks: Mark) -> tuple[Designation, ...]:
    """The slip after a play across row 8 with blanks on its second and sixth square."""
    play = BlankPlay(turn=1, squares=(sq("E8"), sq("I8")), began_ms=0, pressed_ms=60_000)
    return match_marks([play], marks)


@case("D1")
def _two_blanks_in_the_order_of_the_slip() -> None:
    """The upper letter is the blank that comes first in the word, for better or worse."""
    reading = two_blanks(
        Mark(letter=read_tile("N"), at_ms=50_000, top=10),
        Mark(letter=read_tile("E"), at_ms=52_000, top=30),
    )
    assert (letter_at(reading, "E8"), letter_at(reading, "I8")) == (read_tile("N"), read_tile("E"))
    assert [one.status for one in reading] == [DesignationStatus.DECLARED] * 2


@case("D2")
def _two_blanks_side_by_side_on_the_slip() -> None:
    """N was written first, but stands to the right: the place decides."""
    reading = two_blanks(
        Mark(letter=read_tile("N"), at_ms=50_000, top=10, left=40),
        Mark(letter=read_tile("E"), at_ms=52_000, top=10, left=5),
    )
    assert (letter_at(reading, "E8"), letter_at(reading, "I8")) == (read_tile("E"), read_tile("N"))


@case("D3")
def _said_and_written_differ() -> None:
    """The written letter holds; the director gets to know of the other."""
    play = BlankPlay(turn=3, squares=(sq("H8"),), began_ms=0, pressed_ms=9_000)
    reading = match_marks([play], [Mark(letter=read_tile("T"), at_ms=5_000)])
    assert letter_at(reading, "H8") == read_tile("T")
    noticed = route(NAS, Notice.BLANK_SPOKEN_OTHERWISE, Phase.PLAYING)
    assert (noticed.director, noticed.players) == (Manner.SHOW, False)


@case("D4")
def _only_spoken() -> None:
    play = BlankPlay(turn=3, squares=(sq("H8"),), began_ms=0, pressed_ms=9_000)
    reading = match_marks([play], [])
    assert reading[0].status is DesignationStatus.MISSING


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
        before = match_marks([play], [])[0]
        after = match_marks([play], [Mark(letter=read_tile("Q"), at_ms=64_000)])[0]
        assert (before.status, before.letter) == (DesignationStatus.MISSING, read_tile("?"))
        assert (after.status, after.letter) == (DesignationStatus.LATE, read_tile("Q"))
        events = (played, *procedure.events)
        assert replay(ENGLISH, events).on_turn == 1
        assert not any(isinstance(event, Passed) for event in events)


def disputed(on_move: int = 1) -> LetterDispute:
    """A blank of player 0, who says O; the other says R."""
    return LetterDispute(
        square=sq("I8"), owner=0, on_move=on_move, owner_says="O", opponent_says="R"
    )


@case("D6")
def _unrecorded_and_disputed_on_move() -> None:
    for on_move, names in ((0, "player"), (1, "opponent")):
        outcome = settle_dispute(W1, disputed(on_move))
        name, challenge = outcome.steps
        assert (name.who, name.code, challenge.code) == (names, "name_letter", "challenge_words")
        assert challenge.who != names
        assert not outcome.for_director


@case("D7")
def _unrecorded_and_three_letters_fit() -> None:
    """The director may let the opponent's reading hold, if it makes a word."""
    outcome = settle_dispute(PSA, disputed())
    assert [(step.who, step.code) for step in outcome.steps] == [("director", "allow_reading")]
    assert outcome.for_director


@case("D8")
def _badly_declared_and_plausibly_confused() -> None:
    """The opponent says which letter it is; words with it can be challenged."""
    outcome = settle_dispute(W4, disputed())
    judge, declare, challenge = outcome.steps
    assert (judge.who, declare.who, challenge.who) == ("director", "opponent", "either")
    assert outcome.for_director


@case("D9", skipped="the director decides it, and the program has no part in it")
def _well_recorded_and_misread() -> None:
    """The director may let the move be made again; without a record it stands."""


@case("D10")
def _a_letter_of_the_last_game_on_the_slip() -> None:
    old = Mark(letter=read_tile("E"), at_ms=-5_000)
    play = BlankPlay(turn=4, squares=(sq("H8"),), began_ms=100_000, pressed_ms=140_000)
    reading = match_marks([play], [old], before_game=[old])
    assert reading[0].status is DesignationStatus.MISSING
    assert letter_at(reading, "H8") == read_tile("?")
    procedure = leftover_marks(NAS, [str(old.letter)])
    codes = [step.code for step in procedure.steps]
    assert codes == ["stop_clock", "correct_slip", "start_clock"]


@case("D11")
def _a_blank_z_on_a_triple_letter() -> None:
    """Three times nothing is nothing."""
    play, real = parse_placement("6E IzE"), parse_placement("6E IZE")
    board = board_of("8F X")
    for rules in ALL:
        blank = play_score(rules, board, play, ENGLISH)
        assert blank == 2
        assert play_score(rules, board, real, ENGLISH) - blank == 3 * 10


@case("D12", skipped="the players ask each other, and the program has no part in it")
def _asked_again_with_the_clock_stopped() -> None:
    """Declared a turn ago; the opponent is not sure and may stop the clock."""


@case("D13", skipped="the players ask each other, and the program has no part in it")
def _asked_again_after_another_play() -> None:
    """Only the asker's own time is used."""


@case("D14")
def _both_sheets_against_a_claim() -> None:
    """Where the sheets are the record they decide, elsewhere private notes do not."""
    for rules in ALL:
        assert (rules.get("blank.medium") == OWN_SHEETS) is (rules is PSA)
