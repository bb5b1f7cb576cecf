"""Events and orders of the record, in the words of a score keeper."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

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
    Unseen,
    Withdrawn,
)
from recorder.domain.notices import PlainValue
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
    EntryName,
    Insert,
    SetEndRacks,
    SetTimePenalty,
    Split,
    TickStep,
    TimeStep,
    Undo,
)
from recorder.domain.reading.notation import tiles_notation
from recorder.domain.tile_text import write_tiles
from recorder.texts import Catalogue, load_catalogue, time_left

_Coded = tuple[str, dict[str, PlainValue]]


def event_in_words(event: GameEvent, catalogue: Catalogue | None = None) -> str:
    """An event as a score keeper would say it: ``8D FI.NS +24``."""
    code, values = _event(event)
    return (catalogue or load_catalogue()).text("event", code, **values)


def events_in_words(events: Iterable[GameEvent], catalogue: Catalogue | None = None) -> str:
    """Several events in one line; empty when there is none."""
    texts = catalogue or load_catalogue()
    said = [event_in_words(event, texts) for event in events]
    line = said.pop() if said else ""
    while said:
        line = texts.text("event", "several", first=said.pop(), rest=line)
    return line


def _event(event: GameEvent) -> _Coded:
    coded: _Coded
    match event:
        case Played(placement=placement, score=score):
            coded = "play", {"play": str(placement), "points": score}
        case IllegallyPlayed(tiles=tiles, score=score, faults=faults):
            kinds = " ".join(fault.value for fault in faults)
            coded = "illegal", {"tiles": tiles_notation(tiles), "points": score, "faults": kinds}
        case Unseen(tiles=tiles, turns=turns, from_ms=from_ms, to_ms=to_ms, is_least=is_least):
            values = {"turns": turns, "from_ms": from_ms, "to_ms": to_ms}
            code = "unseen-at_least" if is_least else "unseen"
            coded = code, {"tiles": tiles_notation(tiles), **values}
        case Exchanged(count=count):
            coded = "exchange", {"count": count}
        case Passed():
            coded = "pass", {}
        case NoPlay():
            coded = "no_play", {}
        case Withdrawn(score=score):
            coded = ("withdrawn", {"points": score}) if score else ("withdrawn-nothing", {})
        case ChallengeBonus(points=points):
            coded = "bonus", {"points": points}
        case EndRackPoints() | EndRackPenalty() | TimePenalty() | Penalty() | Conceded():
            coded = _at_the_end(event)
    return coded


def _at_the_end(
    event: EndRackPoints | EndRackPenalty | TimePenalty | Penalty | Conceded,
) -> _Coded:
    match event:
        case EndRackPoints(points=points, tiles=tiles):
            return _known("rack_points", write_tiles(tiles)), {
                "points": points,
                "tiles": write_tiles(tiles),
            }
        case EndRackPenalty(points=points, tiles=tiles):
            return _known("rack_penalty", write_tiles(tiles)), {
                "points": points,
                "tiles": write_tiles(tiles),
            }
        case TimePenalty(points=points):
            return "overtime", {"points": points}
        case Penalty(points=points, reason=reason):
            return _known("penalty", reason), {"points": points, "reason": reason}
        case Conceded(margin=margin, how=how):
            return "conceded", {"how": how, "points": margin}


def _known(code: str, value: str) -> str:
    return code if value else f"{code}-unknown"


def order_in_words(act: Act, catalogue: Catalogue | None = None) -> str:
    """An order in a few words, as the record lists it."""
    texts = catalogue or load_catalogue()
    code, values = _order(act, texts)
    return texts.text("order", code, **values)


def order_by_what_it_ends(act: Act, earlier: Mapping[str, Act], texts: Catalogue) -> str:
    """Likewise, an undo by what it undoes, in words: nobody reads an id. ``earlier`` by their ids.

    Undoing an undo puts the order back.
    """
    undone, times = act, 0
    while isinstance(undone, Undo) and times < len(earlier):
        undone, times = earlier.get(undone.order, Undo(order=undone.order)), times + 1
    if times == 0 or isinstance(undone, Undo):
        return order_in_words(act, texts)
    code = "undone" if times % 2 else "put_back"
    return texts.text("row", code, said=order_in_words(undone, texts))


_CODES: Mapping[type[Any], str | Callable[[Any], str]] = {
    Accept: lambda act: "accept-other" if act.candidate else "accept",
    Decide: lambda act: "decide-rule" if act.rule else "decide",
    Banner: lambda act: "banner" if act.text else "banner-none",
    BeginProcedure: "begin",
    TickStep: lambda act: "tick-done" if act.done else "tick-not_done",
    TimeStep: "time_step",
    CloseProcedure: lambda act: "close-done" if act.carried_out else "close-dropped",
    AdjustClock: "clock",
    EndGame: "end",
    SetEndRacks: lambda act: "racks" if act.points else "racks-none",
    SetTimePenalty: "overtime",
}
"""The text of an order where it is not called as its class."""


def _order(act: Act, texts: Catalogue) -> _Coded:
    """The code of an order's text, and its values: the plain fields, and what is worked out."""
    kind = type(act)
    code = _CODES.get(kind, kind.__name__.lower())
    values = {field.name: getattr(act, field.name) for field in fields(act) if field.name != "code"}
    plain: dict[str, PlainValue] = {
        name: value.number if isinstance(value, EntryName) else value
        for name, value in values.items()
        if isinstance(value, str | int | EntryName)
    }
    plain |= _worked_out(act, texts)
    if isinstance(act, Challenged):
        code = f"challenged-{act.outcome.value}{'-cost' * bool(plain['cost'])}"
    return code if isinstance(code, str) else code(act), plain


