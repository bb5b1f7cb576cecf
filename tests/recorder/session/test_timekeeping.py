"""When something was, and which clocks lie; what a recorder does not take."""

import json
import random
from pathlib import Path

import pytest

from recorder.domain.notices import coded
from recorder.domain.observations import (
    ClockAct,
    ClockChanged,
    ClockFault,
    ClockPressed,
    ClockSynced,
    Observation,
    Side,
)
from recorder.domain.orders import AdjustClock, EndGame
from recorder.domain.row_kind import Kind
from recorder.frames import desk
from recorder.log.port import Row
from recorder.projections.needs import needs
from recorder.projections.timeline import Timeline
from recorder.service.incoming.admission import (
    PROBE_DEVICE,
    PROBE_TYPE,
    Admission,
    MessageRefusedError,
    Refusal,
)
from recorder.service.timekeeping import ClockWatch, Times
from recorder.wire.control import Heartbeat
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from tests.eventually import eventually
from tests.recorder.session_table import START_MS, VENUE, Table, recorded, run

BOOT = "0000abcd"
BASE = 1_700_000_000_000


def _event(t_ms: int, observation: Observation | None = None) -> Envelope:
    observation = observation or ClockPressed(
        side=Side.LEFT, left_ms=5, right_ms=5, running=Side.RIGHT
    )
    name, data = encode_observation(observation)
    return Envelope(dev="clock", boot=BOOT, seq=1, t_ms=t_ms, type=name, data=data)


def _row(event: Envelope, at: int, table: int = 1) -> Row:
    body = {"type": event.type, "data": event.data, "t": event.t_ms}
    return Row(
        seq=1, table=table, game="g", kind=Kind.OBSERVED, v=1, at=at, body=body, refs=(),
        key=event.key, prev_hash="", hash="",
    )  # fmt: skip


def _synced(device_ms: int, offset_ms: float, drift_ppm: float | None = None) -> Envelope:
    sync = ClockSynced(
        reference="recorder",
        device_ms=device_ms,
        offset_ms=offset_ms,
        error_ms=2,
        drift_ppm=drift_ppm,
    )
    return _event(device_ms, sync)


def test_without_a_comparison_the_quickest_arrival_counts():
    """As slow networks only ever add."""
    times = Times()
    assert times.at(_event(1_000), BASE + 1_030) == BASE + 1_030
    assert times.at(_event(2_000), BASE + 2_005) == BASE + 2_005
    assert times.at(_event(3_000), BASE + 9_000) == BASE + 3_005


def test_a_heartbeat_is_an_arrival_for_those_who_tell_late():
    """A rack is reported half a second after its tiles came to stand."""
    times = Times()
    beat = Heartbeat(boot=BOOT, t_ms=1_000, seq_high=0, outbox=0)
    times.heard("clock", beat, BASE + 1_004)
    assert times.at(_event(2_000), BASE + 2_530) == BASE + 2_004


def test_a_comparison_corrects_what_every_arrival_adds_and_the_drift():
    """40 ms on every way, and a clock that gains 100 ppm: a quarter of an hour later 5 ms off."""
    chance = random.Random(3)
    times = Times()
    times.at(_event(1_000), BASE + 1_040)
    times.remember(_row(_synced(60_000, BASE, 100.0), BASE + 60_040))
    worst = 0.0
    for true_ms in range(60_000, 960_000, 1_000):
        device_ms = round(60_000 + (true_ms - 60_000) * (1 + 100e-6))
        at = times.at(_event(device_ms), BASE + true_ms + 40 + chance.randint(0, 200))
        worst = max(worst, abs(at - BASE - true_ms))
    assert worst <= 5


def test_a_comparison_that_cannot_be_true_is_not_used():
    """Nothing comes in before it happened, nor ever only ten seconds later."""
    for offset_ms in (BASE + 5_000, BASE - 10_000):
        times = Times()
        times.at(_event(1_000), BASE + 1_040)
        times.remember(_row(_synced(2_000, offset_ms), BASE + 2_040))
        assert times.at(_event(3_000), BASE + 3_040) == BASE + 3_040


def test_a_clock_that_was_set_back_is_right_after_its_next_comparison():
    """The quickest arrival of before says nothing any more."""
    times = Times()
    times.at(_event(500_000), BASE + 500_010)
    times.at(_synced(501_000, BASE), BASE + 501_010)
    # An hour off, and the agent's machine has set its clock back by 100 s since.
    times.at(_synced(502_000, BASE + 3_700_000), BASE + 4_202_020)
    assert times.at(_event(503_000), BASE + 4_203_500) == BASE + 4_203_000


