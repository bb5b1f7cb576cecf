"""Who settles which letter a blank has that was never recorded (BLANK-5), and with what effect."""

from collections.abc import Callable
from dataclasses import dataclass

from recorder.domain.board import Board, Direction, Square, name_across
from recorder.domain.notices import CodedText, coded
from recorder.domain.plays import run_through
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.core.procedure import DIRECTOR, EITHER, OPPONENT, Procedure, Step, Who
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeOutcome:
    """Who may name the letter, out of which, and whose words they then are.

    ``chooser`` is a player (0 or 1), or None where it is the director. ``letters`` are those to
    choose from, None where there is no limit. ``words_of`` is the player as whose words in the
    coming turn they count, None where they stay those of the play; ``challengeable``: the words
    with the blank may be challenged.
    """

    procedure: Procedure
    chooser: int | None
    letters: Tiles | None
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
            act = coded("name_letter_anybody_says_spoken")
            return _by_director(dispute, (DIRECTOR("name_letter", act, "BLANK-5"),))
        case _:
            return _by_director(dispute, (), coded("who_settles_letter_blank"))


def _title(dispute: LetterDispute) -> CodedText:
    return coded(
        "unrecorded_blank",
        square=name_across(dispute.square),
        owner=dispute.owner_says or coded("no_letter"),
        opponent=dispute.opponent_says or coded("no_letter"),
    )


def _dispute_procedure(
    dispute: LetterDispute, steps: tuple[Step, ...], *questions: CodedText
) -> Procedure:
    return Procedure("BLANK-5", _title(dispute), steps=steps, open_questions=questions)


def _by_director(
    dispute: LetterDispute, steps: tuple[Step, ...], *questions: CodedText
) -> DisputeOutcome:
    procedure = _dispute_procedure(dispute, steps, *questions)
    return DisputeOutcome(procedure=procedure, chooser=None, letters=None)


def _by_player_on_move(dispute: LetterDispute) -> DisputeOutcome:
    who = Who.PLAYER if dispute.on_move == dispute.owner else Who.OPPONENT
    act = coded("being_move_name_letter_its")
    other = Who.OPPONENT if who is Who.PLAYER else Who.PLAYER
    steps = (
        Step(who, "name_letter", act, "BLANK-5"),
        Step(other, "challenge_words", coded("challenge_any_those_words_not"), "BLANK-5"),
    )
    return DisputeOutcome(
        procedure=_dispute_procedure(dispute, steps),
        chooser=dispute.on_move,
        letters=None,
        words_of=dispute.on_move,
        challengeable=True,
    )


def _by_opponents_reading(dispute: LetterDispute) -> DisputeOutcome:
    act = coded("let_opponents_reading_hold_not")
    step = DIRECTOR("allow_reading", act, "BLANK-5")
    if dispute.fitting is None:
        return _by_director(dispute, (step,), coded("letters_make_valid_words_there"))
    if dispute.opponent_says not in map(label_text, dispute.fitting):
        act = coded("refuse_reading_makes_no_valid", opponent_says=dispute.opponent_says)
        return _by_director(dispute, (DIRECTOR("refuse_reading", act, "BLANK-5"),))
    return DisputeOutcome(
        procedure=_dispute_procedure(dispute, (step,)),
        chooser=1 - dispute.owner,
        letters=dispute.fitting,
    )


def _by_plausibility(dispute: LetterDispute) -> DisputeOutcome:
    ask = DIRECTOR("judge_plausible", "say_whether_confusion_plausible", "BLANK-5")
    if dispute.plausible is False:
        return _by_director(dispute, (ask,), coded("letter_holds_confusion_not_being"))
    declare = OPPONENT("declare_letter", "declare_letter", "BLANK-5")
    challenge = EITHER("challenge_words", "challenge_words_not", "BLANK-5")
    if dispute.plausible is None:
        question = coded("whether_confusion_plausible_if_follows")
        return _by_director(dispute, (ask, declare, challenge), question)
    return DisputeOutcome(
        procedure=_dispute_procedure(dispute, (ask, declare, challenge)),
        chooser=1 - dispute.owner,
        letters=None,
        challengeable=True,
    )


def redesignate(board: Board, sq: Square, letter: Tile) -> Board:
    """The board once a blank has another letter.

    The points of plays made do not change; later words through it read otherwise (BLANK-5).
    A square without a blank is left as it is.
    """
    if not board[sq].is_blank:
        return board
    return board.place({sq: as_blank(letter)})
