"""The result phone of a table: both say the result, two who differ are the director's."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from fastapi import HTTPException

from dashboard.event.needs import needs_of
from dashboard.event.result_phones import ResultPhones
from dashboard.event.view import EventView
from dashboard.live.game_rooms import GameRooms
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from recorder.declared.codec import Json
from recorder.domain.observations import Side
from recorder.lab.memory_log import MemoryEventLog
from recorder.texts import load_catalogue
from tests.event.event_hall import EventHall, HallLine

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from dashboard.director.orders import OrderLine

AT_ONE = "Division A, round 1, table 1: 1 Ashdown, Vera"
AT_NINE = "Division A, round 1, table 9: 2 Brok, Ilse"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[EventHall]:
    """Four players, two tables with sensors; their first round is paired at tables 1 and 9."""
    hall = EventHall(tmp_path, MemoryEventLog(), tables=2)
    for name in ("Ashdown, Vera", "Brok, Ilse", "Caro, Mateo", "Dube, Thandi"):
        hall.orders(f"player A {name}")
    hall.orders("round A 1 1:1-3 9:2-4")
    yield hall
    hall.recorder.stop()


def phones_of(hall: EventHall) -> ResultPhones:
    """Phones that have seen the whole log."""
    event, hub = EventView(0, lambda: hall.now_ms), Hub(0, lambda: hall.now_ms)
    rooms = GameRooms(hall.folder / "none.db")
    batch = Batch(rows=tuple(hall.rows()), anew=False, caught_up=True)
    for fold in (event, hub, rooms):
        fold.take(batch)
    return ResultPhones(event, hub, rooms, cast("OrderLine", HallLine(hall)))


def say(hall: EventHall, table: int, number: int, own: int, other: int) -> Json:
    """A player confirms two scores on the phone of a table."""
    given = {"id": f"p{hall.now_ms}", "number": number, "round": 1, "own": own, "other": other}
    return phones_of(hall).say(table, given, load_catalogue())


def needs(hall: EventHall) -> list[str]:
    phones = phones_of(hall)
    return [need["text"] for need in needs_of(phones.event.register, phones)]


def test_two_who_say_the_same_have_a_result(hall: EventHall) -> None:
    """At a table without sensors; the first word alone is no result."""
    assert say(hall, 9, 2, 431, 388) == {"state": "accepted", "reason": None}
    assert hall.scores(1)[2, 4] is None
    assert needs(hall) == [
        f"{AT_NINE} says 431\N{EN DASH}388, but 4 Dube, Thandi has not confirmed it"
    ]
    say(hall, 9, 4, 388, 431)
    assert hall.scores(1)[2, 4] == (431, 388)
    assert needs(hall) == []
    assert phones_of(hall).model(9)["game"]["scores"] == [431, 388]


def test_two_who_differ_are_told_to_the_director(hall: EventHall) -> None:
    """Either can put it right; so can the director, whose word ends it."""
    say(hall, 9, 2, 431, 388)
    say(hall, 9, 4, 389, 431)
    assert hall.scores(1)[2, 4] is None
    assert needs(hall) == [
        (
            f"{AT_NINE} says 431\N{EN DASH}388, 4 Dube, Thandi says 389\N{EN DASH}431."
            " Ask both, and enter the result"
        )
    ]
    hall.orders("result A 1 2 431 4 390")
    assert (hall.scores(1)[2, 4], needs(hall)) == ((431, 390), [])


def test_at_a_table_with_sensors_players_confirm_what_is_recorded(hall: EventHall) -> None:
    """Not while the game is on; then the same scores are a signature, and both the result."""
    hall.show(1)
    hall.start(1)
    with pytest.raises(HTTPException, match="still being played"):
        say(hall, 1, 1, 400, 300)
    hall.play(1, "8G HAND")
    recorded = phones_of(hall).model(1)["recorded"]
    first, second = recorded["scores"]
    assert recorded == {"scores": [first, second], "over": True, "signed": [False, False]}
    say(hall, 1, 1, first, second)
    assert phones_of(hall).model(1)["recorded"]["signed"] == [True, False]
    say(hall, 1, 3, second, first)
    assert hall.scores(1)[1, 3] == (first, second)


def test_a_result_that_is_not_the_recorded_one_is_told(hall: EventHall) -> None:
    """Both may agree that the record is wrong: theirs counts, and the director knows."""
    hall.show(1)
    hall.play(1, "8G HAND")
    say(hall, 1, 1, 50, 0)
    say(hall, 1, 3, 0, 50)
    assert hall.scores(1)[1, 3] == (50, 0)
    assert "the result is 50\N{EN DASH}0, but the record of the table has" in needs(hall)[0]


def test_games_that_nobody_plays_are_told(hall: EventHall) -> None:
    """Later rounds have gone past one; of the other a player has left: with the order for it."""
    hall.orders("round A 2 1:1-2 9:3-4")
    assert needs(hall) == [
        f"{AT_ONE} and 3 Caro, Mateo have no result, but the next round is paired",
        f"{AT_NINE} and 4 Dube, Thandi have no result, but the next round is paired",
    ]
    hall.orders("left A 4")
    said = [need for need in needs(hall) if "has left" in need]
    assert [need.split(": ", 1)[1] for need in said] == [
        f"4 Dube, Thandi has left, and the game has no result. Enter it, or: noshow A {n} 4"
        for n in (1, 2)
    ]
    hall.orders("rules A naspa")
    for need in said:
        hall.orders(need.rsplit("or: ", 1)[1])
    assert not [need for need in needs(hall) if "has left" in need]


def test_a_result_ahead_of_the_games_end_is_told(hall: EventHall) -> None:
    """A director entered it while the clocks ran: it counts, and may be undone."""
    hall.show(1)
    hall.start(1)
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    hall.orders("result A 1 1 400 3 300")
    assert hall.scores(1)[1, 3] == (400, 300)
    assert [need for need in needs(hall) if "was still running" in need]


def test_what_is_no_result_of_the_game_is_refused(hall: EventHall) -> None:
    """Somebody else's number, another round, words for scores, a table where nobody plays."""
    for given in ({"number": 1}, {"round": 2}, {"own": "431"}, {"own": True}):
        whole = {"id": "x", "number": 2, "round": 1, "own": 1, "other": 2, **given}
        with pytest.raises(HTTPException):
            phones_of(hall).say(9, whole, load_catalogue())
    with pytest.raises(HTTPException, match="no game waits"):
        phones_of(hall).say(7, {}, load_catalogue())
    assert phones_of(hall).model(7) == {"game": None}


def test_what_waits_in_the_event_is_a_need_as_at_a_table(hall: EventHall) -> None:
    """With a code, facts and how urgent it is; what somebody waits for asks, and comes first."""
    say(hall, 9, 2, 431, 388)
    phones = phones_of(hall)
    (patient,) = needs_of(phones.event.register, phones)
    assert (patient["code"], patient["asks"], patient["kind"]) == ("half_said", False, "notice")
    assert patient["facts"]["table"] == 9
    say(hall, 9, 4, 389, 431)
    phones = phones_of(hall)
    (urgent,) = needs_of(phones.event.register, phones)
    assert (urgent["code"], urgent["asks"]) == ("disagree", True)
    assert urgent["severity"] < patient["severity"]
