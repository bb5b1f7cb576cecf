"""Word lists as users have them: text of every kind, and word graphs; what is refused, and why."""

import hashlib
import json
import struct
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilecast
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.errors import NotationError
from recorder.domain.lexicon import Verdict, adjudicate, adjudicate_play
from recorder.domain.plays import parse_placement
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.tilesets import load_tile_set
from recorder.word_lists import load_word_list

ENGLISH, GERMAN = (load_tile_set(name) for name in ("english", "german"))
WORDS = st.text(alphabet="ABCZ", min_size=2, max_size=5)


def word_graph(words: set[str], letters: str) -> bytes:
    """The words as a ``.kwg``: a tree of letters, siblings in a row, node 1 empty."""
    nodes = [0, 0x400000]

    def lay(endings: set[str]) -> int:
        firsts = sorted({word[0] for word in endings}, key=letters.index)
        start = len(nodes)
        nodes.extend([0] * len(firsts))
        for place, letter in enumerate(firsts):
            rest = {word[1:] for word in endings if word[0] == letter}
            node = (letters.index(letter) + 1) << 24
            node |= 0x800000 if "" in rest else 0
            node |= 0x400000 if place == len(firsts) - 1 else 0
            longer = rest - {""}
            nodes[start + place] = node | (lay(longer) if longer else 0)
        return start

    nodes[0] = 0x400000 | lay(words)
    return struct.pack(f"<{len(nodes)}I", *nodes)


def write(folder: Path, name: str, data: bytes | str) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def run(*words: str) -> int:
    """The exit status of a command line."""
    return tilecast.main(["words", *words])


def test_text_in_every_shape(tmp_path: Path) -> None:
    """Comments, meanings, line ends of all kinds, small letters, a byte order mark."""
    text = "\ufeff# our club\r\nqualm  a feeling\r\nMY, of me\nboy\tlad\n\n"
    text += "naïve\nI\nABCDEFGHIJKLMNOP\nqualm\n"
    path = write(tmp_path, "club.txt", text)
    listed = load_word_list(path, ENGLISH)
    assert (listed.name, listed.count, listed.twos, listed.threes) == ("club", 3, 1, 1)
    assert listed.skipped == 3
    assert listed.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert [listed.valid(read_tiles(word)) for word in ("QUALM", "qUALm", "NAIVE", "I")] == [
        True,
        True,
        False,
        False,
    ]


def test_german_letters_are_letters(tmp_path: Path) -> None:
    """An umlaut is one tile, whatever the encoding; a sharp s is two."""
    for encoding in ("utf-8", "iso-8859-1"):
        data = "Äther\nFÜSSE\nFuß\nÖl\n".encode(encoding)
        listed = load_word_list(write(tmp_path, "de.txt", data), GERMAN)
        words = map(read_tiles, ("ÄTHER", "FÜSSE", "FUSS", "ÖL", "AETHER"))
        assert [*map(listed.valid, words)] == [
            True, True, True, True, False,
        ]  # fmt: skip
    assert load_word_list(write(tmp_path, "de.txt", data), ENGLISH).skipped == 3
    apart = unicodedata.normalize("NFD", "Äther\nSTRAẞE\n")
    listed = load_word_list(write(tmp_path, "de.txt", apart), GERMAN)
    assert (
        listed.valid(read_tiles("ÄTHER")),
        listed.valid(read_tiles("STRASSE")),
        listed.skipped,
    ) == (
        True,
        True,
        0,
    )


