"""The dashboard as it serves, with a director signed in: requests byte by byte, and sockets."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect

from dashboard.app import Settings, create_app
from dashboard.auth.access import Access
from dashboard.web import doors
from dashboard.web.deflate import DeflatingProtocol
from dashboard.web.door_protocol import DoorProtocol
from dashboard.web.doors import Pool
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import PATIENCE_S, eventually
from tests.fuzz.judging import Target, Traces

DIRECTOR = "director-key-1"
_INTERNAL_ERROR = 1011
_BODIES = {
    "/api/order": {"type": "order.banner", "data": {"text": "Hi"}, "id": "o-1", "table": 1},
    "/api/order/preview": {"type": "order.note", "data": {"text": "x"}, "id": "o-2", "table": 1},
    "/api/slots/featured": {"table": 1, "scene": "full"},
    "/api/table/1/incident/overdraw": {"facts": {"player": 1, "tiles": 1}},
    "/api/event/order/preview": {"words": "player add A 1 Ann", "id": "x"},
    "/api/users": {"name": "scorer-1", "password": "a-long-one-1", "role": "scorer", "table": 1},
}
_PAGES = (
    "/", "/director?table=1", "/commentator", "/admin", "/overlay/full?table=1&scale=1.5",
    "/o/featured/score?align=left", "/events?table=1", "/field/names.txt", "/fields.json",
    "/api/row/3", "/api/table/1/at/5", "/api/table/1/export/game.gcg", "/api/picture/" + "ab" * 32,
    "/api/table/1/export/bundle.zip", "/api/tables", "/event/tourney.js", "/builder", "/clock/1",
)  # fmt: skip
_SAID = {
    "/ws/table/1": [{"type": "ping", "t": 7, "scene": "full", "fps": 60}, {"type": "snapshot?"}],
    "/ws/director/1": [{"type": "ping", "t": 7}, {"type": "snapshot?"}],
    "/ws/commentator/1": [{"type": "ping", "t": 7}],
    "/ws/slot/featured": [{"type": "ping", "t": 7, "scene": "score", "fps": 59.9}],
    "/ws/device/clock/1": [{"boot": "0badc0de", "model": "phone"}],
}
"""What pages say, by their socket; a phone's first word, as there is no broker here."""


@contextmanager
def served(folder: Path) -> Iterator[list[Target]]:
    """The targets of a dashboard on this machine, with a game in its log."""
    with _game(folder), Traces() as traces, _dashboard(folder) as port:
        cookie = _signed_in(port)
        head = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n{cookie}"
        gets = [f"GET {path} HTTP/1.1\r\n{head}\r\n".encode() for path in _PAGES]
        posts = [_post(path, body, head) for path, body in _BODIES.items()]
        said = [
            f"{path}\n{json.dumps(message)}".encode()
            for path, messages in _SAID.items()
            for message in messages
        ]
        yield [
            Target("http", gets + posts, lambda data: _request(port, data, traces)),
            Target("socket", said, lambda data: _say(port, cookie, data, traces)),
        ]


@contextmanager
def _game(folder: Path) -> Iterator[None]:
    table = TableWriter(folder / "log.db", at=1_700_000_000_000)
    table.start()
    for number, play in enumerate(OPENING[:4]):
        table.play(number % 2, play)
    yield
    table.log.close()


@contextmanager
def _dashboard(folder: Path) -> Iterator[int]:
    access = Access(director_token=DIRECTOR, commentator_token="commentator-1")
    roomy = Pool(sockets=5_000, from_one=5_000, burst=100_000, a_second=100_000)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    with (
        patch.object(doors, "ANONYMOUS", roomy),
        patch.object(doors, "BODY_S", 0.2),
        patch.object(DoorProtocol, "head_s", 0.2),
        patch.object(DoorProtocol, "most_from_one", 5_000),
    ):
        app = create_app(Settings(log=folder / "log.db", access=access, port=port))
        config = uvicorn.Config(
            app, http=DoorProtocol, ws=DeflatingProtocol, log_level="error", access_log=False
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            eventually(lambda: server.started)
            yield port
        finally:
            server.should_exit = True
            thread.join()
            listener.close()


def _signed_in(port: int) -> str:
    answer = _answer(
        port, f"GET /enter/{DIRECTOR} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    )
    (line,) = [
        line for line in answer.decode().splitlines() if line.lower().startswith("set-cookie")
    ]
    return f"Cookie: {line.partition(':')[2].partition(';')[0].strip()}\r\n"


def _post(path: str, body: object, head: str) -> bytes:
    text = json.dumps(body)
    kind = "Content-Type: application/json\r\n"
    return f"POST {path} HTTP/1.1\r\n{head}{kind}Content-Length: {len(text)}\r\n\r\n{text}".encode()


def _request(port: int, data: bytes, traces: Traces) -> None:
    answer = _answer(port, data)
    traces.demand_none()
    assert b" 500 " not in answer[:40], answer[:200]


def _answer(port: int, data: bytes) -> bytes:
    """The head of the first answer; nothing where the server closes without one."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as caller:
        try:
            caller.sendall(data)
            return caller.recv(4_096)
        except OSError:
            return b""


def _say(port: int, cookie: str, data: bytes, traces: Traces) -> None:
    """A page that says this and then asks whether somebody is there."""
    path, _, said = data.partition(b"\n")
    where = path.decode("latin-1") if path.startswith(b"/ws/") else "/ws/table/1"
    headers = {"Cookie": cookie.partition(":")[2].strip(), "Origin": f"http://127.0.0.1:{port}"}
    try:
        with connect(f"ws://127.0.0.1:{port}{where}", additional_headers=headers) as page:
            page.send(said, text=_is_text(said))
            page.send('{"type":"ping","t":71}')
            while "pong" not in (heard := page.recv(PATIENCE_S)) or "71" not in heard:
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
