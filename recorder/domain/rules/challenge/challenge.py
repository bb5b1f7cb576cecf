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
from recorder.domain.rules.core.procedure import Answer, Procedure, Step, Who
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.scoring import words_laid
from recorder.domain.tile_text import plain_text
from recorder.domain.tiles import Tile, unnamed


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a challenge has come.

    ``said``: the word was spoken. ``stopped``: both clocks were stopped. ``written``: words are on
    the slip. ``moving``: the slip is with the runner, or the challenger has left the table for
    the judge. ``adjudicated``: the verdict is there. ``blank_unclear``: the play has a blank
    without a clear letter. ``tile_found``: a tile turned up when the play was a play-out.
    """

    said: bool = False
    stopped: bool = False
    written: bool = False
    moving: bool = False
    adjudicated: bool = False
    blank_unclear: bool = False
    tile_found: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Challengeable:
    """The rulebook's entry that a challenge goes by, and the words it can be about."""

    rule: str
    words: tuple[str, ...] = ()


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


def may_take_back(rules: Rules, progress: Progress) -> Answer:
    """Whether the challenger may take the challenge back (CHAL-3, BLANK-4, LOOSE-3)."""
    if progress.blank_unclear and has_remedy(rules, "blank.procedure"):
        why = coded("play_blank_without_clear_letter")
        return Answer(allowed=True, rule="BLANK-4", why=why)
    if progress.tile_found and has_remedy(rules, "loose.procedure"):
        why = coded("tile_found_after_play_out")
        return Answer(allowed=True, rule="LOOSE-3", why=why)
    binding = is_binding(rules, progress)
    if binding is None:
        questions = ask(rules, "challenge.binding_when")
        why = coded("rule_set_not_say_when")
        return Answer(allowed=None, rule="CHAL-3", why=why, open_questions=questions)
    why = coded("challenge_binds") if binding else coded("challenge_not_bind_yet")
    return Answer(allowed=not binding, rule="CHAL-3", why=why)


def change_words(rules: Rules, progress: Progress) -> Answer:
    """Whether the words on the slip may still be changed (CHAL-3)."""
    match rules.get("challenge.procedure"):
        case "wespa":
            late, why = progress.moving, coded("slip_runner_challenger_gone")
        case "naspa":
            late, why = progress.adjudicated, coded("verdict_there")
        case _:
            questions = ask(rules, "challenge.procedure")
            why = coded("rule_set_not_say")
            return Answer(allowed=None, rule="CHAL-3", why=why, open_questions=questions)
    return Answer(allowed=not late, rule="CHAL-3", why=why if late else coded("not_under_way_yet"))


def concede(rules: Rules) -> Answer:
    """Whether the mover may give in without a verdict (CHAL-3)."""
    questions = ask_remedy(rules, "challenge.procedure", WESPA)
    if not questions:
        return Answer(allowed=False, rule="CHAL-3", why=coded("every_challenge_adjudicated"))
    return Answer(allowed=None, rule="CHAL-3", why=coded("not_said"), open_questions=questions)


_ACTS = {
    "say": Step(Who.OPPONENT, "say_challenge", coded("say_challenge"), "CHAL-1"),
    "turn_own_tiles_face_down": Step(
        Who.OPPONENT, "lay_rack_face_down", coded("turn_your_own_tiles_face"), "CHAL-1"
    ),
    "neutralise": Step(
        Who.OPPONENT, "stop_clock", coded("stop_both_clocks"), "CHAL-1", done_when="clock=stopped"
    ),
    "write_words": Step(Who.OPPONENT, "write_words", coded("write_words_slip"), "CHAL-1"),
    "agree_slip": Step(Who.EITHER, "agree_slip", coded("agree_slip_says"), "CHAL-1"),
    "call_runner": Step(Who.EITHER, "call_runner", coded("call_runner"), "CHAL-2"),
    "wait_for_press": Step(
        Who.OPPONENT, "wait_for_press", coded("wait_press"), "CHAL-1", done_when="press"
    ),
    "stop_timer": Step(
        Who.OPPONENT, "stop_clock", coded("stop_timer"), "CHAL-1", done_when="clock=stopped"
    ),
    "stop_clock": Step(
        Who.OPPONENT, "stop_clock", coded("stop_clock"), "CHAL-1", done_when="clock=stopped"
    ),
    "verify_spelling": Step(Who.EITHER, "check_spelling", coded("check_spelling_slip"), "CHAL-1"),
    "tiles_face_down": Step(
        Who.EITHER, "lay_racks_face_down", coded("lay_both_racks_face_down"), "CHAL-12"
    ),
    "walk": Step(Who.EITHER, "go_to_judge", coded("go_word_judge"), "CHAL-2"),
    "check_lexicon": Step(Who.EITHER, "check_lexicon", coded("check_lexicon_set"), "CHAL-2"),
    "enter": Step(Who.OPPONENT, "enter_words", coded("enter_all_words_once"), "CHAL-10"),
    "opponent_judges": Step(Who.PLAYER, "ask_judge", coded("ask_judge_verdict"), "CHAL-2"),
}


