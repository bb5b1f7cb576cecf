"""Check-in by phone: what a phone at the door may do, and what the director sees of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboard.event.prints import _key
from tests.event.test_event_pages import BASE, dashboard, until, write_day
from tests.event.test_identity import Desk

pytestmark = pytest.mark.slow


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[TestClient]:
    write_day(tmp_path / "log.db")
    with dashboard(tmp_path) as door:
        key = _key(door.app.state.guard, 0)  # type: ignore[attr-defined]
        door.get(f"/enter/{key}?to=/check-in")
        door.headers["origin"] = BASE
        until(lambda: door.get("/api/check-in").json()["divisions"], "an event")
        yield door


def test_a_phone_at_the_door_does_nothing_else(phone: TestClient) -> None:
    """It has the page and the names; orders, results and codes are others'."""
    assert phone.get("/check-in").status_code == 200
    (division,) = phone.get("/api/check-in").json()["divisions"]
    assert division["players"][0]["name"] == "Vera Ashdown"
    for path in ("/api/event", "/director/event", "/result/1", "/commentator", "/pad/1"):
        assert phone.get(path).status_code == 403, path
    for path in ("/api/event/order", "/api/event/roster", "/api/event/check-in-code"):
        assert phone.post(path, json={"words": "undo e1", "text": ""}).status_code == 403, path


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"division": "A", "number": 1, "here": True}, 409),
        ({"division": "A", "number": 99, "here": True}, 404),
        ({"division": "Z", "number": 1, "here": True}, 404),
        ({"division": "A", "number": "1", "here": True}, 400),
        ({"division": "A", "number": 1, "here": "yes"}, 400),
    ],
)
def test_a_tick_that_cannot_be(phone: TestClient, given: dict[str, object], status: int) -> None:
    """Round 1 is paired, nobody has that number, or it is no tick."""
    assert phone.post("/api/check-in", json=given).status_code == status


def test_who_is_here_is_an_order_like_any_other() -> None:
    """It can be taken back, by itself or as an undo, and goes along to another division."""
    desk = Desk(("player A Ann", "player A Bob", "here A 1", "here A 2", "here A 2 no"))
    (division,) = desk.register.event.divisions
    assert [player.here for player in division.players] == [True, False]
    assert desk.gives("move A 1 to B") is None
    moved = desk.register.event.division("B")
    assert [player.here for player in moved.players] == [True]
    assert desk.gives("undo e4", agreed=False) is None
