"""Every route has a role, every unsafe request an origin, every login a limit."""

import asyncio
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import ASGITransport, AsyncClient
from starlette.routing import BaseRoute, Mount
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.auth.guard import Attempts, Guard
from dashboard.web import sign_in
from tests.dashboard.auth.roles import roles_of

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
WS = BASE.replace("http", "ws")
DIRECTOR, COMMENTATOR = "director-key-1", "commentator-1"
FOREIGN = {"origin": "https://evil.example"}
PUBLIC_MOUNTS = {"static"}
"""Mounted folders that hold nothing but files that everybody may have."""


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser of sorts, at a dashboard."""
    access = Access(director_token=DIRECTOR, commentator_token=COMMENTATOR)
    app = create_app(Settings(log=tmp_path / "log.db", access=access))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def routes(client: TestClient) -> list[BaseRoute]:
    found: list[BaseRoute] = []
    waiting = list(client.app.routes)  # type: ignore[attr-defined]
    while waiting:
        route = waiting.pop()
        included = getattr(route, "original_router", None)
        if included is not None:
            waiting.extend(included.routes)
        else:
            found.append(route)
    return found


def read_on(socket: WebSocketTestSession) -> None:
    """Read until the server closes."""
    while True:
        socket.receive_json()


def test_every_route_says_whom_it_is_for(client: TestClient) -> None:
    """Pages, data and WebSockets: a route without a role does not pass."""
    all_routes = routes(client)
    assert len(all_routes) > 15
    for route in all_routes:
        if isinstance(route, Mount):
            assert route.name in PUBLIC_MOUNTS
        else:
            assert roles_of(route), f"{getattr(route, 'path', route)} asks for no role"


def test_what_is_not_public_opens_for_its_role_alone(client: TestClient) -> None:
    """Asked without a session, and with the commentator's: the answer is never the thing itself."""
    for route in routes(client):
        wanted = max(roles_of(route), key=list(Role).index, default=Role.VIEWER)
        methods = getattr(route, "methods", None) or ()
        path = str(getattr(route, "path", "")).replace("{table}", "1").replace("{seq}", "1")
        if wanted is Role.VIEWER or not methods:
            continue
        for method in methods:
            assert client.request(method, path).status_code == 401, (method, path)
    client.get(f"/enter/{COMMENTATOR}")
    assert client.get("/commentator").status_code == 200
    assert client.get("/director").status_code == 403
    assert client.get("/admin").status_code == 403


def test_a_link_to_less_takes_no_rights_away(client: TestClient) -> None:
    """A director who opens the commentator's link stays one; a commentator reads why not."""
    client.get(f"/enter/{DIRECTOR}")
    assert client.get(f"/enter/{COMMENTATOR}").headers["location"] == "/commentator"
    assert client.get("/director").status_code == 200
    client.post("/logout")
    client.get(f"/enter/{COMMENTATOR}")
    refused = client.get("/director", headers={"accept": "text/html"})
    assert refused.status_code == 403
    assert "signed in as commentator (link)" in refused.text
    assert "Open the link of the director again" in refused.text


def test_an_open_page_is_closed_when_its_session_is_revoked(client: TestClient) -> None:
    """Though it says nothing at all."""
    client.get(f"/enter/{DIRECTOR}")
    accounts = client.app.state.guard.accounts  # type: ignore[attr-defined]
    with client.websocket_connect(f"{BASE.replace('http', 'ws')}/ws/director/1") as socket:
        socket.receive_json()
        accounts.end(accounts.sessions()[0].id)
        with pytest.raises(WebSocketDisconnect):
            read_on(socket)


def test_name_and_password_sign_in(client: TestClient) -> None:
    """The administrator of the first run, and whom they add."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    password = guard.accounts.first_password(guard.now())
    answer = client.post("/login", data={"name": "admin", "password": password, "to": "/admin"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    assert client.get("/admin").status_code == 200
    body = {"name": "Ann", "role": "scorer", "password": "long enough"}
    assert client.post("/api/users", json=body).status_code == 422
    assert client.post("/api/users", json={**body, "table": 3}).status_code == 200
    users = client.get("/api/access").json()["users"]
    assert users == [
        {"name": "Ann", "role": "scorer", "table": 3},
        {"name": "admin", "role": "admin"},
    ]
    assert client.delete("/api/users/admin").status_code == 422
    assert client.delete("/api/users/Ann").status_code == 200


@pytest.mark.parametrize("to", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_signing_in_leads_nowhere_else(client: TestClient, to: str) -> None:
    """A prepared link cannot send people to another site."""
    answer = client.post("/login", data={"password": DIRECTOR, "to": to})
    assert answer.headers["location"] == "/director"


def test_guessing_costs_time(client: TestClient) -> None:
    """After a few wrong tries even the right key must wait."""
    for _ in range(5):
        assert client.post("/login", data={"password": "wrong-wrong-wrong"}).status_code == 401
    answer = client.post("/login", data={"password": DIRECTOR})
    assert answer.status_code == 429
    assert "Wait 1 second" in answer.text


def test_a_key_of_ones_own_pays_for_no_guesses(client: TestClient) -> None:
    """Anyone who has the commentator's key and uses it between guesses waits all the same."""
    codes = []
    for _ in range(4):
        codes += [client.get(f"/enter/wrong-wrong-{n}").status_code for n in range(2)]
        client.get(f"/enter/{COMMENTATOR}")
    assert 429 in codes


