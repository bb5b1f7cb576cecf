"""Blanks without a letter: what follows, and who settles a dispute (BLANK-2, BLANK-5, BLANK-8).

A letter once declared stays for the game; only a dispute about one that was never recorded, or the
director, can change it. Scores do not change with it: a blank counts nothing (SCORE-2).
"""

from collections.abc import Iterable
from dataclasses import dataclass

from recorder.domain.board import Square, name_across
from recorder.domain.notices import CodedText, coded
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


def missing_in_record(sq: Square) -> Procedure:
    """What is left to do about it once the game is over: the record wants its letter (BLANK-1)."""
    write = PLAYER("write_letter", "write_letter_down", "BLANK-1", done_when="mark")
    return Procedure(
        "BLANK-1", coded("blank_has_no_letter", square=name_across(sq)), steps=(write,)
    )


def leftover_marks(rules: Rules, letters: Iterable[str]) -> Procedure:
    """Letters that were on the slip before the game; they belong to no blank (BLANK-8)."""
    found = " ".join(letters)
    if not found:
        return Procedure("BLANK-8", coded("slip_fresh"))
    title = coded("slip_had_before_game", found=found)
    if not has_remedy(rules, "blank.procedure"):
        return Procedure("BLANK-8", title).asking(coded("whether_slip_replaced_corrected"))
    acts = (
        ("stop_clock", coded("stop_clock")),
        ("correct_slip", coded("correct_slip")),
        ("start_clock", coded("start_clock_again")),
    )
    steps = tuple(EITHER(code, act, "BLANK-8") for code, act in acts)
    return Procedure("BLANK-8", title, steps=steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterDispute:
    """A dispute about a blank whose letter was never recorded properly.

    ``owner_says`` and ``opponent_says`` are capital letters, ``on_move`` is the player (0 or 1)
    whose turn it is, ``owner`` the one who laid the blank.
    """

    square: Square
    owner: int
    on_move: int
    owner_says: str
    opponent_says: str


def settle_dispute(rules: Rules, dispute: LetterDispute) -> Procedure:
    """Who settles which letter an unrecorded blank has, and with what effect (BLANK-5).

    No word list is asked here: whether a letter makes words is a question to the director.
    """
    square = name_across(dispute.square)
    title = coded("unrecorded_blank_on", square=square)
    if dispute.owner_says or dispute.opponent_says:
        owner = dispute.owner_says or coded("no_letter")
        opponent = dispute.opponent_says or coded("no_letter")
        title = coded("unrecorded_blank", square=square, owner=owner, opponent=opponent)
    steps: tuple[Step, ...] = ()
    questions: tuple[CodedText, ...] = ()
    match rules.get("blank.dispute_unrecorded"):
        case "player_on_move_redesignates":
            players = (PLAYER, OPPONENT)
            who, other = players if dispute.on_move == dispute.owner else players[::-1]
            steps = (
                who("name_letter", "being_move_name_letter_its"),
                other("challenge_words", "challenge_any_those_words_not"),
            )
        case "director_may_allow_opponent_interpretation_valid_word_only":
            steps = (DIRECTOR("allow_reading", "let_opponents_reading_hold_not"),)
            questions = (coded("letters_make_valid_words_there"),)
        case "opponent_redeclares_if_director_agrees_plausible":
            steps = (
                DIRECTOR("judge_plausible", "say_whether_confusion_plausible"),
                OPPONENT("declare_letter", "declare_letter"),
                EITHER("challenge_words", "challenge_words_not"),
            )
            questions = (coded("whether_confusion_plausible_if_follows"),)
        case "director_designates":
            steps = (DIRECTOR("name_letter", "name_letter_anybody_says_spoken"),)
        case _:
            questions = (coded("who_settles_letter_blank"),)
    return Procedure("BLANK-5", title, steps=steps, open_questions=questions)
