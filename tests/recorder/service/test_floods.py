"""One table's flood takes that table's share: of the time, of the messages, of its own game."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import recorder.service.shares
import recorder.table.allowance
import recorder.table.game_recorder
import recorder.table.guarded
from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import (
    MOST_A_SECOND,
    MOST_AT_ONCE,
    MOST_OF_TYPE,
    MOST_PASSING_AT_ONCE,
    MOST_STORED_AT_ONCE,
    ROW_BYTES,
)
from recorder.domain.observations import BoardStirred, ClockPressed, Side
from recorder.domain.orders import Note, Order, TableOrder
from recorder.domain.row_kind import Kind
from recorder.lab.memory_bus import MemoryBus
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.projections.health.device_health import Expected
from recorder.projections.health.heard_devices import HeardDevices
from recorder.service.incoming.inbox import MOST_OF_ONE, Inbox
from recorder.service.shares import (
    AT_ONCE_S,
    BUSY_AFTER,
    CALM_S,
    LEAST_SHARE,
    MessageShares,
    WorkShares,
)
from recorder.table.allowance import Allowance
from recorder.wire.control import Ack, decode_ack
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.orders import encode_order
from recorder.wire.row_heads import ROW_VERSION
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.dashboard.table_writer import look
from tests.eventually import eventually
from tests.recorder.hall import Hall
from tests.recorder.session_table import VENUE, Table, recorded, run

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from recorder.bus.port import Message

PRESSED = ClockPressed(side=Side.RIGHT, left_ms=9, right_ms=9, running=Side.LEFT)
FLOOD = 300


@pytest.fixture
def flooded(hall: Hall) -> Hall:
    """A hall in which so much has come of table 2 that its fold takes many slices."""
    for number in range(FLOOD):
        hall.send("cam-2", BoardStirred(frame=f"f{number}"))
    eventually(lambda: len(hall.recorder._inbox) == FLOOD)
    while len(hall.recorder._inbox):
        hall.recorder._take_in(hall.recorder._inbox.take(FLOOD), 0.0)
    return hall


def ordered(hall: Hall, table: int, number: int) -> None:
    """Let the console say something about a table."""
    order = Order(id=f"o{number}", who="Dora", act=Note(text="seen"))
    type_name, data = encode_order(TableOrder(table=table, order=order))
    event = Envelope(
        dev="console", boot="0000abcd", seq=number, t_ms=hall.now_ms, type=type_name, data=data
    )
    up = Up(VENUE, "console", UpChannel.EVENT)
    hall.devices.publish(str(up), encode_envelope(event))


def types(hall: Hall, table: int) -> list[str]:
    return [row.type for row in hall.log.read_from(1) if row.table == table]


def eventually_row(folder: Path, type_name: str) -> "Row":
    eventually(lambda: any(row.type == type_name for row in recorded(folder)))
    return next(row for row in recorded(folder) if row.type == type_name)


def test_another_table_is_confirmed_while_one_is_flooded(flooded: Hall) -> None:
    """Its press is acknowledged, folded and judged before the flooded one's rows are folded."""
    acks: list[Ack] = []
    heard = str(Down(VENUE, "clock-1", DownChannel.ACK))
    flooded.devices.subscribe(heard, lambda message: acks.append(decode_ack(message.payload)))
    service = flooded.recorder
    flooded.send("clock-1", PRESSED)
    ordered(flooded, table=1, number=1)
    eventually(lambda: len(service._inbox) == 2)
    service._take_in(service._inbox.take(FLOOD), 0.0)
    eventually(lambda: acks == [Ack(boot="0000abcd", upto=1)])
    service._take_in([], 0.0)
    assert service._games.on(1).folded.waits == 0
    assert "order.note" in types(flooded, 1)
    assert service._games.on(2).folded.waits > FLOOD // 2