def _worked_out(act: Act, texts: Catalogue) -> dict[str, PlainValue]:
    """What the text of an order says that is no field of it."""
    extra: dict[str, PlainValue] = {}
    match act:
        case Correct():
            extra = {"changes": _listed(_changes(act), texts)}
        case Challenged():
            extra = {"cost": _listed(_cost(act), texts)}
        case Insert(event=event):
            extra = {"player": event.player, "event": event_in_words(event, texts)}
        case Split(turns=turns):
            extra = {"count": len(turns), "events": events_in_words(turns, texts)}
        case BeginProcedure(code=code):
            extra = {"procedure": code}
        case TickStep(code=code, step=step) | TimeStep(code=code, step=step):
            extra = {"step": code.replace("_", " ") or str(step + 1)}
        case AdjustClock(left_ms=left_ms):
            extra = {"time": time_left(left_ms)}
        case SetEndRacks(points=points):
            extra = {"events": events_in_words(points, texts)}
        case Concede(margin=margin):
            extra = {"points": margin}
    return extra


def _listed(changes: Iterable[_Coded], texts: Catalogue) -> str:
    return ", ".join(texts.text("change", code, **values) for code, values in changes)


def _cost(act: Challenged) -> Iterator[_Coded]:
    """What a challenge costs that failed."""
    if act.bonus:
        yield "bonus", {"points": act.bonus}
    if act.penalty:
        yield "penalty", {"points": act.penalty}
    if act.turn_lost:
        yield "turn_lost", {}


def _changes(act: Correct) -> Iterator[_Coded]:
    for square, tile in act.letters:
        yield "letter", {"square": name_across(square), "tile": str(tile)}
    if act.placement is not None:
        yield "play", {"play": str(act.placement)}
    if act.laid:
        yield "illegal", {"tiles": tiles_notation(act.laid)}
    if act.lifted:
        yield "lifted", {"squares": " ".join(map(name_across, act.lifted))}
    if act.kind is not None:
        counted = act.kind.value == "exchange" and not act.count
        yield f"{act.kind.value}{'-unknown' if counted else ''}", {"count": act.count}
    if act.score is not None:
        yield "points", {"points": act.score}
    if act.player is not None:
        yield "player", {"player": act.player}
