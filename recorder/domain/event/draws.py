"""Who meets whom: the draws of a round (PAIR-1 to PAIR-5), each pair with its reason.

Order, earlier meetings and chance come in as values; the same arguments give the same draw. An odd
field has BYE at its bottom, who is paired like any other: who had a bye before has met it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from recorder.domain.event.divisions import BYE
from recorder.domain.event.meetings import Meetings
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.event.standings import berger_round

Matching = Callable[[int, Sequence[tuple[int, int, int]]], tuple[tuple[int, int], ...] | None]
"""Pairs for all places from 0 at the least sum of costs; ``recorder.matching`` has one."""

_LEVELS = 24
"""So many rounds with repeats are told apart by their age; those before are equally old."""

MOST_PAIRED = 2_000
"""Players of one division who can be paired: the costs of more would not fit the library."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is to be paired: number and wins so far; the order of entrants is that of the draw."""

    number: int
    wins: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """Two players, the earlier in the order first, and why they meet."""

    players: tuple[int, int]
    why: CodedText


@dataclass(frozen=True, slots=True)
class RoundDraw:
    """A round as drawn; ``bye`` is who has no opponent, None in an even field.

    ``starts_set``: the schedule says who moves first, the first of each pair.
    """

    pairs: tuple[DrawnPair, ...]
    bye: int | None = None
    starts_set: bool = False


class _Costs:
    """What it costs to pair two: nothing when they are new to each other.

    First count repeats, then how often, then how lately: one repeat of round 9 is worse than one
    of every earlier round together. A second bye while others had none is worse than all.
    """

    def __init__(self, numbers: Sequence[int], meetings: Meetings) -> None:
        there = set(numbers) - {BYE}
        met = {n: meetings.met_by(n).keys() & there for n in there}
        rounds = {meetings.of(n, other)[-1] for n in there for other in met[n]}
        newest = sorted(rounds, reverse=True)
        self._age = {number: max(_LEVELS - place, 0) for place, number in enumerate(newest)}
        bits = len(numbers).bit_length()
        self._again = 1 << (_LEVELS + bits)
        self._repeat = self._again << (bits + 6)
        bye = self._repeat << bits
        self.by_player = {
            n: {other: self._of_repeat(meetings.of(n, other)) for other in met[n]} for n in there
        }
        if BYE in numbers:
            fewest = min(map(meetings.byes, there), default=0)
            second = {n: bye * (meetings.byes(n) - fewest) for n in there}
            self.by_player[BYE] = {n: cost for n, cost in second.items() if cost}
            for number, cost in self.by_player[BYE].items():
                self.by_player[number][BYE] = cost
        self.most_met = max(map(len, self.by_player.values()), default=0)

    def _of_repeat(self, rounds: Sequence[int]) -> int:
        again = min(len(rounds) - 1, 60)
        return self._repeat + again * self._again + (1 << self._age[rounds[-1]])

    def of(self, player: int, other: int) -> int:
        return self.by_player[player].get(other, 0)


def australian(field: Sequence[Entrant], meetings: Meetings, matching: Matching) -> RoundDraw:
    """From the top, each meets the highest they have not met such that the rest can be paired.

    Where the rest cannot be paired without a repeat, the fewest repeats are allowed, the oldest
    first (PAIR-2).
    """
    numbers = _even([entrant.number for entrant in field])
    pairs = _top_down(numbers, _Costs(numbers, meetings), matching)
    return _drawn(pairs, meetings, lambda pair: _why_top_down(pair, pairs, numbers, meetings))


def random_draw(
    shuffled: Sequence[Entrant], meetings: Meetings, matching: Matching, *, bye_place: int = 0
) -> RoundDraw:
    """The draw that follows from a shuffled order; repeats only where they must be (PAIR-1).

    ``bye_place`` is where in the order an odd field has its bye, drawn like everything else.
    """
    numbers = [entrant.number for entrant in shuffled]
    if len(numbers) % 2:
        numbers.insert(bye_place, BYE)
    pairs = _top_down(numbers, _Costs(numbers, meetings), matching)
    return _drawn(pairs, meetings, lambda _: coded("drawn"))