@given(st.sets(WORDS, min_size=1, max_size=40), st.sets(WORDS, max_size=20))
def test_a_word_graph_holds_what_a_text_holds(
    tmp_path_factory: pytest.TempPathFactory, words: set[str], others: set[str]
) -> None:
    """Written as a graph or as text, a list has the same words and the same counts."""
    folder = tmp_path_factory.mktemp("lists")
    graph = load_word_list(
        write(folder, "x.kwg", word_graph(words, write_tiles(ENGLISH.letters))), ENGLISH
    )
    text = load_word_list(write(folder, "x.txt", "\n".join(words)), ENGLISH)
    assert (graph.count, graph.twos, graph.threes) == (text.count, text.twos, text.threes)
    assert sorted(graph.words) == sorted(text.words) == sorted(words)
    for word in words | others | {"A", "", "ABCZAB", "?A"}:
        assert graph.valid(read_tiles(word)) == text.valid(read_tiles(word)) == (word in words)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.txt", b"\0\1\2\3", "not text"),
        ("a.txt", b"# nothing\n", "has no word of"),
        ("a.txt", "слово\n".encode(), "has no word of"),
        ("a.kwg", b"", "0 bytes"),
        ("a.kwg", b"123456789", "9 bytes"),
        ("a.kwg", struct.pack("<2I", 0x400000, 0x400000), "empty"),
        ("a.kwg", struct.pack("<2I", 0x400009, 0x400000), "leads out"),
        ("a.kwg", struct.pack("<3I", 2, 0, 0x01800000), "leads out"),
        ("a.kwg", struct.pack("<3I", 2, 0, 0x1BC00000), "tile 27"),
        ("a.kwg", struct.pack("<3I", 2, 0, 0x01C00002), "without end"),
        ("a.kwg", struct.pack("<30I", 2, 0, *([0x01800000] * 28)), "more siblings"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    """The message names the file and what is wrong with it."""
    with pytest.raises(NotationError, match=why) as caught:
        load_word_list(write(tmp_path, name, data), ENGLISH)
    assert str(tmp_path / name) in str(caught.value)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_list_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Never anything but a NotationError."""
    folder = tmp_path_factory.mktemp("bytes")
    for name in ("x.kwg", "x.txt"):
        try:
            load_word_list(write(folder, name, data), ENGLISH)
        except NotationError as err:
            assert name in str(err)  # noqa: PT017  either way is fine


def test_one_verdict_for_a_play(tmp_path: Path) -> None:
    """All words good, or the play is bad; an unknown blank decides nothing it need not."""
    listed = load_word_list(write(tmp_path, "club.txt", "CAT\nCATS\nAS\nAT\n"), ENGLISH)
    assert adjudicate([read_tiles("CAT"), read_tiles("AS")], listed) is Verdict.GOOD
    assert adjudicate([read_tiles("CAT"), read_tiles("SA")], listed) is Verdict.BAD
    assert adjudicate([read_tiles("C?T")], listed) is Verdict.UNDECIDED
    assert adjudicate([read_tiles("C?T"), read_tiles("SA")], listed) is Verdict.BAD
    assert adjudicate([read_tiles("??")], listed) is Verdict.UNDECIDED
    assert adjudicate([read_tiles("X?X")], listed) is Verdict.BAD
    assert adjudicate([read_tiles("CAT")], None) is Verdict.NO_LIST
    board = EMPTY_BOARD.place(parse_placement("8G CAT").new_tiles())
    assert adjudicate_play(board, parse_placement("8G ...s").new_tiles(), listed) is Verdict.GOOD
    assert adjudicate_play(board, parse_placement("7H S").new_tiles(), listed) is Verdict.BAD


def test_the_words_of_a_list_are_not_shown(tmp_path: Path) -> None:
    """Not even when it is printed: lists are other people's property."""
    assert "CAT" not in repr(load_word_list(write(tmp_path, "club.txt", "CAT\n"), ENGLISH))


def test_check_says_good_or_bad(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    club = str(write(tmp_path, "club.txt", "CAT\nAS\n"))
    assert run("check", club, "cat", "AS") == 0
    assert capsys.readouterr().out == "good\n"
    assert run("check", club, "CAT", "SA") == 0
    assert capsys.readouterr().out == "bad\n"
    assert run("check", club, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["name"], document["words"], document["twos"]) == ("club", 2, 1)
    assert "verdict" not in document


def test_check_names_what_is_at_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, a letter that no tile has."""
    assert run("check", str(tmp_path / "none.txt"), "CAT") == 1
    assert "none.txt" in capsys.readouterr().err
    assert run("check", str(write(tmp_path, "club.txt", "CAT\n")), "CAFÉ") == 1
    assert "CAFÉ" in capsys.readouterr().err
