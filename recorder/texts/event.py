"""Orders about the event in the words of a catalogue."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from recorder.domain.event import orders as acts
from recorder.domain.event.divisions import Event
from recorder.domain.notices import PlainValue
from recorder.texts import Catalogue, load_catalogue, signed

_Said = tuple[str, dict[str, PlainValue]]


def event_order_in_words(
    act: acts.EventAct, event: Event, catalogue: Catalogue | None = None
) -> str:
    """An order about the event in a line; players by number and the name they have by now."""
    texts = catalogue or load_catalogue()
    code, values = _said(act, _Names(event))
    return texts.text("event_order", code, **values)


class _Names:
    """Players as lists have them: number and name."""

    def __init__(self, event: Event) -> None:
        self._names = {
            (division.name.casefold(), player.number): player.name
            for division in event.divisions
            for player in division.players
        }

    def of(self, division: str, number: int) -> str:
        return f"{number} {self._names.get((division.casefold(), number), '')}".rstrip()


_CODES: Mapping[type[Any], str | Callable[[Any], str]] = {
    acts.EnterPlayer: lambda act: "player-rated" if act.rating else "player",
    acts.LeaveEvent: "left",
    acts.ReturnToEvent: "returned",
    acts.CheckIn: lambda act: "here" if act.here else "not-here",
    acts.PublishRound: lambda act: "round" + "-bye" * bool(act.bye) + "-out" * bool(act.out),
    acts.ForfeitGame: lambda act: act.how.replace("_", "-"),
    acts.PenaliseSpread: "penalty",
    acts.MoveGame: "table",
    acts.MovesFirst: "first",
    acts.ReplayGame: "replay",
    acts.AdjournGame: "adjourn",
    acts.ResumeGame: "resume",
    acts.ClaimResult: "claim",
    acts.PlayByRules: lambda act: "rules" if act.rules else "rules-table",
    acts.UseWords: lambda act: "words" if act.file else "words-table",
    acts.AssignDevice: lambda act: "device" if act.table else "device-none",
    acts.ExchangeCameras: "cameras",
    acts.UndoEventOrder: "undo",
}
"""The text of an order, where its kind says which."""


def _said(act: acts.EventAct, names: _Names) -> _Said:
    """The code of an order's text, and its values: the plain fields, and what is worked out."""
    fields_of = {field.name: getattr(act, field.name) for field in fields(act)}
    values: dict[str, PlainValue] = {
        name: value for name, value in fields_of.items() if isinstance(value, str | int)
    }
    if isinstance(act, acts.OfEntrant | acts.OfGame):
        values["player"] = names.of(act.division, act.number)
    if type(act) not in _CODES:
        code, extra = _by_what_it_says(act, names)
    else:
        known, extra = _CODES[type(act)], _worked_out(act, names)
        code = known if isinstance(known, str) else known(act)
    return code, values | extra


def _worked_out(act: acts.EventAct, names: _Names) -> dict[str, PlainValue]:
    """What the text of an order says that is no field of it."""
    extra: dict[str, PlainValue] = {}
    match act:
        case acts.PublishRound(games=games, bye=bye, out=out):
            sitting_out = "; ".join(names.of(act.division, number) for number in out)
            extra = {"games": len(games), "player": names.of(act.division, bye), "out": sitting_out}
        case acts.PenaliseSpread(points=points):
            extra = {"score": signed(points)}
        case acts.ClaimResult(own_score=own):
            extra = {"score": own}
        case acts.PlayByRules():
            overrides = (f"{name}={value}" for name, value in sorted(act.overrides.items()))
            others = (*overrides, *act.confirmed, *([f"{act.minutes} min"] if act.minutes else []))
            extra = {"rules": ", ".join((act.rules, *others))}
        case acts.AssignDevice(role=role):
            extra = {"role": str(role or "")}
        case acts.ExchangeCameras(tables=tables):
            extra = {"first": tables[0], "second": tables[-1]}
    return extra


def _by_what_it_says(act: acts.EventAct, names: _Names) -> _Said:
    """Of an order that can say one thing or another."""
    match act:
        case acts.ArrangeDivision():
            return _arranged(act)
        case acts.DescribeEvent():
            return _described(act)
        case acts.ChangePlayer():
            return _changed(act), {}
        case acts.MovePlayers():
            shown = (act.given or act.numbers) if act.numbers and act.to else act.numbers
            who = "; ".join(names.of(act.to, n) if act.to else str(n) for n in shown)
            return ("moved" if act.to else "removed") + ("" if who else "-all"), {"players": who}
        case acts.EnterResult():
            return _result(act, names)
    raise TypeError(act)


def _described(act: acts.DescribeEvent) -> _Said:
    if act.spread_cap:
        return "about-cap", {"points": act.spread_cap}
    if act.rounds:
        return "about-rounds", {}
    return ("about-date", {"text": act.date}) if act.date else ("about-name", {"text": act.name})


def _arranged(act: acts.ArrangeDivision) -> _Said:
    if act.tables is not None:
        return ("tables", {"tables": in_ranges(act.tables)}) if act.tables else ("tables-any", {})
    if act.fixed is not None:
        seats = " ".join(f"{seat.number}={seat.table}" for seat in act.fixed)
        return ("fixed", {"seats": seats}) if act.fixed else ("fixed-none", {})
    if act.times is not None:
        return ("times", {"times": ", ".join(act.times)}) if act.times else ("times-none", {})
    classes = ", ".join(map(str, act.class_prizes or ()))
    return "prizes-class" if classes else "prizes", {"prizes": act.prizes or 0, "classes": classes}


def _changed(act: acts.ChangePlayer) -> str:
    if act.name:
        return "change-name"
    if act.prize_class is not None:
        return "change-class"
    return "change-rating" if act.ident is None else "change-id"


def _result(act: acts.EnterResult, names: _Names) -> _Said:
    values: dict[str, PlainValue] = {
        "player": names.of(act.division, act.first),
        "score": act.first_score,
        "other": names.of(act.division, act.second),
        "other_score": act.second_score,
    }
    if act.margin is None or not act.second:
        return "result" if act.second else "result-alone", values
    return "result-margin", {**values, "margin": f"{act.margin:+}"}


def in_ranges(numbers: Sequence[int]) -> str:
    """Numbers as people write them: 7-12 15."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return " ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in ranges)


def read_back(act: acts.EventAct, event: Event, catalogue: Catalogue | None = None) -> str:
    """What is read back of an order: of a result who beat whom, where; else the order in words."""
    if not isinstance(act, acts.EnterResult) or not act.second or act.margin is not None:
        return event_order_in_words(act, event, catalogue)
    division = event.division(act.division)
    sides = [(act.first_score, act.first), (act.second_score, act.second)]
    known = {} if division is None else division.by_number
    if division is None or any(number not in known for _, number in sides):
        return event_order_in_words(act, event, catalogue)
    (score, winner), (other_score, loser) = sorted(sides, reverse=True)
    texts, table = catalogue or load_catalogue(), known[winner].in_round(act.round).table
    return texts.text(
        "event_read_back", "beat" if score != other_score else "tied",
        winner=known[winner].spoken, loser=known[loser].spoken, score=score,
        other_score=other_score,
        division=division.name, round=act.round,
        table=texts.text("event_read_back", "at_table", table=table) if table else "",
    )  # fmt: skip
