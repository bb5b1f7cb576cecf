"""The event over HTTP: what everybody may see and when, the feed for other programs, the desk."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi.testclient import TestClient

import tilecast
from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.event.late_orders import LateOrders
from dashboard.event.round_calendar import calendar_of
from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.register import extended, settled
from recorder.domain.event.seating import Pairing
from recorder.domain.game import EndRackPoints
from recorder.feeds.tourney_js import read_tourney_js
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.event_record import judged_row
from recorder.orders.event_syntax import parse_event_order
from tests.dashboard.table_writer import TableWriter
from tests.event.fields import write_orders
from tests.eventually import eventually

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
DAY = (
    "about name Harbour Open",
    "player A Ashdown, Vera 1905",
    "times A 2026-11-28 10:00 11:30 2026-11-29 9:15",
    "player A Brok, Ilse 1840",
    "player A Caro, <b>Mateo</b> 1722",
    "round A 1 1:2-1 bye 3",
    "result A 1 2 380 1 431",
)


def write_day(path: Path, *, age_ms: int = 0) -> None:
    """The log of a small event, as old as is said."""
    with SqliteEventLog(path) as log:
        write_orders(log, DAY, time.time_ns() // 1_000_000 - age_ms)


@contextmanager
def dashboard(folder: Path, delay_ms: int = 0) -> Iterator[TestClient]:
    keys = Access(
        director_token="director-key-1", commentator_token="commentator-1", delay_ms=delay_ms
    )
    app = create_app(Settings(log=folder / "log.db", access=keys))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def until(look: Callable[[], Any], what: str) -> Any:
    """What a look gives once it gives something."""
    found: list[Any] = []
    eventually(lambda: found.append(look()) or found[-1], what)
    return found[-1]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("day")
    write_day(folder / "log.db")
    with dashboard(folder) as client:
        for path in ("/api/event", "/director/event"):
            assert client.get(path).status_code in (302, 303, 401, 403)
        assert client.post("/api/event/order", json={}).status_code in (401, 403)
        client.get("/enter/director-key-1")
        until(lambda: client.get("/api/event").json()["divisions"], "an event")
        yield client


def test_everybody_sees_pairings_and_standings(desk: TestClient) -> None:
    """The page's data, and the feed that Woogles and overlays read."""
    assert desk.get("/event").status_code == 200
    (division,) = desk.get("/event/data.json").json()["divisions"]
    feed = desk.get("/event/tourney.js")
    game = {
        "table": 1,
        "players": [2, 1],
        "scores": [380, 431],
        "margins": None,
        "winner": 1,
        "met": [{"round": 1, "scores": [380, 431], "winner": 1}],
    }
    assert division["games"] == [game]
    assert division["results"][0]["names"] == ["Ilse Brok", "Vera Ashdown"]
    assert [high["score"] for high in division["high"]] == [431, 380]
    assert division["out"] == [3]
    standings = [(row["rank"], row["name"], row["spread"]) for row in division["standings"]]
    assert standings == [
        (1, "Vera Ashdown", 51),
        (2, "<b>Mateo</b> Caro", 50),
        (3, "Ilse Brok", -51),
    ]
    assert [(row["expected"], row["average"]) for row in division["standings"]] == [
        (0.6, [431, 380]),
        (None, [None, None]),
        (0.4, [380, 431]),
    ]
    assert [row["latest"] for row in division["standings"]] == [
        [{"round": 1, "own": 431, "other": 380, "margin": 51}],
        [],
        [{"round": 1, "own": 380, "other": 431, "margin": -51}],
    ]
    assert feed.headers["content-type"].startswith("text/javascript")
    read = read_tourney_js(feed.text)
    assert (read.event.name, read.faults) == ("Harbour Open", [])
    assert read.event.divisions[0].player(1).extra["rrank"][:2] == (1, 1)


