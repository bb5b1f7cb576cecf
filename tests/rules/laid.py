"""Boards and plays for the cases on placement, blanks and silence."""

from collections.abc import Sequence

from recorder.domain.board import EMPTY_BOARD, Board, Square, parse_square
from recorder.domain.plays import parse_placement
from recorder.domain.rules.layings import Laying
from recorder.domain.rules.scores import PlayScore, play_score
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import HK, NAS, PSA, W1, W4

ENGLISH = load_tile_set("english")
ALL = (W1, HK, W4, PSA, NAS)
QUALM = ("8D QUALM",)


def board_of(texts: Sequence[str]) -> Board:
    """The board after some placements."""
    board = EMPTY_BOARD
    for text in texts:
        board = board.place(parse_placement(text).new_tiles())
    return board


def scored(rules: RuleSet, text: str, before: Sequence[str] = ()) -> PlayScore:
    """What a play scores after others."""
    return play_score(rules, board_of(before), parse_placement(text), ENGLISH)


def laying(text: str, before: Sequence[str] = ()) -> Laying:
    """The tiles of a play after others."""
    return Laying(before=board_of(before), tiles=parse_placement(text).new_tiles())


def sq(name: str) -> Square:
    """A square by its name."""
    return parse_square(name)[0]


def tiles(**letters: str) -> dict[Square, str]:
    """Tiles by the names of their squares, ``H8="A"``."""
    return {sq(name): letter for name, letter in letters.items()}
