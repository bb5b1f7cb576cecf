"""A real browser at a real server that follows a real log."""

import itertools
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.dashboard.table_writer import TableWriter

KEY = "director-key-1"


@dataclass
class Server:
    """``tilecast dashboard`` as a process of its own, always on the same port."""

    log: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start it and wait until it answers."""
        words = ["dashboard", "--log", str(self.log), "--port", str(self.port), *options]
        code = (
            "import argparse, sys; from dashboard import cli; p = argparse.ArgumentParser();"
            " cli.register(p.add_subparsers()); a = p.parse_args(sys.argv[1:]);"
            " sys.exit(a.run(a))"
        )
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words, "--director-token", KEY],
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 45
        while not self._answers():
            assert time.monotonic() < deadline, "the dashboard did not start"
            assert self.process.poll() is None, "the dashboard ended"
            time.sleep(0.05)

    def kill(self) -> None:
        """End it without a word to anybody."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def url(self, path: str) -> str:
        """An address on this server."""
        return f"http://127.0.0.1:{self.port}{path}"

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self.url("/healthz"), timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One running dashboard for all tests; each test has a table of its own."""
    server = Server(tmp_path_factory.mktemp("record") / "log.db", free_port())
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def record(server: Server) -> Iterator[SqliteEventLog]:
    """The log that the server follows; it comes after the server, as at a venue it may."""
    with SqliteEventLog(server.log) as log:
        yield log


_TABLES = itertools.count(1)


@pytest.fixture
def table(record: SqliteEventLog) -> TableWriter:
    """A table where no game has begun; its last minute begins now."""
    return TableWriter(record, at=now_ms() - 60_000, table=next(_TABLES))


@dataclass
class Screen:
    """An open page, and whatever it has complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def shows(self, script: str) -> None:
        """Wait until a JavaScript expression holds on the page.

        Asked from outside: the page's policy forbids the evaluation that waiting inside needs.
        """
        deadline = time.monotonic() + 8
        while not self.page.evaluate(script):
            assert time.monotonic() < deadline, f"never held: {script}"
            self.page.wait_for_timeout(20)

    def text(self, selector: str) -> str:
        """The text of an element."""
        return self.page.locator(selector).inner_text()


@pytest.fixture
def screen(browser: Browser) -> Iterator[Screen]:
    """A browser source of 1920 x 1080."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    screen = Screen(page)
    page.on("pageerror", lambda error: screen.complaints.append(str(error)))
    page.on(
        "console",
        lambda message: screen.complaints.append(message.text) if message.type == "error" else None,
    )
    yield screen
    context.close()


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
