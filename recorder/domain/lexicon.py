"""Word lists and the one verdict that a play gets (CHAL-2).

A list is the event's own, loaded by who runs it; none comes with the program. Its verdict is an
opinion until the director makes it a decision, and it is for the play: players never learn which
word failed, so nothing here shows. Words are in the notation of letter tiles.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from recorder.domain.board import Board, Square
from recorder.domain.scoring import words_laid
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, Tile, Tiles, unnamed

SHORTEST, LONGEST = 2, 15


class Verdict(StrEnum):
    """What a list says of a play.

    UNDECIDED: it hangs on a blank whose letter nobody knows. NO_LIST: none is loaded.
    """

    GOOD = "good"
    BAD = "bad"
    UNDECIDED = "undecided"
    NO_LIST = "no list"


class Words(Protocol):
    """Anything that knows its words: a set, a word graph."""

    def __contains__(self, word: object, /) -> bool:
        """Whether this is one of them."""

    def __iter__(self) -> Iterator[str]:
        """All of them, in any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordList:
    """A loaded list; ``name`` and ``sha256`` (of the file, hexadecimal) belong into the record.

    ``letters`` are those of the tile set, in its order. ``count`` is the number of words,
    ``twos`` and ``threes`` of those with two and three letters, by which a wrong file shows;
    ``skipped`` entries of the file are no words for this tile set. The words themselves are never
    shown, logged or exported.
    """

    name: str
    sha256: str
    letters: Tiles
    count: int
    twos: int
    threes: int
    skipped: int = 0
    words: Words = field(repr=False, compare=False)

    def valid(self, word: Tiles) -> bool:
        """Whether a word is in the list; blanks count as the letters that they play."""
        return write_tiles(map(unnamed, word)) in self.words

    def could_be_valid(self, word: Tiles) -> bool:
        """Whether a word with unknown blanks is in the list with some letters."""
        if BLANK not in word:
            return self.valid(word)
        at = word.index(BLANK)
        return any(
            self.could_be_valid((*word[:at], letter, *word[at + 1 :])) for letter in self.letters
        )


def adjudicate(words: Iterable[Tiles], listed: WordList | None) -> Verdict:
    """One verdict for all words of a play; which of them failed is nobody's business (CHAL-2).

    >>> from recorder.domain.tile_text import read_tiles
    >>> ab, a_blank, ba, unknown = map(read_tiles, ("AB", "aB", "BA", "?B"))
    >>> nothing = WordList(name="x", sha256="", letters=ab, count=1, twos=1, threes=0,
    ...                    words={"AB"})
    >>> adjudicate([ab, a_blank], nothing), adjudicate([ab, ba], nothing)
    (<Verdict.GOOD: 'good'>, <Verdict.BAD: 'bad'>)
    >>> adjudicate([unknown], nothing), adjudicate([ab], None)
    (<Verdict.UNDECIDED: 'undecided'>, <Verdict.NO_LIST: 'no list'>)
    """
    if listed is None:
        return Verdict.NO_LIST
    challenged = tuple(words)
    if not all(listed.could_be_valid(word) for word in challenged):
        return Verdict.BAD
    return Verdict.UNDECIDED if any(BLANK in word for word in challenged) else Verdict.GOOD


def adjudicate_play(board: Board, tiles: Mapping[Square, Tile], listed: WordList | None) -> Verdict:
    """The verdict on every word that these tiles form on ``board``, in line or not."""
    return adjudicate((word.tiles for word in words_laid(board, tiles)), listed)
