"""How the suite is run: by how many processes, which tests are slow, how patient properties are."""

import gc
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

import recorder.bus.broker as brokers
from dashboard.auth import accounts
from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.log.sqlite import SqliteEventLog
from tests.chromium import find_chromium, open_chromium
from tests.dashboard.table_writer import TableWriter
from tests.eventually import BUSY_S
from tests.postgres_server import running_server, server_programs
from tests.programs import QUICK_PASSWORDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

# How long an example takes says how busy the machine is, and nothing about the program.
settings.register_profile("tilecast", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", settings.get_profile("tilecast"), max_examples=20)
settings.load_profile("tilecast")


_SLOW_BY_THAT = ("broker", "browser", "photos", "pixels", "further", "whole_tree")
_MADE_SLOW = frozenset(_SLOW_BY_THAT)
_ALL_SLOW = re.compile(rf"^pytestmark = .*\b(slow|{'|'.join(_SLOW_BY_THAT)})\b", re.MULTILINE)
_ALL_ELSEWHERE = re.compile(r"^pytestmark = .*\b(further|whole_tree)\b", re.MULTILINE)


def pytest_configure(config: pytest.Config) -> None:
    """The fast half tries fewer examples of each property.

    Garbage is looked for less often: a process that holds thousands of tests has much to look at.
    """
    gc.set_threshold(20_000, 20, 20)
    _share_ports()
    if _is_fast(config):
        settings.load_profile("fast")


def _share_ports() -> None:
    """Processes of the suite pick free ports from ranges of their own: none takes another's."""
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    place = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    brokers._OF_SERVERS = brokers._OF_SERVERS[place % count :: count]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file of tests that are all left out is not even imported: each process would do that."""
    if collection_path.suffix == ".py" and (is_left_out := _left_out(config)):
        return is_left_out.search(collection_path.read_text("utf-8")) is not None or None
    return None


def _left_out(config: pytest.Config) -> re.Pattern[str] | None:
    if _is_fast(config):
        return _ALL_SLOW
    return _ALL_ELSEWHERE if "not further" in config.getoption("markexpr") else None


def _is_fast(config: pytest.Config) -> bool:
    return bool(config.getoption("markexpr") == "not slow")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever runs a real part beside Python is slow: `make test-fast` leaves it out.

    Files with such tests begin first: begun last, a long one would be waited for. Their order is
    that of their hash, which mixes those that wait with those that compute.
    """
    long = set[Path]()
    for item in items:
        if not _MADE_SLOW.isdisjoint(marker.name for marker in item.iter_markers()):
            item.add_marker(pytest.mark.slow)
            long.add(item.path)
    mixed = {path: crc32(path.name.encode()) for path in long}
    items.sort(key=lambda item: (item.path not in long, mixed.get(item.path, 0), item.path))


def pytest_collection_finish() -> None:
    """What was loaded with the tests stays to the end: no collection need look at it again."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three more than there are cores, for tests wait now and then; none more where none waits."""
    return (os.cpu_count() or 1) + (0 if _is_fast(config) else 3)


@pytest.fixture(autouse=True)
def _no_lasting_silence() -> Iterator[None]:
    """A command run in the test's own process leaves the log of the tests after it audible."""
    yield
    quiet = [
        name
        for name in list(logging.root.manager.loggerDict)
        if name.startswith("tilecast") and logging.getLogger(name).level != logging.NOTSET
    ]
    assert not quiet, f"loggers left with a level: {quiet}"


@pytest.fixture(autouse=True, scope="session")
def _quick_passwords() -> Iterator[None]:
    """Also for commands that are run in the test's own process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "PasswordHasher", QUICK_PASSWORDS)
        yield


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One headless Chromium for all tests of a process; skips visibly where there is none."""
    if find_chromium() is None:
        pytest.skip("no Chromium found: install one, or name it in TILECAST_CHROMIUM")
    with open_chromium() as browser:
        new_context = browser.new_context

        def patient(**options: Any) -> "BrowserContext":
            context = new_context(**options)
            context.set_default_timeout(1000 * BUSY_S)
            return context

        # Whoever waits for a page fails when it is wrong, not when the machine is busy.
        browser.new_context = patient  # type: ignore[method-assign]
        yield browser


@pytest.fixture(scope="module")
def broker(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[BrokerHandle]:
    """A real Mosquitto for the tests of a file, or the broker whose kind is the parameter."""
    kind = getattr(request, "param", "mosquitto")
    if kind == "mosquitto" and find_mosquitto() is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    with start_broker(kind, workdir=tmp_path_factory.mktemp("broker")) as handle:
        yield handle


@pytest.fixture(scope="session")
def empty_database() -> Iterator[Callable[[], str]]:
    """Makes empty databases on one PostgreSQL server; gives their addresses."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is lacking: tilecast[postgres]")
    programs = server_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: apt install postgresql")
    numbers = count(1)
    with (
        running_server(programs) as server,
        psycopg.connect(server.address, autocommit=True) as connection,
    ):

        def make() -> str:
            name = f"log{next(numbers)}"
            connection.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
            return server.address.replace("/postgres?", f"/{name}?")

        yield make


@pytest.fixture
def write_table(tmp_path: Path) -> Iterator[Callable[[int], TableWriter]]:
    """Opens the record of a table for writing, in ``log.db``, from so many ms of wall time on."""
    with ExitStack() as stack:
        yield lambda at: TableWriter(
            stack.enter_context(SqliteEventLog(tmp_path / "log.db")), at=at
        )
