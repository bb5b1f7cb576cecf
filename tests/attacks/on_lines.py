"""What somebody tries at the dashboard by how a request is written, or not written to its end."""

import json
import re
import socket
import time
from contextlib import ExitStack

from tests.attacks.attack import Severity, Target, attack, socket_opens, status
from tests.attacks.on_doors import note, noted
from tests.eventually import PATIENCE_S, eventually

PRIVATE = (
    "/api/desk",
    "/api/access",
    "/api/event",
    "/api/row/1",
    "/api/games",
    "/api/tokens",
    "/api/overlays",
    "/api/table/1/export/bundle.zip",
    "/director/event/print/standings.pdf?division=A",
)


def _raw(target: Target, data: bytes) -> str:
    """What comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", target.hall.page_port), PATIENCE_S) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: line.recv(65_536), b"")).decode("utf-8", "replace")
        except OSError:
            return ""


@attack(Severity.HIGH)
def hide_a_request_in_chunks(target: Target) -> None:
    """Sizes that are none, extensions, trailers, bare line ends: never the hidden one's answer."""
    host, session = f"Host: 127.0.0.1:{target.hall.page_port}", target.session("director")
    hidden = f"GET /api/access HTTP/1.1\r\n{host}\r\nCookie: {session}\r\n\r\n"
    chunked = f"POST /logout HTTP/1.1\r\n{host}\r\nTransfer-Encoding: chunked\r\n\r\n"
    for body in (
        f"-1\r\n{hidden}",
        f"0x1\r\nA\r\n0\r\n\r\n{hidden}",
        f"+1\r\nA\r\n0\r\n\r\n{hidden}",
        f"1_0\r\n{'A' * 16}\r\n0\r\n\r\n{hidden}",
        f"1;{'x' * 70_000}\r\nA\r\n0\r\n\r\n{hidden}",
        f"1;a=\n\r\nA\r\n0\r\n\r\n{hidden}",
        f"1\nA\n0\n\n{hidden}",
        f"ffffffffffffffff1\r\n{hidden}",
        f"1 \r\nAB\r\n0\r\n\r\n{hidden}",
        f"1\r\nAXX0\r\n\r\n{hidden}",
        f"0\r\nContent-Length: {len(hidden)}\r\n{hidden}",
        f"0\r\nTransfer-Encoding: chunked\r\nCookie: {session}\r\n{hidden}",
    ):
        answer = _raw(target, (chunked + body).encode())
        found = answer.count("HTTP/1.1 200")
        # A body that ended in good order may be followed by a request: then it is its sender's own.
        assert found == 0 or ("Connection: close" not in answer and found == 1), body[:40]
        if found:
            assert body.startswith(("0\r\n", "1;a", "1 \r")), body[:40]
    for line in ("Transfer-Encoding: chunked, chunked", "Transfer-Encoding: gzip, chunked",
                 "Transfer-Encoding: identity", "Content-Length: 4\r\nContent-Length: 5",
                 "Content-Length: -1", "Content-Length: 0x4", "Content-Length: 4\x0b"):  # fmt: skip
        head = f"POST /logout HTTP/1.1\r\n{host}\r\n{line}\r\n\r\n"
        assert '"sessions"' not in _raw(target, f"{head}abcd{hidden}".encode()), line


@attack(Severity.HIGH)
def drip_heads_and_bodies_from_many_lines(target: Target) -> None:
    """A hundred and twenty that say a letter at a time: others are served, and they are cut."""
    session, port = target.session("director"), target.hall.page_port
    with ExitStack() as held:
        lines = []
        for number in range(120):
            line = held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            head = f"POST /login HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            line.sendall((f"{head}Content-Length: 900\r\n\r\n" if number % 2 else head).encode())
            lines.append(line)
        began = time.monotonic()

        def are_cut() -> bool:
            left = []
            for line in lines:
                try:
                    line.sendall(b"x")
                    left.append(line)
                except OSError:
                    continue
            lines[:] = left
            assert status(target.get("/api/desk", session=session)) == 200
            time.sleep(1)
            return not left

        eventually(are_cut, "those that say nothing whole are cut")
        assert time.monotonic() - began < PATIENCE_S
    assert status(target.get("/healthz")) == 200


