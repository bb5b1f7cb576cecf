"""All words of a list as arrays, so that a search tries them together.

Letters are numbers 0.. in the order of the tile set. Knows no board.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from recorder.domain.board import SIZE
from recorder.domain.tiles import TileSet

SHORTEST = 2
_WORD_BITS = 32
_RARE = 4


@dataclass(frozen=True, slots=True)
class _Level:
    """``bits``: the letters that are in each of the words ``where`` so many times or more."""

    where: NDArray[np.intp] | slice
    bits: NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by number.

    ``letters`` has a row for each place in a word, 0..14, and a column for each word; behind a
    word's end stands ``padding``. ``lengths`` is how many letters it has. ``levels`` tell which
    letters are in it once or more, twice or more, and so on.
    """

    letters: NDArray[np.int8]
    lengths: NDArray[np.int8]
    padding: int
    levels: tuple[_Level, ...]

    @classmethod
    def of(cls, words: Iterable[str], tile_set: TileSet) -> Self:
        """The words of 2 to 15 tiles that the tile set can spell, given in their notation."""
        padding = len(tile_set.letters)
        by_length: dict[int, list[str]] = {}
        for written in words:
            word = _LABEL.sub(lambda label: _signs(tile_set)[label[0]], written)
            if SHORTEST <= len(word) <= SIZE:
                by_length.setdefault(len(word), []).append(word)
        spelt = [_spelt(texts, length, tile_set) for length, texts in sorted(by_length.items())]
        blocks = [
            np.pad(block, ((0, 0), (0, SIZE - block.shape[1])), constant_values=padding)
            for block in spelt
        ]
        rows = np.concatenate([np.zeros((0, SIZE), np.int8), *blocks])
        lengths = (rows != padding).sum(axis=1).astype(np.int8)
        return cls(np.ascontiguousarray(rows.T), lengths, padding, _levels(rows, padding))

    def lacking(self, have: NDArray[np.int64]) -> NDArray[np.uint8]:
        """How many tiles each word needs beyond those of ``have``, counted by letter."""
        lacking = np.zeros(len(self.lengths), np.uint8)
        for level, mask in zip(self.levels, _short_of(have, len(self.levels)), strict=True):
            lacking[level.where] += np.bitwise_count(level.bits & mask)
        return lacking

    def lacking_letters(self, have: NDArray[np.int64]) -> NDArray[np.uint32]:
        """A bit for each letter of which a word needs more than ``have`` has."""
        letters = np.zeros(len(self.lengths), np.uint32)
        for level, mask in zip(self.levels, _short_of(have, len(self.levels)), strict=True):
            letters[level.where] |= level.bits & mask
        return letters


def _short_of(have: NDArray[np.int64], most: int) -> list[np.uint32]:
    """For 1, 2, .. times: the letters that ``have`` has less often than that, as bits."""
    powers = 1 << np.arange(len(have))
    return [np.uint32(powers[have < times].sum()) for times in range(1, most + 1)]


_LABEL = re.compile(r"\[[^\]]*\]")
_OTHER_LABEL = "\ue000"
"""A sign of no alphabet: what stands for a label that the set does not have."""


@cache
def _signs(tile_set: TileSet) -> Mapping[str, str]:
    """One character for each letter of the set, by its notation: itself, or one of nobody's."""
    signs = defaultdict(lambda: _OTHER_LABEL)
    for index, letter in enumerate(tile_set.letters, start=1):
        signs[letter.text] = (
            letter.text if len(letter.text) == 1 else chr(ord(_OTHER_LABEL) + index)
        )
    return signs


def _spelt(words: list[str], length: int, tile_set: TileSet) -> NDArray[np.int8]:
    """Words of one length as letter numbers, without those that have other letters."""
    points = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32)
    signs = _signs(tile_set)
    number = np.full(max(map(ord, signs.values())) + 2, -1, np.int8)
    for index, letter in enumerate(tile_set.letters):
        number[ord(signs[letter.text])] = index
    spelt = number[np.minimum(points, len(number) - 1)].reshape(len(words), length)
    return spelt[(spelt >= 0).all(axis=1)]


def _levels(rows: NDArray[np.int8], padding: int) -> tuple[_Level, ...]:
    counts = np.zeros((len(rows), _WORD_BITS), np.int8)
    everyone = np.arange(len(rows))
    for column in rows.T:
        counts[everyone, column] += 1
    counts[:, padding] = 0
    levels = []
    for times in range(1, int(counts.max(initial=1)) + 1):
        packed = np.packbits(counts >= times, axis=1, bitorder="little")
        bits = packed.view("<u4")[:, 0].astype(np.uint32)
        some = np.flatnonzero(bits)
        # Few words have a letter three times: those alone are looked at then.
        rare = len(some) < len(rows) // _RARE
        levels.append(_Level(some, bits[some]) if rare else _Level(slice(None), bits))
    return tuple(levels)
