"""Blanks without a letter: what follows, and who settles a dispute (BLANK-2, BLANK-5, BLANK-8).

A letter once declared stays for the game; only a dispute about one that was never recorded, or the
director, can change it. Scores do not change with it: a blank counts nothing (SCORE-2).
"""

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace

from recorder.domain.board import Square, name_across
from recorder.domain.notices import coded
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
from recorder.domain.tiles import Tiles


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
