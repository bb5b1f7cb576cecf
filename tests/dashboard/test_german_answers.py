"""What a German page reads when something cannot be done: every address, with odd bodies.

The programs speak English here: only the page that asks is in German.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from recorder.declared.codec import Json
from tests.browser.german import ORDER_WORDS, english, words_of
from tests.event.test_event_pages import DAY, write_day
from tests.eventually import eventually
from tests.fuzz.doors import BODIES

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
ODD = (None, 7, -1, 10**9, 1.5, True, "", "x", "ж" * 30, "x" * 30_000, [], [["x"]], {})
OF_FIELDS = ("slot ", " must be ")
"""What a field may hold, as a program reads it: no form of ours sends another."""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A German page of an administrator, at an event of one round."""
    folder = tmp_path_factory.mktemp("answers")
    write_day(folder / "log.db")
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    app = create_app(Settings(log=folder / "log.db", access=access, slots=folder / "slots.json"))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        guard = app.state.guard
        guard.accounts.set_user("Root", Role.ADMIN, "long enough", guard.now())
        session = guard.accounts.begin("Root", Role.ADMIN, guard.now())
        client.cookies.set("tilecast_session", session)
        client.headers |= {"Content-Type": "application/json", "Origin": BASE}
        client.headers["Referer"] = f"{BASE}/director/event?lang=de"
        eventually(lambda: client.get("/api/event").json()["divisions"], "an event")
        yield client


def refused(answer: Any) -> set[str]:
    """What the page shows of it; what fields may hold is for programs."""
    if answer.status_code < 400 or not answer.headers["content-type"].endswith("json"):
        return set()
    detail = answer.json().get("detail")
    is_for_page = isinstance(detail, str) and not any(part in detail for part in OF_FIELDS)
    return {detail} if is_for_page else set()


def bodies() -> Iterator[tuple[str, Json]]:
    """Everything that forms post, as it is and with each of its fields wrong or missing."""
    forms = {path: body for path, body in BODIES.items() if not path.startswith("/api/order")}
    for path, body in forms.items():
        yield path, body
        for field in body:
            yield from ((path, {**body, field: value}) for value in ODD)
            yield path, {name: body[name] for name in body if name != field}


WORDS = (
    *("dance", "result A eins", "result A 1 2 390 1 431", "result A 1 2 0 3 0", "1 9 2 8"),
    *("round A 9 1:1-2", "fixed A 1", "fixed A 1=2 3=2", "noshow A 1 1", "rules A moon", "undo x"),
    *("player A Ashdown, Vera", "left A 77", "move A 1 to Q", "device x 1 clock", "cameras 1 9"),
)


@pytest.mark.further
def test_no_refusal_is_english_on_a_german_page(page: TestClient) -> None:
    """Whatever is asked for by hand or by mistake; what a field may hold is for programs."""
    said: set[str] = set()
    for path, body in bodies():
        said |= refused(page.post(path, content=json.dumps(body)))
    for words in WORDS:
        for path in ("/api/event/order", "/api/event/order/preview"):
            said |= refused(page.post(path, json={"id": "w1", "words": words, "division": "A"}))
    for wish in ({"round": 7}, {"absent": "9"}, {"absent": "x"}, {"locked": 1}, {"division": "Q"}):
        given = {"division": "A", "method": "swiss", **wish}
        said |= refused(page.post("/api/event/pair", json=given))
    assert english(said, ORDER_WORDS) == {}


def test_who_may_not_is_refused_in_the_language_of_the_page(page: TestClient) -> None:
    """Nobody is signed in any more, somebody else is, or the request is another site's."""
    said: set[str] = set()
    guard = page.app.state.guard  # type: ignore[attr-defined]
    guard.accounts.set_user("Anna", Role.COMMENTATOR, "long enough", guard.now())
    caller = guard.accounts.begin("Anna", Role.COMMENTATOR, guard.now())
    for session, origin in (("", BASE), (caller, BASE), (caller, "https://elsewhere.example")):
        other = TestClient(page.app, BASE, headers={**page.headers, "origin": origin})
        other.cookies.set("tilecast_session", session)
        said |= refused(other.post("/api/event/order", json={"words": "undo e1"}))
    assert len(said) == 3
    assert english(said, ORDER_WORDS) == {}
    assert any("Anna" in text for text in said)


READ = frozenset({"text", "words", "why", "changes", "doubt", "note", "detail", "reason", "usage"})
"""Fields of answers that a page shows as they are."""


def read(found: Any, field: str = "") -> Iterator[str]:
    """Every text of an answer that a person reads."""
    if isinstance(found, str):
        yield from [found] if field in READ and found else ()
    elif isinstance(found, dict):
        for name, value in found.items():
            yield from read(value, name)
    elif isinstance(found, list):
        for value in found:
            yield from read(value, field)


def test_what_a_page_is_answered_is_not_english(page: TestClient) -> None:
    """The orders given, what waits, why a pair meets, what an order changes, a list of players."""
    order = {"id": "w1", "words": "result A 1 2 390 1 431"}
    roster = {"text": "Brok, Ilse 1500\nNg, Bo 1400\n12.", "ratings": "name\trating\nBrok\t1500"}
    pair = {"division": "A", "method": "swiss"}
    answers = [page.get("/api/event").json(), page.get("/api/desk").json()]
    for path, given in (("order", order), ("roster", roster), ("pair", pair)):
        answers.append(page.post(f"/api/event/{path}", json=given).json())
    said = {text for answer in answers for text in read(answer)} - {answers[-1]["words"]}
    assert len(said) > 10
    assert english(said, ORDER_WORDS | words_of(" ".join(DAY))) == {}
