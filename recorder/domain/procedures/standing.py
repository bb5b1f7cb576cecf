"""A procedure as it stands at a table: with whom, with which facts, how far, and how it can end.

No rule is asked here. Whoever reads the record has its entries; with them a settlement becomes
the orders that a director can confirm. Nothing is carried out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

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
    TimePenalty,
    Withdrawn,
)
from recorder.domain.limits import BIGGEST_INTEGER, AtMost, Long, PlayerNumber, Within
from recorder.domain.notices import CodedText, Manner, PlainValue, in_words
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

_MOST_STEPS = 40
_MOST_WAYS = 10
NO_WORDS = in_words("")
ADD_TIME, TAKE_TIME = "add_time", "take_time"
"""The steps that give a player seconds, or take them; the order of each sets their clock."""
_AMOUNTS = frozenset({ADD_TIME, TAKE_TIME, "adjust_time", "set_clock", "take_time_at_end"})
"""Steps whose seconds go onto a clock or off it."""
_QUIET = (Exchanged, Passed, NoPlay)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingStep:
    """One act of a procedure: what is to be done (``code``; ``act`` for people), and by whom.

    ``tiles`` it moves or shows, ``seconds`` allowed for it; None where it has none. ``by`` is the
    player who acts, None where it is either or the director. ``done``: a sensor or the director
    says so. ``until_ms``: when its time is over, None until a director lets it run.
    """

    code: Annotated[str, Long(1, 64)]
    who: Annotated[str, Long(1, 20)]
    act: CodedText = NO_WORDS
    rule: Annotated[str, Long(0, 80)] = ""
    by: PlayerNumber | None = None
    tiles: Annotated[int, Within(0, 1000)] | None = None
    seconds: Annotated[int, Within(0, 100_000)] | None = None
    done: bool = False
    until_ms: Annotated[int, Within(0, BIGGEST_INTEGER)] | None = None


def is_timed(code: str, seconds: int | None) -> bool:
    """Whether a step's seconds are time to act in, and not time that is set or taken."""
    return seconds is not None and code not in _AMOUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """One way in which a procedure can be settled.

    ``code`` names the way, empty where there is one only. ``events`` are what the record gets by
    it and does not have yet, in the place of what its turn was or after it; none where the turns
    stay as they are. ``outcome``: it is the verdict on a challenge of the turn's play, and
    ``events`` what that costs; there is still something to be done at the table then, and the
    procedure goes on.
    """

    code: Annotated[str, Long(0, 64)] = ""
    events: Annotated[tuple[GameEvent, ...], AtMost(_MOST_WAYS)] = ()
    outcome: Outcome | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the procedure stands open still once its orders are given."""
        return self.outcome in (Outcome.OFF, Outcome.STANDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingProcedure:
    """A procedure that stands open.

    ``key`` names it, also once a director has taken it up. ``group`` is the turn
    that it is about (the row of its press), 0 for none; ``player`` 0 or 1, None where it is about
    neither. ``facts`` are what the rules were asked with and what came of it. ``questions`` are
    what the text leaves to the director. ``settlements`` are the ways in which it can end, the
    likeliest first; a director's orders carry one out. ``until_ms``: when the time allowed now is
    over.
    ``director``: how the director learns of it, as of the notice that it follows from (INT-2).
    """

    key: Annotated[str, Long(1, 80)]
    code: Annotated[str, Long(1, 64)]
    group: Annotated[int, Within(0, BIGGEST_INTEGER)] = 0
    player: PlayerNumber | None = None
    title: CodedText = NO_WORDS
    rule: Annotated[str, Long(0, 80)] = ""
    facts: Mapping[str, PlainValue] = field(default_factory=dict)
    steps: Annotated[tuple[StandingStep, ...], AtMost(_MOST_STEPS)] = ()
    until_ms: Annotated[int, Within(0, BIGGEST_INTEGER)] | None = None
    questions: Annotated[tuple[CodedText, ...], AtMost(40)] = ()
    settlements: Annotated[tuple[Settlement, ...], AtMost(_MOST_WAYS)] = ()
    director: Manner = Manner.SHOW


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
    return (*_events(procedure.group, way.events, entries), *_times(procedure.steps, left_ms))


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
