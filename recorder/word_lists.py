"""Word lists from files: plain text, and the binary word graph ``.kwg``.

A list is read whole and checked; what cannot be one is refused with the reason. Nothing of its
content goes anywhere but into memory.
"""

import hashlib
import re
import sys
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.domain.lexicon import LONGEST, SHORTEST, WordList
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import Tiles, TileSet
from recorder.systems import read_file

_LETTERS = re.compile(r"\[[^\]]*\]|.")
MOST_BYTES = 200_000_000
_TILE_SHIFT, _ACCEPTS, _LAST, _ARC = 24, 0x800000, 0x400000, 0x3FFFFF


def load_word_list(path: Path, tile_set: TileSet) -> WordList:
    """The list in a file, its words spelt with the tiles of the set in play.

    Where a label has several letters the longest is read first, so ``CALLE`` is four tiles.

    ``.kwg`` is a word graph, anything else text: a word a line, whatever follows it on the line
    is its meaning, ``#`` begins a comment; capitals or not; UTF-8, else ISO-8859-1. NotationError
    names the file and what is wrong with it; OSError when it cannot be read.
    """
    if path.stat().st_size > MOST_BYTES:
        raise NotationError(f"{path}: more than {MOST_BYTES // 1_000_000} MB; is it a word list?")
    data = read_file(path, MOST_BYTES)
    try:
        if path.suffix.lower() == ".kwg":
            return _graph_list(path.stem, data, tile_set)
        return _text_list(path.stem, data, tile_set)
    except NotationError as err:
        raise NotationError(f"{path}: {err}") from err


def _speller(tile_set: TileSet) -> Callable[[str], tuple[str, int]]:
    """What writes a word of a list with the tiles of a set: its notation, and how many they are.

    No tiles where it cannot be spelt. The longest label is read first.
    """
    labels = sorted((tile.label for tile in tile_set.letters), key=len, reverse=True)
    notation = {tile.label: str(tile) for tile in tile_set.letters}
    parts = re.compile("|".join(map(re.escape, labels)))
    signs = frozenset("".join(labels))

    def spell(word: str) -> tuple[str, int]:
        if not signs.issuperset(word):
            return "", 0
        if tile_set.longest == 1:
            return word, len(word)
        found = parts.findall(word)
        whole = sum(map(len, found)) == len(word)
        return "".join(map(notation.__getitem__, found)), len(found) if whole else 0

    return spell