def king_of_the_hill(field: Sequence[Entrant], meetings: Meetings) -> RoundDraw:
    """Neighbours meet, repeats or not (PAIR-3); the lowest with the fewest byes has the bye."""
    numbers = [entrant.number for entrant in field]
    bye = _lowest_bye(numbers, meetings)
    left = [number for number in numbers if number != bye]
    pairs = [*zip(left[::2], left[1::2], strict=True)]
    place = {number: n for n, number in enumerate(left, start=1)}
    drawn = (
        DrawnPair(pair, coded("neighbours", place=place[pair[0]], next=place[pair[1]]))
        for pair in pairs
    )
    return RoundDraw(tuple(drawn), bye)


def swiss(field: Sequence[Entrant], meetings: Meetings, matching: Matching) -> RoundDraw:
    """Within score groups the top half meets the bottom half, at the least cost for the field.

    In this order: no second bye, fewest repeats, the bye low, players of unlike wins as seldom and
    as near as can be, floats from the bottom of their group to the top of the next, halves against
    each other. The result is the best there is by that order.
    """
    numbers = _even([entrant.number for entrant in field])
    found = matching(len(numbers), _Groups(field).edges(numbers, meetings)) or ()
    pairs = [(numbers[a], numbers[b]) for a, b in found]
    wins = {entrant.number: entrant.wins for entrant in field}
    return _drawn(pairs, meetings, lambda pair: _why_swiss(wins[pair[0]], wins[pair[1]]))


