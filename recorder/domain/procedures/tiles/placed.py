"""Procedures about tiles on the board: laid illegally, turned, of another set, left over."""

from collections.abc import Collection, Container, Iterator
from dataclasses import replace

from recorder.domain.board import name_across, parse_square
from recorder.domain.game import GameEvent, IllegallyPlayed, Laid, Lying, Withdrawn
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import MAY_BE_MISREAD, Manner, Notice, TableNotice
from recorder.domain.orders import AdjustClock
from recorder.domain.procedures.found import Found, from_notice
from recorder.domain.procedures.moments import Moment
from recorder.domain.procedures.table_facts import PastNotice, TableFacts
from recorder.domain.reading.direction import direction_of
from recorder.domain.reading.histories.standing import board_shown
from recorder.domain.rules.challenge.verdict import wrong_removal
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.draw.foreign import ForeignFacts, HowFar, foreign_tile
from recorder.domain.rules.placement.board_check import DifferenceKind, differences, restore
from recorder.domain.rules.placement.layings import IllegalKind, Laying, illegal_kinds, kinds_of
from recorder.domain.rules.placement.orientation import (
    TurnedPlay,
    misoriented_first_play,
    misoriented_tiles,
    turned_play,
)
from recorder.domain.rules.placement.placement import IllegalPlay, rule_on_placement
from recorder.domain.rulings.closing import racks_after
from recorder.domain.standing_procedures import ADD_TIME, Settlement

_TURNS_TILES = frozenset({"turn_tiles", "move_tiles"})


def _play_at(facts: TableFacts, notice: TableNotice) -> Moment | None:
    plays = [
        moment
        for moment in facts.moments
        if moment.group.ref == notice.ref and isinstance(moment.event, Laid)
    ]
    return plays[0] if plays else None


def find_illegal_placements(facts: TableFacts) -> Iterator[Found]:
    """Tiles laid against the rules (PLACE-2).

    Where they must be announced it is open at once; else the opponent may object with the clocks
    stopped, until the reply. A play from too full a rack has the procedure of the overdraw.
    """
    for notice in facts.noticed(Notice.ILLEGAL_PLACEMENT):
        play = _play_at(facts, notice)
        if play is None or not isinstance(play.event, Laid):
            continue
        faults = play.event.faults if isinstance(play.event, IllegallyPlayed) else ()
        if faults == (LayingFault.OVER_SEVEN,) and play.group.overfull:
            continue
        must = notice.routing.director is Manner.TELL_PLAYERS
        press = facts.last_press
        objected = facts.stands and press is not None and press.seq == notice.ref
        if must or objected or facts.begun("illegal_placement", play.event.player):
            yield _illegal(facts, notice, play, play.event)


def _kinds(facts: TableFacts, play: Moment, laid: Laid) -> tuple[IllegalKind, ...]:
    """What is wrong with a laying: what was read, or what a director says; else by its shape."""
    if isinstance(laid, IllegallyPlayed):
        return kinds_of(laid.faults)
    said = str(facts.said("illegal_placement", laid.player).get("fault", ""))
    if said in set(LayingFault):
        return kinds_of([LayingFault(said)])
    return illegal_kinds(Laying(before=play.board, tiles=laid.laid))


def _illegal(facts: TableFacts, notice: TableNotice, play: Moment, event: Laid) -> Found:
    count, player = facts.rack(event.player), event.player
    drawn = max(0, facts.drawn_since(notice.ref) - facts.put_back(notice.ref))
    replied = facts.pressed_since(notice.ref, 1 - player) > 0
    ruling = rule_on_placement(
        facts.rules,
        IllegalPlay(
            played=event,
            laying=Laying(before=play.board, tiles=event.laid),
            kinds=_kinds(facts, play, event),
            kept=play.kept,
            drawn=0 if replied else min(drawn, play.bag),
            mixed=None if count is None else count > play.kept,
            replied=replied,
            board=facts.state.board,
        ),
    )
    return Found(
        code="illegal_placement",
        procedure=_with_count(ruling, {"restore_tiles"}, len(play.group.astray)),
        group=notice.ref,
        player=player,
        facts={
            "fault": event.faults[0].value if isinstance(event, IllegallyPlayed) else None,
            "tiles": len(event.laid),
            "score": ruling.score,
        },
        since=notice.ref,
        settlements=(Settlement(events=ruling.instead),) if ruling.instead else (),
    )


