"""A table's game with everything that was ruled about it: turns, board, scores, and the end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recorder.domain.board import Square
from recorder.domain.game import EndRackPoints, GameState
from recorder.domain.notices import CodedText, Notice, coded
from recorder.domain.orders import Concede, Undo
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.awaited import taken_off_at_end
from recorder.domain.rulings.closing import (
    GameEnd,
    as_written_down,
    closing,
    out_player,
    over_by_zeros,
)
from recorder.domain.rulings.costs_once import unsaid, with_costs_once
from recorder.domain.rulings.in_force import (
    Ruling,
    as_seated,
    game_ended_by,
    in_force,
    rule,
    squares_held,
)
from recorder.domain.rulings.procedures import procedure_runs
from recorder.domain.rulings.racks_at_end import racks_at_end
from recorder.domain.rulings.replay_turns import ReplayedTurns, fit, replay_turns
from recorder.domain.rulings.shown_boards import doubted_over_gaps
from recorder.domain.rulings.standing_by_verdict import with_standing_plays
from recorder.domain.rulings.tiles_left_on_board import with_left_lying
from recorder.domain.turns import Turn

NOT_OUT = coded("nobody_out")


@dataclass(frozen=True, slots=True)
class RuledGame:
    """``groups`` are the turns as they hold, ``read`` by ``ref`` what the recorder reads by itself.

    ``state`` is the position after all of it, ``replayed`` how the turns came to it.
    ``is_over``: the game has ended, by its rules or by order.
    """

    groups: tuple[Turn, ...]
    read: Mapping[int, Turn]
    state: GameState
    replayed: ReplayedTurns = field(compare=False, repr=False)
    is_over: bool = False


Story = Callable[[Mapping[int, frozenset[Square]]], tuple[Turn, ...]]
"""``TableState.story`` of some table, or the same with a memory."""


def as_ruled(
    table: TableState,
    rulings: Sequence[Ruling],
    rules: Rules,
    story: Story | None = None,
    before: RuledGame | None = None,
) -> RuledGame:
    """The game as it holds: what the table's fold shows, the orders, the rule set in force.

    ``rulings`` are all of a game, in order; ``before`` is what came of it last by the same rules,
    and saves time only. RefusedError when two rulings in force do not fit each other.
    """
    counting = in_force(as_seated(rulings))
    tell = story if story is not None else table.story
    turns, ending = _told(table, _weighed(tell, counting))
    end = _end(table, counting, ending, rules)
    at_end = [ruling for ruling in counting if end is not None and _about_end(ruling, end)]
    about_turns = [ruling for ruling in counting if ruling.edits_turn and ruling not in at_end]
    earlier = None if before is None else before.replayed
    ruled_turns = with_standing_plays(rule(turns, about_turns), about_turns)
    done = replay_turns(
        with_left_lying(with_costs_once(ruled_turns)),
        table.turns.tile_set,
        rules,
        earlier,
    )
    read = {group.ref: group for group in turns}
    groups, state = doubted_over_gaps(done.groups, read), done.state
    declared = zeros_declared(counting)
    by_zeros = over_by_zeros(state, rules, declared=declared)
    if (end is None or not end.ordered) and over_by_zeros(state, rules, declared=False):
        last = _last_turn(done, rules)
        groups, state = groups[: last + 1], done.fitted[last].state
        end = _by_itself(table, groups[last].ref, counting, rules) or end
        at_end = [ruling for ruling in counting if end is not None and _about_end(ruling, end)]
    if end is None or not (end.ordered or by_zeros or _is_out(state, at_end)):
        not_out: tuple[CodedText, ...] = (NOT_OUT,) if ending is not None else ()
        return RuledGame(_doubted(groups, not_out), read, state, done)
    racks = racks_at_end(table, groups, state)
    said, twice = unsaid(end.end.said, groups[-1] if groups else None)
    ended = replace(end.end, racks=racks, declared=declared, said=said)
    by_rules = closing(replace(ended, doubts=(*ended.doubts, *twice)), state, rules)
    read[by_rules.ref] = by_rules
    (final,) = rule([by_rules], [replace(ruling, group=by_rules.ref) for ruling in at_end]) or (
        by_rules,
    )
    changed = _is_changed_since_given_up(counting)
    final = as_written_down(final, end.end, state, rules, is_changed=changed)
    state, final = fit(state, final, rules)
    if not final.events and not final.rulings:
        doubts = final.doubts if by_zeros else (*final.doubts, coded("racks_unknown"))
        return RuledGame(_doubted(groups, doubts), read, state, done, is_over=True)
    return RuledGame((*groups, final), read, state, done, is_over=True)


def _is_changed_since_given_up(counting: Sequence[Ruling]) -> bool:
    """Whether turns were ruled about, or an order undone, after a player lost by order."""
    rows = (ruling.seq for ruling in counting if isinstance(ruling.order.act, Concede))
    given_up = max(rows, default=None)
    return given_up is not None and any(
        ruling.seq > given_up and (ruling.edits_turn or isinstance(ruling.order.act, Undo))
        for ruling in counting
    )


def _weighed(tell: Story, counting: Sequence[Ruling]) -> tuple[Turn, ...]:
    """What the table shows: of turns that are ruled about by itself, of others given the rulings.

    So the rest of the game agrees with a ruling, and what contradicts it is still heard.
    """
    held = squares_held(counting)
    if not held:
        return tell({})
    alone = {group.ref: group for group in tell({})}
    return tuple(
        alone.get(group.ref, group) if group.ref in held else group for group in tell(held)
    )


@dataclass(frozen=True, slots=True)
class _Ended:
    end: GameEnd
    ordered: bool


def _told(table: TableState, story: tuple[Turn, ...]) -> tuple[tuple[Turn, ...], Turn | None]:
    """The turns, and the end that the table's fold shows after a play-out, if it shows one."""
    if table.clock.stop_row is not None and story and story[-1].ref == table.clock.stop_row:
        return story[:-1], story[-1]
    return story, None


