"""No JSON, however deep or wrong, gives a 500: every endpoint, by its declaration."""

import json
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.1:8015"
ODD = (
    b"", b"{}", b"[]", b"null", b"1", b'"x"', b"{", b"\xff\xfe", b"\xed\xa0\x80",
    b"[" * 900, b"[" * 990, b"[" * 1500, b"[" * 1990, b'{"a":' * 400,
    b'{"table":NaN}', b'{"table":1e400,"order":[1e400]}', b'{"rule":"\\ud800","table":1}',
    b'{"table":' + b"9" * 1900 + b"}", b'{"table":1,"table":2}', b'{"name":null,"role":7}',
)  # fmt: skip
VALUES = {
    "string": ("x", "\ud800", "x" * 3000, ""),
    "integer": (1, -1, 10**30, 0.5),
    "boolean": (True, "x"),
    "array": ([], [[]], ["x"] * 500),
    "object": ({}, {"x": {"x": {}}}),
    "number": (1.5, 1e300),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser of an administrator, who may do everything."""
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    folder = tmp_path_factory.mktemp("odd")
    app = create_app(Settings(log=folder / "log.db", access=access, slots=folder / "slots.json"))
    with TestClient(app, base_url=BASE, follow_redirects=False) as client:
        guard = app.state.guard
        guard.accounts.set_user("Root", Role.ADMIN, "long enough", guard.now())
        client.cookies.set(
            "tilecast_session", guard.accounts.begin("Root", Role.ADMIN, guard.now())
        )
        yield client


def _declared(app: FastAPI) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Method, path and declared body of every endpoint that changes something."""
    document = app.openapi()
    schemas = document.get("components", {}).get("schemas", {})
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in {"get", "head"} or path == "/logout":
                continue
            content = operation.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            name = schema.get("$ref", "").rpartition("/")[2]
            yield method, path, schemas.get(name, schema).get("properties", {})


def test_no_body_is_a_fault_of_ours(client: TestClient) -> None:
    """Some odd texts to each, and each declared field with values of its type and of others."""
    app = client.app
    assert isinstance(app, FastAPI)
    tried = 0
    for number, (method, path, fields) in enumerate(_declared(app)):
        address = path
        for name in ("table", "seq", "game", "division", "round", "player", "number"):
            address = address.replace("{" + name + "}", "1")
        address = address.replace("{", "x").replace("}", "x")
        bodies = list(ODD[number % 4 :: 4])  # what reads a body is the same for all
        for name, schema in fields.items():
            kind = str(schema.get("type", "string")) if isinstance(schema, dict) else "string"
            bodies += [
                json.dumps({**dict.fromkeys(fields, "1"), name: value}).encode()
                for value in VALUES.get(kind, VALUES["string"])
            ]
        for body in bodies:
            headers = {"content-type": "application/json", "origin": BASE}
            answer = client.request(method, address, content=body, headers=headers)
            assert answer.status_code < 500 or answer.status_code == 503, (method, path, body[:80])
            tried += 1
    assert tried > 100
