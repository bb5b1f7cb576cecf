"""A clock on a real serial port: presses, noise, a pulled cable, a restarted agent."""

import errno
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from devices.clocks.ack_mark import AckMark, AckMarkFile
from devices.clocks.serial_clock import SerialClock, command_body
from devices.lab.memory_ports import MemoryLink, MemoryOutlet
from devices.lab.peers.clock_firmware import ClockFace, ClockFirmware
from devices.lab.peers.serial_peer import SerialPeer
from devices.link.serial_port import SerialLink
from devices.ports import Condition, Ticks
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import Resend
from recorder import systems
from recorder.domain.errors import DeviceError
from recorder.domain.observations import (
    Acted,
    Announced,
    ClockAct,
    ClockChanged,
    ClockDoubted,
    ClockFault,
    ClockPressed,
    ClockSynced,
    Say,
    Side,
    TurnAct,
)
from recorder.domain.tile_text import read_tile
from recorder.wire.control import Command
from tests.eventually import eventually


@contextmanager
def _clock_on(
    peer: SerialPeer, outlet: MemoryOutlet, folder: Path, ticks: Ticks
) -> Iterator[SerialClock]:
    link = SerialLink(peer.path, ticks)
    clock = SerialClock("clock-1", link, outlet, AckMarkFile(folder / "clock-1.mark"), ticks)
    stop = threading.Event()
    thread = threading.Thread(target=clock.run, args=(stop,))
    thread.start()
    try:
        yield clock
    finally:
        stop.set()
        thread.join()


@pytest.fixture
def peer() -> Iterator[SerialPeer]:
    """A clock with its cable plugged in."""
    with SerialPeer(beat_s=0.1) as simulated:
        yield simulated


def _no_terminal() -> None:
    raise OSError(errno.ENODEV, "No such device")


@pytest.fixture(params=[True, False], ids=["terminal", "socket"])
def any_peer(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SerialPeer]:
    """A clock on each kind of port: Windows has no terminals, nor have some containers."""
    if not request.param:
        monkeypatch.setattr(systems, "open_terminal", _no_terminal)
    with SerialPeer(beat_s=0.1) as simulated:
        assert simulated.path.startswith("/" if request.param else "socket://")
        yield simulated


def _presses(outlet: MemoryOutlet) -> list[ClockPressed]:
    return [seen for _, seen in outlet.observed if isinstance(seen, ClockPressed)]


def test_presses_arrive_with_both_times(any_peer: SerialPeer, tmp_path: Path, ticks: Ticks):
    """What the players did on the clock is what the outlet holds, and the clock may forget it."""
    outlet = MemoryOutlet()
    with _clock_on(any_peer, outlet, tmp_path, ticks) as clock:
        eventually(lambda: clock.health().condition is Condition.READY)
        any_peer.press(Side.RIGHT)
        any_peer.advance(61_000)
        any_peer.press(Side.LEFT)
        any_peer.advance(5_000)
        any_peer.pause()
        any_peer.resume()
        before_ms = ticks()
        eventually(lambda: len(outlet.observed) == 4)
        eventually(lambda: any_peer.outbox == 0)
    times = {"left_ms": 1_439_000, "right_ms": 1_495_000}
    assert [seen for _, seen in outlet.observed] == [
        ClockPressed(side=Side.RIGHT, left_ms=1_500_000, right_ms=1_500_000, running=Side.LEFT),
        ClockPressed(side=Side.LEFT, left_ms=1_439_000, right_ms=1_500_000, running=Side.RIGHT),
        ClockChanged(act=ClockAct.PAUSE, **times, running=Side.NONE),
        ClockChanged(act=ClockAct.RESUME, **times, running=Side.RIGHT),
    ]
    assert all(abs(at_ms - before_ms) < 1_000 for at_ms, _ in outlet.observed)


