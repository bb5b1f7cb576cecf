"""What an attack is, and what it is tried on: a venue as ``tilecast init`` makes it, running."""

import re
import resource
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import connect

from calibration.venue.programs_file import read_keys
from recorder.bus.address import broker_address
from tests.eventually import PATIENCE_S, eventually
from tests.foreign_clock import PahoClock
from tests.rehearsal.hall import Hall, open_hall

DELAY_S = 5
"""The public of this venue is late by so much."""
_FILES_OF_A_LOGIN = 1024
"""So many a program may open at most Linuxes, unless it asks for more."""
OUT_S = DELAY_S + 1
"""After so long the public has what was before, and pages have been drawn with it."""
UP, DOWN = "tc/v1/main/up", "tc/v1/main/down"


class Severity(StrEnum):
    """How bad it is if an attack gets through."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Target:
    """A venue with two tables and networked clocks; the clock of table 1 is honest, and there."""

    hall: Hall
    clock: PahoClock

    def is_recorded(self) -> None:
        before = len(self.hall.rows("clock.press"))
        self.clock.press("R" if before % 2 == 0 else "L")
        eventually(lambda: not self.clock.waiting(), "the honest press is confirmed")
        assert len(self.hall.rows("clock.press")) == before + 1

    def is_said_lost(self) -> bool:
        """Whether the honest clock was said to be lost: not for being late on a busy machine."""
        lost = (str(row.body["data"]) for row in self.hall.rows("device.lost"))
        return any("clock-1" in said and "no_heartbeat" not in said for said in lost)

    def rows_at_rest(self) -> int:
        """How many rows the log has, once all that was sent before has come in."""
        counts = [-1]

        def rests() -> bool:
            time.sleep(1)
            counts.append(len(self.hall.read_log()))
            return counts[-1] == counts[-2]

        eventually(rests, "what was sent before is in the log")
        return counts[-1]

    def left(self, before: int, boot: str = "") -> list[str]:
        """The types of the rows after so many, but for what devices sent under other boots.

        What a flooding clock sent before may come in at any time.
        """
        rows = self.hall.read_log(before + 1)
        return [row.type for row in rows if row.key is None or row.key[1] == boot]

    @contextmanager
    def client(
        self, url: str = "", client_id: str = "", will: tuple[str, bytes] | None = None
    ) -> Iterator[paho.Client]:
        """A client at the broker, by default with the password of table 2's clock."""
        address = broker_address(url or self.hall.clock_url(table=2))
        client = paho.Client(CallbackAPIVersion.VERSION2, client_id=client_id)
        client.username_pw_set(address.user, address.password)
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        client.connect(address.host, address.port)
        client.loop_start()
        try:
            eventually(client.is_connected, "the broker lets it in")
            yield client
        finally:
            client.disconnect()
            client.loop_stop()

    @contextmanager
    def ear(self, client_id: str, topic: str) -> Iterator[list[paho.MQTTMessage]]:
        """What is said on a topic, with the recorder's password: the broker has the filter."""
        heard: list[paho.MQTTMessage] = []
        answers: list[int] = []
        with self.client(self.hall.recorder_url(), client_id) as client:
            client.on_message = lambda _client, _data, message: heard.append(message)
            client.on_subscribe = lambda _client, _data, number, *_: answers.append(number)
            client.subscribe(topic, 1)
            eventually(lambda: answers, "the broker has its filter")
            yield heard

    def request(self, head: str, body: bytes = b"", *, session: str = "") -> str:
        """The whole answer to a request; ``head`` is its first line and what else it says."""
        lines = [
            head if "\r\nHost:" in head else f"{head}\r\nHost: 127.0.0.1:{self.hall.page_port}"
        ]
        lines += [f"Cookie: {session}"] if session else []
        with socket.create_connection(("127.0.0.1", self.hall.page_port), PATIENCE_S) as line:
            line.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
            return _all_of(line)

    def get(self, path: str, *, session: str = "") -> str:
        """The answer to a plain request."""
        return self.request(f"GET {path} HTTP/1.1", session=session)

    def post(self, path: str, text: str, *more: str, session: str = "") -> str:
        """The answer to JSON, or to what ``more`` lines of the head say it is."""
        kind = (
            []
            if any("Content-Type" in line for line in more)
            else ["Content-Type: application/json"]
        )
        head = [f"POST {path} HTTP/1.1", *kind, *more, f"Content-Length: {len(text.encode())}"]
        return self.request("\r\n".join(head), text.encode(), session=session)

    @property
    def origin(self) -> str:
        """The line that pages of ours send."""
        return f"Origin: http://127.0.0.1:{self.hall.page_port}"

    def session(self, role: str) -> str:
        """The cookie of the director, the commentator, or of ``clock/1``: who has that link."""
        keys = read_keys(self.hall.folder)
        names = {"director": "TILECAST_DIRECTOR_TOKEN", "commentator": "TILECAST_COMMENTATOR_TOKEN"}
        key = keys[names[role]] if role in names else self.phone_key(role)
        found = re.search(r"(?im)^set-cookie: ([^;\r]+)", self.get(f"/enter/{key}"))
        return found[1]

    def phone_key(self, table: str) -> str:
        sheet = (self.hall.folder / "links.html").read_text("utf-8")
        keys = re.findall(r"/enter/([\w.~-]+)\?to=/\w+/" + table.rpartition("/")[2], sheet)
        return str(keys[0])

    def secrets(self) -> list[str]:
        passwords = [broker_address(self.hall.clock_url(table=table)).password for table in (1, 2)]
        return [*read_keys(self.hall.folder).values(), *filter(None, passwords)]


def _all_of(line: socket.socket) -> str:
    parts = []
    try:
        while part := line.recv(65_536):
            parts.append(part)
    except (ConnectionError, TimeoutError):
        pass  # it hung up: what was said by then is the answer
    return b"".join(parts).decode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class Attack:
    """Something somebody tries; AssertionError where it gets through."""

    severity: Severity
    name: str
    attempt: Callable[[Target], None]


ATTACKS: list[Attack] = []


def attack(severity: Severity) -> Callable[[Callable[[Target], None]], Callable[[Target], None]]:
    """Add a function to the list of attacks; its name says what is tried."""

    def add(attempt: Callable[[Target], None]) -> Callable[[Target], None]:
        ATTACKS.append(Attack(severity, attempt.__name__.replace("_", " "), attempt))
        return attempt

    return add


def status(answer: str) -> int:
    words = answer.split(" ", 2)
    return int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0


def socket_opens(target: Target, path: str, *, session: str = "", origin: str = "") -> bool:
    """Whether a WebSocket is let in and hears something."""
    headers = {"Cookie": session} if session else {}
    own = f"http://127.0.0.1:{target.hall.page_port}"
    url = f"ws://127.0.0.1:{target.hall.page_port}{path}"
    try:
        with connect(url, additional_headers=headers, origin=origin or own) as page:  # type: ignore[arg-type]
            page.recv(PATIENCE_S)
    except (InvalidHandshake, InvalidMessage, ConnectionClosed):
        return False
    return True


def open_target(stack: ExitStack, folder: Path) -> Target:
    """Make and start a venue as from a login's shell, with the honest clock at its table."""
    made = ("--clock", "mqtt", "--tables", "2", "--delay", str(DELAY_S))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, _FILES_OF_A_LOGIN), hard))
    try:
        hall = open_hall(stack, folder / "hall", *made)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    flash = folder / "flash"
    clock = stack.enter_context(PahoClock(hall.clock_url(), "main", "clock-1", flash))
    return Target(hall, clock)