def test_a_right_password_takes_ones_own_mistakes_back(client: TestClient) -> None:
    """A hall behind one address is not locked for those who mistyped and then did not."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    for number in range(10):
        for _ in range(3):
            guard.tried("192.0.2.1", f"Ann {number}")
        guard.succeeded("192.0.2.1", f"Ann {number}")
    assert guard.attempts.failures == {}


def test_many_tries_at_once_are_many(client: TestClient) -> None:
    """They count when they begin, not when they have failed."""
    with ThreadPoolExecutor(20) as crowd:
        tries = [
            crowd.submit(client.post, "/login", data={"name": "admin", "password": "wrong"})
            for _ in range(20)
        ]
        codes = [done.result().status_code for done in tries]
    assert 5 <= codes.count(401) <= 8  # a busy machine may be past the first wait of a second
    assert codes.count(401) + codes.count(429) == 20


def test_one_account_is_guarded_from_many_addresses(client: TestClient) -> None:
    """Anyone who has failed before waits, for a short time; nobody can keep its owner out."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    for number in range(30):
        guard.tried(f"192.0.2.{number}", "Dora")
    assert guard.wait_ms("198.51.100.1", "Dora") == 0
    guard.tried("198.51.100.1", "Dora")
    assert 0 < guard.wait_ms("198.51.100.1", " Dora ") <= 30_000
    assert guard.wait_ms("198.51.100.1", "Otto") == 0


