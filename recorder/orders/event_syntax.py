"""Orders about the event as words of a command line: ``result A 3 5 431 2 380``."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from functools import partial
from textwrap import wrap

from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.event import orders as acts
from recorder.domain.event.divisions import Event
from recorder.domain.instruments import DeviceRole
from recorder.orders.draw_words import fixed_tables
from recorder.orders.event_rules import absence_margin, bye_margin, forfeit_margins
from recorder.orders.word_forms import word_form
from recorder.texts import Catalogue, TextError, load_catalogue

NO_EVENT = Event()
_WIDE, _WIDEST = 35, 100
"""Characters of a line of the help: before what an order does, and in all."""


def event_usage(texts: Catalogue | None = None) -> str:
    """Every order with what it does, as help prints them; what is typed is the same everywhere."""
    found = []
    for form, what in (texts or load_catalogue()).as_json()["event_usage"].items():
        head = form.ljust(_WIDE) if len(form) < _WIDE else f"{form}\n{' ' * _WIDE}"
        found.append(head + f"\n{' ' * _WIDE}".join(wrap(what, _WIDEST - _WIDE)))
    return "\n".join(found) + "\n"


def parse_event_order(
    words: Sequence[str], event: Event = NO_EVENT, chosen: str = ""
) -> acts.EventAct:
    """The order in these words. NotationError says what was expected.

    A result in short is of one of the games of ``event``; where several divisions have one, of
    that in the division ``chosen``.
    """
    verb, *rest = words
    reader = _VERBS.get(verb)
    if reader is None and verb in _BY_RULES:
        reader = partial(_BY_RULES[verb], event)
    result = _short_result(words, event, chosen) if reader is None else None
    if result is not None:
        return result
    if reader is None:
        raise TextError("unknown_order", verb=verb, verbs=", ".join(_EVERY))
    try:
        return reader(rest)
    except NotationError:
        raise
    except (IndexError, ValueError, DeviceError) as err:
        forms = load_catalogue().as_json()["event_usage"]
        lines = [form for form in forms if form.startswith(f"{verb} ")]
        raise TextError("order_form", words=" ".join(words), form=" / ".join(lines)) from err


def _about(words: Sequence[str]) -> acts.EventAct:
    text = " ".join(words[1:])
    match words[0]:
        case "name":
            return acts.DescribeEvent(name=text)
        case "date":
            return acts.DescribeEvent(date=text)
        case "rounds":
            return acts.DescribeEvent(rounds=int(text))
        case "cap":
            return acts.DescribeEvent(spread_cap=int(text))
    raise ValueError(words[0])


def _player(words: Sequence[str]) -> acts.EventAct:
    division, *name = words
    rating = int(name.pop()) if len(name) > 1 and name[-1].isdecimal() else 0
    return acts.EnterPlayer(division=division, name=" ".join(name), rating=rating)


def _change(words: Sequence[str]) -> acts.EventAct:
    division, number, what = words[0], int(words[1]), words[2]
    if what == "name":
        return acts.ChangePlayer(division=division, number=number, name=" ".join(words[3:]))
    if what == "rating":
        return acts.ChangePlayer(division=division, number=number, rating=int(words[3]))
    if what == "class":
        return acts.ChangePlayer(division=division, number=number, prize_class=int(words[3]))
    if what == "id":
        return acts.ChangePlayer(division=division, number=number, ident=" ".join(words[3:]))
    raise ValueError(what)


def _left(event: Event, words: Sequence[str]) -> acts.EventAct:
    margin = int(words[2]) if len(words) > 2 else absence_margin(event.division(words[0]))
    return acts.LeaveEvent(division=words[0], number=int(words[1]), margin=margin)


def _moved(words: Sequence[str]) -> acts.EventAct:
    *there, _, to = words if words[-2] == "to" else (*words, "to", "")
    division, *numbers = there
    moved = () if numbers == ["all"] else tuple(map(int, numbers))
    if not numbers:
        raise ValueError(words)
    return acts.MovePlayers(division=division, numbers=moved, to=to)


def _here(words: Sequence[str]) -> acts.EventAct:
    division, number, *rest = words
    if rest not in ([], ["no"]):
        raise ValueError(words)
    return acts.CheckIn(division=division, number=int(number), here=not rest)


def _round(event: Event, words: Sequence[str]) -> acts.EventAct:
    division, number, *rest = words
    parts: dict[str, list[str]] = {"": [], "bye": [], "out": [], "again": []}
    part = ""
    for word in rest:
        if word in parts:
            part = word
        else:
            parts[part].append(word)
    (bye,) = parts["bye"] or ["0"]
    found = event.division(division)
    return acts.PublishRound(
        division=division, round=int(number), games=tuple(map(_table_game, parts[""])),
        bye=int(bye), bye_margin=bye_margin(found), out=tuple(map(int, parts["out"])),
        out_margin=absence_margin(found), again="again" in rest,
    )  # fmt: skip


def _table_game(word: str) -> acts.TableGame:
    table, players = word.split(":")
    first, second = players.split("-")
    return acts.TableGame(table=int(table), first=int(first), second=int(second))


def _result(words: Sequence[str]) -> acts.EventAct:
    division, round_, first, score, *other = words
    second, second_score = map(int, other) if other else (0, 0)
    return acts.EnterResult(
        division=division, round=int(round_), first=int(first), first_score=int(score),
        second=second, second_score=second_score,
    )  # fmt: skip


def _not_played(how: str) -> Callable[[Event, Sequence[str]], acts.EventAct]:
    def read(event: Event, words: Sequence[str]) -> acts.EventAct:
        division, round_, number = words[:3]
        if len(words) > 3:
            points = abs(int(words[3]))
            margins = (-points, -points if how == "nobody_came" else points)
        else:
            margins = forfeit_margins(event.division(division), how)
        return acts.ForfeitGame(
            division=division, round=int(round_), number=int(number), how=how,
            margin=margins[0], other_margin=margins[1],
        )  # fmt: skip

    return read


def _absent(event: Event, words: Sequence[str]) -> acts.EventAct:
    division, round_, number = words[:3]
    margin = -abs(int(words[3])) if len(words) > 3 else absence_margin(event.division(division))
    return acts.EnterResult(
        division=division, round=int(round_), first=int(number), first_score=margin
    )


_AS_THE_TABLE = "table"


def _rules(words: Sequence[str]) -> acts.EventAct:
    division, name, *rest = words
    confirmed: list[str] = []
    minutes, overrides = 0, {}
    while rest:
        word = rest.pop(0)
        if word == "minutes":
            minutes = int(rest.pop(0))
        elif word == "confirmed":
            while rest and "=" not in rest[0] and rest[0] != "minutes":
                confirmed.append(rest.pop(0))
        else:
            key, _, value = word.partition("=")
            overrides[key] = _value(value)
    return acts.PlayByRules(
        division=division, rules="" if name == _AS_THE_TABLE else name, overrides=overrides,
        confirmed=tuple(confirmed), minutes=minutes,
    )  # fmt: skip


def _value(text: str) -> object:
    """A value as a settings file has it; a word needs no quotes."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


