"""Every kind of order, made impossible in every way that its form allows, as a page posts it."""

import copy
import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from recorder.bus.broker import find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.row_kind import Kind
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from recorder.wire.orders import ORDER_TYPES
from tests.eventually import eventually
from tests.recorder.order_game import STARTED, OrderGame, played
from tests.recorder.session_table import VENUE, plan

PAGE = "http://127.0.0.1:8015"
Data = dict[str, Any]
pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(find_mosquitto() is None, reason="needs a real Mosquitto"),
]

# Entries of the game: 6 is HAND of player 0, 9 CAT of player 1, 12 and 19 turns without a play,
# 22 puts the Y to HAND.
POSSIBLE: dict[str, Data] = {
    "order.accept": {"entry": 6, "candidate": 0},
    "order.correct": {"entry": 22, "score": 9},
    "order.insert": {
        "entry": 22,
        "event": {"type": "game.passed", "data": {"player": 1, "rack": ""}},
        "agreed": False,
    },
    "order.split": {
        "entry": 22,
        "turns": [{"type": "game.passed", "data": {"player": 1, "rack": ""}}],
    },
    "order.remove": {"entry": 22},
    "order.challenge": {"entry": 22, "outcome": "off"},
    "order.clock": {"player": 0, "left_ms": 60_000},
    "order.end": {},
    "order.end_racks": {
        "points": [
            {"type": "game.end_rack_points", "data": {"player": 0, "points": 4, "tiles": "O"}}
        ]
    },
    "order.time_penalty": {"player": 0, "points": 10},
    "order.concede": {"player": 0, "margin": 50, "how": "forfeit"},
    "order.absent": {"player": 0},
    "order.arrived": {"player": 0},
    "order.seats": {"player": 0},
    "order.ruling": {"text": "Play on.", "entry": 22},
    "order.banner": {"text": "One moment"},
    "order.note": {"text": "noted", "entry": 22},
    "order.sign": {"player": 0},
    "order.procedure.begin": {"key": "again", "code": "recount"},
    "order.procedure.step": {"key": "unknown", "step": 0, "done": True},
    "order.procedure.time": {"key": "unknown", "step": 0},
    "order.procedure.close": {"key": "unknown", "carried_out": True},
    "order.undo": {"order": "nobody"},
}


def _event(kind: str, **data: object) -> Data:
    return {"entry": 22, "event": {"type": f"game.{kind}", "data": data}, "agreed": False}


def _left(player: int, tiles: str) -> Data:
    return {
        "type": "game.end_rack_points",
        "data": {"player": player, "points": 4, "tiles": tiles},
    }


MEANT: list[tuple[str, str, Data]] = [
    ("no_such_candidate", "order.accept", {"entry": 6, "candidate": 7}),
    ("nothing_to_correct", "order.correct", {"entry": 6}),
    ("no_such_tile", "order.correct", {"entry": 6, "position": "8G", "word": "ÄÖÜ"}),
    ("off_the_board", "order.correct", {"entry": 6, "position": "8M", "word": "HANDS"}),
    ("more_than_the_set", "order.correct", {"entry": 6, "position": "8G", "word": "QQQQ"}),
    ("more_than_a_rack", "order.correct", {"entry": 6, "position": "8D", "word": "HANDBAGS"}),
    ("no_tile_laid", "order.correct", {"entry": 6, "letters": {"A1": "Q"}}),
    ("no_letters", "order.correct", {"entry": 12, "letters": {"G8": "Q"}}),
    ("no_points", "order.correct", {"entry": 12, "score": 5}),
    ("exchange_of", "order.correct", {"entry": 12, "kind": "exchange", "count": 9}),
    ("points_are", "order.correct", {"entry": 6, "score": 99_999}),
    (
        "other_letter_there",
        "order.insert",
        _event("played", player=1, position="8G", word="XXXX", score=9, rack=""),
    ),
    (
        "more_than_the_set",
        "order.insert",
        _event("played", player=1, position="10J", word="QQ", score=9, rack=""),
    ),
    ("exchange_of", "order.insert", _event("exchanged", player=1, count=9, tiles="")),
    ("no_play_to_take_back", "order.insert", _event("withdrawn", player=1, score=5)),
    ("points_are", "order.insert", _event("challenge_bonus", player=0, points=99_999)),
    (
        "rack_points_not_inserted",
        "order.insert",
        _event("end_rack_points", player=0, points=5, tiles="Q"),
    ),
    ("not_challengeable", "order.challenge", {"entry": 12, "outcome": "off"}),
    ("plays_rest_on_it", "order.challenge", {"entry": 6, "outcome": "off"}),
    ("no_bonus_for_off", "order.challenge", {"entry": 22, "outcome": "off", "bonus": 5}),
    ("longer_than_a_day", "order.clock", {"player": 0, "left_ms": 90_000_000}),
    ("rack_points_twice", "order.end_racks", {"points": [_left(0, "O"), _left(0, "I")]}),
    ("not_so_many_left", "order.end_racks", {"points": [_left(0, "QQ")]}),
    ("points_are", "order.time_penalty", {"player": 0, "points": 99_999}),
    ("conceded_how", "order.concede", {"player": 0, "margin": 50, "how": "luck"}),
    ("absent_begun", "order.absent", {"player": 0}),
    ("not_absent", "order.arrived", {"player": 0}),
    ("seated_so", "order.seats", {"player": 0}),
    ("no_such_notice", "order.procedure.begin", {"key": "a", "code": "recount", "notice": 999}),
    ("no_procedure", "order.procedure.step", {"key": "unknown", "step": 0, "done": True}),
    ("no_procedure", "order.procedure.time", {"key": "unknown", "step": 0}),
    ("no_procedure", "order.procedure.close", {"key": "unknown", "carried_out": True}),
    ("no_such_order", "order.undo", {"order": "nobody"}),
]
"""By the code of the refusal: what has the form of an order, and cannot be applied."""

