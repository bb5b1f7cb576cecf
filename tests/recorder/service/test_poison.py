"""Poison ends at the door: what one device sends stops no other, nor itself, nor a restart."""

import json
from pathlib import Path
from typing import Any

import pytest

import recorder.table.folded
from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import LONGEST_MS
from recorder.domain.observations import BoardStirred, ClockPressed, Side
from recorder.domain.reading.table_fold import Stamped, take
from recorder.domain.reading.table_state import TableState
from recorder.domain.row_kind import Kind
from recorder.log.port import NewRow, UnfitRowError
from recorder.projections.timeline import timeline
from recorder.service.incoming.admission import SAYS, Admission, MessageRefusedError, Refusal
from recorder.wire.control import Ack, decode_ack
from recorder.wire.observations import OBSERVATION_TYPES
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.eventually import eventually
from tests.recorder.hall import Hall
from tests.recorder.session_table import START_MS, VENUE, Table, play_two_turns, recorded, run

BOOT = "0badc0de"
BIGGEST = 2**53 - 1
SINCE_1970_US = 1_760_000_000_000_000
BEAT = {"v": 1, "boot": BOOT, "seq_high": 1, "outbox": 1}
EVENT = {"v": 1, "dev": "cam", "boot": BOOT, "type": "board.stirred", "data": {"frame": "f"}}
SYNC = {"reference": "recorder", "offset_ms": 0.0, "error_ms": 1.0, "drift_ppm": -1e6}


def _beat(t: int) -> tuple[UpChannel, bytes]:
    return UpChannel.HEARTBEAT, json.dumps({**BEAT, "t": t}).encode()


def _event(seq: int, t: int, **more: Any) -> tuple[UpChannel, bytes]:
    return UpChannel.EVENT, json.dumps({**EVENT, "seq": seq, "t": t, **more}).encode()


def _raw(seq: int, data: str) -> tuple[UpChannel, bytes]:
    text = json.dumps({**EVENT, "seq": seq, "t": 5, "data": "DATA"})
    return UpChannel.EVENT, text.replace('"DATA"', data).encode()


POISON = {
    "a heartbeat at 2^53 - 1": [_beat(BIGGEST), _event(1, 0), _event(2, 5)],
    "an event at 2^53 - 1": [_event(1, BIGGEST), _event(2, 0)],
    "microseconds since 1970": [_beat(SINCE_1970_US), _event(1, 1_760_000_000_000), _event(2, 5)],
    "a heartbeat since 1970, events since the start": [_beat(1_760_000_000_000), _event(1, 5)],
    "a comparison of times that is absurd": [
        _event(1, 5, type="time.sync", data={**SYNC, "device_ms": 10**13}),
        _event(2, 6),
    ],
    "an infinite number": [_raw(1, '{"frame":"f","x":1e999}'), _event(2, 5)],
    "an infinite number within": [_raw(1, '{"frame":"f","x":[[-1e400]]}'), _event(2, 5)],
    "no number": [_raw(1, '{"frame":"f","x":NaN}'), _event(2, 5)],
    "a number of many digits": [_raw(1, '{"frame":"f","x":' + "9" * 5000 + "}"), _event(2, 5)],
    "985 arrays": [_raw(1, '{"x":' + "[" * 985 + "]" * 985 + "}"), _event(2, 5)],
    "a thousand objects": [_raw(1, '{"a":' * 1000 + "1" + "}" * 1000), _event(2, 5)],
    "60,000 brackets": [_raw(1, '{"x":' + "[" * 60_000), _event(2, 5)],
    "an event of 300 kB": [_raw(1, json.dumps({"x": "y" * 300_000})), _event(2, 5)],
    "an unknown type of 60 kB": [_event(1, 5, type="x.y", data={"x": "y" * 60_000}), _event(2, 5)],
    "a lone surrogate": [_raw(1, '{"frame":"\\ud800","x":"\\udfff"}'), _event(2, 5)],
}


@pytest.mark.slow
@pytest.mark.parametrize("poison", POISON.values(), ids=POISON)
def test_what_one_device_sends_stops_nobody(
    tmp_path: Path, table: Table, poison: list[tuple[UpChannel, bytes]]
) -> None:
    """The clock beside it is recorded and acknowledged, before and after a restart."""
    acks: list[Ack] = []
    table.bus.subscribe(
        str(Down(VENUE, "clock", DownChannel.ACK)),
        lambda message: acks.append(decode_ack(message.payload)),
    )
    for number in (1, 2):
        recorder, store = run(tmp_path, table)
        for channel, payload in poison:
            table.bus.publish(str(Up(VENUE, "cam", channel)), payload)
        table.press(Side.RIGHT, Side.LEFT)
        assert recorder.is_running
        eventually(lambda number=number: any(ack.upto == number for ack in acks))
        recorder.stop()
        store.close()
    rows = recorded(tmp_path)
    assert [row.type for row in rows].count("clock.press") == 2
    now = max(row.at for row in rows)
    assert all(now - LONGEST_MS <= row.at <= now for row in rows)


