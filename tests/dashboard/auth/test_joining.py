"""Devices that ask to join: strangers get nothing, few wait, and only directors see them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.auth.joining import JoinAs, Joining
from recorder.domain.errors import NotationError

BASE = "http://127.0.0.1:8015"
PHONE = {"kind": "phone", "name": "Android"}


@contextmanager
def client_at(app: FastAPI, address: str) -> Iterator[TestClient]:
    """A browser at an address of the network."""
    yield TestClient(app, base_url=BASE, client=(address, 5000), follow_redirects=False)


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    return create_app(Settings(log=tmp_path / "log.db", access=access))


def test_a_stranger_learns_nothing_and_is_seen_by_directors_alone(app: FastAPI) -> None:
    """No guess at a secret, no answer of one's own; the number alone opens nothing."""
    with (
        client_at(app, "192.168.1.9") as stranger,
        client_at(app, "192.168.1.2") as desk,
    ):
        asked = stranger.post("/api/join", json=PHONE).json()
        path = f"/api/joining/{asked['number']}"
        guess = {"secret": asked["number"]}
        assert stranger.post("/api/join/answer", json=guess).status_code == 404
        waiting = stranger.post("/api/join/answer", json={"secret": asked["secret"]})
        assert (waiting.json(), "set-cookie" in waiting.headers) == ({"state": "waiting"}, False)
        for method in ("POST", "DELETE"):
            assert (
                stranger.request(method, path, json={"table": 1, "page": "clock"}).status_code
                == 401
            )
        assert desk.get("/enter/director-key-1").status_code == 303
        (shown,) = desk.get("/api/desk").json()["joining"]
        assert (shown["number"], shown["address"]) == (asked["number"], "192.168.1.9")
        assert asked["secret"] not in str(shown)
        assert desk.post(path, json={"table": 1, "page": "clock"}).status_code == 409, "no table"
        foreign = {"origin": "https://evil.example"}
        assert desk.delete(path, headers=foreign).status_code in (401, 403)
        assert desk.delete(path).json() == {"ok": True}
        gone = stranger.post("/api/join/answer", json={"secret": asked["secret"]})
        assert gone.status_code == 404
        bad = {"kind": "phone", "name": "<b>table 1</b>"}
        assert stranger.post("/api/join", json=bad).status_code == 422


ODD_NAMES = (
    "", " ", "x" * 41, "x" * 5_000, "a\n", "a\0b", "\u202eclock", "\U0001f600", "\ud83d", "\u200b",
    "<img src=x onerror=alert(1)>", "=1+1", None, 7, ["a"], {"a": "b"}, True,
)  # fmt: skip


def test_odd_and_long_names_ask_for_nothing(app: FastAPI) -> None:
    """Nobody waits under them, and nothing of them is shown to a director."""
    head = {"content-type": "application/json"}
    with (
        client_at(app, "192.168.1.9") as stranger,
        client_at(app, "192.168.1.2") as desk,
    ):
        desk.get("/enter/director-key-1")
        for name in ODD_NAMES:
            body = json.dumps({"kind": "phone", "name": name})
            refused = stranger.post("/api/join", content=body, headers=head)
            assert refused.status_code == 422, name
            assert desk.get("/api/desk").json()["joining"] == [], name


@pytest.mark.parametrize("address", ["203.0.113.7", "2001:db8:1::1", "testclient"])
def test_nobody_asks_from_outside(app: FastAPI, address: str) -> None:
    """Only the venue's own network may ask."""
    with client_at(app, "8.8.4.4" if address.startswith("2") else address) as stranger:
        assert stranger.post("/api/join", json=PHONE).status_code == 429


def test_few_wait_and_each_asks_seldom() -> None:
    """Two from an address, a dozen in all; one that is silent leaves; an answer is given once."""
    joining, now = Joining(), 0

    def ask(address: str) -> str:
        return joining.ask("phone", "phone", address, now).secret

    first = ask("10.0.0.1")
    ask("10.0.0.1")
    with pytest.raises(NotationError, match="too many devices"):
        ask("10.0.0.1")
    for host in range(2, 12):
        ask(f"10.0.0.{host}")
    with pytest.raises(NotationError, match="too many devices"):
        ask("10.0.0.99")
    assert len({one.number for one in joining.waiting(now)}) == 12
    now += 15_000
    assert joining.heard(first, 1, now) is not None
    now += 10_000
    (left,) = joining.waiting(now)
    assert left.secret == first
    assert joining.answer(left.number, JoinAs(2, "clock"), now)
    assert not joining.answer(left.number, JoinAs(1, "pad"), now), "answered once"
    answered = joining.heard(first, 1, now)
    assert answered.place == JoinAs(2, "clock")
    assert joining.heard(first, 1, now) is None
    for _ in range(5):
        ask("10.0.0.50")
        number = joining.waiting(now)[-1].number
        joining.answer(number, None, now)
    with pytest.raises(NotationError, match="asked too often"):
        ask("10.0.0.50")