UNDO = "order.undo"
CONTRADICT: dict[str, tuple[list[tuple[str, Data]], str]] = {
    "a play taken off twice": (
        [("order.challenge", POSSIBLE["order.challenge"])] * 2,
        "superseded",
    ),
    "off, and it stands": (
        [
            ("order.challenge", {"entry": 22, "outcome": "stands", "bonus": 5}),
            ("order.challenge", {"entry": 22, "outcome": "off"}),
        ],
        "superseded",
    ),
    "taken out twice": ([("order.remove", {"entry": 22})] * 2, "taken_out"),
    "undone twice": (
        [
            ("order.correct", {"entry": 22, "score": 9}),
            ("order.undo", {"order": "n0"}),
            ("order.undo", {"order": "n0"}),
        ],
        "order_ended",
    ),
    "in the place of what is undone": (
        [
            ("order.correct", {"entry": 22, "score": 9}),
            ("order.undo", {"order": "n0"}),
            ("order.correct", {"entry": 22, "score": 8, "supersedes": "n0"}),
        ],
        "order_ended",
    ),
    "lost by both": (
        [
            ("order.concede", {"player": 0, "margin": 50, "how": "forfeit"}),
            ("order.concede", {"player": 1, "margin": 50, "how": "forfeit"}),
        ],
        "conceded_by_other",
    ),
}


def _malformed(data: Data) -> Iterator[tuple[str, Data]]:
    """The same with each field below and beyond all bounds, and of another kind, in turn."""
    for name in data:
        for way, other in (("negative", -7), ("huge", 10**15), ("a list", [[]])):
            if (name, way) == ("left_ms", "negative"):
                continue  # overtime
            wrong = copy.deepcopy(data)
            wrong[name] = other
            yield f"{name} {way}", wrong


class Desk(NamedTuple):
    """A director's page, and the log that its orders go into."""

    page: TestClient
    log: Path

    def give(self, name: str, kind: str, data: Data) -> tuple[int, Data]:
        data = dict(data)
        head = {"id": name, "table": 1, "type": kind, "supersedes": data.pop("supersedes", "")}
        answer = self.page.post("/api/order", json={**head, "data": data})
        return answer.status_code, answer.json()

    def turns(self) -> list[str]:
        """The record apart from what was ordered and what time alone makes the table tell."""
        with SqliteEventLog(self.log, read_only=True) as log:
            rows = [row for row in log.read_from(1) if row.table == 1]
        bodies = [row.body for row in rows if row.kind is not Kind.RULED]
        return [
            json.dumps(body, sort_keys=True)
            for body in bodies
            if not str(body.get("type")).startswith("table.")
        ]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    tmp_path = tmp_path_factory.mktemp("desk")
    with ExitStack() as running:
        broker = start_broker("mosquitto", workdir=tmp_path / "broker")
        running.callback(broker.stop)
        store = running.enter_context(SqliteEventLog(tmp_path / "log.db"))
        store.append(_game().drafts())
        table = TablePlan(started=STARTED, devices={})
        whole = replace(plan(tmp_path / "live.gcg"), tables=(table,))
        recorder = Recorder(whole, MqttBus(broker.url, "recorder-r1"), store, wall_ms)
        recorder.start()
        running.callback(recorder.stop)
        keys = Access(director_token="director-key-1", commentator_token="commentator-1")
        settings = Settings(log=tmp_path / "log.db", access=keys, broker=broker.url, venue=VENUE)
        page = running.enter_context(TestClient(create_app(settings), base_url=PAGE))
        page.get("/enter/director-key-1")
        eventually(lambda: page.get("/api/desk").json()["connected"], "the desk is connected")
        yield Desk(page, tmp_path / "log.db")


