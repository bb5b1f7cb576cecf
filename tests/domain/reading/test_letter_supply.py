"""The letters of all tiles together, under what the tile set has of each."""

import random
from itertools import product

import pytest

from recorder.domain.board import Square
from recorder.domain.reading.histories.letters import (
    FOREIGN_COST,
    Assignment,
    assign,
    supply_penalty,
)
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import BLANK, Face, TileSet
from recorder.tilesets import load_tile_set

pytestmark = pytest.mark.slow

ENGLISH = load_tile_set("english")
FACES = (BLANK, *ENGLISH.letters)


def sure(**costs: float) -> list[float]:
    """Costs by face: those given, all others far off."""
    return [costs.get(str(face), 20.0) for face in FACES]


def on_squares(rows: list[list[float]]) -> dict[Square, list[float]]:
    """The costs of tiles on the first squares of the board."""
    return {Square(number): row for number, row in enumerate(rows)}


def faces_of(found: Assignment) -> str:
    """The faces in the order of the squares."""
    return write_tiles(found.readings[square].face for square in sorted(found.readings))


def test_a_letter_in_excess_may_take_the_place_of_another() -> None:
    """One Q too many is nearly an O; eight Os are seen, and the eighth is nearly a C."""
    rows = [sure(Q=0.0), sure(Q=0.0, O=0.1, D=3.5), *[sure(O=0.0)] * 7, sure(O=0.0, C=0.05)]
    found = assign(on_squares(rows), FACES, ENGLISH)
    assert (faces_of(found), found.penalty) == ("QOOOOOOOOC", pytest.approx(0.15))


def test_a_letter_surely_seen_too_often_stays() -> None:
    """Two sure Qs are a tile of another set, whatever the rest of the board could be."""
    rows = [sure(Q=0.0), sure(Q=0.0, O=9.0), sure(O=0.0, C=0.1)]
    found = assign(on_squares(rows), FACES, ENGLISH)
    assert (faces_of(found), found.penalty) == ("QQO", FOREIGN_COST)


def test_the_letters_are_the_cheapest_of_all_that_the_set_allows() -> None:
    """Held against every possibility, for 80 small boards of a set of seven tiles."""
    faces = "?ABCD"
    counts = dict(zip(faces, (1, 2, 1, 2, 1), strict=True))
    small = TileSet(
        "small",
        tuple(Face(letter, 1, counts[letter], is_vowel=letter == "A") for letter in "ABCD"),
        blanks=1,
    )
    dice = random.Random(7)
    for _ in range(80):
        rows = [[dice.random() for _ in faces] for _ in range(dice.randint(2, 6))]
        least = min(
            sum(row[column] for row, column in zip(rows, columns, strict=True))
            for columns in product(range(len(faces)), repeat=len(rows))
            if all(columns.count(n) <= counts[face] for n, face in enumerate(faces))
        )
        unbound = sum(min(row) for row in rows)
        assert supply_penalty(on_squares(rows), read_tiles(faces), small) == pytest.approx(
            least - unbound
        )