@attack(Severity.MEDIUM)
def send_a_form_of_a_thousand_parts(target: Target) -> None:
    """Many parts, many names, names that are alike, JSON as deep and as wide as a body may be."""
    parts = "".join(
        f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n\r\n' for n in range(900)
    )
    bodies = (
        (f"{parts}--b--", "multipart/form-data; boundary=b"),
        ("&".join(f"name={n}" for n in range(6_000)), "application/x-www-form-urlencoded"),
        ("&" * 60_000, "application/x-www-form-urlencoded"),
        ("%" * 60_000, "application/x-www-form-urlencoded"),
        (json.dumps({f"k{n}": n for n in range(4_000)}), "application/json"),
        ("[" * 30_000 + "]" * 30_000, "application/json"),
        ('{"a":' * 9_000 + "1" + "}" * 9_000, "application/json"),
    )
    session = target.session("director")
    for path in ("/api/users", "/api/order", "/api/event/order", "/api/slots/featured"):
        for body, kind in bodies:
            answer = target.post(
                path, body, f"Content-Type: {kind}", target.origin, session=session
            )
            assert 400 <= status(answer) < 500 or path == "/api/slots/featured", (path, body[:20])
            assert status(answer) != 500, (path, body[:20])
    assert status(target.get("/healthz")) == 200


@attack(Severity.CRITICAL)
def reach_a_private_page_by_another_spelling(target: Target) -> None:
    """Encoded, doubled, turned slashes, dots, parameters, whole addresses: shut for a stranger."""
    port = target.hall.page_port
    closed = [
        path
        for name in ("director", "admin", "api/desk", "api/access", "api/row/1", "commentator")
        for path in (
            f"//{name}", f"/./{name}", f"/x/../{name}", f"/%2e/{name}", f"/{name}/", f"/{name}//",
            f"/{name}%2f", f"/{name};x=1", f"/{name}%00", f"/{name}%20", f"/{name}.json",
            f"/{name.replace('/', '%2f')}", f"/{name.replace('/', '%5c')}", f"\\{name}",
            f"/watch/..%2f{name}", f"/watch/../{name}", f"/public/..;/{name}", f"/{name.upper()}",
            f"/static/../{name}", f"/%{ord(name[0]):02x}{name[1:]}", f"/{name}?x", f"/{name}#x",
            f"http://127.0.0.1:{port}/{name}", f"http://evil.example/{name}", f"/\u0430{name[1:]}",
        )
    ]  # fmt: skip
    for path in closed:
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            answer = target.request(f"{method} {path} HTTP/1.1")
            assert status(answer) != 200, (method, path)
            assert status(answer) < 500, (method, path)
            assert "no-store" in answer or status(answer) in (0, 400), (method, path)


@attack(Severity.HIGH)
def have_a_private_answer_by_asking_whether_it_changed(target: Target) -> None:
    """With marks, ranges, times, another method, another site: nothing of it, none kept."""
    director = target.session("director")
    lines = (
        "If-None-Match: *",
        "If-Modified-Since: Mon, 01 Jan 2040 00:00:00 GMT",
        "Range: bytes=0-100",
        "If-Range: x\r\nRange: bytes=0-1",
        "Cache-Control: only-if-cached",
        "Accept: text/html",
        "X-Requested-With: XMLHttpRequest",
        "Origin: https://evil.example",
    )
    for path in PRIVATE:
        for line in lines:
            answer = target.request(f"GET {path} HTTP/1.1\r\n{line}")
            assert status(answer) in (401, 403), (path, line)
            known = target.request(f"GET {path} HTTP/1.1\r\n{line}", session=director)
            for said in (answer, known):
                head = said.partition("\r\n\r\n")[0].lower()
                assert "cache-control: no-store" in head, (path, line)
                assert "access-control-allow" not in head, (path, line)
                assert "x-content-type-options: nosniff" in head, (path, line)


@attack(Severity.HIGH)
def show_a_page_that_gives_orders_in_a_frame(target: Target) -> None:
    """All but the spectators' pages may be framed by ours alone; also where one is refused."""
    director = target.session("director")
    for path in ("/", "/director", "/director/event", "/director/tables", "/admin", "/commentator",
                 "/login", "/builder", "/clock/1", "/pad/1", "/result/1", "/camera/1", "/event",
                 "/overlay/full?table=1", "/nothing", "/api/desk", "/director/watch"):  # fmt: skip
        for session in ("", director):
            answer = target.get(path, session=session)
            policy = re.search(
                r"(?im)^content-security-policy: .*frame-ancestors ([^;\r]*)", answer
            )
            assert policy is not None, path
            assert policy[1] == "'self'", path