@pytest.mark.parametrize(
    "poison", [POISON["an infinite number"], POISON["985 arrays"], POISON["an event at 2^53 - 1"]]
)
def test_a_message_that_is_never_taken_does_not_block_its_own_device(
    tmp_path: Path, table: Table, poison: list[tuple[UpChannel, bytes]]
) -> None:
    """It is kept as refused, in its sender's name, and acknowledged with what comes after it."""
    acks: list[Ack] = []
    table.bus.subscribe(
        str(Down(VENUE, "cam", DownChannel.ACK)),
        lambda message: acks.append(decode_ack(message.payload)),
    )
    for _ in range(2):
        recorder, store = run(tmp_path, table)
        acks.clear()
        for channel, payload in poison * 3:
            table.bus.publish(str(Up(VENUE, "cam", channel)), payload)
        eventually(lambda: acks and acks[-1] == Ack(boot=BOOT, upto=2))
        recorder.stop()
        store.close()
    refused = [row for row in recorded(tmp_path) if row.type == "recorder.refused"]
    assert {(row.table, row.device, row.body["data"]["code"]) for row in refused} == {
        (1, "cam", "malformed")
    }
    assert len(refused) == 1


def test_who_says_what_its_role_does_not_say_is_refused(tmp_path: Path, table: Table) -> None:
    """A camera presses no clock and gives no orders; nobody speaks for the recorder itself."""
    recorder, store = run(tmp_path, table)
    pressed = {"side": "L", "left_ms": 1, "right_ms": 1, "running": "R"}
    lost = {"device": "clock", "reason": {"code": "broker_says", "values": {"state": "lost"}}}
    for seq, (type_name, data) in enumerate(
        [("clock.press", pressed), ("device.lost", lost), ("order.note", {"table": 2})] * 50, 1
    ):
        channel, payload = _event(seq, 5, type=type_name, data=data)
        table.bus.publish(str(Up(VENUE, "cam", channel)), payload)
    eventually(lambda: recorder.counters.refused == 150)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    (refused,) = [row for row in rows if row.type == "recorder.refused"]
    assert refused.body["data"]["fault"] == (
        "cam is a board-camera, and no board-camera says clock.press"
    )
    assert {row.type for row in rows} == {"game.started", "recorder.refused"}


MAY_SAY = {
    "board-camera": "board.seen board.not_seen board.stirred board.still board.reached",
    "rack-camera": "rack.seen",
    "slip-camera": "slip.seen",
    "serial-clock": "clock.press clock.change table.announced table.acted",
    "dgt-clock": "clock.press clock.change",
    "mqtt-clock": "clock.press clock.change table.announced table.acted",
    "clock": "clock.press clock.change",
    "pad": "table.announced table.acted",
    "scorer-box": "clock.press clock.change table.announced table.acted",
    "assistant": "rack.typed",
    "bag-scale": "bag.weight bag.lifted bag.returned",
    "rack-counter": "rack.count",
    "a-role-of-nobody": "",
}


def test_every_role_may_say_something() -> None:
    """A role without its types would end the recorder at the first event of such a device."""
    assert set(SAYS) == set(DeviceRole) == set(MAY_SAY) - {"a-role-of-nobody"}


@pytest.mark.parametrize("role", MAY_SAY)
def test_a_device_says_what_its_role_says_and_nothing_else(role: str) -> None:
    admission = Admission({"d": role}, ("console",), None)
    said = {*MAY_SAY[role].split(), *(["time.sync"] if MAY_SAY[role] else [])}
    taken, reasons = set(), set()
    for seq, type_name in enumerate((*sorted(OBSERVATION_TYPES), "order.note"), 1):
        _, payload = _event(seq, 5, dev="d", type=type_name)
        try:
            taken.add(admission.admit(str(Up(VENUE, "d", UpChannel.EVENT)), payload).type)
        except MessageRefusedError as refused:
            reasons.add(refused.reason)
    assert (taken, reasons) == (said, {Refusal.ROLE})