# pyserial leaves a socket that was reset for the garbage collector to close.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_said_by_a_button_is_kept_like_a_press(
    any_peer: SerialPeer, tmp_path: Path, ticks: Ticks
):
    """The scorer's box speaks on the clock's line: numbered, in order, even with the cable out."""
    outlet = MemoryOutlet()
    with _clock_on(any_peer, outlet, tmp_path, ticks) as clock:
        eventually(lambda: clock.health().condition is Condition.READY)
        any_peer.press(Side.RIGHT)
        any_peer.say(Side.LEFT, Say.EXCHANGE, 3)
        eventually(lambda: len(outlet.observed) == 2)
        any_peer.unplug()
        eventually(lambda: clock.health().condition is Condition.LOST)
        any_peer.press(Side.LEFT)
        any_peer.say(Side.RIGHT, Say.BONUS, 5)
        any_peer.act(Side.LEFT, TurnAct.BLANK, 1, "Ö")
        any_peer.replug()
        eventually(lambda: len(outlet.observed) == 5)
        eventually(lambda: any_peer.outbox == 0)
    first, said, last, late, named = (seen for _, seen in outlet.observed)
    assert isinstance(first, ClockPressed)
    assert isinstance(last, ClockPressed)
    assert said == Announced(side=Side.LEFT, say=Say.EXCHANGE, count=3)
    assert late == Announced(side=Side.RIGHT, say=Say.BONUS, count=5)
    assert named == Acted(side=Side.LEFT, act=TurnAct.BLANK, count=1, letter=read_tile("Ö"))


@pytest.mark.parametrize(
    ("side", "say", "count"),
    [(Side.LEFT, Say.EXCHANGE, 8), (Side.LEFT, Say.PASS, 1), (Side.NONE, Say.PASS, 0)],
)
def test_the_simulated_box_has_no_button_for_what_the_line_forbids(
    ticks: Ticks, side: Side, say: Say, count: int
):
    """A script that asks for it is wrong and hears so at once."""
    clock = ClockFirmware("C1", "3f9a", ClockFace(), ticks)
    with pytest.raises(ValueError, match="no button"):
        clock.say(side, say, count)


def test_the_flag_falls_and_time_runs_below_zero(tmp_path: Path, ticks: Ticks):
    """Overtime is a negative time, and the moment of zero is its own event."""
    outlet = MemoryOutlet()
    face = ClockFace(left_ms=2_000, right_ms=9_000)
    with SerialPeer(face=face, beat_s=0.1) as peer, _clock_on(peer, outlet, tmp_path, ticks):
        eventually(lambda: peer.press(Side.RIGHT) or peer.face.running is Side.LEFT)
        peer.advance(3_500)
        peer.press(Side.LEFT)
        eventually(lambda: len(outlet.observed) == 3)
    flag, press = (seen for _, seen in outlet.observed[1:])
    assert isinstance(flag, ClockChanged)
    assert isinstance(press, ClockPressed)
    assert (flag.act, press.left_ms) == (ClockAct.FLAG, -1_500)


def test_a_line_that_stutters_noise_loses_no_press(peer: SerialPeer, tmp_path: Path, ticks: Ticks):
    """Half lines, garbage and spoilt presses on the line: every press once, in order."""
    outlet = MemoryOutlet()
    with _clock_on(peer, outlet, tmp_path, ticks) as clock:
        eventually(lambda: clock.health().condition is Condition.READY)
        for turn in range(40):
            # The open "$" swallows the start of the press that follows: that line is damaged.
            peer.noise(b"\xff\x00U$TCC1,CLO" + b"\x55" * (turn % 17))
            peer.noise(b"$TCC1,CLOCK1,0,0,0" if turn % 3 else b"\n")
            peer.press(Side.RIGHT if turn % 2 == 0 else Side.LEFT)
            peer.advance(1_000)
        eventually(lambda: len(outlet.observed) == 40)
        eventually(lambda: peer.outbox == 0)
        assert clock.damaged_lines >= 40
    sides = [press.side for press in _presses(outlet)]
    assert sides == [Side.RIGHT, Side.LEFT] * 20