def test_an_order_about_a_flooded_table_waits_with_its_rows(flooded: Hall) -> None:
    """It is judged by the record as it is once they are folded; nobody else waits for that."""
    service = flooded.recorder
    for number in (1, 2):
        ordered(flooded, table=2, number=number)
    eventually(lambda: len(service._inbox) == 2)
    service._take_in(service._inbox.take(FLOOD), 0.0)
    assert "order.note" not in types(flooded, 2)
    service.catch_up()
    assert types(flooded, 2).count("order.note") == 2


def test_lines_are_served_in_turn() -> None:
    """However long one is, the first of each of the others comes before its second."""
    inbox: Inbox[str] = Inbox()
    for number in range(100):
        inbox.put(2, f"flood {number}")
    inbox.put(1, "press")
    inbox.put(0, "order")
    assert inbox.take(4) == ["flood 0", "press", "order", "flood 1"]
    assert len(inbox) == 98
    assert len(inbox.take(200)) == MOST_OF_ONE
    while len(inbox):
        last = inbox.take(200)[-1]
    assert last == "flood 99"


def test_what_is_stored_at_once_of_one_table_is_little() -> None:
    """By bytes too: the others wait for one commit, and it is short."""
    inbox = Inbox[bytes](len)
    for _ in range(10):
        inbox.put(2, bytes(60_000))
    inbox.put(1, b"press")
    assert [len(item) for item in inbox.take(500)] == [60_000, 5, 60_000]


def test_a_device_has_its_share_of_the_disk() -> None:
    """Below 20 MB in an hour, whatever it sends; what is not stored costs none of it."""
    shares = MessageShares(frozenset({"cam-1"}))
    stored = 0
    for second in range(3600):
        for _ in range(MOST_A_SECOND):
            stored += 60_500 if shares.takes("cam-1", float(second), 60_500) else 0
    assert stored < 20_000_000
    assert shares.begun() == ["cam-1"]
    assert MessageShares(frozenset({"cam-1"})).takes("cam-1", 0.0)


