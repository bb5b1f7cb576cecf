"""Cameras name their symbols once; one that cannot read the tile set is refused in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.board import SQUARES
from recorder.domain.instruments import SlipEntry, SlipMark, SlipSeen
from recorder.domain.observations import (
    COVERED,
    Observation,
    RackSeen,
    Side,
    SquareCosts,
    order_for,
)
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import EMPTY, Tile, Tiles
from recorder.lab.memory_bus import MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.tilesets import load_tile_set
from recorder.wire.control import DeviceInfo, encode
from recorder.wire.observations import decode_costs
from recorder.wire.topics import Up, UpChannel
from tests.eventually import eventually
from tests.recorder.session_table import VENUE, Table, plan, recorded

SPANISH = load_tile_set("spanish")
ORDER = order_for(SPANISH)
WIDE: Tiles = (*ORDER[:-1], Tile("Ł"), COVERED)
RACK = RackSeen(side=Side.LEFT, letters=(), slots=(), confidence=0.0)
SLIP = SlipSeen(entries=(SlipEntry(mark=SlipMark.EMPTY, confidence=1.0),) * 2)
ROLES = {"cam": "board-camera", "clock": "clock", "rack": "rack-camera", "slip": "slip-camera"}


@contextmanager
def spanish_table(tmp_path: Path, table: Table) -> Iterator[Recorder]:
    usual = plan(tmp_path / "live.gcg")
    tables = tuple(
        replace(one, started=replace(one.started, tile_set="spanish"), devices=ROLES)
        for one in usual.tables
    )
    store = SqliteEventLog(tmp_path / "log.db")
    recorder = Recorder(
        replace(usual, tables=tables),
        MemoryBus(table.broker),
        store,
        lambda: 1_000_000 + table.now_ms,
    )
    recorder.start()
    yield recorder
    recorder.stop()
    store.close()


def name_symbols(table: Table, device: str, symbols: str) -> None:
    info = DeviceInfo(kind="camera", model="m", firmware="1", symbols=symbols)
    table.bus.publish(str(Up(VENUE, device, UpChannel.INFO)), encode(info), retain=True)


def refusals(tmp_path: Path) -> list[dict[str, Any]]:
    """What the record says of messages that were not taken."""
    return [row.body["data"] for row in recorded(tmp_path) if row.type == "recorder.refused"]


@pytest.mark.parametrize(("device", "says"), [("cam", None), ("rack", RACK), ("slip", SLIP)])
def test_a_device_without_the_letters_is_refused_once_and_the_clock_goes_on(
    tmp_path: Path, table: Table, device: str, says: Observation | None
) -> None:
    """The record says which letters are missing, of each kind of camera."""
    with spanish_table(tmp_path, table) as recorder:
        for _ in range(2):
            if says is None:
                table.show(SquareCosts(bytes(SQUARES * 32)))
            else:
                table.say(device, says)
        eventually(lambda: (recorder.counters.refused, recorder.counters.stored) == (2, 1))
        table.recorder = recorder
        table.press(Side.RIGHT, Side.LEFT)
    (refused,) = refusals(tmp_path)
    assert refused["code"] == "symbols"
    assert f"{device} cannot read CH LL Ñ RR of the tile set spanish" in refused["fault"]
    assert [row.type for row in recorded(tmp_path)].count("clock.press") == 1


def test_a_camera_names_its_symbols_once_and_a_row_has_those_of_the_set(
    tmp_path: Path, table: Table
) -> None:
    """Its looks go by a code; letters that the event has no tiles of are left out of the row."""
    look = bytearray(b"\x50" * (SQUARES * len(WIDE)))
    for square in range(SQUARES):
        shown = Tile("CH") if square == 112 else EMPTY
        look[square * len(WIDE) + WIDE.index(shown)] = 0
    seen = SquareCosts(bytes(look), WIDE)
    with spanish_table(tmp_path, table) as recorder:
        table.show(seen)
        eventually(lambda: recorder.counters.refused == 1)
        name_symbols(table, "cam", write_tiles(WIDE))
        table.recorder = recorder
        table.show(seen)
        name_symbols(table, "rack", write_tiles(ORDER))
        table.say("rack", RACK)
        name_symbols(table, "cam", write_tiles(ORDER))
        table.recorder = None
        table.show(seen)
        eventually(lambda: recorder.counters.refused == 2)
    unnamed, other = refusals(tmp_path)
    assert (unnamed["code"], other["code"]) == ("unnamed", "symbols")
    assert "not in the order of the symbols that its info names" in other["fault"]
    rows = recorded(tmp_path)
    (squares,) = [row.body["data"]["squares"] for row in rows if row.type == "board.seen"]
    costs = decode_costs(squares)
    assert costs.order == ORDER
    assert [str(costs.best(square)) for square in (111, 112)] == [".", "[CH]"]
    assert [row.type for row in rows].count("rack.seen") == 1
