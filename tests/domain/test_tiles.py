"""Tile sets and the tile account."""

import copy
import pickle
import re

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.tile_text import read_tile, read_tiles, write_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tile, as_blank, face, unseen
from recorder.tilesets import load_tile_set, parse_tile_set, tile_set_names


def test_a_blank_is_worth_nothing_whatever_it_stands_for() -> None:
    """SCORE-2: a blank counts 0; so does a rack's worth of it."""
    english = load_tile_set("english")
    assert (
        english.value(read_tile("q")),
        english.value(read_tile("?")),
        english.value(Tile("Q")),
    ) == (
        0,
        0,
        10,
    )
    assert english.points(read_tiles("QI?")) == 11
    assert read_tile("ö").is_blank
    assert face(read_tile("ö")) == read_tile("?")


def test_the_tile_account_is_closed_over_board_and_racks() -> None:
    """Board, racks and unseen tiles add up to the set; what is over shows below zero."""
    english = load_tile_set("english")
    left = unseen(english, read_tiles(".QuIZ.."), racks=[read_tiles("EEE?")])
    assert sum(left.values()) == 100 - 8
    assert (left[read_tile("Q")], left[BLANK], left[Tile("E")]) == (0, 0, 9)
    assert unseen(english, read_tiles("ZZ"))[read_tile("Z")] == -1
    assert unseen(english, read_tiles("Ä"))[read_tile("Ä")] == -1


SHIPPED = [
    "catalan", "dutch", "english", "french", "german", "norwegian", "polish", "spanish"
]  # fmt: skip


def test_an_unknown_tile_set_is_named_together_with_the_known_ones() -> None:
    """The message shows which sets there are, and which may have been meant."""
    assert tile_set_names() == tuple(SHIPPED)
    with pytest.raises(NotationError, match=r"klingon.*catalan, dutch, english"):
        load_tile_set("klingon")
    with pytest.raises(NotationError, match=r"did you mean spanish\?"):
        load_tile_set("spanisch")


@pytest.mark.parametrize(
    ("name", "total", "letters", "points"),
    [
        ("catalan", 100, 26, 189), ("dutch", 102, 26, 230), ("english", 100, 26, 187),
        ("french", 102, 26, 197), ("german", 102, 29, 202), ("norwegian", 100, 26, 202),
        ("polish", 100, 32, 190), ("spanish", 100, 28, 192),
    ],
)  # fmt: skip
def test_each_shipped_set_has_its_tiles(name: str, total: int, letters: int, points: int) -> None:
    """Tiles, letters and points of the sets as players know them."""
    tile_set = load_tile_set(name)
    assert (tile_set.total, len(tile_set.letters), tile_set.count(BLANK)) == (total, letters, 2)
    counted = sum(face.count * face.value for face in tile_set.faces)
    assert counted == points


def test_labels_of_several_letters_are_tiles_of_their_own() -> None:
    """CH, LL and RR in Spanish, L·L, NY and QU in Catalan: one tile, one value, one square."""
    spanish, catalan = load_tile_set("spanish"), load_tile_set("catalan")
    assert [spanish.value(Tile(label)) for label in ("CH", "LL", "RR", "Ñ")] == [5, 8, 8, 8]
    assert [catalan.value(Tile(label)) for label in ("L·L", "NY", "QU", "Ç")] == [10, 10, 8, 10]
    assert write_tiles(read_tiles("CALLE", spanish)) == "CA[LL]E"
    assert write_tiles(read_tiles("COL·LEGI", catalan)) == "CO[L·L]EGI"
    assert read_tiles("CA[L][L]E", spanish) == read_tiles("CALLE")


@pytest.mark.parametrize("name", SHIPPED)
def test_every_tile_reads_back_as_it_was_written(name: str) -> None:
    """Letter tiles, named and unnamed blanks, and the very same objects after a copy."""
    tile_set = load_tile_set(name)
    tiles = (EMPTY, BLANK, *tile_set.letters, *map(as_blank, tile_set.letters))
    assert read_tiles(write_tiles(tiles)) == read_tiles(write_tiles(tiles), tile_set) == tiles
    assert copy.deepcopy(tiles) == pickle.loads(pickle.dumps(tiles)) == tiles


A = '{ label = "A", count = 9, value = 1, vowel = true },'


@pytest.mark.parametrize(
    ("faces", "line", "message"),
    [
        (A + "\n" + A, 5, "the label A is in line 4 already"),
        ('{ label = "A", count = 0, value = 1, vowel = true },', 4, "count of A must be 1 or more"),
        ('{ label = "A", cuont = 1, value = 1 },', 4, "did you mean count?"),
        ('{ label = "A", count = "1", value = 1 },', 4, "count must be a whole number"),
        ('{ label = "a", count = 1, value = 1 },', 4, "capital letters"),
        (A + '\n{ label = "5", count = 1, value = 1 },', 5, "capital letters"),
        ('{ label = "B", count = 1, value = 3 },', 4, "no face is a vowel; mark them"),
    ],
    ids=["twice", "count 0", "key", "text for a number", "small", "digit", "no vowels"],
)
def test_a_mistake_in_a_file_is_named_with_its_line(faces: str, line: int, message: str) -> None:
    text = f'name = "mine"\nblanks = 2\nfaces = [\n{faces}\n]\n'
    with pytest.raises(NotationError, match=re.escape(message)) as fault:
        parse_tile_set(text, source="mine.toml")
    assert str(fault.value).startswith(f"mine.toml:{line}: ")


@pytest.mark.parametrize("text", ["name = ", 'name = "x"\n', 'name = "x"\nfaces = 3\n'])
def test_what_is_no_tile_set_file_is_refused_by_name(text: str) -> None:
    """Broken TOML, and no faces at all."""
    with pytest.raises(NotationError, match=r"mine\.toml"):
        parse_tile_set(text, source="mine.toml")