def test_a_pulled_cable_is_logged_once_and_its_presses_come_later(
    peer: SerialPeer,
    tmp_path: Path,
    ticks: Ticks,
    caplog: pytest.LogCaptureFixture,
):
    """The clock goes on while nobody listens; nothing is lost, nothing doubled."""
    caplog.set_level(logging.INFO, logger="devices.link.serial_port")
    outlet = MemoryOutlet()
    with _clock_on(peer, outlet, tmp_path, ticks) as clock:
        eventually(lambda: clock.health().condition is Condition.READY)
        peer.press(Side.RIGHT)
        eventually(lambda: len(outlet.observed) == 1)
        peer.unplug()
        eventually(lambda: clock.health().condition is Condition.LOST)
        peer.advance(30_000)
        peer.press(Side.LEFT)
        peer.advance(10_000)
        peer.press(Side.RIGHT)
        eventually(lambda: "lost" in caplog.text)
        peer.replug()
        eventually(lambda: clock.health().condition is Condition.READY)
        eventually(lambda: len(outlet.observed) == 3)
        eventually(lambda: peer.outbox == 0)
    assert [press.left_ms for press in _presses(outlet)] == [1_500_000, 1_470_000, 1_470_000]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_an_agent_that_starts_again_keeps_no_press_twice(
    peer: SerialPeer, tmp_path: Path, ticks: Ticks
):
    """Presses while the agent was away come in; those it had are not taken again."""
    outlet = MemoryOutlet()
    with _clock_on(peer, outlet, tmp_path, ticks):
        eventually(lambda: peer.press(Side.RIGHT) or peer.seq_high == 1)
        eventually(lambda: len(outlet.observed) == 1)
    peer.press(Side.LEFT)
    with _clock_on(peer, outlet, tmp_path, ticks):
        eventually(lambda: len(outlet.observed) == 2)
        eventually(lambda: peer.outbox == 0)
    assert [press.side for press in _presses(outlet)] == [Side.RIGHT, Side.LEFT]


@pytest.mark.parametrize(("seq_high", "upto"), [(6, 3), (7, 4)], ids=["not kept yet", "kept"])
def test_a_kill_between_mark_and_outbox_is_told_from_one_after(seq_high: int, upto: int):
    """The mark names the number the event will get; the outbox knows whether it was given."""
    mark = AckMark(boot="3f9a", seq=4, outlet_boot="aaaaaaaa", outlet_seq=7)
    assert mark.upto("aaaaaaaa", seq_high) == upto


def test_the_times_can_be_set_from_the_bus(peer: SerialPeer, tmp_path: Path, ticks: Ticks):
    """A director's correction reaches the clock, and the clock says so itself."""
    outlet = MemoryOutlet()
    with _clock_on(peer, outlet, tmp_path, ticks) as clock:
        eventually(lambda: clock.health().condition is Condition.READY)
        args = {"left_ms": 60_000, "right_ms": -4_000}
        clock.command(Command(id="c1", cmd="set", args=args))
        clock.command(Command(id="c2", cmd="run", args={"side": "R"}))
        clock.command(Command(id="c3", cmd="explode", args={}))
        eventually(lambda: len(outlet.observed) == 2 and len(outlet.responses) == 3)
    adjusted, resumed = (seen for _, seen in outlet.observed)
    assert adjusted == ClockChanged(
        act=ClockAct.ADJUST, left_ms=60_000, right_ms=-4_000, running=Side.NONE
    )
    assert isinstance(resumed, ClockChanged)
    assert resumed.running is Side.RIGHT
    assert outlet.responses[:2] == [("c1", ""), ("c2", "")]
    assert "explode" in outlet.responses[2][1]


@pytest.mark.parametrize(
    ("cmd", "args"),
    [("set", {"left_ms": "5"}), ("set", {"left_ms": 5}), ("run", {"side": "X"}), ("beep", {})],
)
def test_a_wrong_command_is_refused_by_name(cmd: str, args: dict[str, object]):
    """Anyone who sends it learns which argument is wrong."""
    with pytest.raises(DeviceError, match=cmd):
        command_body(Command(id="1", cmd=cmd, args=args))