class _Groups:
    """Places of a field by score groups, and how far a pair is from what is wanted.

    Each unit is larger than the sum of all below it, so that the least sum is best in order.
    """

    def __init__(self, field: Sequence[Entrant]) -> None:
        self._halves = [int(entrant.wins * 2) for entrant in field]
        sizes = Counter(self._halves)
        self._half = [sizes[halves] // 2 for halves in self._halves]
        self._top = [self._halves.index(halves) for halves in self._halves]
        self._size = [sizes[halves] for halves in self._halves]
        self._bottom = len(field)
        bits = len(field).bit_length()
        self._float = 1 << 3 * bits
        self._unlike = self._float << 2 * bits + 1
        widest = max(self._halves, default=0) - min(self._halves, default=0)
        self._bye = self._unlike << bits + 2 * widest.bit_length()
        self._again = self._bye << bits
        self._repeat = self._again << bits + 6
        self._second_bye = self._repeat << bits

    def edges(self, numbers: Sequence[int], meetings: Meetings) -> list[tuple[int, int, int]]:
        """What each two places cost."""
        there = [number for number in numbers if number != BYE]
        fewest = min(map(meetings.byes, there), default=0)
        without = [a for a, number in enumerate(there) if meetings.byes(number) == fewest]
        found = []
        for a, number in enumerate(there):
            met = meetings.met_by(number)
            for b in range(a + 1, len(there)):
                again = len(met.get(there[b], ())) if met else 0
                repeat = self._repeat + min(again - 1, 60) * self._again if again else 0
                found.append((a, b, repeat + self._cost(a, b)))
            if len(numbers) > len(there):
                second = meetings.byes(number) - fewest
                below = sum(lower > a for lower in without)
                found.append((a, self._bottom, second * self._second_bye + below * self._bye))
        return found

    def _cost(self, a: int, b: int) -> int:
        """``a`` stands before ``b``."""
        apart = self._halves[a] - self._halves[b]
        if apart:
            down = self._top[a] + self._size[a] - 1 - a
            up = b - self._top[b]
            return apart * apart * self._unlike + (down + up) * self._float
        off = b - a - self._half[a]
        return off * off


def factor(
    field: Sequence[Entrant], rounds_left: int | None, meetings: Meetings, matching: Matching
) -> RoundDraw:
    """The top meet by a factor f, first and 1+f, second and 2+f; the rest by Swiss.

    f is as many as there are rounds to play, at most half the field; half where nobody said.
    """
    numbers = [entrant.number for entrant in field]
    bye = _lowest_bye(numbers, meetings)
    left = [entrant for entrant in field if entrant.number != bye]
    apart = min(rounds_left or len(left), len(left) // 2)
    tops = zip(left[:apart], left[apart : 2 * apart], strict=True)
    why = coded("factor", factor=apart)
    pairs = [DrawnPair((high.number, low.number), why) for high, low in tops]
    rest = swiss(left[2 * apart :], meetings, matching).pairs if left[2 * apart :] else ()
    return RoundDraw((*pairs, *rest), bye)


def _lowest_bye(numbers: Sequence[int], meetings: Meetings) -> int | None:
    """The lowest with the fewest byes; None in an even field."""
    fewest = min(map(meetings.byes, numbers), default=0)
    odd = numbers if len(numbers) % 2 else ()
    return next((n for n in reversed(odd) if meetings.byes(n) == fewest), None)


Schedule = Sequence[Sequence[tuple[int, int]]]
"""The pairs of every round; BYE is nobody."""


def berger_table(numbers: Sequence[int]) -> Schedule:
    """Everybody meets everybody: the Berger table for players in this order (PAIR-4)."""
    return [berger_round(numbers, row) for row in range(len(numbers) - 1 + len(numbers) % 2)]


def team_table(numbers: Sequence[int], *, interleaved: bool) -> Schedule:
    """Everybody of one team meets everybody of the other.

    The teams are the upper and the lower half or, interleaved, every other player.
    """
    half = (len(numbers) + 1) // 2
    first, second = (
        (numbers[::2], numbers[1::2]) if interleaved else (numbers[:half], numbers[half:])
    )
    return [
        [
            (number, second[place])
            for at, number in enumerate(first)
            if (place := (at + row) % half) < len(second)
        ]
        for row in range(half)
    ]


def scheduled(
    field: Sequence[Entrant],
    round_: int,
    table: Callable[[Sequence[int]], Schedule],
    meetings: Meetings,
    matching: Matching,
) -> RoundDraw:
    """The round of a schedule for players in the order of their numbers.

    After a last round the schedule begins again, with the other player first. Where earlier rounds
    were not from it and its round would repeat a game, the next of its rounds without a repeat is
    taken; where there is none, the fewest repeats.
    """
    numbers = sorted(entrant.number for entrant in field)
    schedule = table(numbers)
    rows = len(schedule)
    before = _least_met(schedule, meetings)
    outs = [_left_over(numbers, pairs) for pairs in schedule] if len(numbers) % 2 else []
    fewest = min((meetings.byes(out) for out in outs if out is not None), default=0)
    for row in ((round_ - 1 + step) % rows for step in range(rows)):
        pairs = schedule[row]
        bye = _left_over(numbers, pairs)
        new = all(len(meetings.of(*pair)) == before for pair in pairs)
        if new and (bye is None or meetings.byes(bye) == fewest):
            turned = [pair[::-1] for pair in pairs] if before % 2 else pairs
            why = coded("scheduled", row=row + 1, rows=rows)
            drawn = tuple(DrawnPair((a, b), why) for a, b in turned)
            return RoundDraw(drawn, bye, starts_set=table is berger_table)
    draw = australian([Entrant(number) for number in numbers], meetings, matching)
    why = coded("off_the_table")
    return RoundDraw(tuple(DrawnPair(pair.players, why) for pair in draw.pairs), draw.bye)


QUAD, QUAD_ROUNDS = 4, 3
"""Players of a quad, and the rounds in which each meets each."""


def quads(order: Sequence[int], row: int, meetings: Meetings) -> RoundDraw:
    """Round ``row``, from 0, of quads: four neighbours each, everybody against everybody.

    ``order`` and ``meetings`` are those before the first of the three rounds. Where fours do not
    come out even, the last group is larger, and meets as far as three rounds go: byes there are
    for who has had the fewest, from the bottom.
    """
    ends = max(len(order) // QUAD, 1) * QUAD - QUAD
    groups = [order[start : start + QUAD] for start in range(0, ends, QUAD)] + [order[ends:]]
    pairs: list[DrawnPair] = []
    bye = None
    for number, group in enumerate(groups, start=1):
        rows = [berger_round(group, number) for number in range(len(group) - 1 + len(group) % 2)]
        if len(group) % 2:
            outs = {drawn: _left_over(group, drawn) or BYE for drawn in rows}
            rows.sort(key=lambda drawn: (meetings.byes(outs[drawn]), -group.index(outs[drawn])))
        found = rows[row % len(rows)]
        why = coded("quad", group=number, row=row + 1)
        pairs += [DrawnPair(pair, why) for pair in found]
        bye = bye or _left_over(group, found)
    return RoundDraw(tuple(pairs), bye, starts_set=True)


def spread_fours(order: Sequence[int]) -> list[int]:
    """Initial Fontes: fours whose seeds are as far apart as can be, as an order for quads."""
    groups = max(len(order) // QUAD, 1)
    spread = [n for group in range(groups) for n in order[: QUAD * groups][group::groups]]
    return [*spread, *order[QUAD * groups :]]


def _least_met(schedule: Schedule, meetings: Meetings) -> int:
    """How often everybody has met everybody of the schedule at least."""
    least = None
    for pair in (pair for row in schedule for pair in row):
        met = len(meetings.of(*pair))
        least = met if least is None else min(least, met)
        if not least:
            break
    return least or 0


def _left_over(numbers: Sequence[int], pairs: Sequence[tuple[int, int]]) -> int | None:
    paired = {number for pair in pairs for number in pair}
    return next((number for number in numbers if number not in paired), None)


def _even(numbers: list[int]) -> list[int]:
    return numbers if len(numbers) % 2 == 0 else [*numbers, BYE]


def _drawn(
    pairs: Sequence[tuple[int, int]],
    meetings: Meetings,
    why: Callable[[tuple[int, int]], CodedText],
) -> RoundDraw:
    """A round of these pairs; ``why`` is asked about those who are new to each other."""
    bye = next((max(pair) for pair in pairs if BYE in pair), None)
    drawn: list[DrawnPair] = []
    for pair in (pair for pair in pairs if BYE not in pair):
        met = meetings.of(*pair)
        drawn.append(DrawnPair(pair, coded("repeat_needed", round=met[-1]) if met else why(pair)))
    return RoundDraw(tuple(drawn), bye)


def _top_down(
    numbers: Sequence[int], costs: _Costs, matching: Matching
) -> tuple[tuple[int, int], ...]:
    """Pairs from the top, each with the first that keeps the whole at its least cost."""
    free, pairs = list(numbers), []
    left = _least(free, costs, matching)
    while free:
        first = free.pop(0)
        for other in free:
            cost = costs.of(first, other)
            rest = [number for number in free if number != other]
            if cost <= left and _least(rest, costs, matching) == left - cost:
                break
        left -= cost
        free = rest
        pairs.append((first, other))
    return tuple(pairs)


def _least(free: Sequence[int], costs: _Costs, matching: Matching) -> int:
    """What it costs at least to pair all of ``free``, an even number.

    Where everybody is new to at least half of the others there are pairs for all without a repeat
    (Dirac), so that nothing has to be tried.
    """
    if not free or 2 * (len(free) - 1 - costs.most_met) >= len(free):
        return 0
    pairs = combinations(range(len(free)), 2)
    found = matching(len(free), [(a, b, costs.of(free[a], free[b])) for a, b in pairs])
    return sum(costs.of(free[a], free[b]) for a, b in found or ())


def _why_top_down(
    pair: tuple[int, int],
    pairs: Sequence[tuple[int, int]],
    numbers: Sequence[int],
    meetings: Meetings,
) -> CodedText:
    """Who was passed over for this pair, and why: what a director needs to redo it by hand."""
    first, second = pair
    gone = {number for other in pairs[: pairs.index(pair)] for number in other}
    between = [
        n for n in numbers[numbers.index(first) + 1 : numbers.index(second)] if n not in gone and n
    ]
    met = " ".join(str(n) for n in between if meetings.of(first, n))
    kept = " ".join(str(n) for n in between if not meetings.of(first, n))
    if not between:
        return coded("highest_free")
    if not kept:
        return coded("highest_new", high=first, met=met)
    if not met:
        return coded("highest_that_fits", high=first, kept=kept)
    return coded("highest_new_that_fits", high=first, met=met, kept=kept)


def _why_swiss(first: Fraction, second: Fraction) -> CodedText:
    """By the wins of the two."""
    if first == second:
        return coded("same_score", wins=in_halves(first))
    return coded("nearest_score", wins=in_halves(first), other=in_halves(second))


def in_halves(wins: Fraction) -> str:
    """Wins as people write them: 3, or 3½."""
    whole, half = divmod(wins, 1)
    return f"{whole or ''}½" if half else str(whole)
