"""What happened, in the words of a score keeper: for doubts, reasons and the director's page."""

from collections.abc import Iterable

from recorder.domain.board import name_across
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Withdrawn,
)
from recorder.domain.orders import (
    Accept,
    Act,
    AdjustClock,
    Banner,
    BeginProcedure,
    Challenged,
    CloseProcedure,
    Concede,
    Correct,
    Decide,
    EndGame,
    Insert,
    Note,
    Remove,
    SetEndRacks,
    SetTimePenalty,
    Sign,
    TickStep,
    Undo,
)
from recorder.domain.reading.notation import tiles_notation


def describe(event: GameEvent) -> str:
    """An event as a score keeper would say it: ``8D FI.NS +24``."""
    match event:
        case Played(placement=placement, score=score):
            text = f"{placement} +{score}"
        case IllegallyPlayed():
            text = _illegal(event)
        case Exchanged(count=count):
            text = f"exchange of {count}"
        case Passed():
            text = "pass"
        case NoPlay():
            text = "exchange or pass: board unchanged"
        case Withdrawn(score=score):
            text = f"last play withdrawn -{score}"
        case ChallengeBonus(points=points):
            text = f"challenged play stands +{points}"
        case EndRackPoints() | EndRackPenalty() | TimePenalty() | Penalty() | Conceded():
            text = _at_the_end(event)
    return text


def _illegal(event: IllegallyPlayed) -> str:
    faults = ", ".join(fault.value.replace("_", " ") for fault in event.faults)
    return f"illegal laying {tiles_notation(event.tiles)} +{event.score} ({faults})"


def _at_the_end(
    event: EndRackPoints | EndRackPenalty | TimePenalty | Penalty | Conceded,
) -> str:
    match event:
        case EndRackPoints(points=points, tiles=tiles):
            text = f"opponent's tiles {tiles} +{points}"
        case EndRackPenalty(points=points, tiles=tiles):
            text = f"own tiles {tiles} -{points}"
        case TimePenalty(points=points):
            text = f"overtime -{points}"
        case Penalty(points=points, reason=reason):
            text = f"penalty -{points} {reason}".rstrip()
        case Conceded(margin=margin, how=how):
            text = f"lost by {how}, margin {margin}"
    return text.replace("  ", " ")


def describe_all(events: Iterable[GameEvent]) -> str:
    """Several events in one line; empty when there is none."""
    return ", then ".join(map(describe, events))


def describe_act(act: Act) -> str:
    """An order in a few words, as the record lists it."""
    match act:
        case Accept(entry=entry, candidate=candidate):
            text = f"{entry}: candidate {candidate}" if candidate else f"{entry} stands as read"
        case Correct():
            text = f"{act.entry}: {_correction(act)}"
        case Insert(after=after, event=event):
            text = f"after {after}: player {event.player + 1} {describe(event)}"
        case Remove(entry=entry):
            text = f"{entry} did not happen"
        case Challenged(entry=entry, outcome=outcome):
            text = f"{entry} challenged: {outcome.value}"
        case Decide(text=words, rule=rule):
            text = f"{rule}: {words}" if rule else words
        case Banner(text=words):
            text = f"banner: {words}" if words else "banner withdrawn"
        case Note(text=words):
            text = f"note: {words}"
        case Sign() | BeginProcedure() | TickStep() | CloseProcedure():
            text = _about_procedure(act)
        case _:
            text = _about_end(act)
    return text


def _about_procedure(act: Sign | BeginProcedure | TickStep | CloseProcedure) -> str:
    match act:
        case Sign(player=player):
            return f"result signed by player {player + 1}"
        case BeginProcedure(code=code):
            return f"procedure open: {code.replace('_', ' ')}"
        case TickStep(step=step, code=code, done=done):
            named = code.replace("_", " ") or str(step + 1)
            return f"step {named}: {'done' if done else 'not done'}"
        case CloseProcedure(carried_out=carried_out):
            return "procedure carried out" if carried_out else "procedure dropped"


def _about_end(
    act: AdjustClock | EndGame | SetEndRacks | SetTimePenalty | Concede | Undo,
) -> str:
    match act:
        case Undo(order=order):
            return f"undo {order}"
        case AdjustClock(player=player, left_ms=left):
            sign, seconds = ("-" if left < 0 else ""), abs(left) // 1000
            return f"clock of player {player + 1}: {sign}{seconds // 60}:{seconds % 60:02}"
        case EndGame():
            return "the game is over"
        case SetEndRacks(points=points):
            return describe_all(points) or "no points for tiles left"
        case SetTimePenalty(player=player, points=points):
            return f"overtime of player {player + 1}: -{points}"
        case Concede(player=player, margin=margin, how=how):
            return f"player {player + 1} loses by {how}, margin {margin}"


def _correction(act: Correct) -> str:
    parts = [f"{name_across(sq)} is {tile}" for sq, tile in act.letters]
    parts += [str(act.placement)] if act.placement is not None else []
    parts += [f"illegal laying of {tiles_notation(act.laid)}"] if act.laid else []
    parts += [f"{' '.join(map(name_across, act.lifted))} came off"] if act.lifted else []
    if act.kind is not None:
        parts.append(f"{act.kind.value} {act.count or ''}".strip().replace("_", " "))
    parts += [f"{act.score} points"] if act.score is not None else []
    parts += [f"by player {act.player + 1}"] if act.player is not None else []
    return ", ".join(parts)
