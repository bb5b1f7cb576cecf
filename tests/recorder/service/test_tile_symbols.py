"""A camera that cannot read the tile set of its table: refused in words, and the game goes on."""

from dataclasses import replace
from pathlib import Path

from recorder.bus.port import MemoryBus
from recorder.domain.board import SQUARES
from recorder.domain.observations import Side, SquareCosts, order_for
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.tilesets import load_tile_set
from tests.eventually import eventually
from tests.recorder.session_table import Table, plan, recorded


def test_a_camera_without_the_letters_is_refused_once_and_the_clock_goes_on(
    tmp_path: Path, table: Table
) -> None:
    """The record says which letters it lacks; a camera that names them is taken."""
    usual = plan(tmp_path / "live.gcg")
    tables = [
        replace(one, started=replace(one.started, tile_set="spanish")) for one in usual.tables
    ]
    store = SqliteEventLog(tmp_path / "log.db")
    recorder = Recorder(
        replace(usual, tables=tuple(tables)),
        MemoryBus(table.broker),
        store,
        lambda: 1_000_000 + table.now_ms,
    )
    recorder.start()
    for _ in range(2):
        table.show(SquareCosts(bytes(SQUARES * 32)))
    eventually(lambda: (recorder.counters.refused, recorder.counters.stored) == (2, 1))
    table.recorder = recorder
    order = order_for(load_tile_set("spanish"))
    table.show(SquareCosts(bytes(SQUARES * len(order)), order))
    table.press(Side.RIGHT, Side.LEFT)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    (refused,) = [row.body["data"] for row in rows if row.type == "recorder.refused"]
    assert refused["code"] == "symbols"
    assert "cam cannot read CH LL Ñ RR of the tile set spanish" in refused["fault"]
    (seen,) = [row.body["data"]["squares"] for row in rows if row.type == "board.seen"]
    assert seen.startswith(".?")
    assert "[CH]" in seen
    assert [row.type for row in rows].count("clock.press") == 1
