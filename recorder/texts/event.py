"""Orders about the event in the words of a catalogue."""

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
        case acts.DescribeEvent():
            return _described(act)
        case acts.UndoEventOrder(order=order):
            return "undo", {"order": order}
        case acts.PlayByRules() | acts.UseWords() | acts.AssignDevice():
            return _of_settings(act)
        case acts.EnterPlayer() | acts.PublishRound() | acts.EnterResult():
            return _entered(act, names)
        case _:
            return _of_player(act, names)


def _described(act: acts.DescribeEvent) -> _Said:
    if act.spread_cap:
        return "about-cap", {"points": act.spread_cap}
    if act.rounds:
        return "about-rounds", {"rounds": act.rounds}
    return ("about-date", {"text": act.date}) if act.date else ("about-name", {"text": act.name})


def _of_settings(act: acts.PlayByRules | acts.UseWords | acts.AssignDevice) -> _Said:
    match act:
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


def _entered(act: acts.EnterPlayer | acts.PublishRound | acts.EnterResult, names: _Names) -> _Said:
    values: dict[str, PlainValue] = {"division": act.division}
    match act:
        case acts.EnterPlayer(name=name, rating=rating):
            code = "player-rated" if rating else "player"
            return code, {**values, "name": name, **({"rating": rating} if rating else {})}
        case acts.PublishRound(round=round_, games=games, bye=bye):
            values |= {"round": round_, "games": len(games)}
            if not bye:
                return "round", values
            return "round-bye", {**values, "player": names.of(act.division, bye)}
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


def _of_player(act: acts.EntrantAct | acts.GameAct, names: _Names) -> _Said:
    values: dict[str, PlainValue] = {
        "division": act.division,
        "player": names.of(act.division, act.number),
    }
    match act:
        case acts.ChangePlayer(number=number, name=name, rating=rating):
            if name:
                return "change-name", {"division": act.division, "number": number, "name": name}
            return "change-rating", {**values, "rating": rating or 0}
        case acts.LeaveEvent(margin=margin):
            return "left", {**values, "margin": margin}
        case acts.ReturnToEvent():
            return "returned", values
        case acts.PenaliseSpread(points=points):
            return "penalty", {**values, "round": act.round, "score": signed(points)}
        case _:
            return _of_game(act, {**values, "round": act.round})


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
