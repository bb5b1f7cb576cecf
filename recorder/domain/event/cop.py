"""COP (Castellano-O'Connor): pairings by who can still win what, as North American events use them.

The event is played out many times by chance; from that follow who contends for which place, and
whether a chaser loses the power to win the event by not meeting the leader. Pairs that must not or
must be are constraints, the rest is a matching of least cost. Places are ranks from 0. Revision 2
of the method, as liwords runs it since September 2026. Pure: who simulates and matches is given.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from recorder.domain.event.draws import Matching
from recorder.domain.event.prospects import (
    Tally,
    can_catch,
    gibson_spread,
    locked_groups,
    locked_places,
)
from recorder.domain.notices import CodedText, coded

MAJOR, MINOR = 1_000_000_000, 1_000_000
HOPES = (0.1, 0.1, 0.05, 0.02, 0.01)
"""How likely a place must be for a player to contend for it, the last round first."""
_NEARLY_TWO, _WORTH = 0.8, 0.02

Lists = Sequence[Sequence[int]]
"""For each round left the ranks in the order of the pairs: first with second, third with fourth."""


class Simulator(Protocol):
    """Plays the rounds left by chance. ``cap``: the most points of one game."""

    def places(self, rows: Sequence[Tally], lists: Lists, cap: int) -> Sequence[Sequence[int]]:
        """How often each rank ended in each place."""

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

        ``meets``: they meet the leader in every round before the last; else in none of them.
        ``only_all``: it may stop at the first time that they do not.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class CopSettings:
    """What a director can set; None: by the rounds left, as is usual.

    ``control_from``: so many rounds must be paired before control counts. ``class_prizes``: prizes
    of class 1, 2, ...
    """

    rounds: int
    places: int
    gibson: int | None = None
    hope: float | None = None
    control: float = 0.3
    control_from: int | None = None
    class_prizes: Sequence[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CopField:
    """The players in the order of the standings, by rank from 0.

    ``met``: how often two have met, by pair, the lower rank first. ``last``: the pairs of the round
    before. ``pinned``: pairs that are set, None for a bye. ``classes``: 0 is no class.
    """

    rows: Sequence[Tally]
    met: Mapping[tuple[int, int], int]
    byes: Sequence[int]
    last: frozenset[tuple[int, int]]
    paired: int
    results: int
    classes: Sequence[int]
    pinned: Sequence[tuple[int, int | None]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CopDraw:
    """Pairs of ranks with the reason, the higher first; ``bye`` a rank. ``missing``: left over.

    ``locked`` are the gibsonized ranks, ``child`` is who must meet the leader.
    """

    pairs: tuple[tuple[tuple[int, int], CodedText], ...]
    bye: int | None
    locked: tuple[int, ...]
    child: int | None
    missing: tuple[int, ...] = ()


def cop(
    field_: CopField, settings: CopSettings, simulator: Simulator, matching: Matching
) -> CopDraw:
    """A round by COP; ``missing`` names ranks that no allowed pairing seats."""
    return _Round(field_, settings, simulator).draw(matching)


def simulated_lists(
    locked: Sequence[bool], count: int, left: int, most: int, *, one_pair: bool = False
) -> list[list[int]]:
    """Who meets whom in each simulated round, by rank at that time.

    Every group for itself: at the top factor pairings, as wide as rounds are left and at most
    ``most``; the rest top half against bottom half; in the last round neighbours. ``one_pair``:
    only the top of a group is paired so, everybody else with a neighbour. ``count`` is even.
    """
    groups = [*locked_groups(locked), *(0,) * (count - len(locked))]
    last = max((place for place, is_locked in enumerate(locked) if is_locked), default=-1)
    segments = [
        [place for place in range(count) if groups[place] == number]
        for number in range(1, max(groups, default=0) + 1)
    ]
    segments.append(list(range(last + 1, count)))
    over = [place for place in range(last + 1) if groups[place] == 0]
    lists = []
    for remaining in range(left, 0, -1):
        order: list[int] = []
        for segment in segments:
            order += _segment_order(segment, remaining, most, one_pair=one_pair)
        lists.append(order + over)
    return lists


def _segment_order(segment: list[int], remaining: int, most: int, *, one_pair: bool) -> list[int]:
    factor = min(remaining, most, len(segment) // 2)
    if remaining == 1 or (one_pair and not factor):
        return segment
    if one_pair:
        top = [segment[0], segment[factor]]
        return top + [place for place in segment if place not in top]
    head, rest = segment[: 2 * factor], segment[2 * factor :]
    return [*_factored(head, factor), *_factored(rest, len(rest) // 2)]


def _factored(places: list[int], factor: int) -> list[int]:
    order = [
        place for pair in zip(places[:factor], places[factor:], strict=False) for place in pair
    ]
    return order + places[2 * factor :]


@dataclass(slots=True)
class _Hopes:
    """What simulations say: the best place each rank hopes for, can reach, and the worst."""

    hopeful: list[int]
    best: list[int]
    worst: list[int]
    lowest: list[int]
    """For every place the lowest rank that still hopes for it."""
    promoted: int | None = None


@dataclass(slots=True)
class _Rules:
    """Pairs that are barred, and those that are forced, with the reason."""

    barred: set[tuple[int, int]] = field(default_factory=set)
    forced: dict[tuple[int, int], CodedText] = field(default_factory=dict)

    def force(self, first: int, second: int, why: CodedText) -> None:
        self.forced.setdefault((min(first, second), max(first, second)), why)


class _Round:
    """One round in the making; ``bye`` is the node behind the last rank, None in an even field."""

    def __init__(self, players: CopField, settings: CopSettings, simulator: Simulator) -> None:
        self.players, self.settings, self.simulator = players, settings, simulator
        self.rows, self.count = players.rows, len(players.rows)
        self.left = settings.rounds - players.results
        self.gibson = gibson_spread(self.left) if settings.gibson is None else settings.gibson
        self.hope = settings.hope or HOPES[min(self.left, len(HOPES)) - 1]
        self.last_quarter = 4 * (settings.rounds - players.paired) <= settings.rounds
        self.final = self.left == 1
        begins = settings.control_from
        self.control_from = max(settings.rounds - 3, 1) - 1 if begins is None else begins
        self.locked = locked_places(self.rows, settings.places, self.left, self.gibson)
        self.groups = locked_groups(self.locked)
        self.pinned = {n for pair in players.pinned for n in pair if n is not None}
        pinned_byes = sum(other is None for _, other in players.pinned)
        self.bye = self.count if (self.count - pinned_byes) % 2 else None
        self.simulated = [*self.rows]
        if self.count % 2:
            low = self.rows[-1].twice_wins - 2 * (self.left + 1)
            self.simulated.append(Tally(low, 0))
        self._simulate()
        self.factor3, first_chances = self._factor3()
        if len(self.factor3) > 1:
            self.hopes = self._hopes(first_chances)
        self.high_cash = self.hopes.lowest[settings.places - 1]
        self.absolute = max(
            (r for r in range(self.count) if self.hopes.best[r] < settings.places), default=0
        )
        self.child = self._child()
        self.gibson_bye = self.bye is not None and any(
            self.locked[r] and not self.groups[r] and r not in self.pinned
            for r in range(self.count)
        )
        self.receiver = self._contender_bye()
        self.third = self._is_third_forced()
        self.odd_one = self._odd_one()
        self._adjust_cash()

    def _simulate(self) -> None:
        most, counts = self.left, None
        lists = simulated_lists(self.locked, len(self.simulated), self.left, most)
        counts = self.simulator.places(self.simulated, lists, self.gibson)
        open_ = next((r for r in range(self.count) if not self.locked[r]), None)
        self.widest = 0
        if open_ is not None:
            below = range(open_ + 1, self.count)
            reached = [counts[r][open_] > 0 for r in below]
            self.widest = reached.index(False) if False in reached else len(reached)
            group = self.groups[open_]
            run = next((r for r in range(open_, self.count) if self.groups[r] != group), self.count)
            if 2 * self.widest < run - open_:
                narrower = simulated_lists(self.locked, len(self.simulated), self.left, self.widest)
                if narrower != lists:
                    counts = self.simulator.places(self.simulated, narrower, self.gibson)
        self.counts = counts
        self.hopes = self._hopes(counts)

    def _hopes(self, counts: Sequence[Sequence[int]]) -> _Hopes:
        total = sum(counts[0])
        need = max(int(total * self.hope + 0.5), 1)
        two = sum(counts[r][0] for r in (0, 1) if r < self.count)
        halved = not self.locked[0] and two > _NEARLY_TWO * total
        needs = [max((need + 1) // 2, 1) if halved and p < 2 else need for p in range(self.count)]
        hopeful, best, worst = [], [], []
        for rank in range(self.count):
            row = counts[rank]
            sums, found = 0, self.count - 1
            for place in range(self.count):
                sums += row[place]
                if sums >= needs[place]:
                    found = place
                    break
            reached = [place for place, times in enumerate(row[: self.count]) if times]
            hopeful.append(found)
            best.append(min(reached, default=self.count - 1))
            worst.append(max(reached, default=self.count - 1))
        hopes = _Hopes(hopeful, best, worst, _lowest(hopeful))
        if self.last_quarter:
            self._even_cash(hopes)
        return hopes

    def _even_cash(self, hopes: _Hopes) -> None:
        """An odd number of cashers takes the next one in."""
        cash = hopes.lowest[self.settings.places - 1]
        free = sum(not self.locked[r] for r in range(cash + 1))
        if free % 2 and cash + 1 < self.count:
            hopes.promoted = cash + 1
            hopes.hopeful[cash + 1] = self.settings.places - 1
            hopes.lowest = _lowest(hopes.hopeful)

    def _child(self) -> int | None:
        """The highest chaser who could not win the event any more without meeting the leader."""
        if (
            self.players.paired < self.control_from
            or self.locked[0]
            or self.left < 2
            or not self.widest
        ):
            return None
        lists = simulated_lists(
            self.locked, len(self.simulated), self.left, self.widest, one_pair=True
        )
        last = self.hopes.lowest[0]
        found: dict[int, tuple[int, int, int]] = {}
        for rank in range(1, last + 1):
            if self.left > 4 and not self._always(lists, rank):
                continue
            found[rank] = with_, without, total = self._firsts(lists, rank)
            if with_ - without >= self.settings.control * total:
                return rank
        return self._next_to_lose(found, last) if self.left == 2 else None

    def _next_to_lose(self, found: Mapping[int, tuple[int, int, int]], last: int) -> int | None:
        """With two rounds left: who comes after those who win in any case."""
        ranks = iter(sorted(found))
        sure = False
        for rank in ranks:
            with_, without, total = found[rank]
            if with_ == without == total:
                sure = True
            elif sure:
                return rank if rank <= last and with_ > without else None
        return None

    def _always(self, lists: Lists, rank: int) -> bool:
        found, total = self.simulator.firsts(
            self.simulated, lists, self.gibson, rank, meets=True, only_all=True
        )
        return found == total

    def _firsts(self, lists: Lists, rank: int) -> tuple[int, int, int]:
        simulate = self.simulator.firsts
        with_, total = simulate(self.simulated, lists, self.gibson, rank, meets=True)
        without, _ = simulate(self.simulated, lists, self.gibson, rank, meets=False)
        return with_, without, total

    def _factor3(self) -> tuple[list[tuple[int, int]], Sequence[Sequence[int]]]:
        """In the round before the last: first with fourth, second with fifth, third with sixth."""
        if self.left != 2 or self.count < 6:
            return [], ()
        everybody = list(range(len(self.simulated)))
        rest = everybody[6:]
        lists = [[0, 3, 1, 4, 2, 5, *_factored(rest, len(rest) // 2)], everybody]
        for rank in (1, 2):
            with_, without, total = self._firsts(lists, rank)
            if with_ - without >= self.settings.control * total:
                return [(0, rank)], ()
        counts = self.simulator.places(self.simulated, lists, self.gibson)
        total, before = sum(counts[0]), sum(self.counts[0])
        need = max(int(total * self.hope + 0.5), 1)
        if any(sum(counts[3 + place][: place + 1]) < need for place in range(3)):
            return [], ()
        gains = (counts[r][0] / total - self.counts[r][0] / before for r in (3, 4, 5))
        return ([(0, 3), (1, 4), (2, 5)], counts) if max(gains) >= _WORTH else ([], ())

    def _contends(self, rank: int) -> bool:
        return rank <= self.high_cash and not self.locked[rank]

    def _contender_bye(self) -> int | None:
        """The lowest contender without a bye, where everybody else has had one."""
        if self.bye is None or self.gibson_bye:
            return None
        fresh = [r for r in range(self.count) if not self.players.byes[r] and r not in self.pinned]
        if not fresh or any(not self._contends(r) for r in fresh):
            return None
        return max(fresh)

    def _is_third_forced(self) -> bool:
        return (
            not self.factor3
            and self.hopes.lowest[0] <= 2
            and not self.locked[0]
            and self.count >= 3
            and self.receiver == 1
        )

    def _odd_one(self) -> int | None:
        """Who stands behind an odd group of those who can win, and is kept from the leader."""
        lowest = self.hopes.lowest[0]
        if self.factor3 or self.third or lowest + 1 >= self.count:
            return None
        if lowest == 0:
            return 1 if self.locked[0] else None
        size = lowest + 1 - self.locked[0]
        size -= self.receiver is not None and self.receiver <= lowest
        return lowest + 1 if size % 2 else None

    def _adjust_cash(self) -> None:
        """One more casher where the bye takes one away."""
        taker = self.receiver
        if taker is None or taker > self.high_cash or self.locked[taker]:
            return
        promoted = self.hopes.promoted
        if promoted is not None and taker < promoted:
            self.high_cash = promoted - 1
        elif self.high_cash + 1 < self.count:
            self.high_cash += 1

    def _rules(self) -> _Rules:
        rules = _Rules()
        nodes = range(self.count + (self.bye is not None))
        if self.final:
            self._king_of_the_hill(rules)
        if self.child is not None and not self.factor3:
            allowed = {self.child}
            if self.left > 4 and self.players.paired != self.control_from:
                allowed.add(self.child - 1)
            rules.barred |= {(0, n) for n in nodes if n and n not in allowed}
        rules.barred |= {
            (high, low)
            for low in range(self.count)
            for high in range(low)
            if self.groups[low] != self.groups[high]
        }
        self._bye_rules(rules)
        for pair in self.factor3:
            rules.force(*pair, coded("cop_factor3"))
        if self._is_top_four_alone():
            rules.barred |= {(a, b) for a in range(4) for b in nodes if b > 3}
        if self.third:
            rules.force(0, 2, coded("cop_third"))
        return rules

    def _bye_rules(self, rules: _Rules) -> None:
        if self.bye is None:
            return
        if self.gibson_bye:
            rules.barred |= {(r, self.bye) for r in range(self.count) if not self.locked[r]}
        if self.receiver is not None:
            rules.force(self.receiver, self.bye, coded("cop_bye"))

    def _is_top_four_alone(self) -> bool:
        """Whether four can win with two rounds to go: they meet each other."""
        is_theirs = self.left == 2 and not self.factor3 and self.hopes.lowest[0] == 3
        return is_theirs and self.count >= 4 and (self.receiver is None or self.receiver > 3)

    def _king_of_the_hill(self, rules: _Rules) -> None:
        ranks = [r for r in range(self.count) if r != self.receiver]
        here, below = 0, 0
        while here < len(ranks):
            rank = ranks[here]
            if rank > self.absolute:
                below = rank
                break
            other = ranks[here + 1] if here + 1 < len(ranks) else None
            if other is None or self.locked[rank] or self.locked[other]:
                here += 1
                continue
            if (rank, other) != (0, self.odd_one):
                rules.force(rank, other, coded("cop_hill", place=rank + 1, next=other + 1))
            here += 2
        for number, prizes in enumerate(self.settings.class_prizes, start=1):
            self._class_hill(rules, ranks, number, prizes, below)

    def _class_hill(
        self, rules: _Rules, ranks: Sequence[int], number: int, prizes: int, below: int
    ) -> None:
        """The same for the prizes of a class, among those who win no money otherwise."""
        own = [r for r in ranks if self.players.classes[r] == number]
        above = [r for r in own if r < below and self.hopes.worst[r] >= self.settings.places]
        left = available = prizes - len(above)
        if available < 1:
            return
        ahead, target = 0, None
        own = [r for r in own if r >= below]
        here = 0
        allowance = 2 * self.gibson
        while here + 1 < len(own):
            rank, other = own[here], own[here + 1]
            if not can_catch(self.rows[rank], self.rows[other], 1, allowance):
                ahead += 1
                if ahead == available:
                    return
                here += 1
                continue
            left = available - ahead
            if left == 2:
                target = other
            elif left == 1:
                target = rank
            elif target is not None and not can_catch(
                self.rows[target], self.rows[other], 1, allowance
            ):
                return
            rules.force(rank, other, coded("cop_class", number=number))
            ahead += 2
            here += 2

    def draw(self, matching: Matching) -> CopDraw:
        """The pairs at least cost, weighed again once where a contender had to go out of reach.

        Where the rules leave no round and no pair is pinned, nobody has to meet the leader; if that
        does not help, groups may mix. With pinned pairs the director decides.
        """
        rules = self._rules()
        found = self._matched(self._edges(rules), {}, matching)
        if not found and not self.pinned:
            self.child, self.factor3 = None, []
            rules = self._rules()
            found = self._matched(self._edges(rules), {}, matching)
        if not found and not self.pinned:
            rules.barred.clear()
            found = self._matched(self._edges(rules), {}, matching)
        edges = self._edges(rules)
        raised = {
            high: self.hopes.lowest[high] + 1
            for high, low in found
            if self._contest(high, low, {}) >= MAJOR
            if self.hopes.lowest[high] + 1 < self.count
        }
        if raised:
            found = self._matched(edges, raised, matching)
        bye = next((high for high, low in found if low == self.bye), None)
        seated = {n for pair in found for n in pair} | self.pinned
        pinned = [(min(a, b), max(a, b)) for a, b in self.players.pinned if b is not None]
        bye = next((a for a, b in self.players.pinned if b is None), bye)
        return CopDraw(
            pairs=tuple(
                [(pair, coded("locked")) for pair in pinned]
                + [
                    (pair, rules.forced.get(pair) or self._why(*pair))
                    for pair in found
                    if pair[1] != self.bye
                ]
            ),
            bye=bye,
            locked=tuple(r for r in range(self.count) if self.locked[r]),
            child=self.child,
            missing=tuple(r for r in range(self.count) if r not in seated),
        )

    def _edges(self, rules: _Rules) -> list[tuple[int, int]]:
        nodes = range(self.count + (self.bye is not None))
        forced: dict[int, set[int]] = {}
        for high, low in rules.forced:
            forced.setdefault(high, set()).add(low)
            forced.setdefault(low, set()).add(high)
        return [
            (high, low)
            for low in nodes
            for high in range(low)
            if (high, low) not in rules.barred
            and not {high, low} & self.pinned
            and forced.get(high, {low}) == {low}
            and forced.get(low, {high}) == {high}
        ]

    def _matched(
        self, edges: Iterable[tuple[int, int]], raised: Mapping[int, int], matching: Matching
    ) -> list[tuple[int, int]]:
        """The pairs at the least cost, of equal ones always the same; none if not all can be."""
        nodes = [n for n in range(self.count + (self.bye is not None)) if n not in self.pinned]
        place = {node: n for n, node in enumerate(nodes)}
        fine = (self.count + 1) ** 3
        costs = [
            (place[a], place[b], self._cost(a, b, raised) * fine + fine - (b - a) ** 2)
            for a, b in edges
        ]
        return [(nodes[a], nodes[b]) for a, b in matching(len(nodes), costs) or ()]

    def _cost(self, high: int, low: int, raised: Mapping[int, int]) -> int:
        is_bye = low == self.bye
        unit = 4 * (self.count**3 // 27)
        times = self.players.byes[high] if is_bye else self.players.met.get((high, low), 0)
        repeats = ((1 << times) - 1) * unit
        if (high, low) == (0, 1) and not is_bye:
            repeats += unit // 10
        cost = self._distance(high, low) + self._contest(high, low, raised)
        cost += self._crossing(high, low) + self._locked_cost(high, low) + repeats
        if high > self.high_cash and (high, low) in self.players.last:
            cost += MINOR
        if is_bye:
            cost += MAJOR * self.players.byes[high]
        return cost

    def _distance(self, high: int, low: int) -> int:
        apart = low - high
        in_money = self.last_quarter and not self.final
        if in_money and not self.locked[high] and high <= self.high_cash:
            return 0
        is_locked = self.locked[high] or (low != self.bye and self.locked[low])
        return apart**2 if is_locked or high >= self.settings.places else apart**3

    def _contest(self, high: int, low: int, raised: Mapping[int, int]) -> int:
        """Contenders meet those who contend for the same place."""
        is_bye = low == self.bye
        if self.final or self.locked[high] or high > self.high_cash:
            return 0
        if is_bye:
            return 3 * MAJOR
        if self.locked[low]:
            return 0
        lowest = raised.get(high, self.hopes.lowest[high])
        if low <= lowest or (lowest == high and low == high + 1):
            return int(2 * abs(lowest - low) ** 3) if self.last_quarter else 0
        return MAJOR // 2 if low == lowest + 1 else MAJOR

    def _crossing(self, high: int, low: int) -> int:
        """Who plays for money meets nobody who does not, in the last quarter."""
        if self.third and (high, low) == (0, 2):
            return 0
        if high == 0 and low == self.odd_one:
            return MAJOR
        if not self.last_quarter or self.final or low == self.bye:
            return 0
        large = self.count >= 12
        line = min(self.high_cash, self.count - 7) if large else self.high_cash
        inside = [r <= line and not self.locked[r] for r in (high, low)]
        if inside[0] != inside[1]:
            return MAJOR // 2 if low == line + 1 else MAJOR
        return 0

    def _locked_cost(self, high: int, low: int) -> int:
        """Who is sure of a place meets nobody who can still win money."""
        low_locked = low != self.bye and self.locked[low]
        if self.locked[high] == low_locked:
            return 0
        groups = self.groups[high], 0 if low == self.bye else self.groups[low]
        other = low if self.locked[high] else high
        return MAJOR if groups == (0, 0) and other <= self.absolute else 0

    def _why(self, high: int, low: int) -> CodedText:
        if self.child is not None and not self.factor3 and high == 0:
            return coded("cop_control")
        if self.locked[high] or self.locked[low]:
            return coded("cop_locked", place=high + 1 if self.locked[high] else low + 1)
        if high <= self.high_cash and low <= self.hopes.lowest[high]:
            best = self.hopes.hopeful[low] + 1
            return coded("cop_contend", place=high + 1, next=low + 1, best=best)
        times = self.players.met.get((high, low), 0)
        return coded("cop_near", place=high + 1, next=low + 1, times=times)


def _lowest(hopeful: Sequence[int]) -> list[int]:
    """For every place the lowest rank that hopes for it, or for a better one."""
    lowest, before = [0] * len(hopeful), 0
    for rank, place in enumerate(hopeful):
        lowest[place] = rank
        for between in range(before + 1, place):
            lowest[between] = rank - 1
        before = place
    lowest[before + 1 :] = [len(hopeful) - 1] * (len(hopeful) - before - 1)
    return lowest