def test_the_event_as_single_texts(desk: TestClient) -> None:
    """For text sources: lists in lines, a player's own; a name that is none is said."""

    def text(name: str, **asked: str) -> str:
        return desk.get(f"/event/field/{name}.txt", params=asked).text

    lines = "1 Vera Ashdown 1–0 +51\n2 <b>Mateo</b> Caro 1–0 +50\n3 Ilse Brok 0–1 −51"  # noqa: RUF001 - dashes as on air
    assert text("standings") == lines
    assert text("pairings") == "1 Ilse Brok – Vera Ashdown"  # noqa: RUF001 - the same
    assert text("results") == "Ilse Brok 380 – 431 Vera Ashdown"  # noqa: RUF001 - the same
    assert text("high_games").splitlines()[0] == "431 Vera Ashdown"
    player = desk.get("/event/fields.json", params={"player": 2}).json()
    assert [player[name] for name in ("record", "place", "table", "opponent", "round")] == [
        *("0–1", "3", "1", "Vera Ashdown", "Round 1"),  # noqa: RUF001 - the same
    ]
    assert text("place", division="B", player="2") == ""
    assert desk.get("/event/field/moon.txt").status_code == 404


def test_the_public_is_as_late_as_the_air(tmp_path: Path) -> None:
    """What was entered just now is for directors only, until the delay has passed."""
    write_day(tmp_path / "log.db")
    with dashboard(tmp_path, delay_ms=600_000) as client:
        client.get("/enter/director-key-1")
        until(lambda: client.get("/api/event").json()["divisions"], "an event")
        assert client.get("/event/data.json").json()["divisions"] == []
        assert client.get("/event/tourney.js").status_code == 404


@pytest.mark.parametrize(
    ("later", "winner"),
    [("result A 1 2 431 1 380", 0), ("undo o7", None), ("noshow A 1 2 50", 1)],
    ids=["the other way round", "undone", "not played"],
)
def test_what_is_put_right_in_time_is_never_shown(
    tmp_path: Path, later: str, winner: int | None
) -> None:
    """A wrong result of seventy seconds ago, put right thirty seconds ago, a minute before air."""
    now = time.time_ns() // 1_000_000
    with SqliteEventLog(tmp_path / "log.db") as log:
        register = write_orders(log, DAY, now - 70_000)
        act = parse_event_order(later.split(), register.event)
        order = EventOrder(id="o8", who="Dora", act=act, agreed=True)
        log.append([judged_row(register, order, now - 30_000)[0]])
    with dashboard(tmp_path, delay_ms=60_000) as client:
        until(lambda: client.get("/event/data.json").json()["divisions"], "an event")
        (division,) = client.get("/event/data.json").json()["divisions"]
        feed = client.get("/event/tourney.js").text
    site = ["export", "site", str(tmp_path / "log.db"), str(tmp_path / "site"), "--delay", "60"]
    assert tilecast.main(site) == 0
    written = json.loads((tmp_path / "site" / "standings.json").read_text("utf-8"))
    assert [division["games"]] == [found["games"] for found in written["divisions"]]
    assert [game["winner"] for game in division["games"]] == [winner]
    assert len(division["results"]) == (winner is not None)
    assert ("431" in feed) == (winner == 0)


