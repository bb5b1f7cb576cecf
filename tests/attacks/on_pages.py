"""What a stranger, a scorer or another site tries at the dashboard."""

import io
import json
import re
import socket
import zipfile
from html.parser import HTMLParser

from recorder.domain.event.divisions import Event, EventDivision, EventPlayer
from recorder.domain.event.orders import EnterResult
from recorder.feeds.csv_table import write_csv
from recorder.feeds.results_back import result_table
from tests.attacks.attack import Severity, Target, attack, socket_opens, status
from tests.eventually import PATIENCE_S

HOSTILE = "<img src=x onerror=alert(1)>"
FORMULA = "=HYPERLINK(1)"
NOTE = {"type": "order.note", "data": {"text": HOSTILE}, "id": "hostile-1", "table": 1}


@attack(Severity.CRITICAL)
def open_a_door_of_somebody_else(target: Target) -> None:
    """Without a session, with a scorer's, with one made up: pages, data, sockets stay shut."""
    assistant = target.session("racks/1")
    closed = (
        "/director",
        "/admin",
        "/api/desk",
        "/api/tables",
        "/api/access",
        "/api/row/1",
        "/api/tokens",
        "/api/event",
        "/check-in",
        "/api/check-in",
        "/api/table/1/export/bundle.zip",
        "/director/event",
        "/api/table/1/at/1",
        "/api/games",
    )
    for path in closed:
        for session in ("", "session=junk", assistant):
            assert status(target.get(path, session=session)) in (401, 403, 404), path
    for path in ("/ws/director/1", "/ws/commentator/1"):
        assert not socket_opens(target, path)
        assert not socket_opens(target, path, session=assistant)
    for role in ("director", "commentator"):
        assert socket_opens(target, f"/ws/{role}/1", session=target.session(role))


@attack(Severity.CRITICAL)
def read_files_of_the_machine(target: Target) -> None:
    director = target.session("director")
    up = ("..", "%2e%2e", "%252e%252e", "..%2f", "..\\", ".%00.", "....//", "%c0%ae%c0%ae")
    for way in up:
        for root in (
            "/static/",
            "/face/",
            "/flag/",
            "/branding/",
            "/field/",
            "/api/picture/",
            "/api/table/1/export/",
            "/director/event/print/",
        ):
            for goal in ("keys.env", "record/tilecast.db", "etc/passwd"):
                path = f"{root}{f'{way}/' * 6}{goal}"
                answer = target.get(path, session=director)
                assert status(answer) != 200, path
                assert "TILECAST_" not in answer
                assert "root:" not in answer


@attack(Severity.HIGH)
def use_a_director_s_browser_from_a_foreign_site(target: Target) -> None:
    """Forms, plain text, another origin, another port, a name that was rebound: refused."""
    director, text = target.session("director"), json.dumps(NOTE)
    foreign = (
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1:1",
        "Origin: http://localhost.evil.example",
        "Origin: https://127.0.0.1",
        "Origin: http://[",
    )
    before = len(target.hall.rows("order.note"))
    for origin in foreign:
        assert status(target.post("/api/order", text, origin, session=director)) in (400, 403)
        assert status(target.post("/api/slots/x", "{}", origin, session=director)) in (400, 403)
        assert not socket_opens(
            target, "/ws/director/1", session=director, origin=origin.partition(" ")[2]
        )
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = target.post("/api/order", text, f"Content-Type: {kind}", session=director)
        assert status(answer) in (400, 403, 415, 422)
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "[::ffff:1]"):
        answer = target.request(f"GET /director HTTP/1.1\r\nHost: {host}", session=director)
        assert status(answer) in (400, 403, 421)
    assert len(target.hall.rows("order.note")) == before