@attack(Severity.HIGH)
def open_a_phone_s_socket_from_a_foreign_page(target: Target) -> None:
    """In the browser of a director, of an assistant, of an overlay: by no origin but ours."""
    port = target.hall.page_port
    for session in (target.session("director"), target.session("racks/1")):
        for path in ("/ws/device/clock/1", "/ws/device/pad/1", "/ws/typing/1", "/ws/director/1"):
            for origin in ("https://evil.example", "null", f"http://127.0.0.1:{port + 1}",
                           f"http://127.0.0.1:{port}.evil.example", f"http://localhost:{port}",
                           f"http://evil.example:{port}", "file://", " "):  # fmt: skip
                opened = socket_opens(target, path, session=session, origin=origin)
                assert not opened, (path, origin)


@attack(Severity.HIGH)
def put_another_name_into_a_link_or_a_code(target: Target) -> None:
    """By the name of the host that is asked: codes for tables lead to this server alone."""
    director = target.session("director")
    for host in ("evil.example", "127.0.0.1@evil.example", "evil.example#127.0.0.1", "127.0.0.1 x",
                 "[::1]evil.example", "127.0.0.1:80@evil.example", "127.0.0.1/evil.example",
                 ):  # fmt: skip
        for path, body in (("/api/event/codes", '{"last":1}'), ("/login", "")):
            head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json"
            length = f"Content-Length: {len(body)}"
            answer = target.request(f"{head}\r\n{length}", body.encode(), session=director)
            assert status(answer) in (0, 400, 403, 421), (path, host)
    for line in ("X-Forwarded-Host: evil.example", "Forwarded: host=evil.example",
                 "X-Forwarded-Proto: https\r\nX-Forwarded-For: 1.2.3.4"):  # fmt: skip
        answer = target.request(f"GET /login?to=/director HTTP/1.1\r\n{line}")
        assert "evil" not in answer
        assert "https:" not in answer


@attack(Severity.HIGH)
def speak_for_another_table_with_a_table_s_code(target: Target) -> None:
    """Its result, its frame, its pictures, its incidents: of no table but one's own."""
    session = target.session("racks/1")
    for path in ("/api/result/2", "/api/table/2/incidents", "/api/table/2/at/1"):
        assert status(target.get(path, session=session)) in (401, 403, 404), path
    said = json.dumps({"scores": [900, 0], "id": "r-1"})
    for path in ("/api/result/2", "/camera/2/picture", "/api/order", "/api/event/codes"):
        answer = target.post(path, said, target.origin, session=session)
        assert status(answer) in (401, 403, 422), path
    target.is_recorded()


@attack(Severity.MEDIUM)
def change_something_by_a_link_alone(target: Target) -> None:
    """What changes anything is no plain read: a picture's address or a link does nothing."""
    session = target.session("director")
    before = target.rows_at_rest()
    names = "order users tokens slots/featured event/order event/codes users/admin sessions/x"
    for path in ("/logout", *(f"/api/{name}" for name in names.split())):
        for question in ("", "?_method=DELETE", "?text=x&type=order.note&table=1&id=q-1"):
            for line in ("X-HTTP-Method-Override: DELETE", "X-Method-Override: POST"):
                answer = target.request(f"GET {path}{question} HTTP/1.1\r\n{line}", session=session)
                assert status(answer) in (200, 404, 405), path
    assert len(target.hall.rows("order.note")) == noted(target, "")
    assert len(left := target.left(before)) < 20, left
    assert status(target.get("/api/desk", session=session)) == 200, "still signed in"


@attack(Severity.HIGH)
def give_an_order_beyond_what_one_may_say(target: Target) -> None:
    """As a director with a script: huge, half characters, other tables' numbers, without end."""
    session = target.session("director")
    odd = (
        note("x" * 60_000, "long-1"),
        note("\x00\x1b[2J\u202e", "odd-1"),
        json.dumps({"type": "order.note", "data": {"text": "t"}, "id": "t-1", "table": 10**9}),
        json.dumps({"type": "order.note", "data": {"text": "t"}, "id": "../../x", "table": 1}),
        json.dumps(
            {"type": "order.clock", "data": {"player": 0, "left_ms": 10**15}, "id": "c", "table": 1}
        ),
        json.dumps({"type": "clock.press", "data": {}, "id": "p-1", "table": 1}),
        json.dumps({"type": "device.missing", "data": {}, "id": "p-2", "table": 1}),
        json.dumps({"type": "recorder.refused", "data": {}, "id": "p-3", "table": 1}),
    )
    for words in odd:
        answer = target.post("/api/order", words, target.origin, session=session)
        assert status(answer) < 500, words[:60]
    for number in range(300):
        target.post("/api/order", note("flood", f"flood-{number}"), target.origin, session=session)
    target.is_recorded()
    shown = target.get("/api/table/1/frame")
    assert "flood" not in shown
