"""What waits for the director in the event: results that differ, and games that nobody plays."""

from dashboard.event.result_phones import ResultPhones
from recorder.domain.event.divisions import EventDivision, EventGame
from recorder.domain.event.register import Register
from recorder.domain.event.seating import first_in_front
from recorder.domain.notices import PlainValue
from recorder.frames import desk
from recorder.projections.needs import need
from recorder.texts import Catalogue, load_catalogue

_PATIENT = ("half_said", "still_running")
_Waiting = tuple[str, dict[str, PlainValue]]
"""The code of a need, and the values of its text."""


def needs_of(
    register: Register, phones: ResultPhones, texts: Catalogue | None = None
) -> list[desk.Need]:
    """What is to be settled; what ``asks`` comes first: somebody waits."""
    texts = texts or load_catalogue()
    found = [
        _need(waiting, texts)
        for division in register.event.divisions
        for game in division.games
        for waiting in (
            _of_waiting(division, game),
            _of_record(division, game, phones),
            _of_unplayed(division, game),
        )
        if waiting is not None
    ]
    return sorted(found, key=lambda waiting: waiting["severity"])


def _of_waiting(division: EventDivision, game: EventGame) -> _Waiting | None:
    """Two results that differ, or one that the other player has not confirmed."""
    said = [(n, c) for n in game.players if (c := division.player(n).in_round(game.round).claim)]
    if game.played or not said:
        return None
    (number, claim), *others = said
    values = _place(division, game) | {
        "player": _named(division, number),
        "said": "\N{EN DASH}".join(map(str, claim)),
    }
    if not others:
        other = next(n for n in game.players if n != number)
        return "half_said", values | {"other": _named(division, other)}
    ((other, theirs),) = others
    other_said = "\N{EN DASH}".join(map(str, theirs))
    return "disagree", values | {"other": _named(division, other), "other_said": other_said}


def _of_record(division: EventDivision, game: EventGame, phones: ResultPhones) -> _Waiting | None:
    """A result that is not the one that the table has recorded, while its game is there."""
    if not game.played or game.forfeited or not game.table:
        return None
    recorded = phones.recorded(game.table, division.name, game)
    if recorded is None:
        return None
    if not recorded["over"]:
        return "still_running", _place(division, game)
    numbers = first_in_front(game)
    result = [division.player(number).in_round(game.round).score for number in numbers]
    if recorded["scores"] == result:
        return None
    return "recorded_otherwise", _place(division, game) | {
        "said": "\N{EN DASH}".join(map(str, result)),
        "recorded": "\N{EN DASH}".join(map(str, recorded["scores"])),
    }


def _of_unplayed(division: EventDivision, game: EventGame) -> _Waiting | None:
    """A game that waits for somebody who has left, or that later rounds have gone past."""
    if game.played or game.adjourned:
        return None
    values = _place(division, game)
    gone = [n for n in game.players if division.player(n).absence_margin is not None]
    if gone:
        return "left_unplayed", values | {"player": _named(division, gone[0]), "number": gone[0]}
    if game.round < division.paired_rounds:
        first, second = (_named(division, number) for number in first_in_front(game))
        return "passed_over", values | {"player": first, "other": second}
    return None


def _place(division: EventDivision, game: EventGame) -> dict[str, PlainValue]:
    return {"division": division.name, "round": game.round, "table": game.table or 0}


def _named(division: EventDivision, number: int) -> str:
    return f"{number} {division.player(number).name}"


def _need(waiting: _Waiting, texts: Catalogue) -> desk.Need:
    code, values = waiting
    kind = "notice" if code in _PATIENT else "alert"
    text = texts.text("event_need", code, **values)
    return need(kind, code, "", text, facts=values)
