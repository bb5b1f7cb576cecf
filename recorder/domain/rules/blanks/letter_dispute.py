"""Who settles which letter a blank has that was never recorded (BLANK-5), and with what effect."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace

from recorder.domain.board import Board, Direction, Square, name_across
from recorder.domain.notices import coded
from recorder.domain.plays import run_through
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.core.procedure import (
    DIRECTOR,
    EITHER,
    OPPONENT,
    PLAYER,
    Procedure,
    Step,
)
from recorder.domain.tile_text import label_text
from recorder.domain.tiles import BLANK, Tile, Tiles, as_blank, unnamed


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