@pytest.mark.parametrize(
    "words", ["", "replay A 1 2", "noshow A 1 2 50", "round A 1 1:2-3 bye 1 again"]
)
def test_a_recorded_game_that_does_not_count_is_no_highlight(tmp_path: Path, words: str) -> None:
    """It stays in the list of games, and is named there as one that does not count."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        write_orders(log, (*DAY, words) if words else DAY, 1_000_000)
        table = TableWriter(log, at=1_100_000)
        pairing = Pairing(division="A", round=1, first=2, second=1)
        table.start(("Ilse Brok", "Vera Ashdown"), game="g1", pairing=pairing)
        table.play(0, "8D ZEPHYR")
        table.record(EndRackPoints(0, 2))
    with dashboard(tmp_path) as client:
        (game,) = until(lambda: client.get("/public/games.json").json()["games"], "a game")
    assert game["counts"] == (not words)


def test_late_orders_end_as_the_log_has_them() -> None:
    """Whatever was let out ahead of its turn: once all is out the public has the event as it is."""
    rng = Random(3)
    day = [*(f"player A P{n}" for n in range(1, 5)), "round A 1 1:1-2 2:3-4"]
    for _ in range(40):
        log, late, at = MemoryEventLog(), LateOrders(60_000), 1_000_000
        register = write_orders(log, day, at)
        for number in range(len(day) + 1, 26):
            at += rng.randrange(25_000)
            act = parse_event_order(any_order(rng, number).split(), register.event)
            order = EventOrder(id=f"o{number}", who="d", act=act, agreed=True)
            row, refused = judged_row(register, order, at)
            log.append([row])
            register = register if refused else extended(register, settled(register, order))
        for row in log.read_from(1):
            late.take(row)
        for now in range(1_000_000, at + 61_000, 7_000):
            late.register_at(now)
        found = late.register_at(at + 61_000)
        assert found.event == register.event
        assert found.left_out == register.left_out


def any_order(rng: Random, number: int) -> str:
    """What may be said of four players after their first round; ``number`` counts the orders."""
    said = (
        f"result A 1 1 {rng.randrange(300, 500)} 2 390",
        f"result A 1 3 {rng.randrange(300, 500)} 4 390",
        f"undo o{rng.randrange(5, number)}",
        *("round A 1 1:1-3 2:2-4 again", "round A 1 1:1-2 2:3-4 again", "round A 2 1:1-4 2:2-3"),
        *(f"player A Q{number}", "noshow A 1 1 50", "adjourn A 1 1"),
    )
    return rng.choice(said)


def test_without_a_broker_orders_are_refused_with_the_reason(desk: TestClient) -> None:
    assert desk.get("/director/event").status_code == 200
    newest = desk.get("/api/event").json()["orders"][0]
    assert newest["words"] == "division A, round 1: 2 Brok, Ilse 380, 1 Ashdown, Vera 431"
    order: dict[str, Any] = {"id": "w1", "words": "result A 1 2 390 1 431"}
    asked = desk.post("/api/event/order", json=order).json()
    assert (asked["state"], asked["changes"]) == (
        "unseen",
        [
            (
                "this game already has the result 431\N{EN DASH}380 (round 1, division A):"
                " this order corrects it"
            )
        ],
    )
    order["agreed"] = True
    without = desk.post("/api/event/order", json=order)
    assert (without.status_code, "read only" in without.text) == (503, True)
    odd = desk.post("/api/event/order", json={"id": "w2", "words": "result A one"})
    assert (odd.status_code, "write: result" in odd.text) == (422, True)


def test_the_next_round_is_paired_for_the_director(desk: TestClient) -> None:
    """As the order that would publish it, which can be changed before it is given; and why."""
    paired = desk.post("/api/event/pair", json={"division": "A", "method": "swiss"}).json()
    assert [(pair["table"], *pair["players"]) for pair in paired["pairs"]] == [(1, 1, 3)]
    assert (paired["round"], paired["bye"]) == (2, 2)
    assert paired["words"] == "round A 2 1:1-3 bye 2"
    assert paired["missing"] == 0
    assert paired["pairs"][0]["why"].startswith("both have 1 wins")
    odd = desk.post("/api/event/pair", json={"division": "B", "method": "swiss"})
    assert (odd.status_code, "name a division" in odd.text) == (400, True)


@pytest.mark.parametrize(
    ("wishes", "found"),
    [
        ({"absent": "3"}, '"out":[3],"missing":0,"pairs":[{"table":1,"players":[1,2]'),
        ({"round": 1}, '"round":1,"bye":3'),
        ({"round": 4}, "division A can pair rounds 1 to 2"),
        ({"absent": "9"}, "division A has no player 9"),
        ({"absent": "Vera"}, "is not the number"),
    ],
    ids=str,
)
def test_a_round_is_paired_as_the_director_wants_it(
    desk: TestClient, wishes: dict[str, Any], found: str
) -> None:
    """Who is not there, which round; what cannot be is said."""
    paired = desk.post("/api/event/pair", json={"division": "A", "method": "koth", **wishes})
    assert found in paired.text


@pytest.mark.parametrize("words", ["", " ", 7, "x" * 20_001], ids=["none", "space", "7", "long"])
def test_no_order_is_no_fault_of_ours(desk: TestClient, words: Any) -> None:
    """Whatever a page sends, the answer says what an order is."""
    answer = desk.post("/api/event/order", json={"id": "w1", "words": words})
    assert (answer.status_code, "an order is words" in answer.text) == (400, True)


def test_a_phone_gets_what_is_new_of_its_division(desk: TestClient) -> None:
    """Packed, and nothing while nothing changes; with what each player can still win."""
    whole = desk.get("/event/data.json", params={"division": "A"})
    assert (whole.headers["content-encoding"], whole.json()["names"]) == ("gzip", ["A"])
    assert 0 < int(whole.headers["content-length"]) < len(whole.content)  # phones wait by it
    again = desk.get(
        "/event/data.json",
        params={"division": "A"},
        headers={"If-None-Match": whole.headers["etag"]},
    )
    assert (again.status_code, again.content) == (304, b"")
    assert desk.get("/event/data.json", params={"division": "B"}).json() == whole.json()
    assert whole.json()["divisions"][0]["standings"][0]["reach"] is None


def test_a_rating_list_of_a_federation_goes_along(desk: TestClient) -> None:
    """Larger than anything else that a page sends; nobody is entered by a look."""
    listed = [
        {"playerid": n, "name": f"Vera Lund{n}", "cswrating": n % 2000} for n in range(1, 9_000)
    ]
    given = {"text": "Lund1234, Vera\nBrok, Ilse", "ratings": json.dumps({"players": listed})}
    assert len(given["ratings"]) > 400_000
    found = desk.post("/api/event/roster", json=given).json()
    assert found["entered"] == 0
    assert [(p["rating"], p["ident"], p["doubt"] or p["note"]) for p in found["players"]] == [
        (1234, "W1234", "figures in the name"), (0, "", "plays in division A already")
    ]  # fmt: skip
    refused = desk.post("/api/event/roster", json={"text": "Ash", "ratings": "<html>"})
    assert (refused.status_code, "not a rating list" in refused.text) == (422, True)


def test_rounds_have_times_and_go_into_a_calendar(desk: TestClient) -> None:
    """By the clock in the hall, for the page and as iCalendar; the director changes them there."""
    (division,) = desk.get("/event/data.json").json()["divisions"]
    assert division["times"] == ["2026-11-28 10:00", "2026-11-28 11:30", "2026-11-29 09:15"]
    setup = desk.get("/api/event").json()["setup"]["A"]
    assert setup["times"] == "2026-11-28 10:00 11:30 2026-11-29 09:15"
    found = desk.get("/event/rounds.ics", params={"division": "A"})
    assert found.headers["content-type"].startswith("text/calendar")
    lines = found.text.split("\r\n")
    assert [line for line in lines if line.startswith(("DTSTART", "SUMMARY"))] == [
        "DTSTART:20261128T100000", "SUMMARY:Harbour Open\\, division A: round 1",
        "DTSTART:20261128T113000", "SUMMARY:Harbour Open\\, division A: round 2",
        "DTSTART:20261129T091500", "SUMMARY:Harbour Open\\, division A: round 3",
    ]  # fmt: skip
    assert len({line for line in lines if line.startswith("UID:")}) == 3
    assert desk.get("/event/rounds.ics", params={"division": "Z"}).status_code == 404


def test_a_calendar_cuts_long_lines_between_letters() -> None:
    """Into 75 bytes, each next part behind a space (RFC 5545, 3.1)."""
    name = "Größtes Turnier; Łódź, " + "ż" * 80
    text = calendar_of(name, EventDivision(name="A", players=(), times=("2026-11-28 10:00",)))
    lines = text.split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 75
    whole = text.replace("\r\n ", "").split("\r\n")
    title = f"{name}, division A: round 1".replace(";", "\\;").replace(",", "\\,")
    assert f"SUMMARY:{title}" in whole


@pytest.mark.parametrize(
    "words",
    [
        "10:00",
        "2026-13-01 10:00",
        "2026-11-28 25:00",
        "2026-11-28 x",
        "2026-11-28",
        "10:00 2026-11-28 11:30",
    ],
)
def test_times_that_cannot_be_are_refused(words: str) -> None:
    with pytest.raises(NotationError, match="times DIVISION DATE TIME"):
        parse_event_order(f"times A {words}".split())


def test_all_rounds_of_a_division(desk: TestClient) -> None:
    """By player in the order of the standings; no other division is there."""
    found = desk.get("/event/rounds.json", params={"division": "a"}).json()
    assert [player["name"] for player in found["players"]][:2] == [
        "Vera Ashdown",
        "<b>Mateo</b> Caro",
    ]
    won = {"opponent": 2, "own": 431, "other": 380, "margin": None, "first": False, "table": 1}
    bye = {"opponent": 0, "own": None, "other": None, "margin": 50, "first": False, "table": None}
    rounds = [player["rounds"] for player in found["players"]]
    assert rounds[:2] == [[{**won, "bye": False}], [{**bye, "bye": True}]]
    ratings = [(player["rating"], player["projected"]) for player in found["players"]]
    assert ratings == [(1905, 1912), (1722, 1722), (1840, 1833)]
    assert desk.get("/event/rounds.json", params={"division": "Z"}).status_code == 404
