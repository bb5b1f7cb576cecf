"""The dashboard as it serves, with a director signed in: requests byte by byte, and sockets."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access, Role
from dashboard.auth.guard import COOKIE
from dashboard.director import orders
from dashboard.live.log_follower import now_ms
from dashboard.web import doors
from dashboard.web.deflate import DeflatingProtocol
from dashboard.web.door_protocol import DoorProtocol
from dashboard.web.doors import Pool
from recorder.declared.codec import Json
from recorder.domain.event.orders import EnterPlayer, EventOrder
from recorder.domain.event.register import register_of
from recorder.orders.event_record import judged_row
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import eventually
from tests.fuzz.judging import LONGEST_S, Target, Traces

_HEALTH = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
_INTERNAL_ERROR = 1011
_HANDS = 8
"""Half requests are waited for, each for its time: one after the other that alone takes an hour."""
BODIES = {
    "/api/order": {"type": "order.banner", "data": {"text": "Hi"}, "id": "o-1", "table": 1},
    "/api/order/preview": {"type": "order.note", "data": {"text": "x"}, "id": "o-2", "table": 1},
    "/api/event/order": {"words": "player A Ann 1500", "id": "x"},
    "/api/event/order/preview": {"words": "about rounds 7", "id": "y"},
    "/api/join": {"kind": "phone", "name": "phone"},
    "/api/join/answer": {"secret": "x" * 32, "presses": 1},
    "/api/joining/1234": {"table": 1, "page": "clock"},
    "/api/check-in": {"division": "A", "number": 1, "here": True},
    "/api/event/roster": {"text": "Ann 1500", "division": "A", "ratings": "name\tRtg\nAnn\t1500"},
    "/api/slots/featured": {"table": 1, "racks": True},
    "/api/users": {"name": "scorer-1", "password": "a-long-one-1", "role": "scorer", "table": 1},
    "/api/tokens": {"label": "OBS", "scope": "racks:table-1"},
}
_PAGES = (
    "/", "/director?table=1", "/commentator", "/admin", "/overlay/full?table=1&scale=1.5",
    "/o/featured/score?align=left", "/o/table-1/field/score.txt", "/o/featured/fields.json",
    "/api/row/3", "/api/table/1/at/5", "/api/table/1/export/gcg", "/api/table/1/export/slip.png",
    "/api/table/1/export/bundle.zip", "/api/tables", "/api/desk", "/api/table/1/frame",
    "/api/table/1/incidents", "/event/data.json", "/event/fields.json?division=A&player=1",
    "/event/field/standings.txt", "/watch/1?lang=de", "/builder", "/clock/1", "/result/1",
    "/login?to=/pad", "/join", "/director/event", "/api/event", "/check-in", "/api/check-in",
)  # fmt: skip
_PHONE = json.dumps({"boot": "0badc0de", "model": "phone"})
_PRESS = {"side": "L", "left_ms": 1, "right_ms": 1, "running": "R"}
_EVENT = {"v": 1, "dev": "phone-clock-1", "boot": "0badc0de", "seq": 1, "t": 5, "data": _PRESS}
_SAID: dict[str, list[Json]] = {
    "/ws/table/1": [{"type": "ping", "t": 7, "scene": "full", "fps": 60}, {"type": "snapshot?"}],
    "/ws/watch/1": [{"type": "ping", "t": 7}, {"type": "snapshot?"}],
    "/ws/director/1": [{"type": "ping", "t": 7}, {"type": "snapshot?"}],
    "/ws/commentator/1": [{"type": "ping", "t": 7}],
    "/ws/slot/featured": [
        {"type": "ping", "t": 7, "scene": "score", "fps": 59.9},
        {"type": "key", "key": "0123456789ab"},
    ],
    "/ws/device/clock/1": [
        {"type": "event", "payload": json.dumps({**_EVENT, "type": "clock.press"})},
        {"type": "beat", "t": 5, "seq_high": 1, "outbox": 1},
        {"type": "response", "id": "c-1", "error": ""},
    ],
    "/ws/device/pad/1": [json.loads(_PHONE)],
}
"""What pages say, by their socket; a phone says first who it is."""


@contextmanager
def served(folder: Path) -> Iterator[list[Target]]:
    """The targets of a dashboard on this machine, with a game in its log."""
    with _game(folder), Traces() as traces, _dashboard(folder) as (port, cookie):
        head = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n{cookie}"
        gets = [f"GET {path} HTTP/1.1\r\n{head}\r\n".encode() for path in _PAGES]
        posts = [_post(path, body, head) for path, body in BODIES.items()]
        for sample in gets + posts:  # else nothing is tried behind what refuses it
            nobody_asks = rb"|404" if b" /api/joi" in sample else b""
            assert re.match(rb"HTTP/1.1 (2|422|504%b)" % nobody_asks, _answer(port, sample)), sample
        said = [
            f"{path}\n{json.dumps(message)}".encode()
            for path, messages in _SAID.items()
            for message in messages
        ]
        yield [
            Target("http", gets + posts, partial(_request, port, traces=traces), at_once=_HANDS),
            Target("socket", said, partial(_say, port, cookie, traces=traces), at_once=_HANDS),
        ]


@contextmanager
def _game(folder: Path) -> Iterator[None]:
    table = TableWriter(folder / "log.db", at=1_700_000_000_000)
    table.start()
    for number, play in enumerate(OPENING[:4]):
        table.play(number % 2, play)
    player = EventOrder(id="e1", who="Dora", act=EnterPlayer(division="A", name="Ann", number=1))
    table.log.append([judged_row(register_of(()), player, table.at)[0]])
    yield
    table.log.close()


@contextmanager
def _dashboard(folder: Path) -> Iterator[tuple[int, str]]:
    """Its port, and the cookie of an administrator, who may do everything."""
    access = Access(director_token="director-key-1", commentator_token="commentator-1")
    roomy = Pool(sockets=5_000, from_one=5_000, burst=100_000, a_second=100_000)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the dashboard's own
    port = listener.getsockname()[1]
    with (
        patch.object(doors, "ANONYMOUS", roomy),
        patch.object(doors, "BODY_S", 0.2),
        patch.object(DoorProtocol, "head_s", 0.2),
        patch.object(DoorProtocol, "most_from_one", 5_000),
        patch.object(orders, "ANSWER_S", 0.01),
    ):
        nobody = "mqtt://127.0.0.1:1"  # orders are kept; whoever gives one hears that it waits
        app = create_app(Settings(log=folder / "log.db", access=access, port=port, broker=nobody))
        accounts = app.state.guard.accounts
        accounts.set_user("root", Role.ADMIN, "a long password", now_ms())
        cookie = f"Cookie: {COOKIE}={accounts.begin('root', Role.ADMIN, now_ms())}\r\n"
        config = uvicorn.Config(
            app, http=DoorProtocol, ws=DeflatingProtocol, log_level="error", access_log=False
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            eventually(lambda: server.started)
            eventually(lambda: b'"following"' in _answer(port, _HEALTH), "it has read the log")
            yield port, cookie
        finally:
            server.should_exit = True
            thread.join()
            listener.close()


def _post(path: str, body: object, head: str) -> bytes:
    text = json.dumps(body)
    kind = "Content-Type: application/json\r\n"
    return f"POST {path} HTTP/1.1\r\n{head}{kind}Content-Length: {len(text)}\r\n\r\n{text}".encode()


def _request(port: int, data: bytes, traces: Traces) -> None:
    answer = _answer(port, data)
    traces.demand_none()
    assert b" 500 " not in answer[:40], answer[:200]


def _answer(port: int, data: bytes) -> bytes:
    """The head of the first answer; nothing where the server closes without one.

    TimeoutError where it does neither.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=LONGEST_S) as caller:
        try:
            caller.sendall(data)
            return caller.recv(4_096)
        except TimeoutError:
            raise  # it hangs
        except OSError:
            return b""


def _say(port: int, cookie: str, data: bytes, traces: Traces) -> None:
    """A page that says this and then asks whether somebody is there."""
    path, _, said = data.partition(b"\n")
    where = path.decode("latin-1") if path.startswith(b"/ws/") else "/ws/table/1"
    headers = {"Cookie": cookie.partition(":")[2].strip(), "Origin": f"http://127.0.0.1:{port}"}
    try:
        address, waits_s = f"ws://127.0.0.1:{port}{where}", LONGEST_S
        with connect(address, additional_headers=headers, open_timeout=waits_s) as page:
            if where.startswith("/ws/device/"):
                page.send(_PHONE)
            page.send(said, text=_is_text(said))
            page.send('{"type":"ping","t":71}')
            while "pong" not in (heard := page.recv(waits_s)) or "71" not in heard:
                pass
    except ConnectionClosed as closed:
        if closed.rcvd is not None and closed.rcvd.code == _INTERNAL_ERROR:
            raise
    except (InvalidHandshake, InvalidURI, UnicodeError, ValueError):
        pass  # refused at the door, or no address at all
    traces.demand_none()


def _is_text(said: bytes) -> bool:
    try:
        said.decode()
    except UnicodeDecodeError:
        return False
    return True
