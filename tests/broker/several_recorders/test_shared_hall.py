"""Two recorders share a hall's tables: one is killed or ended in mid-round, the other goes on."""

import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.mqtt import MqttBus
from recorder.bus.outbox import Outbox
from recorder.domain.event.orders import AssignDevice, EventOrder
from recorder.domain.instruments import DeviceRole
from recorder.domain.observations import Side
from recorder.log.places import open_log_reader
from recorder.log.port import Kind, Row
from recorder.orders.client import OrderClient
from recorder.wire import DeviceConfig, Down, DownChannel, encode
from tests.bench.chaos.switched_off import Round, first_turn
from tests.cases import first_of
from tests.eventually import PATIENCE_S, eventually
from tests.postgres_server import server_programs
from tests.recorder.session_table import board

pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(server_programs() is None, reason="no PostgreSQL server is installed"),
]


def whole_log(hall: Round) -> list[Row]:
    """All rows; the chain holds."""
    with open_log_reader(hall.log) as log:
        assert log.verify() is None
        return list(log.read_from(1))


@pytest.mark.parametrize("end", first_of(1, [signal.SIGKILL, signal.SIGTERM]))
def test_the_tables_of_a_recorder_that_ends_are_taken_over(
    tmp_path: Path, end: signal.Signals
) -> None:
    """Nothing is lost or doubled, no page is blank; it gets tables back where nothing is on."""
    with ExitStack() as running:
        hall = Round(tmp_path, 4, running, shared=True)
        idle, its_page = hall.tables.pop(), hall.pages.pop()  # nobody sits at the last one yet
        hall.play_over(end)
        eventually(lambda: hall.tables_held() == [4], "the second holds all")
        hall.machines[0].start()
        eventually(lambda: hall.tables_held() == [3, 1], "one table is in a pause", 60)
        first_turn(idle)
        eventually(lambda: its_page.shows("8G"), "the first machine records again")
        eventually(lambda: not idle.waiting(), "all is acknowledged")
        hall.tables.append(idle)
        hall.pages.append(its_page)
        rows = whole_log(hall)
        assert not hall.faults(rows)
    kinds = Counter(row.type for row in rows if row.kind in (Kind.RECORDED, Kind.CORRECTED))
    assert (kinds["game.started"], kinds["game.played"]) == (4, 7)


def test_what_a_camera_says_late_is_of_the_table_that_it_left(tmp_path: Path) -> None:
    """Cut off, carried to the table of the other recorder, and back: its looks are read there."""
    with ExitStack() as running:
        hall = Round(tmp_path, 2, running, shared=True)
        left, now = hall.tables
        first_turn(left)
        eventually(lambda: hall.pages[0].shows("8G"), "the first turn is on air")
        left.cut_off("cam")
        left.show(board("8G HAND", "9F CAT"))
        left.press(Side.RIGHT, Side.LEFT)
        left.show(board("8G HAND", "9F CAT"))
        eventually(lambda: not left.outboxes["clock"].depth, "the press is stored")
        outbox = running.enter_context(Outbox(tmp_path / "console.db", "console"))
        bus, told = running.enter_context(MqttBus(hall.url, "console")), list[bytes]()
        config = str(Down("hall", "cam1", DownChannel.CONFIG))
        bus.subscribe(config, lambda message: told.append(message.payload))
        console = running.enter_context(OrderClient(outbox, bus, "hall"))
        moves = AssignDevice(device="cam1", table=2, role=DeviceRole.BOARD_CAMERA)
        order = EventOrder(id="e1", who="director", act=moves)
        answer = console.give_event(order, timeout_s=PATIENCE_S)
        assert answer is not None
        assert answer["ok"]
        its_place = encode(DeviceConfig(table=2, role="board-camera"))
        eventually(lambda: its_place in told, "the other recorder knows of it")
        left.back("cam")
        left.show(board())
        eventually(lambda: hall.pages[0].shows("9F"), "the late look is read where it was taken")
        for table in (left, now):
            eventually(lambda of=table: not of.waiting(), "all is acknowledged")
        rows = whole_log(hall)
        assert not hall.faults(rows)
    looks = [row for row in rows if row.key and row.key[0] == "cam1"]
    places = {row.key[2]: (row.table, row.game) for row in looks if row.key}
    there, here = ((table, f"round-1-table-{table}") for table in (1, 2))
    assert places == {**dict.fromkeys(range(1, 6), there), 6: here}
