"""Sessions that end: as a person who is signed in notices it, over HTTP."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access

pytestmark = pytest.mark.slow  # hashes passwords as a venue does

BASE = "http://127.0.0.1:8015"
PASSWORD = "long enough"
NAMES_AS_TYPED = ("Dora ", "  Dora", "Dora\u00a0")


@contextmanager
def dashboard(folder: Path, director: str) -> Iterator[TestClient]:
    access = Access(director_token=director, commentator_token="commentator-1")
    settings = Settings(log=folder / "log.db", access=access, accounts=folder / "log.access")
    app = create_app(settings)
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        yield client


def test_a_key_that_leaked_is_no_way_in_after_a_restart_with_another(tmp_path: Path) -> None:
    """Anyone who came in by it is out at once.

    A restart with the same key ends nobody's session.
    """
    with dashboard(tmp_path, "leaked-key-111") as client:
        client.get("/enter/leaked-key-111")
        cookies = dict(client.cookies)
        assert client.get("/api/desk").status_code == 200
    for key, answer in (("leaked-key-111", 200), ("another-key-222", 401)):
        with dashboard(tmp_path, key) as client:
            client.cookies.update(cookies)
            assert client.get("/api/desk").status_code == answer


@pytest.mark.parametrize("way", ["removed", "demoted"])
def test_who_is_removed_or_demoted_is_out_however_the_name_was_typed(
    tmp_path: Path, way: str
) -> None:
    """A blank in the name kept a director in for a week."""
    with dashboard(tmp_path, "director-key-1") as client:
        guard = client.app.state.guard  # type: ignore[attr-defined]
        password = guard.accounts.first_password(guard.now())
        client.post("/login", data={"name": "admin", "password": password})
        admin = dict(client.cookies)
        body = {"name": "Dora", "role": "director", "password": PASSWORD}
        assert client.post("/api/users", json=body).status_code == 200
        sessions = []
        for typed in NAMES_AS_TYPED:
            client.cookies.clear()
            answer = client.post("/login", data={"name": typed, "password": PASSWORD})
            assert answer.status_code == 303, typed
            assert client.get("/api/desk").status_code == 200, typed
            sessions.append(dict(client.cookies))
        client.cookies.clear()
        client.cookies.update(admin)
        if way == "removed":
            assert client.delete("/api/users/Dora").status_code == 200
        else:
            body["role"] = "commentator"
            assert client.post("/api/users", json=body).status_code == 200
        for typed, dora in zip(NAMES_AS_TYPED, sessions, strict=True):
            client.cookies.clear()
            client.cookies.update(dora)
            assert client.get("/api/desk").status_code in {401, 403}, typed