def test_a_comparison_that_comes_late_is_used_all_the_same():
    """It waited ten seconds for the network; what it says is no older for that."""
    times = Times()
    times.at(_event(1_000), BASE + 1_040)
    times.at(_synced(2_000, BASE), BASE + 12_000)
    assert times.at(_event(3_000), BASE + 12_000) == BASE + 3_000


def _pressed(t_ms: int, left_ms: int, side: Side = Side.LEFT) -> Envelope:
    running = Side.RIGHT if side is Side.LEFT else Side.LEFT
    return _event(t_ms, ClockPressed(side=side, left_ms=left_ms, right_ms=9_000, running=running))


def test_a_lie_is_said_once_a_minute():
    """Not with every press; and a table whose clock is not checked is left in peace."""
    watch, exempt = ClockWatch(), ClockWatch(frozenset({1}))
    news = []
    for turn in range(10):
        side = Side.RIGHT if turn % 2 == 0 else Side.LEFT
        row = _row(_pressed(turn * 10_000, 900_000, side), BASE + turn * 10_000)
        news += watch.take(row)
        assert exempt.take(row) == []
    assert {doubt.fault for doubt in news} == {ClockFault.REMAINING}
    assert len(news) == 2
    assert news[0].device == "clock"


def test_a_drift_that_a_device_reports_of_itself_is_told():
    """Beyond 500 ppm no quartz and no resonator is right."""
    watch = ClockWatch()
    assert watch.take(_row(_synced(1_000, BASE, 90.0), BASE)) == []
    (doubt,) = watch.take(_row(_synced(61_000, BASE, -900.0), BASE + 60_000))
    assert doubt.fault is ClockFault.DRIFT
    assert doubt.detail == coded("time_loses", ppm=900, reference="recorder")


def test_the_director_hears_of_a_clock_that_lies(tmp_path: Path):
    """In the log beside the press, with the reason, and at once on the alert topic."""
    table, alerts = Table(), []
    topic = f"tc/v1/{VENUE}/int/table/1/alert"
    table.bus.subscribe(topic, lambda message: alerts.append(json.loads(message.payload)))
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.now_ms += 60_000
    table.left[Side.LEFT] -= 5_000
    table.press(Side.LEFT, Side.RIGHT)
    recorder.stop()
    store.close()
    (doubt,) = [row for row in recorded(tmp_path) if row.body["type"] == "clock.doubt"]
    assert doubt.table == 1
    assert doubt.body["data"]["detail"] == {
        "code": "half_fell",
        "values": {"half": "L", "fell_ms": 5_000, "passed_ms": 60_000},
    }
    (alert,) = [one for one in alerts if one.get("type") == "clock.doubt"]
    assert alert["seq"] == doubt.seq
    said = "a clock reading cannot be right: clock: the left clock was running"
    assert alert["text"].startswith(said)


def _needs_of_clock(folder: Path) -> list[desk.Need]:
    story = Timeline(1)
    for row in recorded(folder):
        story.advance(row)
    found = needs(story.items(), [], [], {})
    return [need for need in found if need["code"] == "clock.doubt"]


@pytest.mark.parametrize("left_player", [0, 1])
def test_a_clock_that_starts_again_with_other_times_can_be_set_back(
    tmp_path: Path, left_player: int
):
    """15:54 and 18:48 are left and Ben's half runs; then both show 25:00. Set, and all is well."""
    table = Table()
    recorder, store = run(tmp_path, table, left_player=left_player)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 546)
    table.press(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 372)
    table.press(Side.RIGHT, Side.LEFT)
    table.now_ms += 10_000
    table.restart("clock")
    believed = dict(table.left)
    table.left = dict.fromkeys(table.left, START_MS)
    table.press(Side.LEFT, Side.RIGHT)
    eventually(lambda: _needs_of_clock(tmp_path), "the director is asked")
    (need,) = _needs_of_clock(tmp_path)
    assert "shows 25:00 / 25:00 instead of 15:44 / 18:48" in need["text"]
    by_ms = (-(START_MS - believed[Side.LEFT] + 10_000), -(START_MS - believed[Side.RIGHT]))
    first, second = by_ms if left_player == 0 else by_ms[::-1]
    assert need["facts"] == {"first_by_ms": first, "second_by_ms": second}
    table.order(AdjustClock(player=left_player, left_ms=believed[Side.LEFT] - 10_000))
    eventually(lambda: not _needs_of_clock(tmp_path), "a clock that was set is no doubt")
    recorder.stop()
    store.close()


