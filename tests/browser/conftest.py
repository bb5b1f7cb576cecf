"""A real browser at a real server that follows a real log."""

import itertools
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect
from playwright.sync_api import Error as PlaywrightError

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.dashboard.table_writer import TableWriter
from tests.eventually import BUSY_S, PATIENCE_S, eventually
from tests.programs import Program

expect.set_options(timeout=1000 * BUSY_S)  # as long as everything else is waited for

KEY = "director-key-1"


@dataclass
class Server:
    """``tilecast dashboard`` as a process of its own, always on the same port."""

    log: Path
    port: int
    process: Program | None = None

    def start(self, *options: str) -> None:
        words = ["dashboard", "--log", str(self.log), "--port", str(self.port), *options]
        said = self.log.with_suffix(".said")
        self.process = Program(*words, "--director-token", KEY, said=said)
        eventually(lambda: self._answers() or self.process.poll() is not None, "it starts")
        assert self.process.poll() is None, said.read_text("utf-8")

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
        begun = time.monotonic()
        while not self.page.evaluate(script):
            waited = time.monotonic() - begun
            assert waited < PATIENCE_S, f"never held: {script}"
            self.page.wait_for_timeout(min(20 + 100 * waited, 200))

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()


VIEWPORT: ViewportSize = {"width": 1920, "height": 1080}


class Tab:
    """One page that tests use in turn.

    A fresh context costs a process and every script of ours once more: half of what such a test
    took. What a test leaves behind is cleared: what pages stored, cookies, size and media.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._page: Page | None = None
        self._origins: set[str] = set()

    def take(self) -> Page:
        if self._page is None:
            self._page = self._browser.new_context(viewport=VIEWPORT).new_page()
            self._tools = self._page.context.new_cdp_session(self._page)
            self._page.on("framenavigated", lambda frame: self._visited(frame.url))
        return self._page

    def put_back(self) -> None:
        """Clear it; where that cannot be done (a server has gone) the next page is a new one."""
        page = self.take()
        origins, self._origins = self._origins, set()
        try:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            # First away from the page: its scripts write down nothing after it was cleared.
            page.goto("about:blank")
            for origin in origins:
                kinds = {"origin": origin, "storageTypes": "local_storage"}
                self._tools.send("Storage.clearDataForOrigin", kinds)
            page.context.clear_cookies()
            page.emulate_media(reduced_motion="null")
            page.set_viewport_size(VIEWPORT)
        except PlaywrightError:
            page.context.close()
            self._page = None
        self._origins.clear()

    def _visited(self, url: str) -> None:
        found = urlsplit(url)
        if found.scheme.startswith("http"):
            self._origins.add(f"{found.scheme}://{found.netloc}")


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Tab:
    """The page that tests of this process use in turn."""
    return Tab(browser)


@pytest.fixture(autouse=True)
def _no_page_left_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """A page that a test leaves open would draw to the end of the run, with its clocks."""
    if "browser" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("browser")
    kept = set(browser.contexts)
    yield
    if "tab" in request.fixturenames:
        kept.add(request.getfixturevalue("tab").take().context)
    for context in set(browser.contexts) - kept:
        context.close()


@pytest.fixture
def screen(tab: Tab) -> Iterator[Screen]:
    """A browser source of 1920 x 1080.

    Not for tests that change what cannot be cleared (its clock, scripts of its start, dialogs).
    """
    with watched(tab.take()) as screen:
        yield screen
    tab.put_back()


@pytest.fixture
def own_screen(browser: Browser) -> Iterator[Screen]:
    context = browser.new_context(viewport=VIEWPORT)
    with watched(context.new_page()) as screen:
        yield screen
    context.close()


@contextmanager
def watched(page: Page) -> Iterator[Screen]:
    """The page with its complaints, for as long as the block runs."""
    screen = Screen(page)

    def failed(error: PlaywrightError) -> None:
        screen.complaints.append(str(error))

    def said(message: ConsoleMessage) -> None:
        if message.type == "error":
            screen.complaints.append(message.text)

    page.on("pageerror", failed)
    page.on("console", said)
    yield screen
    page.remove_listener("pageerror", failed)
    page.remove_listener("console", said)


def sign_in(page: Page, server: Server) -> None:
    """The cookie of a director's link, without the page that the link leads to."""
    # A connection that is kept may be closed by the server at the moment when it is asked again.
    answer = page.request.get(server.url(f"/enter/{KEY}"), max_redirects=0, max_retries=2)
    assert answer.status == 303


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