def _game() -> OrderGame:
    return played().copied()


def test_an_impossible_order_is_refused_by_name_and_nothing_is_lost(desk: Desk) -> None:
    """All kinds of order: what cannot be meant, what the form forbids; and the game goes on."""
    assert set(POSSIBLE) == set(ORDER_TYPES)
    before = desk.turns()
    for number, (code, kind, data) in enumerate(MEANT):
        status, says = desk.give(f"m{number}", kind, data)
        assert (status, says.get("state")) == (200, "refused"), (code, kind, says)
        assert says["reason"]["code"] == code, (kind, data, says)
        assert len(says["reason"]["text"]) > len(code)
    tried = 0
    for kind, data in POSSIBLE.items():
        for name, wrong in _malformed(data):
            tried += 1
            status, says = desk.give(f"f{tried}", kind, wrong)
            refused = says.get("state") == "refused"
            assert refused or status == 422, (kind, name, status, says)
            words = says["reason"]["text"] if refused else says["detail"]
            assert refused or name.split()[0] in words, (kind, name, words)
    assert tried > 90
    assert desk.turns() == before
    status, says = desk.give("well", "order.correct", POSSIBLE["order.correct"])
    assert says["state"] == "accepted", says
    assert desk.turns() != before
    assert desk.give("back", UNDO, {"order": "well"})[1]["state"] == "accepted"


def test_of_two_orders_that_contradict_each_other_the_second_is_refused(desk: Desk) -> None:
    """It says what stands there by now, and the first one holds; all can be undone again."""
    for case, ((*first, second), code) in enumerate(CONTRADICT.values()):
        names = [f"n{case}-{number}" for number in range(len(first))]
        newest = _newest(desk, case)
        for name, (kind, data) in zip(names, first, strict=True):
            assert desk.give(name, kind, _named(data, case, newest))[1]["state"] == "accepted"
        held = desk.turns()
        _, says = desk.give(f"l{case}", second[0], _named(second[1], case, newest))
        assert (says["state"], says["reason"]["code"]) == ("refused", code)
        assert desk.turns() == held
        still = [name for name, (kind, _) in zip(names, first, strict=True) if kind != UNDO]
        undone = {data["order"] for kind, data in first if kind == UNDO}
        for name in reversed(still):
            if not undone:
                assert desk.give(f"u{name}", UNDO, {"order": name})[1]["state"] == "accepted"


def test_a_game_that_is_not_on_takes_no_order(desk: Desk) -> None:
    """Nor does a table that nobody records."""
    order = {"id": "g1", "table": 1, "game": "gone", "type": "order.end", "data": {}}
    says = desk.page.post("/api/order", json=order).json()
    assert (says["state"], says["reason"]["code"]) == ("refused", "other_game")
    assert desk.page.post("/api/order", json={**order, "table": 77}).status_code == 404


def _newest(desk: Desk, case: int) -> int:
    """The entry that the newest play, 22 at first, has by now; a refusal names it."""
    _, says = desk.give(f"w{case}", "order.correct", {"entry": 22})
    if says["reason"]["code"] != "superseded":
        return 22
    return int(says["reason"]["values"]["now"].split()[0])


def _named(data: Data, case: int, newest: int) -> Data:
    """The order about the newest play as it is named now, or another order of the same case."""
    now: dict[object, object] = {22: newest, "n0": f"n{case}-0"}
    return {key: now.get(value, value) for key, value in data.items()}
