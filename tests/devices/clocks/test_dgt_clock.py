"""A clock behind a DGT e-board: frames, and the driver on a real pseudo-terminal."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from devices.clocks.dgt_clock import DgtClock
from devices.clocks.dgt_frames import ClockTimes, DgtReader, NoClock
from devices.lab.memory_ports import MemoryLink, MemoryOutlet
from devices.lab.peers.dgt_board import BOARD_DUMP, DgtBoard, encode_no_clock, encode_times
from devices.link.serial_port import SerialLink
from devices.ports import Condition, Ticks
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from recorder.wire.control import Command
from tests.eventually import eventually

pytestmark = pytest.mark.slow

KNOWN = bytes.fromhex("8d000a00243100250011")
"""25:00 left, 24:31 right, running, left to move."""


@contextmanager
def _clock_on(board: DgtBoard, outlet: MemoryOutlet, ticks: Ticks) -> Iterator[DgtClock]:
    link = SerialLink(board.path, ticks, 9600)
    clock = DgtClock("dgt-1", link, outlet, ticks)
    stop = threading.Event()
    thread = threading.Thread(target=clock.run, args=(stop,))
    thread.start()
    try:
        yield clock
    finally:
        stop.set()
        thread.join()


def _first_times(clock: DgtClock, outlet: MemoryOutlet) -> None:
    """A press is a change of times; a board is ready before its clock has said any."""
    eventually(lambda: outlet.observed, "the clock's first times")
    eventually(lambda: clock.health().condition is Condition.READY)


def test_times_come_back_as_they_went():
    """A thousand times, in portions, between board dumps and boards without a clock."""
    chance = random.Random(4)
    sent = []
    data = b""
    for _ in range(1000):
        flag = chance.choice([Side.NONE, Side.NONE, Side.LEFT, Side.RIGHT])
        times = ClockTimes(
            left_s=chance.randrange(1, 36000),
            right_s=chance.randrange(36000),
            is_running=chance.random() < 0.5,
            turn=chance.choice([Side.LEFT, Side.RIGHT]),
            lever_right=chance.random() < 0.5,
            flag=flag,
        )
        encoded = encode_times(times)
        if encoded[3] & 0x0F == 0x0A or encoded[6] & 0x0F == 0x0A:
            continue
        sent.append(times)
        data += encoded + chance.choice([b"", BOARD_DUMP, encode_no_clock()])
    reader = DgtReader()
    read = []
    while data:
        size = chance.randint(1, 40)
        read += reader.feed(data[:size])
        data = data[size:]
    assert [told for told in read if isinstance(told, ClockTimes)] == sent
    assert reader.damaged == 0


def test_noise_never_raises_and_the_reader_finds_its_feet():
    """Ten thousand random bytes, then a message."""
    chance = random.Random(5)
    reader = DgtReader()
    for _ in range(100):
        reader.feed(chance.randbytes(100))
    reader.feed(b"\x80")
    assert reader.feed(KNOWN)[-1] == DgtReader().feed(KNOWN)[0]
    assert reader.damaged > 0
    assert reader.feed(encode_no_clock()) == [NoClock()]


def test_presses_pauses_and_settings_are_told(ticks: Ticks):
    """The lever is a press; the middle button is none; a time that rises twice was set."""
    outlet = MemoryOutlet()
    with DgtBoard() as board, _clock_on(board, outlet, ticks) as clock:
        _first_times(clock, outlet)
        steps: list[Callable[[], None]] = [
            lambda: board.press(Side.RIGHT),
            lambda: (board.advance(61), board.press(Side.LEFT))[0],
            board.middle,
            board.middle,
            lambda: board.set(600, 500),
        ]
        for number, step in enumerate(steps, 2):
            step()
            eventually(lambda n=number: len(outlet.observed) == n, f"step {number}")
    seen = [told for _, told in outlet.observed]
    assert [told.act for told in seen if isinstance(told, ClockChanged)] == [
        ClockAct.ADJUST,
        ClockAct.PAUSE,
        ClockAct.RESUME,
        ClockAct.ADJUST,
    ]
    assert [told for told in seen if isinstance(told, ClockPressed)] == [
        ClockPressed(side=Side.RIGHT, left_ms=1_500_000, right_ms=1_500_000, running=Side.LEFT),
        ClockPressed(side=Side.LEFT, left_ms=1_439_000, right_ms=1_500_000, running=Side.RIGHT),
    ]


def test_overtime_is_counted_by_the_driver():
    """The clock ends at zero; the half that has its turn goes on below it."""
    now_ms = [0]
    link, outlet = MemoryLink("dgt", lambda: now_ms[0]), MemoryOutlet()
    link.connect()
    clock = DgtClock("dgt-1", link, outlet, lambda: now_ms[0])

    def tell(at_ms: int, **changes: object) -> None:
        now_ms[0] = at_ms
        usual = {"left_s": 2, "right_s": 90, "is_running": True, "turn": Side.LEFT}
        times = ClockTimes(**{**usual, "lever_right": False, **changes})  # type: ignore[arg-type]
        link.deliver(encode_times(times))
        while link._news.qsize():
            clock.step(0)

    tell(1_000)
    tell(3_000, left_s=0, flag=Side.LEFT)
    tell(15_000, left_s=0, flag=Side.LEFT, turn=Side.RIGHT, lever_right=True)
    tell(25_000, left_s=0, flag=Side.LEFT, turn=Side.LEFT, right_s=80)
    tell(30_000, left_s=0, flag=Side.LEFT, turn=Side.LEFT, right_s=80, is_running=False)
    told = [seen for _, seen in outlet.observed]
    assert [seen.left_ms for seen in told] == [2_000, 0, -12_000, -12_000, -17_000]  # type: ignore[union-attr]


def test_a_board_without_a_clock_and_a_pulled_cable_are_lost(ticks: Ticks):
    """Said in words; afterwards the press that changed the state is reported."""
    outlet = MemoryOutlet()
    with DgtBoard() as board, _clock_on(board, outlet, ticks) as clock:
        _first_times(clock, outlet)
        board.press(Side.RIGHT)
        eventually(lambda: len(outlet.observed) == 2)
        board.has_clock = False
        eventually(lambda: "no clock plugged in" in clock.health().detail)
        board.has_clock = True
        eventually(lambda: clock.health().condition is Condition.READY)
        board.port.unplug()
        eventually(lambda: clock.health().condition is Condition.LOST)
        board.press(Side.LEFT)
        board.port.replug()
        eventually(lambda: len(outlet.observed) == 3)
        clock.command(Command(id="c1", cmd="set"))
        eventually(lambda: outlet.responses)
    last = outlet.observed[-1][1]
    assert isinstance(last, ClockPressed)
    assert last.side is Side.LEFT
    assert "its own buttons" in outlet.responses[0][1]
