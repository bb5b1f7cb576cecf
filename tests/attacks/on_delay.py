"""What somebody tries who wants to know now what the public may know later."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.attacks.attack import DELAY_S, Severity, Target, attack, status
from tests.eventually import eventually

LATE = ("LATENAME", "LATETEXT", "ZEPHYR", "431")
"""What is in the orders, and in no other thing that this venue says."""
ORDERS = (
    ("order.banner", {"text": "LATETEXT"}),
    ("order.note", {"text": "LATETEXT"}),
    ("order.ruling", {"text": "LATETEXT", "rule": "END-8"}),
    (
        "order.insert",
        {
            "entry": 0,
            "event": {
                "type": "game.played",
                "data": {"player": 0, "score": 94, "rack": "", "position": "8D", "word": "ZEPHYR"},
            },
        },
    ),
)
EVENT_ORDERS = (
    "about name LATENAME",
    "player L LATENAME One",
    "player L LATENAME Two",
    "round L 1 7:1-2",
    "result L 1 1 431 2 380",
)
SOURCES = (
    "/",
    "/healthz",
    "/api/table/1/frame",
    "/o/table-1/fields.json",
    "/o/featured/fields.json",
    "/o/table-1/field/last_play.txt",
    "/watch",
    "/watch/1",
    "/event",
    "/event/data.json",
    "/event/tourney.js",
    "/event/fields.json?division=L&player=1",
    "/event/field/standings.txt?division=L",
    "/overlay/full?table=1",
    "/o/featured/full",
    "/api/slots",
    "/builder",
    "/login",
    "/api/row/9",
    "/api/games",
    "/api/event",
    "/director/event",
    "/api/table/1/export/gcg",
    "/director/event/print/standings.pdf?division=L",
)
SOCKETS = ("/ws/table/1", "/ws/table/1?sheet=1", "/ws/slot/featured", "/ws/watch", "/ws/watch/1")


@attack(Severity.HIGH)
def know_early_what_the_public_may_know_late(target: Target) -> None:
    """By every public source, while a director gives orders: nothing of them is out too soon."""
    early: list[str] = []
    ends = time.monotonic() + DELAY_S

    def judge(source: str, text: str) -> None:
        """What a source had said by now."""
        if time.monotonic() < ends:
            early.extend(f"{source}: {word}" for word in LATE if word in text)

    def ask_all() -> None:
        while time.monotonic() < ends:
            for source in SOURCES:
                judge(source, target.get(source))
                judge(source, target.request(f"HEAD {source} HTTP/1.1"))

    with ThreadPoolExecutor(len(SOCKETS) + 1) as crowd:
        done = [crowd.submit(_listen, target, path, ends, judge) for path in SOCKETS]
        done.append(crowd.submit(ask_all))
        _give_orders(target)
        for each in done:
            each.result()
    assert early == []
    for source, word in (("/o/table-1/fields.json", "LATETEXT"), ("/event/tourney.js", "431")):
        eventually(lambda source=source, word=word: word in target.get(source), "late, it is out")  # type: ignore[misc]


def _listen(target: Target, path: str, until: float, judge: Callable[[str, str], None]) -> None:
    port = target.hall.page_port
    with connect(f"ws://127.0.0.1:{port}{path}", origin=f"http://127.0.0.1:{port}") as page:  # type: ignore[arg-type]
        while (left_s := until - time.monotonic()) > 0:
            try:
                judge(path, str(page.recv(left_s)))
            except (TimeoutError, ConnectionClosed):
                return


def _give_orders(target: Target) -> None:
    director = target.session("director")
    for number, (kind, data) in enumerate(ORDERS):
        order = {"type": kind, "data": data, "id": f"late-{number}", "table": 1}
        answer = target.post("/api/order", json.dumps(order), target.origin, session=director)
        assert '"accepted"' in answer, answer
    for number, words in enumerate(EVENT_ORDERS):
        order = {"words": words, "id": f"late-event-{number}"}
        answer = target.post("/api/event/order", json.dumps(order), target.origin, session=director)
        assert (status(answer), '"accepted"' in answer) == (200, True), answer
