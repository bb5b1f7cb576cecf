"""A challenge from the first word to the verdict: issuing, binding, changing, taking back.

In the steps the player is the mover, whose play is challenged; the opponent is the challenger.
Whether it came in time is for ``hold``, what it costs for ``penalties``, what follows for
``verdict``. No word is judged here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recorder.domain.board import Board, Square
from recorder.domain.notices import coded
from recorder.domain.rules.core.parameters import WESPA, Rules, ask, ask_remedy, has_remedy, listed
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
)
from recorder.domain.scoring import words_laid
from recorder.domain.tile_text import plain_text
from recorder.domain.tiles import Tile, unnamed


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a challenge has come.

    ``said``: the word was spoken. ``stopped``: both clocks were stopped. ``written``: words are on
    the slip. ``moving``: the slip is with the runner, or the challenger has left the table for the
    judge. ``blank_unclear``: the play has a blank without a clear letter. ``tile_found``: a tile
    turned up when the play was a play-out.
    """

    said: bool = False
    stopped: bool = False
    written: bool = False
    moving: bool = False
    blank_unclear: bool = False
    tile_found: bool = False


def is_binding(rules: Rules, progress: Progress) -> bool | None:
    """Whether a challenge can no longer be taken back; None where the set does not say (CHAL-3)."""
    match rules.get("challenge.binding_when"):
        case "said_and_neutralised":
            return progress.said and progress.stopped
        case "timer_stopped":
            return progress.stopped
        case "clock_stopped_or_words_written_or_walking":
            return progress.stopped or progress.written or progress.moving
        case _:
            return None


def may_take_back(rules: Rules, progress: Progress) -> bool | None:
    """Whether the challenger may take it back; None where it is open (CHAL-3, BLANK-4, LOOSE-3)."""
    if progress.blank_unclear and has_remedy(rules, "blank.procedure"):
        return True
    if progress.tile_found and has_remedy(rules, "loose.procedure"):
        return True
    binding = is_binding(rules, progress)
    return None if binding is None else not binding


_ACTS = {
    "say": OPPONENT("say_challenge", "say_challenge", "CHAL-1"),
    "turn_own_tiles_face_down": OPPONENT(
        "lay_rack_face_down", "turn_your_own_tiles_face", "CHAL-1"
    ),
    "neutralise": OPPONENT("stop_clock", "stop_both_clocks", "CHAL-1", done_when="clock=stopped"),
    "write_words": OPPONENT("write_words", "write_words_slip", "CHAL-1"),
    "agree_slip": EITHER("agree_slip", "agree_slip_says", "CHAL-1"),
    "call_runner": EITHER("call_runner", "call_runner", "CHAL-2"),
    "wait_for_press": OPPONENT("wait_for_press", "wait_press", "CHAL-1", done_when="press"),
    "stop_timer": OPPONENT("stop_clock", "stop_timer", "CHAL-1", done_when="clock=stopped"),
    "stop_clock": OPPONENT("stop_clock", "stop_clock", "CHAL-1", done_when="clock=stopped"),
    "verify_spelling": EITHER("check_spelling", "check_spelling_slip", "CHAL-1"),
    "tiles_face_down": EITHER("lay_racks_face_down", "lay_both_racks_face_down", "CHAL-12"),
    "walk": EITHER("go_to_judge", "go_word_judge", "CHAL-2"),
    "check_lexicon": EITHER("check_lexicon", "check_lexicon_set", "CHAL-2"),
    "enter": OPPONENT("enter_words", "enter_all_words_once", "CHAL-10"),
    "opponent_judges": PLAYER("ask_judge", "ask_judge_verdict", "CHAL-2"),
}


def issue(rules: Rules) -> Procedure:
    """How a challenge of a complete turn is made, step by step, without a hold first (CHAL-1)."""
    steps = tuple(_ACTS[act] for act in listed(rules, "challenge.issue_sequence"))
    questions = ask(rules, "challenge.issue_sequence")
    return Procedure("CHAL-1", coded("challenge"), steps=steps, open_questions=questions)


def check_slip(rules: Rules, *, slip: Sequence[str], formed: Sequence[str]) -> Procedure | None:
    """What follows when the slip has a word that the turn did not form; None when all are there.

    ``formed`` are the words of the turn, capital letters throughout (CHAL-8). To be reported before
    the verdict: it says nothing about any word's validity.
    """
    wrong = sorted((Counter(slip) - Counter(formed)).elements())
    if not wrong:
        return None
    title = coded("not_a_word_of_this_turn", words=", ".join(wrong))
    if questions := ask_remedy(rules, "challenge.procedure", WESPA):
        return Procedure("CHAL-8", title, open_questions=questions)
    step = OPPONENT("rewrite_slip", "write_new_slip_if_you", "CHAL-8")
    question = coded("whether_first_slip_costs_anything")
    return Procedure("CHAL-8", title, steps=(step,), open_questions=(question,))


def check_slip_of(
    rules: Rules, board: Board, laid: Mapping[Square, Tile], words: str
) -> Procedure | None:
    """What follows from ``words`` on the slip for tiles that were laid on a board (CHAL-8)."""
    formed = [plain_text(map(unnamed, word.tiles)) for word in words_laid(board, laid)]
    return check_slip(rules, slip=words.upper().replace(",", " ").split(), formed=formed)


def unclear_blank(rules: Rules) -> Procedure:
    """What follows when a challenged play has a blank without a clear letter (BLANK-4).

    Even after the verdict: its effects are undone, penalty and removal. Then the letter is written
    on the mover's time, and the challenger chooses again. The record gets a correction that takes
    the verdict's events out.
    """
    title = coded("challenge_met_blank_without_letter")
    if questions := ask_remedy(rules, "blank.procedure"):
        return Procedure("BLANK-4", title, open_questions=questions)
    steps = (
        EITHER("stop_clock", "stop_clock", done_when="clock=stopped"),
        DIRECTOR("look_at_slip", "look_slip"),
        DIRECTOR("withdraw_challenge", "undo_verdict_penalty_off_tiles"),
        DIRECTOR("start_clock", "start_movers_clock"),
        PLAYER("write_letter", "write_blanks_letter"),
        PLAYER("start_clock", "start_challengers_clock"),
        OPPONENT("challenge_again", "take_challenge_back_challenge_any"),
    )
    return Procedure("BLANK-4", title, steps=steps)
