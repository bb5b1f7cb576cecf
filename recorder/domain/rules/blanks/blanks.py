"""Blanks: which record decides, and what follows when there is none.

BLANK-1 to BLANK-9 but for the reading of the slip itself, which is in ``slip``, and for whoever
disputes a letter, in ``letter_dispute``. A letter once declared stays for the game; only a dispute
about one that was never recorded, or the director, can change it. Scores do not change with it: a
blank counts nothing (SCORE-2).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.board import Square, name_across
from recorder.domain.notices import CodedText, coded
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
from recorder.domain.tiles import BLANK


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
