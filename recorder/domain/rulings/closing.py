"""What the end of a game counts, by the rule set in force: tiles left and overtime.

The game has ended when the clock was stopped for good after a play-out, or by order. What the
rule set does not settle is proposed with the other reading beside it, or asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recorder.domain.game import (
    TURNS,
    Conceded,
    GameEvent,
    GameState,
    IllegallyPlayed,
    Laid,
    Unseen,
    Withdrawn,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import CodedText, coded
from recorder.domain.record import Alternative
from recorder.domain.rules.core.parameters import Rules, listed
from recorder.domain.rules.ending.conclusions import Conclusion, left_for_good, resignation
from recorder.domain.rules.ending.ending import (
    Convention,
    out_events,
    rack_points,
    racks_deducted,
    tiles_of_the_other,
)
from recorder.domain.rules.ending.overtime import (
    CHARGING,
    Limit,
    limit_state,
    over_s,
    overtime_forfeit,
    time_penalties,
)
from recorder.domain.rules.ending.six_zeros import ZeroState, six_zeros, zero_run
from recorder.domain.tiles import RACK_SIZE, Tiles
from recorder.domain.turns import Turn

_ORDER = (Convention.DOUBLE, Convention.TRANSFER)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd:
    """That a game has ended: the row that says so, and the times left then (player 0 first).

    ``said`` are events that belong to the end without being computed, such as a bonus for the
    last play. ``racks`` are the letters that stand on the racks, None where they are not known;
    ``declared``: a player has claimed the end; ``lateness``: somebody lost by not coming in time.
    """

    ref: int
    refs: tuple[int, ...]
    remaining_ms: tuple[int, int]
    said: tuple[GameEvent, ...] = ()
    doubts: tuple[CodedText, ...] = ()
    racks: tuple[Tiles | None, Tiles | None] = (None, None)
    declared: bool = False
    lateness: bool = False


def over_by_zeros(state: GameState, rules: Rules, *, declared: bool) -> bool:
    """Whether turns without a score have ended the game (END-4)."""
    run = zero_run(state.events)
    return six_zeros(rules, run, declared=declared).state is ZeroState.OVER


def out_player(state: GameState, *, has_ended: bool = False) -> int | None:
    """Who has played out, by the tile account alone: everybody drew what they should (END-2).

    Where the bag ran out during turns that nobody saw, who has how many tiles is not known. Then
    nobody has, unless the game is known to have ended: with the last play, if the bag is empty.
    """
    events = [event for event in state.events if not is_after_end(event)]
    turns = [event for event in events if isinstance(event, (*TURNS, Withdrawn))]
    if not turns or not isinstance(turns[-1], Laid):
        return None
    player = turns[-1].player
    first, second, bag = racks_after(events, state.tile_set.total)
    tiles = tiles_of_the_other(state)
    mine, other = (first, second) if player == 0 else (second, first)
    if _are_racks_unknown(events, state.tile_set.total):
        is_end = has_ended and bag == 0 and tiles is not None and len(tiles) <= RACK_SIZE
        return player if is_end else None
    return player if mine == 0 == bag and tiles is not None and len(tiles) == other else None


def _are_racks_unknown(events: Sequence[GameEvent], total: int) -> bool:
    """Whether both players laid tiles unseen while the bag ran out."""
    return any(
        isinstance(event, Unseen)
        and (event.turns > 1 or event.is_least)
        and racks_after(events[: at + 1], total)[2] == 0
        for at, event in enumerate(events)
    )


def is_after_end(event: GameEvent) -> bool:
    """Whether it is a laying that came when the game was over, and counts for nothing (END-1)."""
    return isinstance(event, IllegallyPlayed) and LayingFault.AFTER_END in event.faults


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
            drawn = min(len(event.left), bag)  # in the place of what was forgotten on the board
            held[event.player] += drawn - len(event.left)
            bag -= drawn
    return held[0], held[1], bag


def closing(end: GameEnd, state: GameState, rules: Rules) -> Turn:
    """The end of a game as one group: points for the racks, then overtime.

    Events may be none at all: the end is known and what it counts is asked. Where somebody
    lost by lateness the clock has measured the wait, and nobody's overtime (LATE-4).
    """
    points, other, doubts = _racks(end, state, rules)
    minus, questions = ((), ()) if end.lateness else overtime(end.remaining_ms, rules)
    alternatives = (Alternative((*end.said, *other, *minus), 0.0),) if other else ()
    return Turn(
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
) -> tuple[tuple[GameEvent, ...], tuple[GameEvent, ...], tuple[CodedText, ...]]:
    """The points for the tiles left, what else they may be, and what is to be asked (END-3)."""
    out = out_player(state, has_ended=True)
    if out is None and over_by_zeros(state, rules, declared=end.declared):
        own = racks_deducted(end.racks, state.tile_set)
        return own.events, (), _zeros_open(end)
    if out is None:
        return (), (), ()
    tiles, tile_set = tiles_of_the_other(state) or (), state.tile_set
    found = rack_points(rules, out=out, tiles=tiles, tile_set=tile_set)
    if found.events:
        return found.events, (), ()
    both = [out_events(player, out=out, tiles=tiles, tile_set=tile_set) for player in _ORDER]
    return both[0], both[1], _about_racks(rules, out, tile_set.points(tiles))


def _about_racks(rules: Rules, out: int, value: int) -> tuple[CodedText, ...]:
    """What the rule set leaves open about the points for tiles left."""
    if not value or len(listed(rules, "endgame.out_bonus")) == 1:
        return ()
    return (coded("convention_open", player=out, double=2 * value, single=value),)


def _zeros_open(end: GameEnd) -> tuple[CodedText, ...]:
    """What keeps the racks from being taken off after turns without a score (END-5)."""
    unknown = [player for player, rack in enumerate(end.racks) if rack is None]
    if len(unknown) == len(end.racks):
        return (coded("racks_unknown"),)
    return tuple(coded("rack_unknown", player=player) for player in unknown)


def overtime(
    remaining_ms: tuple[int, int], rules: Rules
) -> tuple[tuple[GameEvent, ...], tuple[CodedText, ...]]:
    """What overtime costs both players (END-6), and what the rule set leaves open about it."""
    first, second = remaining_ms
    over = (over_s(first), over_s(second))
    found = time_penalties(rules, over)
    is_priced = all(map(rules.usable, CHARGING))
    questions: list[CodedText] = []
    for player, seconds in enumerate(over):
        if seconds and not is_priced:
            questions.append(coded("overtime_open", player=player, seconds=seconds))
        if limit_state(rules, seconds) is Limit.LOST:
            questions.append(coded("maybe_lost", player=player, minutes=seconds // 60))
    return found.events, tuple(questions)


def as_written_down(
    final: Turn, end: GameEnd, state: GameState, rules: Rules, *, is_changed: bool = False
) -> Turn:
    """The end with the totals that a rule set has written down for a game that was given up.

    Only for the margin that follows from them; a director who sets another one leaves the scores.
    It is a doubt where turns were changed since (``is_changed``): the margin was that of other
    scores. ``state`` is the position before the end.
    """
    given_up = next((event for event in final.events if isinstance(event, Conceded)), None)
    found = None if given_up is None else _concluded(given_up, end, state, rules)
    if given_up is None or found is None or found.margin is None:
        return final
    if given_up.margin != found.margin and is_changed and not final.accepted:
        stale = coded("margin_now", player=given_up.player, now=found.margin, was=given_up.margin)
        return replace(final, firm=(*final.firm, stale))
    if found.scores is None:
        return final
    winner, loser = found.scores[1 - given_up.player], found.scores[given_up.player]
    if not given_up.margin == found.margin == winner - loser:
        return final
    events = (
        replace(event, scores=found.scores) if isinstance(event, Conceded) else event
        for event in final.events
    )
    return replace(final, events=tuple(events))


def _concluded(
    given_up: Conceded, end: GameEnd, state: GameState, rules: Rules
) -> Conclusion | None:
    """What the rule set says about a game that was given up like that."""
    player, scores = given_up.player, state.scores
    match given_up.how:
        case "left":
            return left_for_good(rules, scores, player)
        case "resignation":
            return resignation(rules, scores, player, emergency=True, permitted=True)
        case "overtime":
            others_s = over_s(end.remaining_ms[1 - player])
            return overtime_forfeit(rules, scores, player, others_over_s=others_s)
    return None