def test_bad_heartbeats_are_told_once(
    tmp_path: Path, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Three thousand of them are one line; long topics and texts are cut."""
    recorder, store = run(tmp_path, table)
    for _ in range(50):
        table.bus.publish(str(Up(VENUE, "cam", UpChannel.HEARTBEAT)), b"x" * 20_000)
    eventually(lambda: recorder.counters.refused == 50)
    recorder.stop()
    store.close()
    (line,) = [text for text in caplog.messages if "heartbeat" in text]
    assert len(line) < 600


def test_every_type_but_the_recorders_own_belongs_to_a_role() -> None:
    """A new observation needs somebody who may say it."""
    said = {type_name for types in SAYS.values() for type_name in types}
    assert set(OBSERVATION_TYPES) - said == {
        "clock.doubt",
        "camera.doubt",
        "camera.exchanged",
        "device.lost",
        "device.back",
        "device.missing",
        "time.set",
    }


def test_two_contents_under_one_number_are_told(tmp_path: Path, table: Table) -> None:
    """Who comes first proves nothing: somebody spoke under the clock's boot and number."""
    recorder, store = run(tmp_path, table)
    forged = ClockPressed(side=Side.LEFT, left_ms=1, right_ms=1, running=Side.RIGHT)
    table.say("clock", forged)
    table.say("clock", forged, number=1)
    table.press(Side.RIGHT, Side.LEFT)
    honest = ClockPressed(side=Side.RIGHT, left_ms=2, right_ms=2, running=Side.LEFT)
    table.say("clock", honest, number=3)
    table.say("clock", ClockPressed(side=Side.LEFT, left_ms=9, right_ms=2, running=Side.RIGHT),
              number=3)  # fmt: skip
    recorder.stop()
    store.close()
    (told,) = [row for row in recorded(tmp_path) if row.type == "recorder.refused"]
    assert told.body["data"]["code"] == "contradicted"
    assert "clock said two things under boot 0000abcd number 3" in told.body["data"]["fault"]
    assert told.table == 1


def test_a_row_that_no_log_can_store_is_kept_as_refused(tmp_path: Path, table: Table) -> None:
    """Whatever makes it unfit: the rest of its batch is stored, and its number counts."""
    recorder, store = run(tmp_path, table)
    recorder.stop()
    fit, unfit = (
        NewRow(table=1, game="g1", kind=Kind.OBSERVED, at=at, body={"type": "x.y", "data": {}},
               key=("cam", BOOT, seq))
        for seq, at in ((1, 5), (2, -5))
    )  # fmt: skip
    with pytest.raises(UnfitRowError):
        store.append([fit, unfit])
    kept = recorder._writer.append_fit([fit, unfit], recorder._refusals.unfit)
    assert [row.type for row in kept if row is not None] == ["x.y", "recorder.refused"]
    assert store.contiguous("cam", BOOT) == 2
    store.close()


def test_a_fault_of_one_fold_is_a_doubt_of_its_table(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the fold breaks at is left out and reported once; the game goes on, and after a restart.

    Once the fold can read it, what was reported is taken back.
    """

    def breaking(state: TableState, observed: Stamped) -> TableState:
        if observed.observation == BoardStirred(frame="poison"):
            raise RecursionError("too deep for this table")
        return take(state, observed)

    monkeypatch.setattr(recorder.table.folded, "take", breaking)
    for _ in range(2):
        service, store = run(tmp_path, table)
        table.say("cam", BoardStirred(frame="poison"))
        assert service.is_running
        service.stop()
        store.close()
    service, store = run(tmp_path, table)
    play_two_turns(table)
    service.stop()
    store.close()
    rows = recorded(tmp_path)
    poisons = [row.seq for row in rows if row.type == "board.stirred"]
    faults = [row for row in rows if row.type == "recorder.refused"]
    assert {fault.body["data"]["code"] for fault in faults} == {"fault"}
    assert [fault.refs for fault in faults] == [(seq,) for seq in poisons]
    said = "of cam (BoardStirred) broke the record of this table: RecursionError"
    assert said in faults[0].body["data"]["fault"]
    assert [row.type for row in rows].count("game.played") == 2
    assert "table.notice_over" not in {row.type for row in rows}
    monkeypatch.undo()
    service, store = run(tmp_path, table)  # a release that reads them
    table.press(Side.LEFT, Side.RIGHT)
    service.stop()
    store.close()
    over = [row.refs[0] for row in recorded(tmp_path) if row.type == "table.notice_over"]
    assert over == [fault.seq for fault in faults]
    lines = timeline(recorded(tmp_path))
    left = [line["seq"] for line in lines if line["type"] == "recorder.refused"]
    assert left == over
    assert all(line["superseded_by"] for line in lines if line["seq"] in over)


def test_a_table_whose_fold_is_slow_gets_its_slice_alone(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One step of table 2, then what has come meanwhile; nothing of it is left unfolded."""
    folded: list[Stamped] = []

    def counted(state: TableState, observed: Stamped) -> TableState:
        folded.append(observed)
        return take(state, observed)

    monkeypatch.setattr(recorder.table.folded, "take", counted)
    for number in range(1, 31):
        hall.send("cam-2", BoardStirred(frame=f"f{number}"))
    service = hall.recorder
    eventually(lambda: len(service._inbox) == 30)
    rounds = 0
    while len(service._inbox):  # one table takes only a part of a round
        service._take_in(service._inbox.take(500), 0.0)
        rounds += 1
    start = ClockPressed(side=Side.RIGHT, left_ms=START_MS, right_ms=START_MS, running=Side.LEFT)
    hall.send("clock-1", start)
    eventually(lambda: len(service._inbox) == 1)
    service._take_in(service._inbox.take(500), 0.0)
    assert service.counters.stored == 31
    assert len(folded) <= rounds + 2
    service.catch_up()
    assert len(folded) == 31
