"""Events and orders of the record, in the words of a score keeper."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

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
    Absent,
    Accept,
    Act,
    AdjustClock,
    Arrived,
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
    Note,
    Remove,
    SetEndRacks,
    SetTimePenalty,
    Sign,
    Split,
    TickStep,
    TimeStep,
    Undo,
)
from recorder.domain.reading.notation import tiles_notation
from recorder.domain.tile_text import write_tiles
from recorder.texts import Catalogue, load_catalogue, time_left

NO_ENTRIES: Mapping[EntryName, str] = MappingProxyType({})
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


def order_in_words(
    act: Act,
    catalogue: Catalogue | None = None,
    entries: Mapping[EntryName, str] = NO_ENTRIES,
) -> str:
    """An order in a few words, as the record lists it; ``entries`` have words of their own."""
    texts = catalogue or load_catalogue()

    def called(name: EntryName) -> str:
        return entries.get(name) or texts.text("row", "entry", number=name.number)

    code, values = _order(act, texts, called)
    return texts.text("order", code, **values)


def order_by_what_it_ends(act: Act, earlier: Mapping[str, Act]) -> str:
    """Likewise, an undo by what it undoes, in words: nobody reads an id. ``earlier`` by their ids.

    Undoing an undo puts the order back.
    """
    undone, times = act, 0
    while isinstance(undone, Undo) and times < len(earlier):
        undone, times = earlier.get(undone.order, Undo(order=undone.order)), times + 1
    if times == 0 or isinstance(undone, Undo):
        return order_in_words(act)
    code = "undone" if times % 2 else "put_back"
    return load_catalogue().text("row", code, said=order_in_words(undone))


def _order(act: Act, texts: Catalogue, called: Callable[[EntryName], str]) -> _Coded:
    coded: _Coded
    match act:
        case Accept(entry=entry, candidate=candidate):
            code = "accept-other" if candidate else "accept"
            coded = code, {"entry": called(entry), "candidate": candidate}
        case Correct():
            changes = ", ".join(
                texts.text("change", code, **values) for code, values in _changes(act)
            )
            coded = "correct", {"entry": called(act.entry), "changes": changes}
        case Insert() | Split():
            coded = _put_in(act, texts, called)
        case Remove(entry=entry):
            coded = "remove", {"entry": called(entry)}
        case Challenged(entry=entry, outcome=outcome):
            cost = ", ".join(texts.text("change", code, **values) for code, values in _cost(act))
            code = f"challenged-{outcome.value}"
            coded = (
                f"{code}-cost" if cost else code,
                {"entry": called(entry), "cost": cost},
            )
        case Decide(text=words, rule=rule):
            coded = "decide-rule" if rule else "decide", {"text": words, "rule": rule}
        case Banner(text=words):
            coded = "banner" if words else "banner-none", {"text": words}
        case Note(text=words):
            coded = "note", {"text": words}
        case (
            Sign()
            | Absent()
            | Arrived()
            | BeginProcedure()
            | TickStep()
            | TimeStep()
            | CloseProcedure()
        ):
            coded = _about_table(act)
        case _:
            coded = _about_end(act, texts)
    return coded


def _put_in(act: Insert | Split, texts: Catalogue, called: Callable[[EntryName], str]) -> _Coded:
    if isinstance(act, Split):
        said = events_in_words(act.turns, texts)
        return "split", {"entry": called(act.entry), "count": len(act.turns), "events": said}
    said = event_in_words(act.event, texts)
    return "insert", {"after": called(act.after), "player": act.event.player, "event": said}


def _about_table(
    act: Sign | Absent | Arrived | BeginProcedure | TickStep | TimeStep | CloseProcedure,
) -> _Coded:
    match act:
        case Sign(player=player):
            return "sign", {"player": player}
        case Absent(player=player):
            return "absent", {"player": player}
        case Arrived(player=player):
            return "arrived", {"player": player}
        case BeginProcedure(code=code):
            return "begin", {"procedure": code}
        case TickStep() | TimeStep():
            return _about_step(act)
        case CloseProcedure(carried_out=carried_out):
            return "close-done" if carried_out else "close-dropped", {}


def _about_step(act: TickStep | TimeStep) -> _Coded:
    named: dict[str, PlainValue] = {"step": act.code.replace("_", " ") or str(act.step + 1)}
    if isinstance(act, TimeStep):
        return "time_step", named
    return "tick-done" if act.done else "tick-not_done", named


def _about_end(
    act: AdjustClock | EndGame | SetEndRacks | SetTimePenalty | Concede | Undo,
    texts: Catalogue,
) -> _Coded:
    match act:
        case Undo(order=order):
            return "undo", {"order": order}
        case AdjustClock(player=player, left_ms=left):
            return "clock", {"player": player, "time": time_left(left)}
        case EndGame():
            return "end", {}
        case SetEndRacks(points=points):
            return "racks" if points else "racks-none", {"events": events_in_words(points, texts)}
        case SetTimePenalty(player=player, points=minus):
            return "overtime", {"player": player, "points": minus}
        case Concede(player=player, margin=margin, how=how):
            return "concede", {"player": player, "how": how, "points": margin}


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