@attack(Severity.HIGH)
def smuggle_a_request(target: Target) -> None:
    """Two lengths, chunks and a length, odd white space: one answer at most, never the second."""
    director = target.session("director")
    hidden = f"GET /api/access HTTP/1.1\r\nHost: 127.0.0.1:{target.hall.page_port}\r\n\r\n"
    length = f"Content-Length: {len(hidden)}"
    for lines in (
        ("Content-Length: 0", length),
        (length, "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: xchunked",),
        ("Transfer-Encoding : chunked",),
        ("Transfer-Encoding:\tchunked", "Content-Length: 4"),
        ("Content-Length: +4",),
        ("Content-Length: 4, 4",),
        ("X: a\r\n b: c", length),
        ("Content-Length:\u00a04",),
    ):
        head = "\r\n".join(["POST /login HTTP/1.1", *lines])
        answer = target.request(head, b"0\r\n\r\n" + hidden.encode(), session=director)
        assert answer.count("HTTP/1.1 ") <= 1
        assert '"sessions"' not in answer


@attack(Severity.HIGH)
def send_a_body_without_end(target: Target) -> None:
    """By length, by chunks, as JSON before a role is asked: cut off at the limit."""
    port = target.hall.page_port
    for path in ("/login", "/api/order", "/api/users"):
        assert status(target.request(f"POST {path} HTTP/1.1\r\nContent-Length: 1000000000")) == 413
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line:
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            line.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
            sent = 0
            try:
                while sent < 50_000_000:
                    line.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
                    sent += 65_536
            except OSError:
                pass
            assert sent < 50_000_000, "it was read to the end"
    assert status(target.get("/healthz")) == 200


@attack(Severity.HIGH)
def run_a_script_in_somebody_s_page(target: Target) -> None:
    """By a name, a note, a slot, a token: pages and exports show it as text."""
    director = target.session("director")
    answer = target.post("/api/order", json.dumps(NOTE), target.origin, session=director)
    assert status(answer) == 200, answer
    target.post("/api/slots/" + HOSTILE.replace(" ", "%20"), "{}", target.origin, session=director)
    words = {"words": f"player add A 1 {HOSTILE}", "id": "x-1"}
    target.post("/api/event/order", json.dumps(words), target.origin, session=director)
    for path in (
        "/",
        "/director?table=1",
        "/director/event",
        "/event",
        "/builder",
        "/commentator",
        "/admin",
        f"/login?to={HOSTILE}",
        "/overlay/full?table=1",
        f"/o/{HOSTILE}/full",
        "/watch",
        "/watch/1",
        "/api/table/1/export/sheet.html",
    ):
        answer = target.get(path.replace(" ", "%20"), session=director)
        assert HOSTILE not in answer.partition("\r\n\r\n")[2] or "text/html" not in answer, path
        if status(answer) == 200 and "text/html" in answer:
            policy = re.search(r"(?im)^content-security-policy: (.+)$", answer)
            assert policy is not None, path
            assert "unsafe-eval" not in policy[1]
            scripts = re.search(r"script-src ([^;]*)", policy[1])
            assert scripts is None or "'unsafe-inline'" not in scripts[1]


class _Handlers(HTMLParser):
    """Counts what would run in a page: handlers in attributes, addresses that are scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"<{tag} {name}>")


@attack(Severity.MEDIUM)
def slip_a_handler_into_an_attribute(target: Target) -> None:
    """By an address's options, with quotes of every kind: no page repeats them as its own."""
    director = target.session("director")
    for value in ('"onload="x', "'onload='x", "javascript:x", "`onload=x", "%22onload=%22x"):
        for path in (
            "/overlay/full?theme=",
            "/overlay/full?table=1&align=",
            "/login?to=",
            "/builder?scene=",
            "/director?table=1&game=",
            "/commentator?table=",
        ):
            page = _Handlers()
            page.feed(target.get(path + value.replace(" ", "%20"), session=director))
            assert page.found == [], path


@attack(Severity.MEDIUM)
def send_somebody_elsewhere_after_signing_in(target: Target) -> None:
    """An address of another site is no place to go to."""
    key = target.phone_key("racks/1")
    for to in (
        "//evil.example",
        "https://evil.example",
        "/%5Cevil.example",
        "/\\evil.example",
        "/%09/evil.example",
        "http:evil.example",
        "/%2f/evil.example",
        "%0d%0aX:%20y",
    ):
        answer = target.get(f"/enter/{key}?to={to}")
        place = re.search(r"(?im)^location: ([^\r]*)", answer)
        assert status(answer) == 303
        assert re.fullmatch(r"/(?![/\\\s]).*", place[1]), place[1]
        assert "\nX: y" not in answer