@pytest.mark.further
def test_what_is_counted_is_no_less_than_what_the_disk_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that follows: turns without a play, one after the other, and their procedures.

    It counts for the clock that causes it, and not for the camera that looks as often as it is
    asked.
    """
    monkeypatch.setattr(recorder.service.shares, "MOST_STORED_A_SECOND", 0)
    log = SqliteEventLog(tmp_path / "log.db")
    hall = Hall(tmp_path, log)
    hall.recorder.open()
    empty, counted, before = look(["." * 15] * 15), [0, 0], 0

    def of(device: str) -> int:
        return int(MOST_STORED_AT_ONCE - hall.recorder._messages._buckets[device][1].left)

    for number in range(120):
        if number == 20:  # the game has begun, and every other device was missed
            before, counted = _on_disk(log, tmp_path), [of("clock-2"), of("cam-2")]
        hall.now_ms += 200
        side, other = (Side.LEFT, Side.RIGHT)[:: 1 if number % 2 else -1]
        left_ms = 1_500_000 - number * 500
        hall.say("clock-2", ClockPressed(side=side, left_ms=left_ms, right_ms=9, running=other))
        if number % 2:
            hall.say("cam-2", empty)
    taken = _on_disk(log, tmp_path) - before
    by_clock, by_camera = of("clock-2") - counted[0], of("cam-2") - counted[1]
    log.close()
    assert by_camera < 50 * 1000 < 100_000 < taken < by_clock + by_camera


def _on_disk(log: SqliteEventLog, folder: Path) -> int:
    log._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def test_heartbeats_and_questions_have_a_share_of_their_own() -> None:
    """A flood of them costs the other tables little, and the device none of its events."""
    shares = MessageShares(frozenset({"clock-1"}))
    taken = [shares.takes("clock-1", 5.0) for _ in range(1000)]
    assert sum(taken) == MOST_PASSING_AT_ONCE
    assert shares.takes("clock-1", 5.0, ROW_BYTES)
    assert all(shares.takes("clock-1", 6.0 + second) for second in range(600))


def test_a_day_of_a_clock_is_taken_at_once() -> None:
    """An outbox of 5,000 presses fits the share."""
    shares = MessageShares(frozenset({"clock-1"}))
    assert all(shares.takes("clock-1", 5.0, 160 + ROW_BYTES) for _ in range(MOST_AT_ONCE))


def test_a_table_has_its_share_of_the_time_and_no_more() -> None:
    """What it had at once is paid back before it goes on; another is not asked to."""
    shares = WorkShares(64)
    shares.worked(2, AT_ONCE_S + 1.0, now_s=10.0)
    assert not shares.may_go_on(2, 10.5)
    assert shares.may_go_on(2, 10.0 + 1.0 / LEAST_SHARE)
    assert shares.may_go_on(1, 10.5)
    alone = WorkShares(1)
    alone.worked(2, 100.0, now_s=110.0)
    assert alone.may_go_on(2, 110.0 + 100.0)


def test_strangers_flood_together() -> None:
    """Anyone who invents names gets no more of it, and takes nothing from who is known."""
    shares = MessageShares(frozenset({"cam-1"}))
    taken = [shares.takes(f"who-{n}", 5.0, ROW_BYTES) for n in range(MOST_AT_ONCE + 100)]
    assert sum(taken) == MOST_AT_ONCE
    assert shares.takes("cam-1", 5.0)
    assert shares.begun() == []
    assert shares.ended(5.0 + 2 * CALM_S) == []


def test_a_device_that_sends_much_stands_before_nobody(hall: Hall) -> None:
    """It is heard over a connection of its own, with strangers; later as everybody is."""
    service = hall.recorder
    sent = BUSY_AFTER + 50
    for number in range(sent):
        hall.send("cam-2", BoardStirred(frame=f"f{number}"))
    buckets = service._hearing.messages._buckets
    eventually(
        lambda: "cam-2" in buckets and buckets["cam-2"][0].left <= MOST_AT_ONCE - sent,
        "all of it has come",
    )
    hall.now_ms += 300

    def stored(device: str) -> int:
        hall.send(device, BoardStirred(frame="now") if device == "cam-2" else PRESSED)
        service.catch_up()
        return sum(row.device == device for row in hall.log.read_from(1))

    eventually(lambda: stored("clock-1") and service._hearing._apart is not None)
    apart = service._hearing._apart
    eventually(lambda: apart is not None and apart.is_connected)
    hall.now_ms += 300
    stored("clock-1")
    assert service._hearing._named is not None
    assert isinstance(apart, MemoryBus)
    service.catch_up()
    apart.lose_connection()
    before, held = stored("clock-1"), stored("cam-2")
    eventually(lambda: stored("clock-1") > before + 3, "others do not wait for it")
    assert stored("cam-2") <= held + 1
    apart.regain_connection()
    eventually(lambda: stored("cam-2") > held + 3, "it is heard over its own connection")
    hall.now_ms += 1000 * MOST_AT_ONCE // MOST_A_SECOND
    eventually(lambda: stored("clock-1") and service._hearing._apart is None)
    held = stored("cam-2")
    eventually(lambda: stored("cam-2") > held + 3, "and again as everybody is")


def lost_for(folder: Path) -> list[str]:
    """Why the camera was reported as lost, each time."""
    data = [row.body["data"] for row in recorded(folder) if row.type == "device.lost"]
    return [said["reason"]["code"] for said in data if said["device"] == "cam"]


def verdict_on_cam(folder: Path) -> str:
    """What ``tilecast venue`` says of the camera by the log."""
    heard = HeardDevices()
    for row in recorded(folder):
        heard.take_row(row)
    cam = Expected(name="cam", role=DeviceRole.BOARD_CAMERA, table=1)
    return heard.health((cam,), None, "", 0).devices[0].finding.code


def test_a_device_that_floods_is_told_and_taken_back(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it was lost already; what it sent too much is taken when it sends it again."""
    monkeypatch.setattr(recorder.service.shares, "MOST_AT_ONCE", 20)
    monkeypatch.setattr(recorder.service.shares, "MOST_A_SECOND", 0)
    service, store = run(tmp_path, table)
    service._presences.listens(0)
    table.now_ms += 30_000
    eventually(lambda: lost_for(tmp_path) == ["never_heard"])
    sent: list[Message] = []
    table.bus.subscribe(str(Up(VENUE, "cam", UpChannel.EVENT)), sent.append)
    for number in range(1, 31):
        event = Envelope(
            dev="cam", boot="0badc0de", seq=number, t_ms=5, type="board.stirred",
            data={"frame": f"f{number}"},
        )  # fmt: skip
        table.bus.publish(str(Up(VENUE, "cam", UpChannel.EVENT)), encode_envelope(event))
    table.press(Side.RIGHT, Side.LEFT)
    eventually(lambda: lost_for(tmp_path) == ["never_heard", "floods"])
    assert verdict_on_cam(tmp_path) == "floods"
    monkeypatch.setattr(recorder.service.shares, "CALM_S", -1.0)  # this clock stands
    beat = b'{"v":1,"boot":"0badc0de","t":5,"seq_high":30,"outbox":10}'
    service._messages._buckets["cam"][0].left = 100.0
    table.bus.publish(str(Up(VENUE, "cam", UpChannel.HEARTBEAT)), beat)
    assert eventually_row(tmp_path, "device.back").body["data"]["device"] == "cam"
    assert verdict_on_cam(tmp_path) != "floods"
    for message in sent[20:30]:
        table.bus.publish(message.topic, message.payload)
    eventually(lambda: service.counters.stored == 31)
    service.stop()
    store.close()


