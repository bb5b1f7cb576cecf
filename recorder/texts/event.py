"""Orders about the event in the words of a catalogue."""

from collections.abc import Sequence

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


def _said(act: acts.EventAct, names: _Names) -> _Said:
    match act:
        case acts.DescribeEvent() | acts.ExchangeCameras() | acts.UndoEventOrder():
            return _of_hall(act)
        case acts.PlayByRules() | acts.UseWords() | acts.AssignDevice() | acts.ArrangeDivision():
            return _of_settings(act)
        case acts.EnterPlayer() | acts.PublishRound() | acts.EnterResult():
            return _entered(act, names)
        case acts.MovePlayers():
            return _moved(act, names)
        case _:
            return _of_player(act, names)


def _of_hall(act: acts.DescribeEvent | acts.ExchangeCameras | acts.UndoEventOrder) -> _Said:
    match act:
        case acts.DescribeEvent():
            return _described(act)
        case acts.ExchangeCameras(tables=tables):
            return "cameras", {"first": tables[0], "second": tables[-1]}
        case acts.UndoEventOrder(order=order):
            return "undo", {"order": order}


def _described(act: acts.DescribeEvent) -> _Said:
    if act.spread_cap:
        return "about-cap", {"points": act.spread_cap}
    if act.rounds:
        return "about-rounds", {"rounds": act.rounds}
    return ("about-date", {"text": act.date}) if act.date else ("about-name", {"text": act.name})


def _of_settings(
    act: acts.PlayByRules | acts.UseWords | acts.AssignDevice | acts.ArrangeDivision,
) -> _Said:
    match act:
        case acts.ArrangeDivision():
            return _arranged(act)
        case acts.PlayByRules(division=division):
            overrides = (f"{name}={value}" for name, value in sorted(act.overrides.items()))
            others = (*overrides, *act.confirmed, *([f"{act.minutes} min"] if act.minutes else []))
            said = ", ".join((act.rules, *others))
            return ("rules" if act.rules else "rules-table"), (
                {"division": division, "rules": said} if act.rules else {"division": division}
            )
        case acts.UseWords(division=division, file=file):
            if not file:
                return "words-table", {"division": division}
            return "words", {"division": division, "file": file}
        case acts.AssignDevice(device=device, table=table, role=role):
            if not table:
                return "device-none", {"device": device}
            return "device", {"device": device, "table": table, "role": str(role or "")}


def _arranged(act: acts.ArrangeDivision) -> _Said:
    values: dict[str, PlainValue] = {"division": act.division}
    if act.tables is not None:
        tables = {**values, "tables": in_ranges(act.tables)}
        return ("tables", tables) if act.tables else ("tables-any", values)
    if act.fixed is not None:
        seats = " ".join(f"{seat.number}={seat.table}" for seat in act.fixed)
        return ("fixed", {**values, "seats": seats}) if act.fixed else ("fixed-none", values)
    if act.times is not None:
        times = {**values, "times": ", ".join(act.times)}
        return ("times", times) if act.times else ("times-none", values)
    values["prizes"] = act.prizes or 0
    if not act.class_prizes:
        return "prizes", values
    return "prizes-class", {**values, "classes": ", ".join(map(str, act.class_prizes))}


