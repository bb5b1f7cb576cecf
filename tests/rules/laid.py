"""Boards and plays for the cases on placement, blanks and silence."""

from collections.abc import Sequence

from recorder.domain.board import Square, parse_square
from recorder.domain.game import Played
from recorder.domain.plays import parse_placement
from recorder.domain.rules.blanks.slip import Designation
from recorder.domain.rules.event.standings import Result
from recorder.domain.rules.placement.layings import Laying, illegal_kinds
from recorder.domain.rules.placement.placement import IllegalPlay
from recorder.domain.rules.placement.scores import play_score
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import BLANK, Tile
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.boards import board_of

ENGLISH = load_tile_set("english")
QUALM = ("8D QUALM",)


def scored(rules: RuleSet, text: str, before: Sequence[str] = ()) -> int:
    return play_score(rules, board_of(*before), parse_placement(text), ENGLISH)


def laying(text: str, before: Sequence[str] = ()) -> Laying:
    """The tiles of a play after others."""
    return Laying(before=board_of(*before), tiles=parse_placement(text).new_tiles())


def illegal_play(text: str, points: int, before: Sequence[str] = ()) -> IllegalPlay:
    """A play of the first player from a full rack after others, with what is wrong with it."""
    laid = laying(text, before)
    return IllegalPlay(
        played=Played(0, parse_placement(text), points),
        laying=laid,
        kinds=illegal_kinds(laid),
        kept=7 - len(laid.tiles),
    )


def sq(name: str) -> Square:
    return parse_square(name)[0]


def tiles(**letters: str) -> dict[Square, Tile]:
    """Tiles by the names of their squares, ``H8="A"``."""
    return {sq(name): read_tile(letter) for name, letter in letters.items()}


def played(round_: int, first: str, second: str, scores: tuple[int, int]) -> Result:
    """A game played to its end."""
    return Result(round=round_, first=first, second=second, margin=scores[0] - scores[1])


def letter_at(read: Sequence[Designation], square: str) -> Tile:
    """The letter of the blank on a square by the slip, ``BLANK`` while it does not tell.

    Of two plays on the same square, the first taken off since, it is the later one's.
    """
    found = [blank.letter for blank in read if blank.square == sq(square)]
    return found[-1] if found else BLANK
