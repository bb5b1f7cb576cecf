"""The rounds left of a tournament, played out by chance many times at once, with arrays.

The port is ``recorder.domain.event.cop.Simulator``. Ratings play no part: every game is a fair
coin, its margin drawn from how games between tournament players have ended.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recorder.domain.event.cop import Lists
from recorder.domain.event.prospects import Tally

_TIES = 29
"""Games of no margin, in front of the others in the table."""
_MARGINS = (
    *(561, 535, 507, 476, 480, 422, 412, 380, 362, 338, 318, 281, 247, 224, 193, 179, 147, 129),
    *(104, 88, 73, 65, 54, 37, 29, 26, 19, 18, 14, 11, 8, 8, 6, 1, 2, 2, 1, 0, 0, 1),
)
"""How many of 6,787 games ended with a margin of 1 to 10, 11 to 20 and so on; 29 were ties."""
_WIN = 1_000_000
"""A win more stands above any spread."""
_AT_ONCE = 2_000_000
MOST_PLAYED, MOST_CHASED = 30_000_000, 3_000_000
"""Games of single players in the simulations of a question: 500 players take seconds."""
FEWEST_PLAYED = 1_000

_Keys = NDArray[np.int64]


def _margins() -> NDArray[np.int64]:
    found = [0] * _TIES
    for number, count in enumerate(_MARGINS):
        found += [number * 10 + 1 + place * 10 // count for place in range(count)]
    return np.array(found, dtype=np.int64)


class ChanceSimulator:
    """Plays with a seed, so that the same question has the same answer."""

    def __init__(self, seed: int, games: int = 100_000, chases: int = 10_000) -> None:
        self._seed, self._games, self._chases = seed, games, chases
        self._margins = _margins()

    def places(self, rows: Sequence[Tally], lists: Lists, cap: int) -> list[list[int]]:
        """How often each rank ended in each place."""
        count = len(rows)
        found = np.zeros(count * count, dtype=np.int64)
        rng = np.random.default_rng(self._seed)
        for size in _chunks(self._games, MOST_PLAYED, count * len(lists), _AT_ONCE // count):
            keys = _begun(rows, size)
            for order in lists:
                keys = _sorted(self._played(keys[:, order], cap, rng))
            ranks = count - 1 - keys % count
            found += np.bincount((ranks * count + np.arange(count)).ravel(), minlength=found.size)
        return [[int(times) for times in row] for row in found.reshape(count, count)]

    def firsts(
        self,
        rows: Sequence[Tally],
        lists: Lists,
        cap: int,
        chaser: int,
        *,
        meets: bool,
        only_all: bool = False,
    ) -> tuple[int, int]:
        """How often a chaser who wins every game ends first, and of how many.

        ``only_all``: it is enough to know whether it is always: a miss ends it.
        """
        count, first, total = len(rows), 0, 0
        rng = np.random.default_rng((self._seed, chaser))
        at_once = min(64, _AT_ONCE // count) if only_all else _AT_ONCE // count
        for size in _chunks(self._chases, MOST_CHASED, count * len(lists), at_once):
            if only_all and first < total:
                break
            keys = _begun(rows, size)
            for order in lists[:-1]:
                seats, slot = _seated(keys, order, chaser, meets=meets)
                keys = _sorted(self._played(seats, cap, rng, slot))
            slots = np.argsort(lists[-1])
            slot = slots[_rank_of(keys, chaser)]
            keys = _sorted(self._played(keys[:, lists[-1]], cap, rng, slot))
            first += int((count - 1 - keys[:, 0] % count == chaser).sum())
            total += size
        return first, total

    def _played(self, seats: _Keys, cap: int, rng: np.random.Generator, slot: Any = None) -> _Keys:
        """A round: neighbours play each other; who sits in ``slot`` wins."""
        size, count = seats.shape
        margins = self._margins[rng.integers(0, len(self._margins), (size, count // 2))]
        signs = rng.integers(0, 2, (size, count // 2)) * 2 - 1
        if slot is not None:
            rows = np.arange(size)
            drawn = rng.integers(_TIES, len(self._margins), size)
            margins[rows, slot // 2] = self._margins[drawn]
            signs[rows, slot // 2] = 1 - 2 * (slot % 2)
        margins = np.minimum(margins, cap)
        change = np.where(margins > 0, signs * (_WIN + margins) * count, 0)
        seats[:, 0::2] += change
        seats[:, 1::2] -= change
        return seats


def _chunks(wanted: int, most: int, games: int, at_once: int) -> Iterator[int]:
    """How many simulations of so many games at once, until there are enough or all affordable."""
    left = max(min(wanted, most // max(games, 1)), min(FEWEST_PLAYED, wanted))
    while left:
        size = min(max(at_once, 1), left)
        yield size
        left -= size


def _begun(rows: Sequence[Tally], size: int) -> _Keys:
    """The standings as whole numbers to be sorted; the last digits are the rank at the start.

    A win is half of the two that it puts between winner and loser.
    """
    count = len(rows)
    low = min(row.twice_wins for row in rows) - 200
    values = [
        ((row.twice_wins - low) * _WIN + row.spread) * count + count - 1 - rank
        for rank, row in enumerate(rows)
    ]
    return np.tile(np.array(values, dtype=np.int64), (size, 1))


def _sorted(keys: _Keys) -> _Keys:
    """Best first."""
    keys.sort(axis=1)
    return keys[:, ::-1].copy()


def _rank_of(keys: _Keys, chaser: int) -> NDArray[np.intp]:
    count = keys.shape[1]
    found: NDArray[np.intp] = np.argmax(keys % count == count - 1 - chaser, axis=1)
    return found


def _seated(
    keys: _Keys, order: Sequence[int], chaser: int, *, meets: bool
) -> tuple[_Keys, NDArray[np.intp]]:
    """A round's seats, with the chaser opposite the leader or away from them, and their slot."""
    seats, slots = keys[:, order], np.argsort(order)
    rows = np.arange(len(keys))
    rank = _rank_of(keys, chaser)
    slot, leader = slots[rank], int(slots[0])
    opposite = leader ^ 1
    if meets:
        target = np.where(slot == leader, slot, opposite)
    else:
        second = np.where(rank == 1, slots[min(2, len(order) - 1)], slots[1])
        target = np.where(slot == opposite, second, slot)
    mine, theirs = seats[rows, slot].copy(), seats[rows, target].copy()
    seats[rows, slot], seats[rows, target] = theirs, mine
    return seats, target
