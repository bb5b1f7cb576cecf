"""What the end of a game counts, by the rule set in force: tiles left and overtime.

The game has ended when the clock was stopped for good after a play-out, or by order. What the
rule set does not settle is proposed with the other reading beside it, or asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.game import (
    TURNS,
    GameEvent,
    GameState,
    Laid,
    Withdrawn,
)
from recorder.domain.reading.turns import Group
from recorder.domain.record import Alternative
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.ending import (
    Convention,
    EndReason,
    out_events,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.overtime import Limit, limit_state, over_s, time_penalties
from recorder.domain.rules.ending.six_zeros import ZeroState, six_zeros, zero_run
from recorder.domain.tiles import RACK_SIZE

_ORDER = (Convention.DOUBLE, Convention.TRANSFER)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """That a game has ended: the row that says so, and the times left then (player 0 first).

    ``said`` are events that belong to the end without being computed, such as a bonus for the
    last play. ``racks`` are the letters that stand on the racks, None where they are not known;
    ``declared``: a player has claimed the end.
    """

    ref: int
    refs: tuple[int, ...]
    remaining_ms: tuple[int, int]
    said: tuple[GameEvent, ...] = ()
    doubts: tuple[str, ...] = ()
    racks: tuple[str | None, str | None] = (None, None)
    declared: bool = False


def over_by_zeros(state: GameState, rules: Rules, *, declared: bool) -> bool:
    """Whether turns without a score have ended the game (END-4)."""
    run = zero_run(state.events)
    return six_zeros(rules, run, declared=declared).state is ZeroState.OVER


def out_player(state: GameState) -> int | None:
    """Who has played out, by the tile account alone: everybody drew what they should (END-2)."""
    turns = [event for event in state.events if isinstance(event, (*TURNS, Withdrawn))]
    if not turns or not isinstance(turns[-1], Laid):
        return None
    player = turns[-1].player
    first, second, bag = racks_after(state.events, state.tile_set.total)
    tiles = tiles_of_the_other(state)
    mine, other = (first, second) if player == 0 else (second, first)
    return player if mine == 0 == bag and tiles is not None and len(tiles) == other else None


def racks_after(events: Sequence[GameEvent], total: int) -> tuple[int, int, int]:
    """Tiles on both racks and in the bag, when everybody draws what they should (DRAW-2)."""
    held, bag = [RACK_SIZE, RACK_SIZE], total - 2 * RACK_SIZE
    before: list[tuple[list[int], int]] = []
    for event in events:
        if isinstance(event, Laid):
            before.append((list(held), bag))
            laid = len(event.laid)
            drawn = min(laid, bag)
            held[event.player] += drawn - laid
            bag += len(event.laid) - len(event.lying) - drawn
        elif isinstance(event, Withdrawn) and before:
            held, bag = before.pop()
    return held[0], held[1], bag


def closing(end: GameEnd, state: GameState, rules: Rules) -> Group:
    """The end of a game as one group: points for the racks, then overtime.

    Events may be none at all: the end is known and what it counts is asked.
    """
    points, other, doubts = _racks(end, state, rules)
    minus, questions = overtime(end.remaining_ms, rules)
    alternatives = (Alternative((*end.said, *other, *minus), 0.0),) if other else ()
    return Group(
        ref=end.ref,
        refs=end.refs,
        events=(*end.said, *points, *minus),
        log_odds=0.0,
        doubts=(*end.doubts, *doubts, *questions),
        alternatives=alternatives,
        agreed=frozenset(range(len(end.said) + len(points) + len(minus))),
    )


def _racks(
    end: GameEnd, state: GameState, rules: Rules
) -> tuple[tuple[GameEvent, ...], tuple[GameEvent, ...], tuple[str, ...]]:
    """The points for the tiles left, what else they may be, and what is to be asked (END-3)."""
    out = out_player(state)
    if out is None and over_by_zeros(state, rules, declared=end.declared):
        own = racks_deducted(rules, EndReason.SIX_ZEROS, end.racks, state.tile_set)
        return own.events, (), own.open_questions
    if out is None:
        return (), (), ()
    tiles, tile_set = tiles_of_the_other(state) or "", state.tile_set
    found = rack_points(rules, out=out, tiles=tiles, tile_set=tile_set)
    if found.events:
        return found.events, (), ()
    both = [out_events(player, out=out, tiles=tiles, tile_set=tile_set) for player in _ORDER]
    return both[0], both[1], found.open_questions


def overtime(
    remaining_ms: tuple[int, int], rules: Rules
) -> tuple[tuple[GameEvent, ...], tuple[str, ...]]:
    """What overtime costs both players (END-6), and what the rule set leaves open about it."""
    first, second = remaining_ms
    over = (over_s(first), over_s(second))
    found = time_penalties(rules, over)
    questions = list(found.open_questions)
    for player, seconds in enumerate(over):
        if limit_state(rules, seconds) is Limit.LOST:
            text = f"player {player + 1} is {seconds // 60} minutes over: is the game lost? (END-7)"
            questions.append(text)
    return found.events, tuple(questions)