def in_ranges(numbers: Sequence[int]) -> str:
    """Numbers as people write them: 7-12 15."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return " ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in ranges)


def read_back(act: acts.EventAct, event: Event) -> str:
    """What is read back of an order: of a result who beat whom, where; else the order in words."""
    if not isinstance(act, acts.EnterResult) or not act.second or act.margin is not None:
        return event_order_in_words(act, event)
    division = event.division(act.division)
    sides = [(act.first_score, act.first), (act.second_score, act.second)]
    known = {} if division is None else division.by_number
    if division is None or any(number not in known for _, number in sides):
        return event_order_in_words(act, event)
    (score, winner), (other_score, loser) = sorted(sides, reverse=True)
    texts, table = load_catalogue(), known[winner].in_round(act.round).table
    return texts.text(
        "event_read_back", "beat" if score != other_score else "tied",
        winner=known[winner].spoken, loser=known[loser].spoken, score=score,
        other_score=other_score,
        division=division.name, round=act.round,
        table=texts.text("event_read_back", "at_table", table=table) if table else "",
    )  # fmt: skip


def _entered(act: acts.EnterPlayer | acts.PublishRound | acts.EnterResult, names: _Names) -> _Said:
    values: dict[str, PlainValue] = {"division": act.division}
    match act:
        case acts.EnterPlayer(name=name, rating=rating):
            code = "player-rated" if rating else "player"
            return code, {**values, "name": name, **({"rating": rating} if rating else {})}
        case acts.PublishRound(round=round_, games=games, bye=bye):
            values |= {"round": round_, "games": len(games)}
            out = "; ".join(names.of(act.division, number) for number in act.out)
            values |= {"player": names.of(act.division, bye)} if bye else {}
            values |= {"out": out} if out else {}
            return "round" + ("-bye" if bye else "") + ("-out" if out else ""), values
        case acts.EnterResult(round=round_, first=first, first_score=score):
            player = names.of(act.division, first)
            values |= {"round": round_, "player": player, "score": score}
            if not act.second:
                return "result-alone", values
            values |= {"other": names.of(act.division, act.second)}
            values |= {"other_score": act.second_score}
            if act.margin is None:
                return "result", values
            return "result-margin", {**values, "margin": f"{act.margin:+}"}


def _moved(act: acts.MovePlayers, names: _Names) -> _Said:
    shown = (act.given or act.numbers) if act.numbers and act.to else act.numbers
    who = "; ".join(names.of(act.to, n) if act.to else str(n) for n in shown)
    values: dict[str, PlainValue] = {"division": act.division}
    values |= {"to": act.to} if act.to else {}
    values |= {"players": who} if who else {}
    return ("moved" if act.to else "removed") + ("" if who else "-all"), values


def _of_player(act: acts.EntrantAct | acts.PenaliseSpread | acts.GameAct, names: _Names) -> _Said:
    values: dict[str, PlainValue] = {
        "division": act.division,
        "player": names.of(act.division, act.number),
    }
    match act:
        case acts.ChangePlayer():
            return _changed(act, values)
        case acts.LeaveEvent(margin=margin):
            return "left", {**values, "margin": margin}
        case acts.ReturnToEvent():
            return "returned", values
        case acts.CheckIn(here=here):
            return "here" if here else "not-here", values
        case acts.PenaliseSpread(points=points):
            return "penalty", {**values, "round": act.round, "score": signed(points)}
        case _:
            return _of_game(act, {**values, "round": act.round})


def _changed(act: acts.ChangePlayer, values: dict[str, PlainValue]) -> _Said:
    if act.name:
        return "change-name", {"division": act.division, "number": act.number, "name": act.name}
    if act.prize_class is not None:
        return "change-class", {**values, "prize_class": act.prize_class}
    if act.ident is not None:
        return "change-id", {**values, "ident": act.ident}
    return "change-rating", {**values, "rating": act.rating or 0}


_PLAIN: dict[type, str] = {
    acts.MovesFirst: "first",
    acts.ReplayGame: "replay",
    acts.AdjournGame: "adjourn",
    acts.ResumeGame: "resume",
}


def _of_game(act: acts.GameAct, values: dict[str, PlainValue]) -> _Said:
    match act:
        case acts.MoveGame(table=table):
            return "table", {**values, "table": table}
        case acts.ClaimResult(own_score=own, other_score=other):
            return "claim", {**values, "score": own, "other_score": other}
        case acts.ForfeitGame(how=how, margin=margin):
            return how.replace("_", "-"), {**values, "margin": margin}
        case _:
            return _PLAIN[type(act)], values