def _word_list(words: Sequence[str]) -> acts.EventAct:
    division, *file = words
    return acts.UseWords(division=division, file="" if file == [_AS_THE_TABLE] else " ".join(file))


def _tables(words: Sequence[str]) -> acts.EventAct:
    division, *ranges = words
    tables: list[int] = []
    for word in [] if ranges == ["any"] else ranges:
        first, _, last = word.partition("-")
        tables += range(int(first), int(last or first) + 1)
    if ranges != ["any"] and not tables:
        raise ValueError(words)
    return acts.ArrangeDivision(division=division, tables=tuple(dict.fromkeys(tables)))


def _fixed(words: Sequence[str]) -> acts.EventAct:
    division, *seats = words
    if not seats:
        raise ValueError(words)
    found = {} if seats == ["none"] else fixed_tables(seats)
    fixed = tuple(acts.FixedSeat(number=n, table=table) for n, table in found.items())
    return acts.ArrangeDivision(division=division, fixed=fixed)


def _prizes(words: Sequence[str]) -> acts.EventAct:
    division, count, *classes = words
    if classes and classes.pop(0) != "class":
        raise ValueError(words)
    return acts.ArrangeDivision(
        division=division, prizes=int(count), class_prizes=tuple(map(int, classes))
    )


def _times(words: Sequence[str]) -> acts.EventAct:
    division, *rest = words
    times: list[str] = []
    day = ""
    for word in [] if rest == ["none"] else rest:
        if "-" in word:
            day = date.fromisoformat(word).isoformat()
        else:
            hour, minute = map(int, word.split(":"))
            times.append(f"{day} {time(hour, minute):%H:%M}")
    if rest != ["none"] and (not times or "-" not in rest[0]):
        raise ValueError(words)
    return acts.ArrangeDivision(division=division, times=tuple(times))