def _text_list(name: str, data: bytes, tile_set: TileSet) -> WordList:
    if b"\0" in data:
        raise NotationError(
            "not text in UTF-8 or ISO-8859-1; the name of a word graph must end in .kwg"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("iso-8859-1")
    words: set[str] = set()
    skipped = 0
    lengths: Counter[int] = Counter()
    spell = _speller(tile_set)
    for line in unicodedata.normalize("NFC", text).splitlines():
        entry = line.partition("#")[0].split(maxsplit=1)
        if not entry:
            continue
        word, length = spell(entry[0].rstrip(",;:").replace("ẞ", "SS").upper())
        if not SHORTEST <= length <= LONGEST:
            skipped += 1
        elif word not in words:
            words.add(word)
            lengths[length] += 1
    if not words:
        first, last = write_tiles(tile_set.letters[:3]), tile_set.letters[-1]
        raise NotationError(f"has no word of the letters {first}...{last}")
    return WordList(
        name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        letters=tile_set.letters,
        count=len(words),
        twos=lengths[2],
        threes=lengths[3],
        skipped=skipped,
        words=frozenset(words),
    )


_LONGEST_WORD = 45
"""Letters. A board takes 15; lists keep some longer words; a chain without end is no list."""


class WordGraph:
    """A directed graph of letters that spells words: the first half of a ``.kwg`` file.

    The file is an array of 32-bit numbers, little-endian, without header: the tile in the top
    byte (1 is the first letter of the alphabet), a bit that a word ends there, a bit that this is
    the last of its siblings, and 22 bits that say where the letters that may follow begin, 0 for
    none. Node 0 points to the first letters of all words; node 1 to a second graph for move
    generation, which is not read.
    """

    def __init__(self, data: bytes, letters: Tiles) -> None:
        """NotationError when the bytes cannot be such a graph for these letters."""
        if len(data) < 8 or len(data) % 4:
            raise NotationError(
                f"{len(data)} bytes are not a word graph; the file is incomplete or of another kind"
            )
        self._nodes = array("I", data)
        if sys.byteorder == "big":
            self._nodes.byteswap()
        self._numbers = {letter.text: number for number, letter in enumerate(letters, start=1)}
        self._root = self._nodes[0] & _ARC
        if not self._root:
            raise NotationError("the word graph is empty")
        self.lengths = self._count(len(letters))

    def __contains__(self, word: object) -> bool:
        """Whether a word is spelt in the graph, in the notation of letter tiles."""
        if not isinstance(word, str) or not word:
            return False
        start, node = self._root, 0
        for letter in _LETTERS.findall(word) if "[" in word else word:
            number = self._numbers.get(letter)
            if number is None or not start:
                return False
            node = self._child(start, number)
            if not node:
                return False
            start = node & _ARC
        return bool(node & _ACCEPTS)

    def __iter__(self) -> Iterator[str]:
        """All words, in the order of the alphabet's letters."""
        letters = {number: letter for letter, number in self._numbers.items()}
        ahead = [(self._root, "")]
        while ahead:
            start, begun = ahead.pop()
            node = self._nodes[start]
            word = begun + letters[node >> _TILE_SHIFT]
            if not node & _LAST:
                ahead.append((start + 1, begun))
            if node & _ACCEPTS:
                yield word
            if node & _ARC:
                ahead.append((node & _ARC, word))

    def _child(self, start: int, number: int) -> int:
        """The node of a letter among siblings, 0 when it is not there."""
        while True:
            node = self._nodes[start]
            if node >> _TILE_SHIFT == number:
                return node
            if node & _LAST:
                return 0
            start += 1

    def _siblings(self, start: int, most: int) -> list[int]:
        """The nodes that begin at an index, checked one by one."""
        found = []
        while True:
            if start >= len(self._nodes):
                raise NotationError("an arc leads out of the word graph; the file is incomplete")
            node = self._nodes[start]
            if not 1 <= node >> _TILE_SHIFT <= most:
                tile = node >> _TILE_SHIFT
                raise NotationError(
                    f"tile {tile} in a list for {most} letters; is the list for another language?"
                )
            found.append(node)
            if node & _LAST or len(found) > most:
                break
            start += 1
        if len(found) > most:
            raise NotationError("more siblings than letters; not a word graph")
        return found

    def _count(self, most: int) -> Counter[int]:
        """How many words there are of each length; walks the whole graph and so checks it."""
        none: Counter[int] = Counter()
        done: dict[int, Counter[int]] = {}
        siblings: dict[int, list[int]] = {}
        ahead = [self._root]
        while ahead:
            start = ahead[-1]
            if start not in siblings:
                siblings[start] = self._siblings(start, most)
                arcs = {node & _ARC for node in siblings[start]} - {0}
                new = [arc for arc in arcs if arc not in done]
                if any(arc in siblings for arc in new):
                    raise NotationError("words without end; not a word graph")
                ahead.extend(new)
                continue
            ahead.pop()
            if start in done:
                continue
            total: Counter[int] = Counter()
            for node in siblings[start]:
                total[1] += bool(node & _ACCEPTS)
                for length, count in done.get(node & _ARC, none).items():
                    total[length + 1] += count
            if total and max(total) > _LONGEST_WORD:
                raise NotationError(f"words of more than {_LONGEST_WORD} letters; not a word graph")
            done[start] = total
        return done[self._root]


def _graph_list(name: str, data: bytes, tile_set: TileSet) -> WordList:
    graph = WordGraph(data, tile_set.letters)
    return WordList(
        name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        letters=tile_set.letters,
        count=graph.lengths.total(),
        twos=graph.lengths[2],
        threes=graph.lengths[3],
        words=graph,
    )
