"""What somebody tries who wants to know now what the public may know later."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from html import unescape
from itertools import takewhile
from threading import Event

from websockets.sync.client import connect

from recorder.wire.event_orders import EVENT_ORDER_TYPES
from recorder.wire.orders import ORDER_TYPES
from tests.attacks.attack import DELAY_S, OUT_S, Severity, Target, attack, status
from tests.attacks.every_order import EVENT_ORDERS, NOT_DRIVEN, TABLE, table_orders
from tests.attacks.public_sources import sources
from tests.eventually import eventually

_PASSES = re.compile(r'\d{13}|"seq":\d+|\d+:\d\d|"remaining_ms":\[14\d+,1500000\]')
"""What changes by itself: times, the numbers of rows, the clock that runs at table 1."""
_MARKS = re.compile(r"(?im)^(?:etag|location|last-modified): [^\r\n]*")
"""By what a cache knows that something has changed."""
_RUNS = "/public/table/1.json"
"""Its mark changes with the clock at table 1."""
_LISTEN_S = 0.1
"""How long a socket is listened to before it is asked whether that is enough."""
_KEEPS_OPEN = re.compile(r"[0-9a-f\s]*")
"""Empty lines of a stream, with the lengths that HTTP puts before them."""
_ENOUGH_S = 0.3
"""What an order must have left of the delay to be one that was waited for."""


@attack(Severity.HIGH)
def know_early_what_the_public_may_know_late(target: Target) -> None:
    """By every public source, while a director gives every order: none says anything too soon."""
    pages, sockets, streams = sources()
    orders, given = _orders(target), set[str]()
    early: list[str] = []
    asked_in_time: set[str] = set()
    order = next(orders, None)
    while order is not None:
        time.sleep(OUT_S)  # what was before is out
        with ThreadPoolExecutor(len(sockets) + len(streams) + 1) as crowd, ExitStack() as ended:
            begun, over = Event(), Event()
            ended.callback(over.set)
            heard = [crowd.submit(_hear, target, path, begun, over) for path in sockets]
            heard += [crowd.submit(_stream, target, path, begun, over) for path in streams]
            time.sleep(_ENOUGH_S)
            # A busy machine does not get through them while news is late: the rest come first next.
            in_turn = sorted(pages, key=asked_in_time.__contains__)
            before = {path: _said(target, path) for path in in_turn}
            ends = time.monotonic() + DELAY_S
            begun.set()
            asking = crowd.submit(_changed, target, before, ends, asked_in_time)
            while order is not None and time.monotonic() < ends - _ENOUGH_S:
                given.add(order())
                order = next(orders, None)
            early += asking.result()
            over.set()
            for each in heard:
                early += [what for at, what in each.result() if at < ends]
    assert early == [], "\n".join(early)
    assert asked_in_time == set(pages)
    assert given | set(NOT_DRIVEN) == set(ORDER_TYPES) | set(EVENT_ORDER_TYPES)
    for source, word in (("/o/table-2/fields.json", "LATETEXT"), ("/event/tourney.js", "431")):
        eventually(lambda source=source, word=word: word in target.get(source), "late, it is out")  # type: ignore[misc]


def _said(target: Target, path: str) -> str:
    """Status, marks and body of an answer, but for what changes by itself."""
    head, _, body = target.get(path).partition("\r\n\r\n")
    marks = "" if path == _RUNS else " ".join(_MARKS.findall(head))
    return f"{status(head)} {marks} {_PASSES.sub('*', unescape(body))}"


def _changed(target: Target, before: dict[str, str], until: float, asked: set[str]) -> list[str]:
    """What pages say that they did not say before; ``asked`` takes in those that were in time."""
    changed: list[str] = []
    while True:
        for path, said in before.items():
            now = _said(target, path)
            if time.monotonic() >= until:
                return changed
            asked.add(path)
            if now != said:
                pairs = zip(now, said, strict=False)
                alike = sum(1 for _ in takewhile(lambda pair: len(set(pair)) == 1, pairs))
                changed.append(f"{path}: {now[alike:][:200]}, no more {said[alike:][:200]}")
        time.sleep(_LISTEN_S)  # whoever says it too soon says it still


def _hear(target: Target, path: str, begun: Event, over: Event) -> list[tuple[float, str]]:
    """What a socket says after the beginning, and when."""
    port, said = target.hall.page_port, []
    with connect(f"ws://127.0.0.1:{port}{path}", origin=f"http://127.0.0.1:{port}") as page:  # type: ignore[arg-type]
        while not over.is_set():
            with suppress(TimeoutError):
                words = str(page.recv(_LISTEN_S))
                if begun.is_set():
                    said.append((time.monotonic(), f"{path}: {_PASSES.sub('*', words)}"))
    return said


def _stream(target: Target, path: str, begun: Event, over: Event) -> list[tuple[float, str]]:
    """What a stream of texts says after the beginning, and when."""
    said = []
    with socket.create_connection(("127.0.0.1", target.hall.page_port), _LISTEN_S) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        while not over.is_set():
            with suppress(TimeoutError):
                words = line.recv(65_536).decode()
                if begun.is_set() and not _KEEPS_OPEN.fullmatch(words):
                    said.append((time.monotonic(), f"{path}: {words}"))
    return said


def _orders(target: Target) -> Iterator[Callable[[], str]]:
    director = target.session("director")

    def give(kind: str, path: str, order: dict[str, object]) -> Callable[[], str]:
        def run() -> str:
            answer = target.post(path, json.dumps(order), target.origin, session=director)
            assert (status(answer), '"accepted"' in answer) == (200, True), (kind, answer)
            return kind

        return run

    def entry() -> int:
        stands = [row for row in target.hall.read_log() if row.table == TABLE]
        return max(row.seq for row in stands if row.type in ("game.played", "correction"))

    for number, (kind, data) in enumerate(table_orders(entry)):
        name = f"late-{number}-{kind}"
        yield give(kind, "/api/order", {"type": kind, "data": data, "id": name, "table": TABLE})
    for number, (kind, words) in enumerate(EVENT_ORDERS):
        yield give(kind, "/api/event/order", {"words": words, "id": f"late-event-{number}"})
