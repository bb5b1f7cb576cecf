"""What somebody with a session, a browser or many hands at once tries at the dashboard."""

import gzip
import json
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import connect

from tests.attacks.attack import Severity, Target, attack, socket_opens, status
from tests.eventually import PATIENCE_S, eventually

MANY = 12


def note(text: str, name: str) -> str:
    """An order about table 1 that changes nothing but the record; ``name`` is its id."""
    return json.dumps({"type": "order.note", "data": {"text": text}, "id": name, "table": 1})


def noted(target: Target, text: str) -> int:
    """How often the log has a note."""
    return sum(text in str(row.body) for row in target.hall.rows("order.note"))


@attack(Severity.HIGH)
def serve_another_table_with_one_table_s_link(target: Target) -> None:
    """Its clock, its racks, a table that is none: they stay shut."""
    session = target.session("racks/1")
    for path in ("/ws/device/clock/2", "/ws/device/pad/2", "/ws/typing/2", "/ws/device/clock/0"):
        assert not socket_opens(target, path, session=session), path
    for path in ("/api/desk", "/admin", "/api/table/2/incidents"):
        assert status(target.get(path, session=session)) in (401, 403, 404), path


@attack(Severity.HIGH)
def go_on_with_a_session_that_signed_out(target: Target) -> None:
    """The cookie that was kept opens nothing, nor does its socket."""
    session = target.session("director")
    assert status(target.get("/api/desk", session=session)) == 200
    target.post("/logout", "{}", target.origin, session=session)
    assert status(target.get("/api/desk", session=session)) in (401, 403)
    assert not socket_opens(target, "/ws/director/1", session=session)


@attack(Severity.HIGH)
def make_a_session_out_of_pieces(target: Target) -> None:
    """Cut, doubled, upside down, of another name, a hundred thousand characters long."""
    name, _, value = target.session("commentator").partition("=")
    for cookie in (
        f"{name}={value[:-1]}",
        f"{name}={value}x",
        f"{name}={value[::-1]}",
        f"{name}={value.swapcase()}",
        f"{name.upper()}={value}",
        f"{name}=director",
        f"{name}={'a' * 20_000}",
        f'{name}="{value}\\000"',
        f"{name}=; role=director; {name}_role=director",
    ):
        assert status(target.get("/api/desk", session=cookie)) != 200, cookie[:60]
    both = f"{name}={value}; {name}=director"
    assert status(target.get("/api/desk", session=both)) in (401, 403)


@attack(Severity.HIGH)
def be_somebody_else_by_a_header(target: Target) -> None:
    """What proxies add is believed of nobody here, and rewrites no address."""
    spoofed = (
        "X-Original-URL: /api/desk",
        "X-Rewrite-URL: /api/desk",
        "X-HTTP-Method-Override: DELETE",
        "X-Forwarded-User: director",
        "Remote-User: director",
        "X-Forwarded-For: 127.0.0.1",
        "Forwarded: for=127.0.0.1;host=evil.example",
        "Authorization: Basic ZGlyZWN0b3I6eA==",
        "X-Forwarded-Prefix: //evil.example",
    )
    for line in spoofed:
        answer = target.request(f"GET / HTTP/1.1\r\n{line}")
        assert "evil.example" not in answer, line
        assert status(target.request(f"GET /api/desk HTTP/1.1\r\n{line}")) in (401, 403), line
        forged = target.request(f"GET /login HTTP/1.1\r\nX-Forwarded-Host: evil.example\r\n{line}")
        assert "evil.example" not in forged, line


@attack(Severity.HIGH)
def give_one_order_many_times_at_once(target: Target) -> None:
    """By twelve hands under one id it is given once; a second content under it is refused."""
    session = target.session("director")
    with ThreadPoolExecutor(MANY) as hands:
        answers = list(
            hands.map(
                lambda _: target.post(
                    "/api/order", note("at once", "same-1"), target.origin, session=session
                ),
                range(MANY),
            )
        )
    assert 200 in {status(answer) for answer in answers} <= {200, 422}
    assert noted(target, "at once") == 1
    target.post("/api/order", note("changed", "same-1"), target.origin, session=session)
    assert noted(target, "changed") == 0
    target.is_recorded()


@attack(Severity.HIGH)
def fill_the_memory_by_a_compressed_message(target: Target) -> None:
    """Small on the line and large when it is opened: over HTTP it is not, on a socket cut off."""
    bomb = gzip.compress(b" " * 30_000_000)
    for path in ("/login", "/api/order"):
        head = f"POST {path} HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Type: application/json"
        answer = target.request(f"{head}\r\nContent-Length: {len(bomb)}", bomb)
        assert 400 <= status(answer) < 500, path
    url = f"ws://127.0.0.1:{target.hall.page_port}/ws/table/1"
    own = f"http://127.0.0.1:{target.hall.page_port}"
    ended = False
    try:
        with connect(url, origin=own, compression="deflate") as page:  # type: ignore[arg-type]
            page.send(" " * 30_000_000)
            while True:
                page.recv(PATIENCE_S)
    except (ConnectionClosed, InvalidHandshake, InvalidMessage, OSError):
        ended = True
    assert ended
    assert status(target.get("/healthz")) == 200


@attack(Severity.MEDIUM)
def ask_by_a_method_that_is_none(target: Target) -> None:
    """No trace that repeats a cookie, no tunnel, no file put or taken away."""
    session = target.session("director")
    for method in ("TRACE", "CONNECT", "PUT", "PATCH", "DELETE", "PROPFIND", "get", "G\x00T"):
        for path in ("/", "/director", "/static/js/overlay/page.js", "/enter/x"):
            answer = target.request(f"{method} {path} HTTP/1.1", session=session)
            assert status(answer) in (0, 400, 403, 404, 405, 501), (method, path)
            assert session.partition("=")[2] not in answer, (method, path)