def test_a_clock_that_goes_on_where_another_stood_is_believed(tmp_path: Path):
    """Its times fit; one that is set first may show what it likes, and so after the game."""
    table = Table()
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 100)
    table.restart("clock")
    table.press(Side.LEFT, Side.RIGHT)
    table.restart("clock")
    table.left = dict.fromkeys(table.left, START_MS // 2)
    act = ClockAct.ADJUST
    left, right = table.left.values()
    table.say("clock", ClockChanged(act=act, left_ms=left, right_ms=right, running=Side.RIGHT))
    table.order(EndGame())
    table.restart("clock")
    table.left = dict.fromkeys(table.left, START_MS)
    table.press(Side.LEFT, Side.RIGHT)
    recorder.stop()
    store.close()
    assert not [row for row in recorded(tmp_path) if row.body["type"] == "clock.doubt"]


@pytest.mark.parametrize("restarts", [False, True])
def test_a_clock_that_was_not_reset_is_told_until_it_is_set(tmp_path: Path, *, restarts: bool):
    """As the game starts, with the times that it should show; a reset ends the doubt."""
    table = Table()
    recorder, store = run(tmp_path, table)
    if restarts:
        recorder.stop()
        store.close()
        recorder, store = run(tmp_path, table)
    table.left = {Side.LEFT: START_MS - 94_000, Side.RIGHT: START_MS - 50_000}
    table.press(Side.RIGHT, Side.LEFT)
    eventually(lambda: _needs_of_clock(tmp_path), "the director is asked")
    (need,) = _needs_of_clock(tmp_path)
    assert "it started with 23:26 / 24:10 instead of 25:00 / 25:00" in need["text"]
    assert need["facts"] == {"first_by_ms": 94_000, "second_by_ms": 50_000}
    table.say(
        "clock",
        ClockChanged(act=ClockAct.RESET, left_ms=START_MS, right_ms=START_MS, running=Side.NONE),
    )
    eventually(lambda: not _needs_of_clock(tmp_path), "a clock that was reset is no doubt")
    recorder.stop()
    store.close()


EV = f"tc/v1/{VENUE}/up/clock/ev"


@pytest.mark.parametrize(
    ("topic", "change", "reason"),
    [
        (EV, {"v": 2}, Refusal.VERSION),
        (EV, {"dev": "clock-2"}, Refusal.FORGED),
        (EV, {"seq": 0}, Refusal.MALFORMED),
        (EV.replace("clock", "other"), {"dev": "other"}, Refusal.FOREIGN),
    ],
)
def test_what_is_not_taken_is_counted_by_reason(topic: str, change: dict[str, object], reason: str):
    """Another version, another's name, a device of no table, nonsense: and news only once."""
    admission = Admission({"clock": "serial-clock"})
    assert admission.admit(EV, encode_envelope(_event(1))).dev == "clock"
    payload = json.dumps({**json.loads(encode_envelope(_event(1))), **change}).encode()
    news = []
    for _ in range(3):
        with pytest.raises(MessageRefusedError) as refused:
            admission.admit(topic, payload)
        news.append(refused.value.is_news)
    assert news == [True, False, False]
    assert admission.counts == {**dict.fromkeys(Refusal, 0), reason: 3}


def test_the_doctor_is_let_in_with_its_probe_only():
    """It is at no table, and says nothing else."""
    admission = Admission({"clock": "serial-clock"})
    topic = f"tc/v1/{VENUE}/up/{PROBE_DEVICE}/ev"
    probe = Envelope(dev=PROBE_DEVICE, boot=BOOT, seq=1, t_ms=1, type=PROBE_TYPE, data={})
    assert admission.admit(topic, encode_envelope(probe)) == probe
    name, data = encode_observation(
        ClockPressed(side=Side.LEFT, left_ms=1, right_ms=1, running=Side.RIGHT)
    )
    other = Envelope(dev=PROBE_DEVICE, boot=BOOT, seq=1, t_ms=1, type=name, data=data)
    with pytest.raises(MessageRefusedError, match="assigned to no table"):
        admission.admit(topic, encode_envelope(other))


def test_a_stranger_is_not_acknowledged_and_fills_no_log(tmp_path: Path):
    """It sends again and again; the log has one row about it."""
    table = Table()
    recorder, store = run(tmp_path, table)
    name, data = encode_observation(
        ClockPressed(side=Side.LEFT, left_ms=1, right_ms=1, running=Side.RIGHT)
    )
    stranger = Envelope(dev="stranger", boot=BOOT, seq=1, t_ms=1, type=name, data=data)
    for _ in range(20):
        table.bus.publish(f"tc/v1/{VENUE}/up/stranger/ev", encode_envelope(stranger))
    table.press(Side.RIGHT, Side.LEFT)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    (refused,) = [row for row in rows if row.body["type"] == "recorder.refused"]
    assert "stranger is assigned to no table" in refused.body["data"]["fault"]
    assert not [row for row in rows if row.key is not None and row.key[0] == "stranger"]
    assert recorder.counters.refused == 20
