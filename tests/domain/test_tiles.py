"""Tile sets and the tile account."""

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.tiles import TileSet, face, is_blank, unseen
from recorder.tilesets import load_tile_set, parse_tile_set, tile_set_names


def test_the_english_set_has_100_tiles_and_187_points() -> None:
    """The standard distribution: 100 tiles, two blanks, 187 points in all."""
    english = load_tile_set("english")
    assert (english.total, english.count("?"), english.count("E")) == (100, 2, 12)
    assert sum(english.count(letter) * english.value(letter) for letter in english.letters) == 187
    assert english.vowels == "AEIOU"


def test_the_german_set_has_102_tiles_with_umlauts_of_their_own() -> None:
    """Ä, Ö and Ü are letters with their own counts and values."""
    german = load_tile_set("german")
    assert german.total == 102
    assert (german.value("Ä"), german.value("Ö"), german.value("Ü")) == (6, 8, 6)
    assert german.vowels == "AÄEIOÖUÜ"


def test_a_blank_is_worth_nothing_whatever_it_stands_for() -> None:
    """SCORE-2: a blank counts 0; so does a rack's worth of it."""
    english = load_tile_set("english")
    assert (english.value("q"), english.value("?"), english.value("Q")) == (0, 0, 10)
    assert english.points("QI?") == 11
    assert is_blank("ö")
    assert face("ö") == "?"


def test_the_tile_account_is_closed_over_board_and_racks() -> None:
    """Board, racks and unseen tiles add up to the set; what is over shows below zero."""
    english = load_tile_set("english")
    left = unseen(english, ".QuIZ..", racks=["EEE?"])
    assert sum(left.values()) == 100 - 8
    assert (left["Q"], left["?"], left["E"]) == (0, 0, 9)
    assert unseen(english, "ZZ")["Z"] == -1
    assert unseen(english, "Ä")["Ä"] == -1


def test_an_unknown_tile_set_is_named_together_with_the_known_ones() -> None:
    """The message tells which sets there are."""
    assert tile_set_names() == ("english", "german")
    with pytest.raises(NotationError, match=r"klingon.*english, german"):
        load_tile_set("klingon")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "x"\nletters = "A"\ncolour = 1\n[counts]\n[values]\n', "colour"),
        ('name = "x"\nletters = "A"\n[counts]\nA = 1\n"?" = 1\n[values]\nA = "1"\n', r"\[values\]"),
        ('name = "x"\nletters = "A"\n[counts]\nA = 1\n[values]\nA = 1\n', "counts must name"),
        ("name = ", "x.toml"),
    ],
    ids=["unknown key", "text for a number", "no blank", "no TOML"],
)
def test_a_tile_set_file_with_a_mistake_is_refused_by_name(text: str, message: str) -> None:
    """A new language's file says what is wrong with it."""
    with pytest.raises(NotationError, match=message):
        parse_tile_set(text, source="x.toml")


def test_a_tile_set_cannot_be_changed_after_it_was_made() -> None:
    """Counts and values are read-only copies."""
    counts = {"A": 1, "?": 1}
    tile_set = TileSet("tiny", counts, {"A": 1}, "A")
    counts["A"] = 5
    assert tile_set.total == 2
    with pytest.raises(TypeError):
        tile_set.counts["A"] = 5  # type: ignore[index]
