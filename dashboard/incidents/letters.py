"""Incidents with the letter of a blank: disputed, unclear, misread, without a slip to write on."""

from collections.abc import Callable

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, check, choice, words
from recorder.domain.board import Board, Square, name_across, parse_square
from recorder.domain.lexicon import WordList
from recorder.domain.notices import coded
from recorder.domain.rules.blanks.blanks import (
    LetterEvidence,
    ask_again,
    deciding_letter,
    misread_blank,
    no_slip,
)
from recorder.domain.rules.blanks.declaring import declaring
from recorder.domain.rules.blanks.letter_dispute import fitting_letters, redesignate, words_through
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.tile_text import label_text, plain_text, typed_letter
from recorder.domain.tiles import BLANK, Tile, Tiles
from recorder.frames.desk import IncidentField
from recorder.texts.forms import form, valued

_EVIDENCE = {
    "slip": "letter_on_slip",
    "mover_sheet": "letter_on_movers_sheet",
    "opponent_sheet": "letter_on_opponents_sheet",
    "spoken": "letter_said_before_press",
    "claimed": "letter_claimed_now",
}


def _blank_field(now: Situation) -> IncidentField:
    cells = now.state.board.cells
    names = [name_across(Square(sq)) for sq, cell in enumerate(cells) if cell.is_blank]
    known = [[name, name] for name in reversed(names)]
    return choice(
        "square", form("which_blank"), known or [["", form("no_blank")]], names[-1] if names else ""
    )


def _asked_fields(now: Situation) -> list[IncidentField]:
    return [
        _blank_field(now),
        check("since", form("play_made_after_one_blank")),
        check("recorded", form("letter_declared_rules_ask"), value=True),
        check("just", form("move_made_wrong_reading_last"), value=True),
    ]


def _asked(now: Situation, answers: Answers) -> IncidentPlan:
    again = misread_blank(
        now.rules, recorded=answers.yes("recorded"), just_played=answers.yes("just")
    )
    return IncidentPlan(
        procedure=ask_again(now.rules, played_since=answers.yes("since")),
        player=now.last_player,
        way=coded("somebody_not_sure_letter"),
        alternatives=(IncidentPlan(procedure=again, way=coded("move_made_wrong_reading")),),
    )


def _no_slip(now: Situation, _: Answers) -> IncidentPlan:
    how = declaring(now.rules)
    deadline = form("press") if how.before_press else form("end_turn")
    seen = form("slip") if how.on_slip else form("players_sheets")
    return IncidentPlan(
        procedure=no_slip(now.rules),
        player=now.last_player,
        alternatives=(
            IncidentPlan(
                procedure=how.procedure,
                way=coded("how_letter_declared"),
                numbers=((form("by"), deadline), (form("on"), seen)),
            ),
        ),
    )


def letter_incidents(listed: WordList | None) -> tuple[Incident, ...]:
    """The incidents with a blank's letter; ``listed`` is the event's word list."""

    def disputed(now: Situation, answers: Answers) -> IncidentPlan:
        sq, _ = parse_square(answers.text("square").upper())
        given = {name: answers.text(name).upper() for name in _EVIDENCE}
        found = deciding_letter(now.rules, LetterEvidence(**given))
        board = _reread(now, sq, found.letter)
        numbers: list[tuple[str, object]] = [
            (form("letter"), found.letter),
            (form("decided"), valued(found.record)),
            *((form("note"), note) for note in found.notes),
        ]
        numbers += [
            (form("words_through"), word)
            for word in map(plain_text, words_through(now.state.board, sq))
        ]
        if board is not None:
            numbers += [(form("they_read"), word) for word in _read(board.cells[sq], now, sq)]
        numbers += _fitting(now, sq, listed.valid if listed else None)
        return IncidentPlan(
            procedure=Procedure(
                "BLANK-7",
                coded("blanks_letter_is_disputed", square=name_across(sq)),
                open_questions=found.open_questions,
            ),
            player=now.last_player,
            numbers=tuple(numbers),
        )

    return (
        Incident(
            name="blank_disputed",
            fields=lambda now: [
                _blank_field(now),
                *(words(name, form(label)) for name, label in _EVIDENCE.items()),
            ],
            plan=disputed,
        ),
        Incident(name="blank_asked", fields=_asked_fields, plan=_asked),
        Incident(name="no_slip", fields=lambda _: [], plan=_no_slip),
    )


def _reread(now: Situation, sq: Square, letter: str) -> Board | None:
    """The board with the letter that counts for a blank; None while none does."""
    tile = typed_letter(letter, now.state.tile_set)
    return redesignate(now.state.board, sq, tile) if tile and tile is not BLANK else None


def _read(letter: Tile, now: Situation, sq: Square) -> list[str]:
    words = words_through(now.state.board, sq)
    return [plain_text(letter if tile is BLANK else tile for tile in word) for word in words]


def _fitting(
    now: Situation, sq: Square, valid: Callable[[Tiles], bool] | None
) -> list[tuple[str, object]]:
    """Which letters make every word through it one of the event's list: for the director only."""
    if valid is None:
        return []
    board = now.state.board
    letters = fitting_letters(board, sq, now.state.tile_set.letters, valid)
    return [(form("letters_which_list_all_words"), " ".join(map(label_text, letters)) or "none")]
