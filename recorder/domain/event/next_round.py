"""The next round of a division: who takes part, the draw, who moves first, at which table."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recorder.domain.errors import NotationError
from recorder.domain.event.cop import Simulator
from recorder.domain.event.cop_round import cop_draw, rounds_of, tally_of
from recorder.domain.event.divisions import EventDivision, EventPlayer
from recorder.domain.event.draws import (
    MOST_PAIRED,
    QUAD_ROUNDS,
    DrawnPair,
    Entrant,
    Matching,
    RoundDraw,
    Schedule,
    australian,
    berger_table,
    factor,
    king_of_the_hill,
    quads,
    random_draw,
    scheduled,
    spread_fours,
    swiss,
    team_table,
)
from recorder.domain.event.meetings import Meetings, meetings_before, starts_before
from recorder.domain.event.placing import Placing, placings
from recorder.domain.event.prospects import (
    gibson_spread,
    locked_groups,
    locked_places,
    reachable,
)
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.start.starting import Begun, balance, who_starts


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePair:
    """A game of the next round. ``starts_by`` is the code of the reason who moves first."""

    table: int
    first: int
    second: int
    repeat: bool
    why: CodedText
    starts_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """A round as paired, tables in order; ``bye`` None: nobody, else a player's number.

    ``out`` are those who take part in the event and sit this round out.
    """

    round: int
    pairs: tuple[TablePair, ...]
    bye: int | None
    out: tuple[int, ...] = ()


def pair_round(
    rules: Rules,
    division: EventDivision,
    wanted: WantedRound,
    matching: Matching,
    simulator: Simulator | None = None,
) -> NextRound:
    """Pair a round from what the division holds of the rounds before it.

    Only COP needs a ``simulator``. Raises NotationError when nobody is left to be paired, or the
    method cannot be used.
    """
    wanted = replace(
        wanted, tables=wanted.tables or division.fixed, prizes=wanted.prizes or division.prizes
    )
    staying = {player.number for player in division.players if _stays(player, wanted.round)}
    there = staying - {*wanted.absent}
    rows = placings(rules, division, min(wanted.round - 1, division.scored_rounds))
    rows = tuple(row for row in rows if row.number in staying)
    here = [row for row in rows if row.number in there]
    everybody = [Entrant(row.number, row.wins) for row in here]
    meetings = meetings_before(division, wanted.round, zero_bye=_zero_bye(rules))
    fixed = [*_locked(division, wanted, there)]
    if wanted.method is not Method.COP:
        fixed += _out_of_the_prizes(division, wanted, rows, fixed, meetings)
    gone = {number for pair in fixed for number in pair.players}
    field = [entrant for entrant in everybody if entrant.number not in gone]
    if not (2 <= len(everybody) <= MOST_PAIRED):
        raise NotationError(
            f"division {division.name} has {len(everybody)} of the 2 to {MOST_PAIRED} players that"
            f" round {wanted.round} takes"
        )
    if wanted.method is Method.COP and simulator is not None:
        draw, fixed = cop_draw(division, wanted, here, meetings, matching, simulator), []
    else:
        draw = _drawn_rest(rules, division, field, wanted, meetings, matching)
    ranks = {entrant.number: place for place, entrant in enumerate(everybody)}
    best = sorted((*draw.pairs, *fixed), key=lambda pair: sorted(ranks[n] for n in pair.players))
    starts = _Starts(rules, division, wanted, starts_set=draw.starts_set)
    return NextRound(
        round=wanted.round,
        pairs=tuple(
            starts.seated(table, pair, repeat=bool(meetings.of(*pair.players)))
            for table, pair in _at_tables(division, best, wanted)
        ),
        bye=draw.bye,
        out=tuple(
            player.number
            for player in division.players
            if player.number in wanted.absent and player.absence_margin is None
        ),
    )


def _stays(player: EventPlayer, round_: int) -> bool:
    """Whether a player is in the event at a round that is paired, maybe once more.

    Who has left since the round was published stays in it only once they have played it.
    """
    later = player.rounds[round_ - 1 :]
    has_played = any(line.opponent and (line.score, line.margin) != (None, None) for line in later)
    return player.absence_margin is None or has_played


def _zero_bye(rules: Rules) -> bool:
    return rules.get("bye.spread") == 0


def _locked(
    division: EventDivision, wanted: WantedRound, there: Collection[int]
) -> Iterator[DrawnPair]:
    """The pairs that the director has set; NotationError where somebody is in none or in two."""
    seen: set[int] = set()
    for pair in wanted.locked:
        if len({*pair}) < len(pair) or seen & {*pair} or not {*pair} <= {*there}:
            raise NotationError(
                f"division {division.name} cannot lock {pair[0]}-{pair[1]}: name two players who"
                " take part, each once"
            )
        seen |= {*pair}
        yield DrawnPair(pair, coded("locked"))


def _out_of_the_prizes(
    division: EventDivision,
    wanted: WantedRound,
    rows: Sequence[Placing],
    fixed: Sequence[DrawnPair],
    meetings: Meetings,
) -> list[DrawnPair]:
    """Who is sure of a place meets the highest without a prize, new to them if one is.

    ``rows`` has everybody in the event: who sits this round out can win a prize all the same, and
    so can who has a game of an earlier round to finish.

    Two who are sure of two places, but not which is whose, meet each other. Who is sure of a prize
    of their class is paired like who is sure of a place; who can still win one is spared both.
    """
    if not wanted.prizes and not division.class_prizes:
        return []
    rounds = max(rounds_of(division) - wanted.round + 1, 0)
    left = rounds + _most_open(division, wanted.round)
    standings = [tally_of(row) for row in rows]
    locked = locked_places(standings, wanted.prizes, left, gibson_spread(left))
    groups = locked_groups(locked)
    gone = {*wanted.absent, *(number for pair in fixed for number in pair.players)}
    best = [place for place, _ in reachable(standings, left, gibson_spread(left))]
    unpaid = [row for row, place in zip(rows, best, strict=True) if place > wanted.prizes]
    sure, races = _class_races(division, unpaid, left)
    pairs = [] if wanted.method is not Method.KOTH else _class_neighbours(races, gone, rounds)
    gone |= {number for pair in pairs for number in pair.players}
    winning = {number for race in races for number in race}
    winning |= {row.number for row, place in zip(rows, best, strict=True) if place <= wanted.prizes}
    others = [row.number for row in rows[wanted.prizes :] if row.number not in gone | sure]
    others.sort(key=lambda number: number in winning)
    for group in range(1, max(groups, default=0) + 1):
        places = [place for place, of in enumerate(groups) if of == group]
        together = [rows[place].number for place in places]
        if len(places) == 2 and not gone & {*together}:
            why = coded("locked_together", place=places[0] + 1, next=places[1] + 1)
            pairs.append(DrawnPair((together[0], together[1]), why))
    for row, is_locked, group in zip(rows, locked, groups, strict=True):
        is_sure = row.number in sure
        if not (is_locked or is_sure) or group or not others or row.number in gone:
            continue
        new = (number for number in others if not meetings.of(row.number, number))
        other = next(new, others[0])
        others.remove(other)
        code = "class_prize_sure" if is_sure else "not_to_be_caught"
        pairs.append(DrawnPair((row.number, other), coded(code, rounds=left)))
    return pairs


def _most_open(division: EventDivision, round_: int) -> int:
    """How many games before a round a player has still to finish at most."""
    games = (game for game in division.games if game.round < round_ and not game.played)
    return max(Counter(n for game in games for n in game.players).values(), default=0)


def _class_races(
    division: EventDivision, rows: Sequence[Placing], left: int
) -> tuple[set[int], list[list[int]]]:
    """Of those beyond the paid places who is sure of a prize of their class; who race for one.

    A race has the players of a class who can still win a prize of it, best first.
    """
    sure: set[int] = set()
    races: list[list[int]] = []
    for prize_class, count in enumerate(division.class_prizes, start=1):
        mates = [row for row in rows if division.player(row.number).prize_class == prize_class]
        tallies, spread = [tally_of(row) for row in mates], gibson_spread(left)
        locked = locked_places(tallies, count, left, spread)
        places = reachable(tallies, left, spread)
        sure |= {row.number for row, is_locked in zip(mates, locked, strict=True) if is_locked}
        racing = [
            row.number
            for row, (best, _) in zip(mates, places, strict=True)
            if best <= count and row.number not in sure
        ]
        races.append(racing)
    return sure, races


def _class_neighbours(races: Sequence[Sequence[int]], gone: set[int], left: int) -> list[DrawnPair]:
    """King of the hill in the last round: who race for a class prize meet each other, too."""
    pairs = []
    for race in races if left == 1 else ():
        free = [number for number in race if number not in gone]
        met = zip(free[::2], free[1::2], strict=False)
        pairs += [DrawnPair(pair, coded("class_neighbours")) for pair in met]
    return pairs


def _drawn_rest(
    rules: Rules,
    division: EventDivision,
    field: Sequence[Entrant],
    wanted: WantedRound,
    meetings: Meetings,
    matching: Matching,
) -> RoundDraw:
    """The pairs of those who are not paired yet; one alone has the bye."""
    if len(field) < 2:
        return RoundDraw((), field[0].number if field else None)
    if wanted.method in (Method.QUADS, Method.FONTES):
        begins = (wanted.round - 1) // QUAD_ROUNDS * QUAD_ROUNDS
        seeding = placings(rules, division, min(begins, division.scored_rounds))
        there = {entrant.number for entrant in field}
        order = [row.number for row in seeding if row.number in there]
        return quads(
            spread_fours(order) if wanted.method is Method.FONTES else order,
            wanted.round - 1 - begins,
            meetings_before(division, begins + 1, zero_bye=_zero_bye(rules)),
        )
    if wanted.method is Method.FACTOR:
        left = division.last_round and max(division.last_round - wanted.round + 1, 1)
        return factor(field, left, meetings, matching)
    return _draw(field, wanted, meetings, matching)


_TABLES: Mapping[Method, Callable[[Sequence[int]], Schedule]] = {
    Method.TEAMS: partial(team_table, interleaved=False),
    Method.INTERLEAVED: partial(team_table, interleaved=True),
}


def _draw(
    field: Sequence[Entrant], wanted: WantedRound, meetings: Meetings, matching: Matching
) -> RoundDraw:
    match wanted.method:
        case Method.RANDOM:
            by_number = {entrant.number: entrant for entrant in field}
            shuffled = [by_number[n] for n in wanted.order if n in by_number]
            place = wanted.order.index(shuffled[0].number) % (len(shuffled) + 1)
            return random_draw(shuffled, meetings, matching, bye_place=place)
        case Method.AUSTRALIAN:
            return australian(field, meetings, matching)
        case Method.KOTH:
            return king_of_the_hill(field, meetings)
        case Method.SWISS:
            return swiss(field, meetings, matching)
        case _:
            table = _TABLES.get(wanted.method, berger_table)
            return scheduled(field, wanted.round, table, meetings, matching)


def _at_tables(
    division: EventDivision, pairs: Sequence[DrawnPair], wanted: WantedRound
) -> list[tuple[int, DrawnPair]]:
    """The best pair at the first table; who has a fixed table takes the other along."""
    fixed = wanted.tables or {}
    seats = wanted.seats or range(1, 2 * len(pairs) + 1)
    taken: dict[int, DrawnPair] = {}
    for pair in pairs:
        table = next((fixed[n] for n in pair.players if n in fixed), None)
        if table is not None and table not in taken:
            taken[table] = pair
    free = [n for n in seats if n not in taken]
    others = [pair for pair in pairs if pair not in taken.values()]
    if len(free) < len(others):
        raise NotationError(
            f"division {division.name} has {len(free)} free tables for {len(others)} games: give it"
            f" more, for example: tables {division.name} 1-{len(pairs)}"
        )
    seated = [*taken.items(), *zip(free, others, strict=False)]
    return sorted(seated, key=lambda item: item[0])


class _Starts:
    """Who moves first, by the balance of starts as the rule set counts it (START-1)."""

    def __init__(
        self, rules: Rules, division: EventDivision, wanted: WantedRound, *, starts_set: bool
    ) -> None:
        self._rules = rules
        self._begun = starts_before(division, wanted.round)
        self._set = starts_set
        self._order = {number: place for place, number in enumerate(wanted.order)}

    def seated(self, table: int, pair: DrawnPair, *, repeat: bool) -> TablePair:
        first, second, by = self._first(*pair.players)
        return TablePair(
            table=table, first=first, second=second, repeat=repeat, why=pair.why, starts_by=by
        )

    def _first(self, player: int, other: int) -> tuple[int, int, str]:
        """The two in the order of play, and what decided it."""
        balances = tuple(balance(self._rules, self._begun[n]) for n in (player, other))
        starter, by = who_starts(
            self._rules, (balances[0], balances[1]), assigned=0 if self._set else None
        )
        if starter is not None:
            return (player, other, by) if starter == 0 else (other, player, by)
        usual = self._usually(player, other)
        if usual is not None:
            return usual
        lot = sorted((player, other), key=lambda number: self._order.get(number, number))
        return (lot[0], lot[1], "tile_draw")

    def _usually(self, player: int, other: int) -> tuple[int, int, str] | None:
        """Fewer firsts, then more seconds, then who went second last; None: all alike."""
        for by, measure in _USUAL:
            values = measure(self._begun[player]), measure(self._begun[other])
            if values[0] != values[1]:
                return (player, other, by) if values[0] < values[1] else (other, player, by)
        return None


def _firsts(begun: Sequence[Begun]) -> int:
    return sum(how is Begun.FIRST for how in begun)


def _replies(begun: Sequence[Begun]) -> int:
    return -sum(how is Begun.SECOND for how in begun)


def _latest(begun: Sequence[Begun]) -> int:
    """1 for who moved first in the latest game, else 0."""
    games = [how for how in begun if how in (Begun.FIRST, Begun.SECOND)]
    return int(bool(games) and games[-1] is Begun.FIRST)


_USUAL = (("fewest_firsts", _firsts), ("most_seconds", _replies), ("alternating", _latest))