def times_as_ordered(times: Sequence[str]) -> str:
    """What the order ``times`` says after the division, for times of ``ArrangeDivision``.

    >>> times_as_ordered(["2026-11-28 10:00", "2026-11-28 11:30", "2026-11-29 10:00"])
    '2026-11-28 10:00 11:30 2026-11-29 10:00'
    """
    words: list[str] = []
    day = ""
    for said in times:
        before, day, clock = day, *said.split(" ")
        words += [clock] if day == before else [day, clock]
    return " ".join(words)


def _device(words: Sequence[str]) -> acts.EventAct:
    if words[1:] == ["none"]:
        return acts.AssignDevice(device=words[0])
    device, table, role = words
    return acts.AssignDevice(device=device, table=int(table), role=DeviceRole(role))


def _cameras(words: Sequence[str]) -> acts.EventAct:
    first, second = map(int, words)
    return acts.ExchangeCameras(tables=(first, second))


_FAST = 4


def _short_result(words: Sequence[str], event: Event, chosen: str) -> acts.EnterResult | None:
    """A result as directors type it, ``5 431 2 380``; None where the words are none.

    It is of the only game that these two have open, in whatever division; one that is adjourned
    waits behind any other. Without one it is the last that they have played, corrected.
    NotationError where they are not paired, or in several divisions of which none is ``chosen``,
    or have games open in several rounds.
    """
    names = {division.name.casefold(): division for division in event.divisions}
    named = names.get(words[0].casefold()) if len(words) == _FAST + 1 else None
    numbers = words[1:] if named is not None else words
    if len(numbers) != _FAST or not all(word.lstrip("-").isdecimal() for word in numbers):
        return None
    first, first_score, second, second_score = map(int, numbers)
    games = [
        (division.name, game)
        for division in ([named] if named is not None else event.divisions)
        for game in division.games
        if set(game.players) == {first, second}
    ]
    is_open = [place for place in games if not place[1].played]
    found = is_open or games
    if len({name for name, _ in found}) > 1:
        found = [place for place in found if place[0].casefold() == chosen.casefold()]
    if not found:
        raise TextError("which_division" if games else "not_paired", words=" ".join(words))
    waiting = [place for place in found if not place[1].adjourned]
    found = (waiting or found) if is_open else found[-1:]
    if len(found) > 1:
        rounds = ", ".join(str(game.round) for _, game in found)
        raise TextError("which_round", words=" ".join(words), rounds=rounds)
    ((name, game),) = found
    return acts.EnterResult(
        division=name, round=game.round, first=first, first_score=first_score,
        second=second, second_score=second_score,
    )  # fmt: skip


_form = partial(word_form, readers={"division": str, "order": str})
_VERBS: Mapping[str, Callable[[Sequence[str]], acts.EventAct]] = {
    "about": _about,
    "player": _player,
    "change": _change,
    "move": _moved,
    "remove": _moved,
    "returned": _form(acts.ReturnToEvent, "division number"),
    "here": _here,
    "result": _result,
    "table": _form(acts.MoveGame, "division round number table"),
    "first": _form(acts.MovesFirst, "division round number"),
    "replay": _form(acts.ReplayGame, "division round number"),
    "adjourn": _form(acts.AdjournGame, "division round number"),
    "resume": _form(acts.ResumeGame, "division round number"),
    "claim": _form(acts.ClaimResult, "division round number own_score other_score"),
    "penalty": _form(acts.PenaliseSpread, "division number round points"),
    "rules": _rules,
    "words": _word_list,
    "tables": _tables,
    "fixed": _fixed,
    "prizes": _prizes,
    "times": _times,
    "device": _device,
    "cameras": _cameras,
    "undo": _form(acts.UndoEventOrder, "order"),
}
_BY_RULES: Mapping[str, Callable[[Event, Sequence[str]], acts.EventAct]] = {
    "left": _left,
    "round": _round,
    "noshow": _not_played("no_show"),
    "late": _not_played("lateness"),
    "neither": _not_played("nobody_came"),
    "absent": _absent,
}
_EVERY = (*_VERBS, *_BY_RULES)
