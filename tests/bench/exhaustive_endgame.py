"""Ends of games by trying everything, to hold the product's solver against.

Nothing of the product is used: boards, premiums, points, plays and the search are written again, as
plainly as they can be. Only for a few tiles: no play is left out, and nothing is estimated.
"""

import time
from collections import Counter
from collections.abc import Iterator

SIZE = 15
_ROWS = (
    "T..d...T...d..T",
    ".D...t...t...D.",
    "..D...d.d...D..",
    "d..D...d...D..d",
    "....D.....D....",
    ".t...t...t...t.",
    "..d...d.d...d..",
    "T..d...D...d..T",
)
PREMIUMS = (*_ROWS, *_ROWS[-2::-1])
"""T, D: word times 3, 2; t, d: letter times 3, 2."""
VALUES = {
    **dict.fromkeys("EAIONRTLSU", 1), **dict.fromkeys("DG", 2), **dict.fromkeys("BCMP", 3),
    **dict.fromkeys("FHVWY", 4), "K": 5, **dict.fromkeys("JX", 8), **dict.fromkeys("QZ", 10),
}  # fmt: skip
Cells = tuple[str, ...]
"""225 squares, row by row: a letter, in lower case for a blank, or a dot."""


class TooLongError(Exception):
    """The position is too large for this."""


def value(tile: str) -> int:
    """What a tile counts; nothing for a blank."""
    return VALUES.get(tile, 0)


def plays(cells: Cells, rack: str, words: frozenset[str]) -> dict[tuple[tuple[int, str], ...], int]:
    found: dict[tuple[tuple[int, str], ...], int] = {}
    for step in (1, SIZE):
        for at in range(SIZE * SIZE):
            for laid in _laid(cells, at, step, "".join(sorted(rack))):
                points = _points(cells, laid, step, words)
                key = tuple(sorted(laid))
                if points is not None and points > found.get(key, -1):
                    found[key] = points
    return found


def _laid(cells: Cells, at: int, step: int, rack: str) -> Iterator[tuple[tuple[int, str], ...]]:
    """Every way to lay tiles from a free square on, along a line; it must touch what lies."""
    if cells[at] != ".":
        return
    line = [at]
    squares = [at]
    while (following := _next(line[-1], step)) is not None:
        line.append(following)
        if cells[following] == ".":
            squares.append(following)
    for count in range(1, min(len(rack), len(squares)) + 1):
        chosen = squares[:count]
        if any(_touches(cells, sq) for sq in chosen):
            for tiles in _arranged(rack, count):
                yield tuple(zip(chosen, tiles, strict=True))


def _arranged(rack: str, count: int) -> Iterator[tuple[str, ...]]:
    """Each different order of so many tiles; a blank as every letter."""
    if not count:
        yield ()
        return
    for tile in dict.fromkeys(rack):
        rest = rack.replace(tile, "", 1)
        for shown in "abcdefghijklmnopqrstuvwxyz" if tile == "?" else tile:
            for others in _arranged(rest, count - 1):
                yield (shown, *others)


def _next(at: int, step: int) -> int | None:
    """The next square of the line, None at its end."""
    if step in (1, -1):
        return at + step if 0 <= at % SIZE + step < SIZE else None
    return at + step if 0 <= at + step < SIZE * SIZE else None


def _touches(cells: Cells, at: int) -> bool:
    beside = (_next(at, step) for step in (1, -1, SIZE, -SIZE))
    return any(sq is not None and cells[sq] != "." for sq in beside)


def _points(
    cells: Cells, laid: tuple[tuple[int, str], ...], step: int, words: frozenset[str]
) -> int | None:
    new = dict(laid)
    total = 50 if len(laid) == 7 else 0
    other = SIZE if step == 1 else 1
    main = _word(cells, new, laid[0][0], step)
    made = [main, *(_word(cells, new, at, other) for at in new)]
    long = [word for word in made if len(word) > 1]
    if not long or (len(main) == 1 and len(laid) > 1):
        return None
    for word in long:
        if "".join(tile for _, tile in word).upper() not in words:
            return None
        total += _word_points(word, new)
    return total


def _word(cells: Cells, new: dict[int, str], at: int, step: int) -> list[tuple[int, str]]:
    """The word through a square along a line."""

    def tile(sq: int | None) -> str:
        return "." if sq is None else new.get(sq, cells[sq])

    while tile(before := _next(at, -step)) != ".":
        assert before is not None
        at = before
    word, here = [], at
    while here is not None and tile(here) != ".":
        word.append((here, tile(here)))
        here = _next(here, step)  # type: ignore[assignment]
    return word


def _word_points(word: list[tuple[int, str]], new: dict[int, str]) -> int:
    times, total = 1, 0
    for at, tile in word:
        premium = PREMIUMS[at // SIZE][at % SIZE] if at in new else "."
        times *= {"T": 3, "D": 2}.get(premium, 1)
        total += value(tile) * {"t": 3, "d": 2}.get(premium, 1)
    return times * total


class Exhaustive:
    """The value of ends of games; ``words`` in capitals, ``most_s`` CPU seconds for each end."""

    def __init__(self, words: frozenset[str], most_s: float) -> None:
        self._words, self._most_s = words, most_s
        self._until = 0.0
        self._plays: dict[tuple[Cells, str], list[tuple[tuple[tuple[int, str], ...], int]]] = {}
        self._known: dict[object, tuple[int, int, int]] = {}

    def gain(self, cells: Cells, mine: str, theirs: str) -> int:
        """By how much the player on turn ends up better than now; TooLongError: not in time."""
        self._until = time.process_time() + self._most_s
        self._plays.clear()
        self._known.clear()
        return self._best(cells, mine, theirs, -9999, 9999, passed=False)

    def _best(
        self, cells: Cells, mine: str, theirs: str, low: int, high: int, *, passed: bool
    ) -> int:
        """Negamax; what is outside of ``low`` to ``high`` is a bound."""
        if time.process_time() > self._until:
            raise TooLongError
        key = (cells, mine, theirs, passed)
        if key in self._known:
            known, known_low, known_high = self._known[key]
            if known_low < known < known_high or (known <= known_low and known <= low) or (
                known >= known_high and known >= high
            ):  # fmt: skip
                return known
        if passed:
            best = sum(map(value, theirs)) - sum(map(value, mine))
        else:
            best = -self._best(cells, theirs, mine, -high, -low, passed=True)
        for laid, points in self._all(cells, mine):
            if best >= high:
                break
            left = Counter(mine)
            left.subtract("?" if tile.islower() else tile for _, tile in laid)
            rest = "".join(sorted(left.elements()))
            if not rest:
                gain = points + 2 * sum(map(value, theirs))
            else:
                after = list(cells)
                for at, tile in laid:
                    after[at] = tile
                bar = max(low, best)
                gain = points - self._best(
                    tuple(after), theirs, rest, points - high, points - bar, passed=False
                )
            best = max(best, gain)
        self._known[key] = (best, low, high)
        return best

    def _all(self, cells: Cells, rack: str) -> list[tuple[tuple[tuple[int, str], ...], int]]:
        """The plays, those that count most first: they cut most."""
        key = (cells, rack)
        if key not in self._plays:
            found = plays(cells, rack, self._words)
            self._plays[key] = sorted(found.items(), key=lambda play: -play[1])
        return self._plays[key]