def test_a_lock_ends_when_it_says(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown is what holds, for an address and for a name."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    now = [guard.ticks()]
    monkeypatch.setattr(guard, "ticks", lambda: now[0])
    for number in range(120):
        guard.tried(f"192.0.2.{number % 20}", "Dora")
    for address in ("192.0.2.1", "192.0.2.7"):
        guard.tried(address, "Dora")
        shown = guard.wait_ms(address, "Dora")
        assert shown > 0
        now[0] += shown
        assert guard.wait_ms(address, "Dora") == 0


def test_a_stranger_locks_no_director_out(client: TestClient) -> None:
    """Four hours of tries at her name from one address: she may sign in at any second of them."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    tick = [0]
    guard.ticks = lambda: tick[0]
    for second in range(4 * 3600):
        tick[0] = second * 1000
        if guard.wait_ms("10.0.0.9", "dora") == 0:
            guard.tried("10.0.0.9", "dora")
        assert guard.wait_ms("10.0.0.5", "dora") == 0


def test_addresses_that_fail_fill_no_line_but_their_own(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A director at an address of her own signs in while so many try that others are sent away."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    guard.accounts.set_user("Dora", Role.DIRECTOR, "long enough", guard.now())
    strangers = [f"10.0.0.{number}" for number in range(1, 18)]
    for address in strangers:
        guard.tried(address, address)
    role_of = sign_in._role_of

    def slow(guard: Guard, name: str, password: str) -> Role | None:
        time.sleep(0 if name == "Dora" else 0.3)
        return role_of(guard, name, password)

    monkeypatch.setattr(sign_in, "_role_of", slow)

    async def tried(address: str, name: str, password: str) -> int:
        app: Any = client.app
        transport = ASGITransport(app=app, client=(address, 50_000))
        async with AsyncClient(transport=transport, base_url=BASE) as visitor:
            answer = await visitor.post("/login", data={"name": name, "password": password})
            return answer.status_code

    async def together() -> list[int]:
        waiting = [asyncio.create_task(tried(each, each, "wrong")) for each in strangers]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        found = [await tried("10.0.1.1", "Dora", "long enough")]
        assert sum(task.done() for task in waiting) < 12
        return found + sorted(await asyncio.gather(*waiting))

    with ThreadPoolExecutor(1) as own_thread:  # a browser's test before may have a loop in this one
        found = own_thread.submit(lambda: asyncio.run(together())).result()
    assert found == [303, *[401] * 16, 429]


def test_a_host_has_one_address_of_version_6(client: TestClient) -> None:
    """Its /64 is locked, but not for somebody who has signed in from there."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    guard.succeeded("2001:db8::d", "Dora")
    for number in range(30):
        guard.tried(f"2001:db8::{number:x}00", "Dora")
    assert guard.wait_ms("2001:db8::ffff", "Dora") > 0
    assert guard.wait_ms("2001:db8::d", "Dora") == 0
    assert guard.wait_ms("2001:db8:0:1::1", "Dora") == 0


def test_what_tries_are_counted_under_is_bounded() -> None:
    """However many addresses try."""
    attempts = Attempts()
    for number in range(100_000):
        attempts.begun(f"who {number}", 1000)
    assert len(attempts.failures) == 10_000


def test_an_administrator_unlocks(client: TestClient) -> None:
    """Who is locked stands on the page, and may try again at once."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    guard.accounts.set_user("Root", Role.ADMIN, "long enough", guard.now())
    for _ in range(12):
        guard.tried("192.0.2.1", "Dora")
    client.post("/login", data={"name": "Root", "password": "long enough"})
    locked = client.get("/api/access").json()["locked"]
    assert {one["who"] for one in locked} == {"192.0.2.1", "account Dora"}
    assert client.delete("/api/locked").status_code == 200
    assert guard.wait_ms("192.0.2.1", "Dora") == 0


def test_a_link_to_a_table_takes_no_director_out(client: TestClient) -> None:
    """The link of an account that may do less: she goes there, as herself."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    guard.accounts.set_user("Ann", Role.SCORER, "long enough", guard.now(), 3)
    link = guard.accounts.make_link("Ann", guard.now())
    client.get(f"/enter/{DIRECTOR}")
    answer = client.get(f"/enter/{link}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/pad/3")
    assert client.get("/director").status_code == 200


def test_a_clock_that_is_set_changes_no_wait(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither back, which would keep people out as long, nor ahead, which would let guessers in."""
    guard, day_ms = client.app.state.guard, 86_400_000  # type: ignore[attr-defined]
    ticks = guard.ticks()
    monkeypatch.setattr(guard, "ticks", lambda: ticks)  # a busy machine takes seconds for a try
    for _ in range(12):
        client.post("/login", data={"name": "Dora", "password": "wrong"})
    for set_ms in (-day_ms, day_ms):
        shown = time.time_ns() // 1_000_000 + set_ms
        monkeypatch.setattr(guard, "now", lambda shown=shown: shown)
        answer = client.post("/login", data={"name": "Dora", "password": "wrong"})
        assert answer.status_code == 429
        assert re.search(r"Wait [1-9] seconds?", answer.text), set_ms


def test_a_scorer_speaks_for_one_table_alone(client: TestClient) -> None:
    """The phone between the players is no clock of another table."""
    guard = client.app.state.guard  # type: ignore[attr-defined]
    guard.accounts.set_user("Ann", Role.SCORER, "long enough", guard.now(), 3)
    answer = client.post("/login", data={"name": "Ann", "password": "long enough"})
    assert answer.headers["location"] == "/pad/3"
    assert client.get("/api/table/3/setup").status_code == 200
    assert client.get("/api/table/1/setup").status_code == 403
    for table, reason in ((1, "another"), (3, "without a broker")):
        with (
            pytest.raises(WebSocketDisconnect) as closed,
            client.websocket_connect(f"{WS}/ws/device/clock/{table}"),
        ):
            pass
        assert reason in str(closed.value.reason)


def test_waits_grow_and_are_forgotten() -> None:
    """Doubled each time, five minutes at most, gone after a quarter of an hour."""
    attempts = Attempts()
    waits = []
    for _ in range(20):
        attempts.begun("a", 1000)
        waits.append(attempts.wait_ms("a", 1000))
    assert waits[:8] == [0, 0, 0, 0, 1000, 2000, 4000, 8000]
    assert waits[-1] == 300_000
    assert attempts.wait_ms("b", 1000) == 0
    attempts.begun("b", 1_000_000)
    assert attempts.wait_ms("a", 1_000_000) == 0
    attempts.succeeded("b")
    assert not attempts.failures


def test_tokens_are_made_and_revoked_by_the_director(client: TestClient) -> None:
    """Reported once, listed without the secret, refused for a scope that nobody has."""
    client.get(f"/enter/{DIRECTOR}")
    made = client.post("/api/tokens", json={"label": "OBS", "scope": "racks:table-1"}).json()
    listed = client.get("/api/tokens").json()
    assert [one["scope"] for one in listed] == ["racks:table-1"]
    assert made["token"] not in str(listed)
    assert client.post("/api/tokens", json={"label": "x", "scope": "all"}).status_code == 422
    assert client.delete(f"/api/tokens/{listed[0]['id']}").status_code == 200
    assert client.delete(f"/api/tokens/{listed[0]['id']}").status_code == 404


def test_cards_for_result_phones_take_no_clock_from_the_players(client: TestClient) -> None:
    """Their links are others than those of clocks: who is in stays in, and the old link opens."""
    accounts = client.app.state.guard.accounts  # type: ignore[attr-defined]
    accounts.set_user("table-1", Role.SCORER, "long enough", 1, 1)
    key = accounts.make_link("table-1", 1)
    for _ in range(2):
        client.cookies.clear()
        assert client.get(f"/enter/{key}").headers["location"] == "/pad/1"
        phone = dict(client.cookies)
        client.cookies.clear()
        client.get(f"/enter/{DIRECTOR}")
        made = client.post("/api/event/codes", json={"last": 2})
        assert (made.status_code, made.content[:5]) == (200, b"%PDF-")
        client.cookies.clear()
        client.cookies.update(phone)
        assert client.get("/api/table/1/setup").status_code == 200
