"""Bytes on the socket of a real server, counted below any WebSocket library."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from recorder.bus.broker import free_port
from recorder.log.sqlite import SqliteEventLog
from tests.browser.conftest import Server, now_ms
from tests.dashboard.live.raw_page import RawPage
from tests.dashboard.table_writer import OPENING, TableWriter

pytestmark = pytest.mark.slow

MOST_BYTES = 226
"""Of a play: what it cost without compression, when pages worked out the rest of it themselves."""
PINGS = 30
"""Of a page in a turn of a good minute."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, TableWriter]]:
    """A dashboard as a process of its own, and the table that it follows."""
    path = tmp_path_factory.mktemp("served") / "log.db"
    server = Server(path, free_port())
    with SqliteEventLog(path) as log:
        server.start()
        table = TableWriter(log, at=now_ms() - 60_000)
        table.start()
        yield server, table
    server.kill()


def test_a_play_is_small_on_the_wire(served: tuple[Server, TableWriter]) -> None:
    """Also after a turn's pings: their answers do not push the frames out of the window."""
    server, table = served
    with closing(RawPage(server.port, "/ws/table/1")) as page:
        snapshot = page.hear_row(1)
        assert snapshot.deflated
        for number, text in enumerate(OPENING[:3]):
            assert not any(page.ping().deflated for _ in range(PINGS))
            play = page.hear_row(table.play(number % 2, text).seq)
            assert play.message["type"] == "patch"
            assert play.deflated
            assert play.size <= MOST_BYTES


def test_a_page_that_cannot_inflate_gets_plain_text(served: tuple[Server, TableWriter]) -> None:
    """A client that does not offer compression is served as well."""
    server, table = served
    with closing(RawPage(server.port, "/ws/table/1", deflate=False)) as page:
        snapshot = page.hear_row(table.rows[-1].seq)
        assert not snapshot.deflated
        assert snapshot.message["frame"]["turns"] == len(table.rows) - 1
