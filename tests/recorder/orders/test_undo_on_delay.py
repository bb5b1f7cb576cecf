"""What a director undoes within the delay never reaches the public page."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.auth.access import Role
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from recorder.domain.orders import Challenged, Outcome, Undo
from recorder.log.port import Row
from tests.recorder.orders.test_session_orders import entry, settle, texts
from tests.recorder.session_table import Table, play_two_turns, recorded, run

DELAY_MS = 60_000


@pytest.fixture
def table() -> Iterator[Table]:
    one = Table()
    yield one
    one.bus.stop()


def wait_until(tmp_path: Path, holds: Callable[[list[str]], bool]) -> None:
    """Wait until the turns on record, in short, are as asked; at most a minute."""
    end = time.monotonic() + 60
    while not holds(now := texts(recorded(tmp_path))):
        assert time.monotonic() < end, now
        time.sleep(0.01)


def scores_after_delay(rows: list[Row]) -> tuple[list[Any], list[Any]]:
    """The players' scores on the public page once all has left, and on the live page."""
    now = [rows[-1].received]
    hub = Hub(DELAY_MS, lambda: now[0])
    hub.take(Batch(tuple(rows), anew=True, caught_up=True))
    for _ in range(200):
        now[0] += 1_000
        hub.tick()
    public: Any = hub.channel(1, Role.VIEWER).model
    live: Any = hub.commentator(1)[0].frame()
    return [one["score"] for one in public["players"]], [one["score"] for one in live["players"]]


@pytest.mark.parametrize("is_undone", [False, True])
def test_the_delayed_page_ends_with_the_score_of_the_table(
    tmp_path: Path, table: Table, *, is_undone: bool
) -> None:
    """A challenge bonus is given, and taken back four seconds later or not."""
    recorder, store = run(tmp_path, table, rules="naspa")
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    before = texts(rows)
    table.now_ms += 2_000
    name = table.order(Challenged(entry=entry(rows, "CAT"), outcome=Outcome.STANDS, bonus=5))
    wait_until(tmp_path, lambda now: now != before)
    if is_undone:
        table.now_ms += 4_000
        table.order(Undo(order=name))
        wait_until(tmp_path, lambda now: now == before)
    recorder.stop()
    store.close()
    public, live = scores_after_delay(recorded(tmp_path))
    assert public == live
