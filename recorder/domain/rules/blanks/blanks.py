"""Blanks: which record decides, what follows when there is none, and who settles a dispute.

BLANK-1 to BLANK-9 but for the reading of the slip itself, which is in ``slip``. A letter once
declared stays for the game; only a dispute about one that was never recorded, or the director, can
change it. Scores do not change with it: a blank counts nothing (SCORE-2).
"""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum

from recorder.domain.board import Board, Direction, Square, name_across
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import run_through
from recorder.domain.rules.blanks.slip import OWN_SHEETS
from recorder.domain.rules.core.parameters import Rules, has_remedy
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
    Who,
)
from recorder.domain.tile_text import label_text
from recorder.domain.tiles import BLANK, Tile, Tiles, as_blank, unnamed


class RecordKind(StrEnum):
    """What decides which letter a blank stands for (BLANK-7)."""

    SLIP = "the_slip_in_both_players_view"
    SHEETS = "the_score_sheets_of_both_players"
    NONE = "nothing_was_recorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterEvidence:
    """All that speaks for a letter: capital letters, empty where there is nothing.

    ``slip`` is what the neutral slip says, ``mover_sheet`` and ``opponent_sheet`` the players' own,
    ``spoken`` what was said before the press, ``claimed`` what the mover says it is now.
    """

    slip: str = ""
    mover_sheet: str = ""
    opponent_sheet: str = ""
    spoken: str = ""
    claimed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedLetter:
    """The letter that holds, ``"?"`` when nothing that counts was recorded.

    ``notes`` are for the director: what speaks against the record, though the record decides.
    """

    letter: str
    record: RecordKind
    notes: tuple[CodedText, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def deciding_letter(rules: Rules, evidence: LetterEvidence) -> DecidedLetter:
    """The letter by the record that counts under the rule set (BLANK-1, BLANK-7).

    Where the players' sheets are the record they decide, else only a neutral record does. What
    was only spoken is no designation anywhere.
    """
    if rules.get("blank.medium") == OWN_SHEETS:
        return _by_sheets(evidence)
    if not evidence.slip:
        notes = _contradictions(evidence, "")
        question = coded("how_letter_declared_blank_medium")
        return DecidedLetter(
            letter=BLANK.text,
            record=RecordKind.NONE,
            notes=notes,
            open_questions=() if rules.usable("blank.medium") else (question,),
        )
    return _by_record(evidence, evidence.slip, RecordKind.SLIP)


def _by_sheets(evidence: LetterEvidence) -> DecidedLetter:
    sheets = {evidence.mover_sheet, evidence.opponent_sheet} - {""}
    if len(sheets) > 1:
        question = coded(
            "sheets_differ_player_opponent",
            mover_sheet=evidence.mover_sheet,
            opponent_sheet=evidence.opponent_sheet,
        )
        return DecidedLetter(
            letter=BLANK.text, record=RecordKind.SHEETS, open_questions=(question,)
        )
    if not sheets:
        notes = _contradictions(evidence, "")
        return DecidedLetter(letter=BLANK.text, record=RecordKind.NONE, notes=notes)
    return _by_record(evidence, sheets.pop(), RecordKind.SHEETS)


def _by_record(evidence: LetterEvidence, letter: str, record: RecordKind) -> DecidedLetter:
    return DecidedLetter(letter=letter, record=record, notes=_contradictions(evidence, letter))


def _contradictions(evidence: LetterEvidence, letter: str) -> tuple[CodedText, ...]:
    written = coded("written", letter=letter) if letter else coded("nothing_counts_written")
    notes = []
    if evidence.spoken and evidence.spoken != letter:
        notes.append(coded("letter_said", spoken=evidence.spoken, written=written))
    if evidence.claimed and evidence.claimed != letter:
        notes.append(coded("letter_claimed", claimed=evidence.claimed, written=written))
    return tuple(notes)


def missing_at_press(rules: Rules, sq: Square) -> Procedure:
    """What the opponent may do about a blank that was not declared before the press (BLANK-2).

    That the clock goes back is never a pass (TURN-6). The recorder marks it for the director only.
    """
    title = coded("blank_not_declared_before_press", square=name_across(sq))
    write = PLAYER("write_letter", "write_letter_down", "BLANK-2", done_when="mark")
    match rules.get("blank.not_recorded_remedy"):
        case "neutralise_timer":
            code, first = "stop_clock", coded("stop_clock_not_letter_written")
        case "switch_timer_back_to_player" | "restart_player_timer_not_a_pass":
            code, first = "press_back", coded("press_clock_back_not_until")
        case "restart_player_clock":
            code, first = "start_clock", coded("ask_start_players_clock_again")
        case _:
            return Procedure("BLANK-2", title, open_questions=(coded("opponent_may_do_about"),))
    sends_back = rules.get("blank.not_recorded_remedy") != "neutralise_timer"
    act = coded("press_again") if sends_back else coded("start_clock_player_turn")
    again = Step(
        Who.PLAYER if sends_back else Who.EITHER,
        "press" if sends_back else "start_clock",
        act,
        "BLANK-2",
        done_when="press" if sends_back else "clock=running",
    )
    return Procedure("BLANK-2", title, steps=(OPPONENT(code, first, "BLANK-2"), write, again))


def leftover_marks(rules: Rules, letters: Iterable[str]) -> Procedure:
    """Letters that were on the slip before the game; they belong to no blank (BLANK-8)."""
    found = " ".join(letters)
    if not found:
        return Procedure("BLANK-8", coded("slip_fresh"))
    title = coded("slip_had_before_game", found=found)
    if not has_remedy(rules, "blank.procedure"):
        question = coded("whether_slip_replaced_corrected")
        return Procedure("BLANK-8", title, open_questions=(question,))
    acts = (
        ("stop_clock", coded("stop_clock")),
        ("correct_slip", coded("correct_slip")),
        ("start_clock", coded("start_clock_again")),
    )
    steps = tuple(EITHER(code, act, "BLANK-8") for code, act in acts)
    return Procedure("BLANK-8", title, steps=steps)


def ask_again(rules: Rules, *, played_since: bool) -> Procedure:
    """The opponent of the player with the blank is not sure which letter it is (BLANK-1, BLANK-5).

    ``played_since``: a play was made after the one with the blank.
    """
    title = coded("player_asks_again_letter_blank")
    match rules.get("blank.clarify_after_next_play"):
        case "timer_may_be_stopped_to_repeat":
            act = coded("stop_clock_if_you_like")
        case "own_time_only" if played_since:
            act = coded("ask_your_own_time")
        case "own_time_only":
            act = coded("ask_clock_player_blank_may")
        case _:
            question = coded("whose_time_letter_told_again")
            return Procedure("BLANK-5", title, open_questions=(question,))
    step = OPPONENT("ask_for_letter", act, "BLANK-5")
    return Procedure("BLANK-5", title, steps=(step,))


def misread_blank(rules: Rules, *, recorded: bool, just_played: bool) -> Procedure:
    """A move was made on a wrong reading of a blank: can it be played again (BLANK-6)?

    ``recorded``: the letter was declared as the rule set asks. ``just_played``: the move is the
    last one made.
    """
    title = coded("move_made_misread_blank")
    asked = rules.get("blank.replay_possible")
    if asked is None:
        return Procedure("BLANK-6", title, open_questions=(coded("whether_move_may_played_again"),))
    if not recorded or (asked == "director_move_just_played" and not just_played):
        why = coded("blank_not_declared_properly") if not recorded else coded("not_last_move")
        return Procedure("BLANK-6", coded("misread_move_stands", title=title, why=why))
    step = DIRECTOR("allow_replay", "let_move_played_again_not", "BLANK-6")
    return Procedure("BLANK-6", title, steps=(step,))


def words_through(board: Board, sq: Square) -> tuple[Tiles, ...]:
    """The words of two letters or more through a blank, with ``BLANK`` in its place, across first.

    Other blanks appear as letter tiles where their letters are known.
    """
    runs = (run_through(board, sq, direction) for direction in Direction)
    return tuple(
        tuple(BLANK if square == sq else unnamed(board[square]) for square in run)
        for run in runs
        if len(run) > 1
    )


def fitting_letters(
    board: Board, sq: Square, letters: Tiles, valid: Callable[[Tiles], bool]
) -> Tiles:
    """The letters that make every word through a blank valid; for the director only (BLANK-5).

    ``valid`` is the event's word list. Words with a further unknown blank are passed over.
    """
    words = [word for word in words_through(board, sq) if word.count(BLANK) == 1]
    return tuple(
        letter
        for letter in letters
        if all(valid(tuple(letter if tile is BLANK else tile for tile in word)) for word in words)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterDispute:
    """A dispute about a blank whose letter was never recorded properly.

    ``owner_says`` and ``opponent_says`` are capital letters, ``on_move`` is the player (0 or 1)
    whose turn it is, ``owner`` the one who laid the blank. ``fitting`` are the letters that make
    valid words (see ``fitting_letters``), None without a word list. ``plausible`` is what the
    director thinks of the confusion, None before that.
    """

    square: Square
    owner: int
    on_move: int
    owner_says: str
    opponent_says: str
    fitting: Tiles | None = None
    plausible: bool | None = None


@dataclass(frozen=True, slots=True)
class DisputeOutcome(Procedure):
    """Who may name the letter, out of which, and whose words they then are.

    ``chooser`` is a player (0 or 1), or None where it is the director. ``letters`` are those to
    choose from, None where there is no limit. ``words_of`` is the player as whose words in the
    coming turn they count, None where they stay those of the play; ``challengeable``: the words
    with the blank may be challenged.
    """

    _: KW_ONLY
    chooser: int | None = None
    letters: Tiles | None = None
    words_of: int | None = None
    challengeable: bool = False


def settle_dispute(rules: Rules, dispute: LetterDispute) -> DisputeOutcome:
    """Who settles which letter an unrecorded blank has, and with what effect (BLANK-5)."""
    match rules.get("blank.dispute_unrecorded"):
        case "player_on_move_redesignates":
            return _by_player_on_move(dispute)
        case "director_may_allow_opponent_interpretation_valid_word_only":
            return _by_opponents_reading(dispute)
        case "opponent_redeclares_if_director_agrees_plausible":
            return _by_plausibility(dispute)
        case "director_designates":
            return _outcome(dispute, DIRECTOR("name_letter", "name_letter_anybody_says_spoken"))
        case _:
            return _outcome(dispute).asking(coded("who_settles_letter_blank"))


def _outcome(dispute: LetterDispute, *steps: Step) -> DisputeOutcome:
    """The steps of a dispute; the director names the letter."""
    title = coded(
        "unrecorded_blank",
        square=name_across(dispute.square),
        owner=dispute.owner_says or coded("no_letter"),
        opponent=dispute.opponent_says or coded("no_letter"),
    )
    return DisputeOutcome("BLANK-5", title, steps=steps)


def _by_player_on_move(dispute: LetterDispute) -> DisputeOutcome:
    players = (PLAYER, OPPONENT)
    who, other = players if dispute.on_move == dispute.owner else players[::-1]
    outcome = _outcome(
        dispute,
        who("name_letter", "being_move_name_letter_its"),
        other("challenge_words", "challenge_any_those_words_not"),
    )
    on_move = dispute.on_move
    return replace(outcome, chooser=on_move, words_of=on_move, challengeable=True)


def _by_opponents_reading(dispute: LetterDispute) -> DisputeOutcome:
    outcome = _outcome(dispute, DIRECTOR("allow_reading", "let_opponents_reading_hold_not"))
    if dispute.fitting is None:
        return outcome.asking(coded("letters_make_valid_words_there"))
    if dispute.opponent_says not in map(label_text, dispute.fitting):
        act = coded("refuse_reading_makes_no_valid", opponent_says=dispute.opponent_says)
        return _outcome(dispute, DIRECTOR("refuse_reading", act))
    return replace(outcome, chooser=1 - dispute.owner, letters=dispute.fitting)


def _by_plausibility(dispute: LetterDispute) -> DisputeOutcome:
    judged = _outcome(dispute, DIRECTOR("judge_plausible", "say_whether_confusion_plausible"))
    if dispute.plausible is False:
        return judged.asking(coded("letter_holds_confusion_not_being"))
    declared = judged.then(
        OPPONENT("declare_letter", "declare_letter"),
        EITHER("challenge_words", "challenge_words_not"),
    )
    if dispute.plausible is None:
        return declared.asking(coded("whether_confusion_plausible_if_follows"))
    return replace(declared, chooser=1 - dispute.owner, challengeable=True)


def redesignate(board: Board, sq: Square, letter: Tile) -> Board:
    """The board once a blank has another letter.

    The points of plays made do not change; later words through it read otherwise (BLANK-5).
    A square without a blank is left as it is.
    """
    if not board[sq].is_blank:
        return board
    return board.place({sq: as_blank(letter)})