def test_a_game_takes_in_what_a_game_needs(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a device says a thousand times too often is stored, reported once, and not folded."""
    monkeypatch.setattr(recorder.table.allowance, "MOST_OF_TYPE", 5)
    monkeypatch.setattr(recorder.table.game_recorder, "MOST_OF_TYPE", 5)
    monkeypatch.setattr(recorder.table.guarded, "_MOST_SENDERS", 4)
    for _ in range(2):
        service, store = run(tmp_path, table)
        for number in range(20):
            table.say("cam", BoardStirred(frame=f"f{number}"))
        table.press(Side.RIGHT, Side.LEFT)
        game = service._games.on(1)
        eventually(lambda game=game: game.folded.waits == 0 and len(game.folded.taken) > 5)
        assert len(game._senders) == 4, "of ten times as many rows"
        service.stop()
        store.close()
    rows = recorded(tmp_path)
    said = [row.body["data"]["fault"] for row in rows if row.type == "recorder.refused"]
    assert set(said) == {
        "cam has said board.stirred 5 times in this game; more of it is stored and not read"
    }
    assert [row.type for row in rows].count("board.stirred") == 40


def test_a_camera_that_waits_all_night_is_heard_in_the_morning() -> None:
    """A look every ten seconds for two days is no flood; fifty a second are one, for a while."""
    allowance, honest = Allowance(), range(0, 48 * 3600 * 1000, 10_000)
    looks = [stored("cam", "board.seen", at_ms) for at_ms in honest]
    assert all(allowance.takes(look) for look in looks)
    flood = [stored("pad", "clock.press", number * 20) for number in range(6_000)]
    read = sum(allowance.takes(row) for row in flood)
    assert MOST_OF_TYPE <= read < MOST_OF_TYPE + 100
    assert [allowance.is_news(flood[-1]) for _ in range(2)] == [True, False]
    assert allowance.takes(stored("pad", "clock.press", flood[-1].at + 60_000))


def stored(device: str, type_name: str, at_ms: int) -> Row:
    body = {"dev": device, "type": type_name, "data": {}}
    return Row(
        seq=1, table=1, game="g", kind=Kind.OBSERVED, v=ROW_VERSION, at=at_ms, body=body,
        refs=(), key=None, prev_hash="", hash="",
    )  # fmt: skip
