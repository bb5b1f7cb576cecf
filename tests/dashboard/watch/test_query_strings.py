"""Nobody fills the dashboard's memory with addresses that differ in their questions alone."""

import gc
import tracemalloc
from pathlib import Path

import pytest

from dashboard.live.log_follower import now_ms
from tests.attacks.public_sources import WHAT_IS_ASKED
from tests.dashboard.table_writer import TableWriter
from tests.dashboard.watch.test_cacheable import dashboard, play_out, wait_until_read

pytestmark = pytest.mark.further

KNOWN = (
    "table", "game", "move", "division", "player", "theme", "look", "lang", "language", "title",
    "sheet", "stage", "many", "size", "count", "side", "to", "key", "x",
)  # fmt: skip
"""Parameters that some address here knows, and one that none does."""
FIRST, TIMES, MOST_KEPT_BYTES = 4, 10, 250
"""So often each address is asked before and then; and so much may a question of 1,000 bytes leave
behind, for the interpreter keeps a little of its own."""


def test_questions_without_end_leave_nothing_behind(tmp_path: Path) -> None:
    """At each public address, more than twice as many as were asked before."""
    table = TableWriter(tmp_path / "log.db", at=now_ms() - 60_000)
    play_out(table, "r1")
    table.start(("Cleo", "Dan"), game="r2")
    endless = ("/ws/", "/events", ".ndjson")
    paths = [
        path.partition("?")[0]
        for asked in WHAT_IS_ASKED.values()
        for path in asked[:2]
        if not any(word in path for word in endless)
    ]
    with dashboard(tmp_path / "log.db") as client:
        wait_until_read(client)

        def ask(begin: int, times: int) -> None:
            for path in paths:
                for number in range(begin, begin + times):
                    words = (f"{name}={number}{'q' * 40}" for name in KNOWN)
                    client.get(f"{path}?{'&'.join(words)}")

        tracemalloc.start()
        try:
            ask(0, FIRST)
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            ask(FIRST, TIMES)
            gc.collect()
            kept = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
    table.log.close()
    assert kept < TIMES * len(paths) * MOST_KEPT_BYTES, kept
