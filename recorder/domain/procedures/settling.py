"""How a procedure that stands open can be settled: the orders that a director can confirm.

No rule is asked here. Anyone who reads the record has its entries; with them a settlement becomes
orders. Nothing is applied.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TilesBySquare,
    TimePenalty,
    Withdrawn,
)
from recorder.domain.orders import (
    BEGINNING,
    Act,
    AdjustClock,
    Challenged,
    Concede,
    Correct,
    EndGame,
    EntryName,
    Insert,
    Outcome,
    SetEndRacks,
    SetTimePenalty,
    TurnKind,
)
from recorder.domain.standing_procedures import (
    ADD_TIME,
    TAKE_TIME,
    Settlement,
    StandingProcedure,
    StandingStep,
)

_QUIET = (Exchanged, Passed, NoPlay)


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """An event of the record that holds: its name for orders, and the turn it belongs to."""

    name: EntryName
    group: int
    event: GameEvent


def settled_by(
    procedure: StandingProcedure,
    way: Settlement,
    entries: Sequence[HeldEntry],
    left_ms: tuple[int, int],
) -> tuple[Act, ...]:
    """The orders that bring the record to a settlement, none where it has all of it.

    ``entries`` are all that hold, in the order of the game; ``left_ms`` what both clocks show.
    """
    if way.outcome is not None:
        return tuple(_verdict(procedure.group, way.outcome, way.events, entries))
    return (
        *_letters(way.letters, entries),
        *_events(procedure.group, way.events, entries),
        *_times(procedure.steps, left_ms),
    )


def _letters(letters: TilesBySquare, entries: Sequence[HeldEntry]) -> Iterator[Act]:
    """The newest entry that laid each tile, with the letter it has; one order for each entry."""
    left = dict(letters)
    for entry in reversed(entries):
        laid = entry.event.laid if isinstance(entry.event, Laid) else {}
        own = tuple((sq, left.pop(sq)) for sq in sorted(laid.keys() & left.keys()))
        if any(laid[sq] != tile for sq, tile in own):
            yield Correct(entry=entry.name, letters=own)


def _verdict(
    group: int, outcome: Outcome, events: Sequence[GameEvent], entries: Sequence[HeldEntry]
) -> Iterator[Act]:
    """The verdict on the play of a turn, with what it costs."""
    for entry in entries:
        if entry.group == group and isinstance(entry.event, Laid):
            yield Challenged(
                entry=entry.name,
                outcome=outcome,
                bonus=sum(event.points for event in events if isinstance(event, ChallengeBonus)),
                penalty=sum(event.points for event in events if isinstance(event, Penalty)),
                turn_lost=any(isinstance(event, Passed) for event in events),
            )
            return


def _events(group: int, events: Sequence[GameEvent], entries: Sequence[HeldEntry]) -> Iterator[Act]:
    known = [entry.event for entry in entries if entry.group >= group]
    missing = [event for event in events if isinstance(event, _QUIET) or event not in known]
    racks = tuple(event for event in missing if isinstance(event, EndRackPoints | EndRackPenalty))
    if racks:
        yield EndGame()
        yield SetEndRacks(points=racks)
    for event in missing:
        match event:
            case EndRackPoints() | EndRackPenalty():
                continue
            case TimePenalty(player=player, points=points):
                yield SetTimePenalty(player=player, points=points)
            case Conceded(player=player, margin=margin, how=how):
                yield Concede(player=player, margin=margin, how=how)
            case _:
                yield from _in_turn(event, group, entries)


def _in_turn(event: GameEvent, group: int, entries: Sequence[HeldEntry]) -> Iterator[Act]:
    """An event in the place of what its turn was; nothing where it is that already."""
    turn = [entry for entry in entries if entry.group == group]
    own = [entry for entry in turn if entry.event.player == event.player]
    laid = [entry for entry in own if isinstance(entry.event, Laid)]
    quiet = [entry for entry in own if isinstance(entry.event, _QUIET)]
    match event:
        case Withdrawn():
            if laid and not any(isinstance(entry.event, Withdrawn) for entry in turn):
                yield Insert(after=laid[0].name, event=event)
        case Played(placement=placement, score=score) if laid:
            yield Correct(entry=laid[0].name, placement=placement, score=score)
        case IllegallyPlayed(lifted=lifted) if laid and lifted:
            yield Correct(entry=laid[0].name, lifted=lifted, score=0)
        case Passed() if quiet:
            yield Correct(entry=quiet[0].name, kind=TurnKind.PASS)
        case Exchanged(count=count) if quiet:
            yield Correct(entry=quiet[0].name, kind=TurnKind.EXCHANGE, count=count)
        case NoPlay() if laid or quiet:
            yield Correct(entry=(laid or quiet)[0].name, kind=TurnKind.NO_PLAY)
        case _:
            yield Insert(after=entries[-1].name if entries else BEGINNING, event=event)


def _times(steps: Sequence[StandingStep], left_ms: tuple[int, int]) -> Iterator[Act]:
    for step in steps:
        sign = {ADD_TIME: 1, TAKE_TIME: -1}.get(step.code)
        if sign is not None and step.by is not None and step.seconds:
            left = left_ms[step.by] + sign * 1000 * step.seconds
            yield AdjustClock(player=step.by, left_ms=left)