def issue(rules: Rules, *, turn_complete: bool) -> Procedure:
    """How a challenge is made, step by step (CHAL-1).

    Before the turn is complete there is nothing to challenge, in some sets it is not even
    allowed. No hold is needed first.
    """
    title = coded("challenge")
    if not turn_complete:
        forbidden = has_remedy(rules, "challenge.procedure")
        act = coded("wait_until_turn_complete")
        step = Step(Who.OPPONENT, "wait_for_press", act, "CHAL-1", done_when="press")
        title = coded("early_challenge_forbidden" if forbidden else "early_challenge")
        return Procedure("CHAL-1", title, steps=(step,))
    steps = tuple(_ACTS[act] for act in listed(rules, "challenge.issue_sequence"))
    questions = ask(rules, "challenge.issue_sequence")
    return Procedure("CHAL-1", title, steps=steps, open_questions=questions)


def challengeable(
    words: Sequence[str], *, quiet: Zero | None = None, played_out: bool = False
) -> Challengeable:
    """What a challenge of the last turn is about, and which words go on the slip (CHAL-11, CHAL-1).

    ``words`` are all that a play formed, for the director and the adjudicator only. ``quiet`` is
    what a turn without a play was (``exchange.quiet_turn``), None for a play.
    """
    if quiet is None:
        return Challengeable(rule="END-2" if played_out else "CHAL-1", words=tuple(words))
    return Challengeable(rule="EXCH-3" if quiet is Zero.EXCHANGE else "PASS-1")


def check_slip(rules: Rules, *, slip: Sequence[str], formed: Sequence[str]) -> Procedure | None:
    """What follows when the slip has a word that the turn did not form; None when all are there.

    ``formed`` are the words of the turn, capital letters throughout (CHAL-8). To be told before
    the verdict: it says nothing about any word's validity.
    """
    wrong = sorted((Counter(slip) - Counter(formed)).elements())
    if not wrong:
        return None
    title = coded("not_a_word_of_this_turn", words=", ".join(wrong))
    if questions := ask_remedy(rules, "challenge.procedure", WESPA):
        return Procedure("CHAL-8", title, open_questions=questions)
    step = Step(Who.OPPONENT, "rewrite_slip", coded("write_new_slip_if_you"), "CHAL-8")
    question = coded("whether_first_slip_costs_anything")
    return Procedure("CHAL-8", title, steps=(step,), open_questions=(question,))


def check_slip_of(
    rules: Rules, board: Board, laid: Mapping[Square, Tile], words: str
) -> Procedure | None:
    """What follows from ``words`` on the slip for tiles that were laid on a board (CHAL-8)."""
    formed = [plain_text(map(unnamed, word.tiles)) for word in words_laid(board, laid)]
    return check_slip(rules, slip=words.upper().replace(",", " ").split(), formed=formed)


def unclear_blank(rules: Rules, *, adjudicated: bool, disputed: bool = False) -> Procedure:
    """What follows when a challenged play has a blank without a clear letter (BLANK-4).

    Even after the verdict: with ``adjudicated`` its effects are undone, penalty and removal. Then
    the letter is written on the mover's time, and the challenger chooses anew. The record gets a
    correction that takes the verdict's events out.
    """
    title = coded("challenge_met_blank_without_letter")
    if questions := ask_remedy(rules, "blank.procedure"):
        return Procedure("BLANK-4", title, open_questions=questions)
    steps = [
        Step(Who.EITHER, "stop_clock", coded("stop_clock"), "BLANK-4", done_when="clock=stopped"),
        Step(Who.DIRECTOR, "look_at_slip", coded("look_slip"), "BLANK-4"),
    ]
    if adjudicated:
        act = coded("undo_verdict_penalty_off_tiles")
        steps.append(Step(Who.DIRECTOR, "withdraw_challenge", act, "BLANK-4"))
    steps.append(Step(Who.DIRECTOR, "start_clock", coded("start_movers_clock"), "BLANK-4"))
    steps.append(Step(Who.PLAYER, "write_letter", coded("write_blanks_letter"), "BLANK-4"))
    if disputed:
        act = coded("set_reasonable_letter")
        steps.append(Step(Who.DIRECTOR, "set_letter", act, "BLANK-4"))
    steps.append(Step(Who.PLAYER, "start_clock", coded("start_challengers_clock"), "BLANK-4"))
    act = coded("take_challenge_back_challenge_any")
    steps.append(Step(Who.OPPONENT, "challenge_again", act, "BLANK-4"))
    return Procedure("BLANK-4", title, steps=tuple(steps))