@attack(Severity.MEDIUM)
def ask_for_a_file_in_a_thousand_parts(target: Target) -> None:
    style = re.search(r'"(/static/[^"]+\.css[^"]*)"', target.get("/overlay/full?table=1"))
    whole = len(target.get(style[1]))
    ranges = ",".join("0-" for _ in range(1_000))
    answer = target.request(f"GET {style[1]} HTTP/1.1\r\nRange: bytes={ranges}")
    assert status(answer) in (200, 206, 400, 416)
    assert len(answer) < 3 * whole + 2_000


@attack(Severity.MEDIUM)
def send_a_head_without_end(target: Target) -> None:
    """A line, a thousand lines, a query of a hundred thousand names: refused or answered soon."""
    began = time.monotonic()
    for head in (
        "GET /" + "a" * 200_000 + " HTTP/1.1",
        "GET / HTTP/1.1\r\n" + "\r\n".join(f"X-{number}: y" for number in range(10_000)),
        "GET / HTTP/1.1\r\nX: " + "y" * 500_000,
        "GET /overlay/full?" + "&".join(["a=1"] * 15_000) + " HTTP/1.1",
    ):
        assert status(target.request(head)) in (0, 200, 400, 413, 414, 431)
    assert status(target.get("/healthz")) == 200
    assert time.monotonic() - began < PATIENCE_S


@attack(Severity.MEDIUM)
def keep_others_out_by_streams_that_stay_open(target: Target) -> None:
    """However many one address holds, who is known gets in from there too.

    The oldest that asks for nothing makes room; when that address goes, all of them end.
    """
    session, port = target.session("director"), target.hall.page_port
    with ExitStack() as held:
        for path in ("/o/table-1/events", "/healthz") * 80:
            line = held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        # A busy machine still answers the short requests: until it has, none of them makes room.
        eventually(
            lambda: status(target.get("/api/desk", session=session)) == 200, "the desk opens"
        )
        assert socket_opens(target, "/ws/director/1", session=session)
    eventually(lambda: status(target.get("/healthz")) == 200)


@attack(Severity.MEDIUM)
def take_a_name_that_looks_like_another(target: Target) -> None:
    """Turned round, invisible, huge, half a letter: refused, or shown for what it is."""
    session = target.session("director")
    before = target.rows_at_rest()
    huge = ("A" * 100_000, "Z\u0335\u0321" * 90)
    for number, name in enumerate(("\u202egnimoc", "Ann\u200b", "\ufeff", "\0", "\x1b[31m", *huge)):
        words = {"words": f"player A {name}", "id": f"name-{number}"}
        answer = target.post("/api/event/order", json.dumps(words), target.origin, session=session)
        assert status(answer) < 500, ascii(name[:20])
    for row in target.hall.read_log(before + 1):
        said = json.dumps(row.body, ensure_ascii=False)
        assert not re.search(r"[\u200b\u202a-\u202e\ufeff]|\\u00[01]", said), ascii(said)[:300]
        assert len(said) < 20_000
    target.is_recorded()


@attack(Severity.MEDIUM)
def say_one_thing_twice_to_a_reader(target: Target) -> None:
    """Two values under one key, in a body and in an address: the right is of what is done."""
    session = target.session("commentator")
    body = '{"table":1,"table":1,"order":{"type":"note","data":{"text":"twice"}},"order":null}'
    assert status(target.post("/api/order", body, target.origin, session=session)) in (401, 403)
    key = target.phone_key("racks/1")
    answer = target.get(f"/enter/{key}?to=/racks/1&to=//evil.example")
    assert not re.search(r"(?im)^location: .*evil", answer)
    answer = target.get(f"/enter/guess/{key}")
    assert "set-cookie" not in answer.lower()


@attack(Severity.MEDIUM)
def say_half_a_character_from_a_phone(target: Target) -> None:
    """A text that nothing can write or send on: refused, and no trace of it in any log."""
    port, half = target.hall.page_port, '"\\ud800"'
    headers = {"Cookie": target.session("racks/1")}
    for said in (
        f'{{"type":"event","payload":{half}}}',
        f'{{"type":"response","id":{half},"error":{half}}}',
        f'{{"boot":"0badc0de","model":{half}}}',
    ):
        url, own = f"ws://127.0.0.1:{port}/ws/device/clock/1", f"http://127.0.0.1:{port}"
        with connect(url, origin=own, additional_headers=headers) as page:  # type: ignore[arg-type]
            if "boot" not in said:
                page.send('{"boot":"0badc0de","model":"phone"}')
            page.send(said)
            with pytest.raises(ConnectionClosed) as closed:
                list(iter(page.recv, None))
        assert closed.value.rcvd is not None, said
        assert closed.value.rcvd.code == 1008, said


@attack(Severity.LOW)
def forge_who_gives_an_order(target: Target) -> None:
    """Who is signed in gives it, whatever the page says; a scorer gives none."""
    forged = {"text": "forged", "who": "Dora", "dev": "console", "seal": "0" * 64}
    order = {"type": "order.note", "data": forged, "id": "who-1", "who": "Dora", "table": 1}
    for role in ("director", "racks/1"):
        target.post("/api/order", json.dumps(order), target.origin, session=target.session(role))
    (noted_row,) = (row for row in target.hall.rows("order.note") if "forged" in str(row.body))
    assert noted_row.body["data"]["who"] == "director (link)"
