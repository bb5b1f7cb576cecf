"""`tilecast dashboard` as a process: open pages of people who were removed, files that are strange.

Asked over HTTP and over sockets, as browsers and scoring software do.
"""

import http.cookiejar
import json
import os
import re
import resource
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.sync.connection import Connection

from recorder.bus.broker import free_port
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from tests.broker.test_recorder_at_work import running
from tests.cases import first_of
from tests.dashboard.table_writer import OPENING, TableWriter
from tests.eventually import PATIENCE_S, eventually

pytestmark = pytest.mark.slow
DELAY_S = 2
CSV = "name,wins,losses\nAnna,{wins},1\nBen,2,2\n"
PASSWORD = "long enough"


@dataclass
class Person:
    """A browser, and anyone who is signed in with it."""

    port: int
    jar: http.cookiejar.CookieJar = field(default_factory=http.cookiejar.CookieJar)

    def ask(self, path: str, body: object = None, method: str = "") -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data,
            {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.port}"},
            method=method or None,
        )
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        with opener.open(request, timeout=PATIENCE_S) as answer:
            text = answer.read().decode("utf-8")
        return json.loads(text) if "json" in answer.headers["Content-Type"] else text

    def sign_in(self, name: str, password: str) -> None:
        """By the form of the page."""
        words = f"name={name}&password={password}".encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/login", words)
        request.add_header("Origin", f"http://127.0.0.1:{self.port}")
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        opener.open(request, timeout=PATIENCE_S).close()
        assert len(self.jar) == 1

    def page(self, path: str) -> ClientConnection:
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.jar)
        address, headers = f"ws://127.0.0.1:{self.port}{path}", {"Cookie": cookies}
        return connect(address, additional_headers=headers, open_timeout=PATIENCE_S)


@dataclass
class Served:
    """A dashboard that runs, its administrator, its file of standings and its table."""

    port: int
    admin: Person
    standings: Path
    table: TableWriter


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a delay, a table at which somebody has played, and standings from before."""
    folder = tmp_path_factory.mktemp("served")
    port, standings = free_port(), folder / "standings.csv"
    standings.write_text(CSV.format(wins=3), "utf-8")
    before_ms = wall_ms() - 100_000
    os.utime(standings, (before_ms // 1000, before_ms // 1000))
    words = ("--log", str(folder / "log.db"), "--port", str(port), "--delay", str(DELAY_S))
    said = folder / "said"
    with SqliteEventLog(folder / "log.db") as log:
        table = TableWriter(log, at=before_ms)
        table.start()
        table.play(0, OPENING[0])
        with running("dashboard", *words, "--tournament", str(standings), said=said):
            eventually(lambda: "links " in said.read_text("utf-8"), "it serves")
            links = (folder / "log.links").read_text("utf-8")
            found = re.search(r"sign in as admin with the password (\S+)", links)
            admin = Person(port)
            admin.sign_in("admin", found[1])
            yield Served(port, admin, standings, table)


def heard_until(page: Connection, text: str) -> int:
    """Read until a message holds a text; when that was, in milliseconds since 1970."""
    while text not in str(page.recv(PATIENCE_S)):
        pass
    return wall_ms()


@pytest.mark.parametrize("path", first_of(1, ["/ws/director/1", "/ws/commentator/1"]))
def test_the_silent_page_of_somebody_removed_is_closed(served: Served, path: str) -> None:
    """It has said nothing since it opened; what the table says later never reaches it."""
    body = {"name": "Dora", "role": "director", "password": PASSWORD}
    served.admin.ask("/api/users", body)
    dora = Person(served.port)
    dora.sign_in("Dora", PASSWORD)
    with dora.page(path) as page:
        heard_until(page, '"hello"')
        served.admin.ask("/api/users/Dora", method="DELETE")
        with pytest.raises(ConnectionClosed):
            heard_until(page, "what no page says")


def test_standings_that_change_are_public_no_sooner_than_the_game(served: Served) -> None:
    """On the socket of a page and at the addresses that are asked; what was there stays so long."""
    with Person(served.port).page("/ws/table/1") as page:
        heard_until(page, '"wins":3')
        written_ms = wall_ms()
        served.standings.write_text(CSV.format(wins=4), "utf-8")
        assert heard_until(page, '"wins":4') >= written_ms + DELAY_S * 1000
    assert served.admin.ask("/api/overlays")["tournament_fault"] == ""


def test_a_revoked_key_ends_though_the_standings_are_strange(served: Served) -> None:
    """A field of 200 kB is told to the director, and the page gets no racks any more."""
    made = served.admin.ask("/api/tokens", {"label": "OBS", "scope": "racks:table-1"})

    def racks() -> list[bool]:
        return [page["racks"] for page in served.admin.ask("/api/overlays")["overlays"]]

    with Person(served.port).page("/ws/table/1") as page:
        page.send(json.dumps({"type": "key", "key": made["token"]}))
        page.send(json.dumps({"type": "ping", "t": 1, "scene": "full"}))
        eventually(lambda: racks() == [True], "the key opens the racks")
        served.standings.write_text("name,wins\nAnna," + "9" * 200_000 + "\n", "utf-8")
        eventually(lambda: served.admin.ask("/api/overlays")["tournament_fault"], "it is told")
        (token,) = served.admin.ask("/api/tokens")
        served.admin.ask(f"/api/tokens/{token['id']}", method="DELETE")
        eventually(lambda: racks() == [False], "the page has the public's channel")
        served.standings.write_text(CSV.format(wins=5), "utf-8")
        heard_until(page, '"wins":5')
    assert served.admin.ask("/api/overlays")["tournament_fault"] == ""


def test_what_an_anonymous_page_calls_itself_is_not_told_to_the_director(served: Served) -> None:
    """Its scene is one of ours, or another; no word of it comes through."""
    with Person(served.port).page("/ws/table/1") as page:
        text = "CALL +44 555 NOW"
        said = {"type": "ping", "t": 1, "scene": text, "slot": text, "label": text, "fps": 60}
        page.send(json.dumps(said))
        heard_until(page, '"pong"')
        (known,) = served.admin.ask("/api/overlays")["overlays"]
        assert known["scene"] == "other"
        assert "CALL" not in json.dumps(known)
        assert "CALL" not in json.dumps(served.admin.ask("/api/desk"))


def test_a_dashboard_without_descriptors_says_so_in_few_lines(tmp_path: Path) -> None:
    """Connections that it cannot take wait; what says so fills no disk, and then all is well."""
    port, said = free_port(), tmp_path / "said"
    SqliteEventLog(tmp_path / "log.db").close()
    with (
        running(
            "dashboard", "--log", str(tmp_path / "log.db"), "--port", str(port), said=said
        ) as on,
        ExitStack() as held,
    ):
        eventually(lambda: "links " in said.read_text("utf-8"), "it serves")
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.prlimit(on.pid, resource.RLIMIT_NOFILE, (60, hard))
        for _ in range(100):
            held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
        eventually(lambda: "Too many open files" in said.read_text("utf-8"), "it says so")
        resource.prlimit(on.pid, resource.RLIMIT_NOFILE, (hard, hard))
        held.close()
        eventually(lambda: Person(port).ask("/healthz"), "it serves again")
    assert said.read_text("utf-8").count("Traceback") <= 3