def test_an_unacknowledged_disk_write_is_not_acknowledged_to_the_clock(
    tmp_path: Path, ticks: Ticks
):
    """When the outlet cannot keep a press, the clock must go on keeping it."""

    class FullDisk(MemoryOutlet):
        def observe(self, *_: object) -> int:
            raise OSError("disk full")

    link = MemoryLink()
    link.connect()
    clock = SerialClock("clock-1", link, FullDisk(), AckMarkFile(tmp_path / "m"), ticks)
    press = ClockPressed(side=Side.LEFT, left_ms=1, right_ms=1, running=Side.RIGHT)
    link.deliver(TccFrame(dev="C1", boot="3f9a", seq=1, t_ms=5, body=press).to_bytes())
    clock.step(0)
    with pytest.raises(OSError, match="disk full"):
        clock.step(0)
    said = [line.body for line in LineReader().feed(link.written) if isinstance(line, TccFrame)]
    assert [body for body in said if body.KIND == "ACK"] == []


def test_a_silent_port_says_what_to_check(tmp_path: Path):
    """An open port without a clock is not 'ready', and soon 'lost'."""
    now_ms = [0]
    link = MemoryLink("/dev/ttyUSB9")
    link.connect()
    clock = SerialClock(
        "clock-1", link, MemoryOutlet(), AckMarkFile(tmp_path / "m"), lambda: now_ms[0]
    )
    clock.step(0)
    assert clock.health().condition is Condition.STARTING
    now_ms[0] = 3_001
    health = clock.health()
    assert health.condition is Condition.LOST
    assert "115200" in health.detail


def test_a_gap_is_asked_for_on_the_wire(tmp_path: Path, ticks: Ticks):
    """Event 2 without event 1: the host says RESEND."""
    link = MemoryLink()
    link.connect()
    clock = SerialClock("clock-1", link, MemoryOutlet(), AckMarkFile(tmp_path / "m"), ticks)
    press = ClockPressed(side=Side.LEFT, left_ms=1, right_ms=1, running=Side.RIGHT)
    link.deliver(TccFrame(dev="C1", boot="3f9a", seq=2, t_ms=5, body=press).to_bytes())
    clock.step(0)
    clock.step(0)
    said = [line.body for line in LineReader().feed(link.written) if isinstance(line, TccFrame)]
    assert Resend(first=1, last=1) in said


def test_a_clock_whose_own_time_jumps_is_told(tmp_path: Path):
    """Its comparisons with the agent show it: said once, and dated rightly from then on."""
    now_ms, ahead_ms = [0], 0
    link, outlet = MemoryLink("clock", lambda: now_ms[0]), MemoryOutlet()
    link.connect()
    clock = SerialClock("clock-1", link, outlet, AckMarkFile(tmp_path / "m"), lambda: now_ms[0])
    firmware = ClockFirmware("C1", "3f9a", ClockFace(), lambda: now_ms[0] + 7_000 + ahead_ms)
    reader = LineReader()
    link.deliver(b"".join(frame.to_bytes() for frame in firmware.greeting()))
    for second in range(60):
        now_ms[0] = 1_000 * second
        ahead_ms = 5_000 if second >= 40 else 0
        clock.step(0)
        for line in reader.feed(link.written):
            assert isinstance(line, TccFrame)
            for answer in firmware.hear(line):
                link.deliver(answer.to_bytes())
        link.written.clear()
        while link._news.qsize():
            clock.step(0)
    seen = [one for _, one in outlet.observed]
    (doubt,) = [one for one in seen if isinstance(one, ClockDoubted)]
    assert (doubt.device, doubt.fault) == ("clock-1", ClockFault.JUMP)
    assert doubt.detail.code == "leapt"
    assert dict(doubt.detail.values)["by_ms"] == pytest.approx(5_000, abs=5)
    synced = [one for one in seen if isinstance(one, ClockSynced)]
    assert [one.reference for one in synced] == ["agent"] * 2
    assert [one.offset_ms for one in synced] == [-7_000, -12_000]