def find_directions(facts: TableFacts) -> Iterator[Found]:
    """A first play that does not lie as the lettering (ORIENT-1), later tiles turned (ORIENT-2)."""
    now = direction_of(facts.game.groups, dict(facts.table.looks.letters_turned), facts.rules)
    for notice in facts.noticed(Notice.WRONG_WAY_ROUND):
        play = _play_at(facts, notice)
        used = 0 if play is None else play.used
        procedure = misoriented_first_play(facts.rules, now.frame)
        yield replace(
            from_notice(notice, _with_count(procedure, _TURNS_TILES, used)),
            code="orientation",
            facts={"turned": notice.numbers.get("degrees")},
            since=notice.ref,
            over=turned_play(facts.rules, now.frame) is TurnedPlay.STAYS,
        )
    for notice in facts.noticed(Notice.TILE_TURNED):
        press = facts.last_press
        if notice.player is None or press is None:
            continue
        procedure = misoriented_tiles(
            facts.rules,
            by_mover_on_turn=press.player != notice.player,
            repeated=_has_turned(facts, notice),
        )
        yield replace(
            from_notice(notice, _with_count(procedure, {"straighten"}, len(notice.squares))),
            code="orientation",
            facts={"tiles": len(notice.squares)},
            since=notice.ref,
        )


def _has_turned(facts: TableFacts, notice: TableNotice) -> bool:
    """Whether the player has laid tiles turned in an earlier turn of this game."""
    turned = [
        (past.player, past.ref) for past in facts.past if past.code == Notice.TILE_TURNED.value
    ]
    turned += [(now.player, now.ref) for now in facts.noticed(Notice.TILE_TURNED)]
    return any(player == notice.player and ref < notice.ref for player, ref in turned)


def _with_count(procedure: Procedure, codes: Container[str], count: int) -> Procedure:
    """The procedure with the number of tiles in its steps of these codes."""
    steps = tuple(
        replace(step, tiles=count) if count and step.code in codes else step
        for step in procedure.steps
    )
    return replace(procedure, steps=steps)


def find_foreign_tiles(facts: TableFacts) -> Iterator[Found]:
    """A tile of another set on the board (ADJ-1)."""
    for notice in facts.noticed(Notice.FOREIGN_TILE):
        play, player = _play_at(facts, notice), notice.player
        if play is None or player is None:
            continue
        drawn = max(0, facts.drawn_since(notice.ref))
        how_far = HowFar.DRAWN if drawn else HowFar.PLAYED
        if facts.pressed_since(notice.ref, 1 - player):
            how_far = HowFar.ANSWERED
        count = int(notice.numbers.get("tiles", 1))
        plan = foreign_tile(
            facts.rules,
            ForeignFacts(
                player=player,
                how_far=how_far,
                count=count,
                score=getattr(play.event, "score", 0),
                tiles_played=play.used,
                kept=play.kept,
                drawn=drawn,
            ),
        )
        yield replace(
            from_notice(notice, plan),
            facts={"tiles": count, "letter": notice.numbers.get("letter")},
            since=notice.ref,
            over=not _lies(facts, notice),
            settlements=_open_ways(play.event) if plan.for_director else (),
        )


def _open_ways(event: GameEvent) -> tuple[Settlement, ...]:
    """What can become of a play with a tile of another set where no text says it."""
    off = Withdrawn(event.player, getattr(event, "score", 0))
    return (Settlement(code="stays"), Settlement(code="comes_off", events=(off,)))


def _lies(facts: TableFacts, notice: TableNotice) -> bool:
    """Whether a tile lies on any of its squares by the record."""
    squares = [parse_square(name)[0] for name in notice.squares]
    return not squares or any(facts.state.board.has_tile(square) for square in squares)