def _end(
    table: TableState, rulings: Sequence[Ruling], ending: Turn | None, rules: Rules
) -> _Ended | None:
    """Whether the game may have ended: stopped for good, or by order."""
    order = game_ended_by(rulings)
    stopped = table.clock.stop_row is not None and (order is not None or not table.turns.unread)
    rows = [table.clock.stop_row] if stopped and table.clock.stop_row is not None else []
    rows += [order.seq] if order is not None else []
    if not rows:
        return None
    remaining = table.remaining_at_end
    if order is not None and not stopped:
        remaining = table.clock.now.believed_at(order.at_ms)
    first_ms, second_ms = taken_off_at_end(rules, rulings, table)
    events = ending.events if ending is not None else ()
    rests_on = ending.refs if ending is not None else ()
    end = GameEnd(
        ref=min(rows),
        refs=(min(rows), *(row for row in rests_on if row != min(rows))),
        remaining_ms=(remaining[0] - first_ms, remaining[1] - second_ms),
        said=tuple(event for event in events if not isinstance(event, EndRackPoints)),
        doubts=ending.doubts if ending is not None else (),
        lateness=any(_lost_by_lateness(ruling) for ruling in rulings),
    )
    return _Ended(end, ordered=order is not None)


def _last_turn(done: ReplayedTurns, rules: Rules) -> int:
    """The turn that ended a game by zeros: what is pressed without a score later is none of it."""
    last = len(done.fitted) - 1
    while last and over_by_zeros(done.fitted[last - 1].state, rules, declared=False):
        last -= 1
    return last


def _by_itself(
    table: TableState, ref: int, rulings: Sequence[Ruling], rules: Rules
) -> _Ended | None:
    """The end with a turn, clock stopped or not; the row is that of the look at it."""
    press = next((press for press in table.turns.presses if press.seq == ref), None)
    look = None if press is None else dict(table.turns.look_of).get(ref)
    is_newest = press is not None and press == table.turns.presses[-1]
    if press is None or look is None or (is_newest and table.turns.unread):
        return None
    known = dict(table.clock.at_presses).get(ref)
    if is_newest or known is None:
        remaining = list(table.clock.now.remaining_ms)
        remaining[1 - press.player] += max(0, table.clock.now.at_ms - press.at_ms)
    else:
        remaining = list(known)
    off = taken_off_at_end(rules, rulings, table)
    first_ms, second_ms = (left - less for left, less in zip(remaining, off, strict=True))
    return _Ended(
        GameEnd(ref=look, refs=(look,), remaining_ms=(first_ms, second_ms)), ordered=False
    )


def _lost_by_lateness(ruling: Ruling) -> bool:
    return isinstance(ruling.order.act, Concede) and ruling.order.act.how == "lateness"


def zeros_declared(counting: Sequence[Ruling]) -> bool:
    """Whether a player has claimed the end after turns without a score, by a procedure's facts."""
    claims = [
        run.act.facts.get("declared")
        for run in procedure_runs(counting)
        if run.act.code == Notice.SIX_ZERO
    ]
    return claims[-1:] == [True]


def _about_end(ruling: Ruling, end: _Ended) -> bool:
    return ruling.edits_end or (ruling.edits_turn and ruling.group == end.end.ref)


def _is_out(state: GameState, at_end: Sequence[Ruling]) -> bool:
    about_end = [ruling for ruling in at_end if ruling.ends_game or ruling.edits_turn]
    return bool(about_end) or out_player(state) is not None


def _doubted(groups: tuple[Turn, ...], doubts: tuple[CodedText, ...]) -> tuple[Turn, ...]:
    """Doubts about the end belong to the last turn while the end itself has no entry."""
    if not doubts or not groups:
        return groups
    *before, last = groups
    if last.accepted:
        return groups
    return (*before, replace(last, firm=(*last.firm, *doubts)))