@attack(Severity.MEDIUM)
def take_a_key_from_an_address(target: Target) -> None:
    """It is not kept by caches, nor told to other sites, and not in the page that it leads to."""
    key = target.phone_key("racks/1")
    answer = target.get(f"/enter/{key}")
    assert re.search(r"(?im)^referrer-policy: (no-referrer|same-origin)", answer)
    assert re.search(r"(?im)^cache-control: .*no-store", answer)
    place = re.search(r"(?im)^location: ([^\r]*)", answer)
    assert key not in place[1]
    cookie = re.search(r"(?im)^set-cookie: (.*)$", answer)
    assert {"httponly", "samesite=lax"} <= {part.strip().lower() for part in cookie[1].split(";")}
    fixed = target.request(f"GET /enter/{key} HTTP/1.1", session="session=chosen-by-somebody")
    assert "chosen-by-somebody" not in fixed


@attack(Severity.MEDIUM)
def give_a_spreadsheet_a_formula(target: Target) -> None:
    """What begins a cell as a formula would is text in every table that is taken away."""
    players = (EventPlayer(number=1, name=FORMULA, rounds=()),)
    table = write_csv(
        Event(name="x", date="", divisions=(EventDivision(name="A", players=players),))
    )
    assert f",{FORMULA}" not in table
    result = EnterResult(
        division=FORMULA, round=1, first=1, first_score=400, second=2, second_score=300
    )
    assert FORMULA in result_table([result])
    assert f"\n{FORMULA}" not in result_table([result])
    assert status(target.get("/healthz")) == 200


@attack(Severity.LOW)
def unpack_a_bundle_elsewhere(target: Target) -> None:
    """Names in it lead nowhere but into its own folder."""
    port, director = target.hall.page_port, target.session("director")
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line:
        head = f"GET /api/table/1/export/bundle.zip HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        line.sendall(f"{head}Cookie: {director}\r\nConnection: close\r\n\r\n".encode())
        data = b"".join(iter(lambda: line.recv(65_536), b""))
    body = data.partition(b"\r\n\r\n")[2]
    names = zipfile.ZipFile(io.BytesIO(body[body.index(b"PK") :])).namelist()
    assert names
    assert [name for name in names if ".." in name or name.startswith(("/", "\\"))] == []


@attack(Severity.LOW)
def make_the_server_say_500(target: Target) -> None:
    """Numbers beyond everything, broken texts, words where numbers are due: an answer, no trace."""
    director = target.session("director")
    for path in (
        "/api/row/9223372036854775808",
        "/api/row/-1",
        "/api/table/x/at/1",
        "/director?table=9e9",
        "/api/table/1/at/99999999999999999999",
        "/overlay/full?table=%00",
        "/o/%ff/full",
        "/api/table/1/export/../../x",
        "/enter/" + "x" * 5_000,
        "/watch/%F0%9F%82%A1",
    ):
        assert status(target.get(path, session=director)) < 500, path
    deep = json.dumps({"words": "rules A wespa4 challenge=" + "[" * 3_000, "id": "deep-1"})
    for body in (deep, "[" * 5_000, "NaN", '"\\ud800"', "{}", "null", '{"order":{"type":"note"}}'):
        for path in ("/api/order", "/api/event/order", "/api/users", "/api/tokens"):
            answer = target.post(path, body, target.origin, session=director)
            assert 400 <= status(answer) < 500, (path, body[:20])


@attack(Severity.LOW)
def leave_a_trace_in_a_program_s_log(target: Target) -> None:
    """After all that was tried, no program of the venue has met a fault of its own."""
    for file in (target.hall.folder / "logs").iterdir():
        assert "Traceback" not in file.read_text("utf-8", "replace"), file


@attack(Severity.MEDIUM)
def guess_keys_and_passwords(target: Target) -> None:
    """After a handful of tries the address waits, whatever it says of where it comes from.

    The last of all: it waits for a while.
    """
    answers = [
        status(target.request(f"GET /enter/guess-{n} HTTP/1.1\r\nX-Forwarded-For: 10.0.0.{n}"))
        for n in range(30)
    ]
    assert answers.count(429) >= 20
    assert status(target.get("/healthz")) == 200