def find_wrong_removals(facts: TableFacts) -> Iterator[Found]:
    """Too few or too many tiles were taken off, and the challenger's clock has run (CHAL-9).

    Once all lie right, what stays is the time that the challenger is due.
    """
    lying = list(facts.noticed(Notice.WRONG_REMOVAL))
    for notice in lying:
        found = _wrong_removal(facts, notice.ref, notice.squares)
        if found is not None:
            yield replace(found, since=max(notice.refs))
    for past in () if lying else facts.past:
        found = (
            _wrong_removal(facts, past.ref, past.squares) if _may_owe_time(facts, past) else None
        )
        if found is not None and any(step.code == ADD_TIME for step in found.procedure.steps):
            yield replace(found, since=past.given, done=_PUT_RIGHT)


_PUT_RIGHT = frozenset({"take_play_off", "restore_tiles"})


def _wrong_removal(facts: TableFacts, ref: int, squares: Collection[str]) -> Found | None:
    play, wrong = _last_off(facts), frozenset(squares)
    if play is None:
        return None
    mover = play.player
    remedy = wrong_removal(
        facts.rules,
        play=frozenset(map(name_across, play.laid)),
        wrong=wrong,
        challenger_played=facts.pressed_since(ref, 1 - mover) > 0,
        mover_played=facts.pressed_since(ref, mover) > 0,
    )
    if remedy is None:
        return None
    return Found(
        code="wrong_removal",
        procedure=remedy,
        group=ref,
        player=mover,
        facts={"tiles": len(wrong)},
    )


def _may_owe_time(facts: TableFacts, past: PastNotice) -> bool:
    """Whether tiles were put right in this turn, and no clock was set since they lay wrong."""
    is_it = past.code == Notice.WRONG_REMOVAL.value and bool(past.squares)
    is_set = any(
        isinstance(ruling.order.act, AdjustClock) and ruling.seq > past.given
        for ruling in facts.rulings
    )
    press = facts.last_press
    return is_it and not is_set and press is not None and press.seq <= past.ref


def _last_off(facts: TableFacts) -> Laid | None:
    """The play that was taken back last."""
    events = facts.state.events
    back = max((at for at, event in enumerate(events) if isinstance(event, Withdrawn)), default=0)
    before = Lying().after(events[:back]).plays
    return before[-1] if before else None


def find_moved_tiles(facts: TableFacts) -> Iterator[Found]:
    """Tiles that moved, are gone or read as others, until they lie as recorded (PLACE-5, 6)."""
    noticed = list(facts.noticed(Notice.TILE_MOVED, Notice.TILE_GONE, Notice.CHANGED_AFTER_PRESS))
    squares = {parse_square(name)[0] for notice in noticed for name in notice.squares}
    record, look = facts.state.board, facts.table.witness
    shown = () if look is None else differences(record, board_shown(record, look.squares))
    found = [difference for difference in shown if difference.square in squares]
    letters = tuple(
        (difference.square, difference.seen)
        for difference in found
        if difference.kind is DifferenceKind.CHANGED
    )
    if not any(notice.code is not Notice.CHANGED_AFTER_PRESS for notice in noticed) and not letters:
        return  # nothing lies otherwise, or a play was taken off, which its own notice says
    seen = record.remove([square for square in squares if record.has_tile(square)])
    seen = seen.place(dict(letters))
    for difference in found:
        if difference.now is not None:
            seen = seen.place({difference.now: difference.tile})
    *racks, bag = racks_after(facts.state.events, facts.state.tile_set.total)
    weighed, counted = facts.bag_weighed, [facts.rack(player) for player in (0, 1)]
    known = [count for count in counted if count is not None]
    ways = (Settlement(code="misread", letters=letters), Settlement(code="swapped"))
    is_first = any(notice.numbers.get("case") == MAY_BE_MISREAD for notice in noticed)
    yield Found(
        code="tile_moved",
        procedure=restore(
            record,
            seen,
            bag_gain=None if weighed is None else weighed - bag,
            rack_gain=sum(known) - sum(racks) if len(known) == len(racks) else None,
        ),
        group=noticed[-1].ref,
        facts={"tiles": len(squares)},
        since=max(max(notice.refs) for notice in noticed),
        settlements=(ways if is_first else ways[::-1]) if letters else (),
    )


PLACINGS = (
    find_illegal_placements,
    find_directions,
    find_foreign_tiles,
    find_wrong_removals,
    find_moved_tiles,
)
