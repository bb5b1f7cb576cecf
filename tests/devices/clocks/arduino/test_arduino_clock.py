"""The clock that anybody can flash: the sketch on a simulated board, by its line and displays."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.clocks.ack_mark import AckMarkFile
from devices.clocks.serial_clock import SerialClock
from devices.firmware.clock_core import ClockCore
from devices.lab.memory_ports import MemoryOutlet
from devices.link.serial_port import SerialLink
from devices.ports import Condition, Ticks
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import (
    Ack,
    Beep,
    Heartbeat,
    Hello,
    Resend,
    Run,
    SetTimes,
    Sync,
    SyncReply,
)
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from tests.cases import first_of
from tests.devices.clocks.arduino.board import NAME, Board, build, lacking
from tests.eventually import eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking()), reason=f"not installed: {lacking()}"),
]

START_MS = 1_500_000
ROUNDING_MS = 2


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the clock's program and the board."""
    folder = tmp_path_factory.mktemp("arduino")
    build(folder)
    return folder


@pytest.fixture
def board(built: Path) -> Iterator[Board]:
    """A clock that has just got power; nothing on its line is ever damaged."""
    with Board(built) as board:
        board.wait(50)  # a switch counts when it has rested
        yield board
        assert not board.damaged


def events(said: list[TccFrame]) -> list[TccFrame]:
    return [line for line in said if line.seq]


def facts(line: TccFrame) -> tuple[object, ...]:
    body = line.body
    assert isinstance(body, ClockPressed | ClockChanged)
    return (body.side if isinstance(body, ClockPressed) else body.act, body.running)


def test_a_turn_on_the_line_and_on_the_displays(board: Board) -> None:
    """Greets and beats once a second; a press starts the other half; both times are shown."""
    said = board.wait(2_100)
    assert [type(line.body) for line in said] == [Hello, Heartbeat] * 2
    assert board.do("show") == "25:00 25:00"
    (first,) = events(board.press("R"))
    assert first.body == ClockPressed(
        side=Side.RIGHT, left_ms=START_MS, right_ms=START_MS, running=Side.LEFT
    )
    board.wait(3_000)
    assert board.do("show") == "24:57 25:00"
    (second,) = events(board.press("L"))
    assert facts(second) == (Side.LEFT, Side.RIGHT)
    passed_ms = second.t_ms - first.t_ms
    assert isinstance(second.body, ClockPressed)
    assert second.body.left_ms == START_MS - passed_ms


def test_bouncing_contacts_are_one_press(board: Board) -> None:
    """A switch that chatters for some milliseconds when it closes and when it opens."""
    said: list[TccFrame] = []
    for button in "RLRL":
        for _ in range(4):
            board.do(f"close {button}")
            said += board.wait(1)
            board.do(f"open {button}")
            said += board.wait(1)
        said += board.press(button)
        for _ in range(4):
            board.do(f"close {button}")
            said += board.wait(1)
            board.do(f"open {button}")
            said += board.wait(1)
        said += board.wait(200)
    assert [facts(line)[0] for line in events(said)] == [Side(button) for button in "RLRL"]


@pytest.mark.further
def test_the_middle_button_stops_goes_on_and_resets(board: Board) -> None:
    """A touch stops both and a touch goes on; held for three seconds the clock starts again."""
    board.press("R")
    said = events(board.press("M") + board.wait(500) + board.press("L") + board.press("M"))
    assert [facts(line) for line in said] == [
        (ClockAct.PAUSE, Side.NONE),
        (ClockAct.RESUME, Side.LEFT),
    ]
    said = events(board.press("M") + board.press("M", ms=3_200))
    assert [facts(line)[0] for line in said] == [ClockAct.PAUSE, ClockAct.RESET]
    assert board.do("show") == "25:00 25:00"


def test_what_the_host_asks_for(board: Board) -> None:
    """SET, RUN, BEEP, SYNC, and nothing by what is meant for another clock or cannot be read."""
    board.say(SetTimes(left_ms=-5_000, right_ms=61_000))
    board.say(Run(side=Side.RIGHT))
    board.say(Run(side=Side.NONE))
    board.say(Sync(id=7))
    board.say(Beep(duration_ms=200))
    said = board.wait(100)
    assert [facts(line) for line in events(said)] == [
        (ClockAct.ADJUST, Side.NONE),
        (ClockAct.RESUME, Side.RIGHT),
        (ClockAct.PAUSE, Side.NONE),
    ]
    (answer,) = (line.body for line in said if isinstance(line.body, SyncReply))
    assert answer.id == 7
    assert answer.received_ms <= answer.sent_ms
    assert board.do("buzzer") == "1"
    board.wait(200)
    assert board.do("buzzer") == "0"
    board.say(SetTimes(left_ms=1, right_ms=1), name="clock-10")
    for text in (b"SET,1", b"SET,1,2,3", b"SET,,", b"SET,999999999999,1", b"RUN,", b"RUN,LR", b"X"):
        board.write(b"$TCC1,clock-1,1,0,1," + text + b"*0000\r\n")
        line = TccFrame(dev=NAME, boot="1", seq=0, t_ms=1, body=Run(side=Side.NONE)).to_bytes()
        board.write(with_text(line, text))
    board.write(b"$" * 300 + b"\xff\x00" * 50 + b"$TCC1," + b"A" * 300 + b"\r\n")
    assert events(board.wait(1_000)) == []
    assert board.do("show") == "-0:05 01:01"


def with_text(line: bytes, text: bytes) -> bytes:
    """The same line with another text, and the checksum for it."""
    from devices.tcc1.framing import crc16

    inside = line[1 : line.index(b"RUN")] + text
    return b"$" + inside + f"*{crc16(inside):04X}\r\n".encode()


@pytest.mark.further
def test_events_wait_for_their_ack_and_come_again_as_they_were(board: Board) -> None:
    """A cable that was out: the host asks, and gets the same lines; the newest are kept."""
    said: list[TccFrame] = []
    for turn in range(45):
        said += events(board.press("RL"[turn % 2], ms=20))
    assert [line.seq for line in said] == list(range(1, 46))
    board.say(Resend(first=1, last=32))
    again = events(board.wait(1_000))
    assert again == said[5:32]
    board.say(Ack(boot="1" if said[0].boot != "1" else "2", upto=45))
    beats = [line.body for line in board.wait(2_000) if isinstance(line.body, Heartbeat)]
    assert [(beat.seq_high, beat.outbox) for beat in beats] == [(45, 40)] * 2
    board.say(Ack(boot=said[0].boot, upto=44))
    board.say(Resend(first=1, last=45))
    assert events(board.wait(500)) == said[44:]


@pytest.mark.further
def test_a_brown_out_is_a_new_boot(board: Board) -> None:
    """Power that fails for a moment in mid-game: another boot, numbers from one, and it greets."""
    boots = []
    for _ in range(3):
        said = board.wait(1_100) + board.press("R")
        assert isinstance(said[0].body, Hello)
        assert [line.seq for line in events(said)] == [1]
        boots += [said[0].boot]
        board.do("brownout")
    assert len(set(boots)) == 3


@pytest.mark.further
@pytest.mark.parametrize("millis", first_of(1, [2**32, 2**31]))
def test_seven_weeks_without_a_break(built: Path, millis: int) -> None:
    """Where the board's own milliseconds begin again at zero, the clock's go on."""
    with Board(built, millis - 2_000) as board:
        board.wait(1_000)
        (first,) = events(board.press("R"))
        board.wait(3_000)
        (second,) = events(board.press("L"))
        beats = [line for line in board.wait(1_100) if isinstance(line.body, Heartbeat)]
    assert first.t_ms < millis < second.t_ms < beats[-1].t_ms < millis + 10_000
    assert isinstance(second.body, ClockPressed)
    assert second.body.left_ms == START_MS - (second.t_ms - first.t_ms)


@pytest.mark.further
@pytest.mark.parametrize("seed", first_of(1, range(3)))
def test_it_is_the_clock_of_the_networked_firmware(board: Board, seed: int) -> None:
    """The same fingers at the same times on both: the same events with the same times."""
    dice = random.Random(seed)
    core = ClockCore(START_MS)
    expected: list[tuple[object, ...]] = []
    said: list[TccFrame] = []
    for _ in range(30):
        button = dice.choice("LLLRRRM")
        came = events(board.press(button, ms=dice.randint(20, 90)))
        said += came
        # The core has the time of the board's own interrupt, or no time that could matter.
        at_ms = came[0].t_ms if came else 0
        seen = core if came else _as_it_is(core)
        event = seen.middle(at_ms) if button == "M" else seen.press(button, at_ms)
        assert (event is None) == (not came), f"{button} after {expected}"
        if event is not None:
            data = event[1]
            what = data.get("side") or data["act"]
            expected.append((what, data["running"], data["left_ms"], data["right_ms"]))
        said += board.wait(dice.randint(20, 400))
    assert len(expected) > 10
    for line, (what, running, left_ms, right_ms) in zip(events(said), expected, strict=False):
        body = line.body
        assert isinstance(body, ClockPressed | ClockChanged)
        assert facts(line) == (what, running)
        assert abs(body.left_ms - left_ms) <= ROUNDING_MS
        assert abs(body.right_ms - right_ms) <= ROUNDING_MS


def _as_it_is(core: ClockCore) -> ClockCore:
    """A copy, at a time when no bounce plays a part."""
    from copy import copy

    twin = copy(core)
    twin._pressed_ms = -10_000
    return twin


def test_the_agents_driver_on_its_terminal(board: Board, tmp_path: Path, ticks: Ticks) -> None:
    """As at a table: the driver opens the port, presses arrive once, also over a brown-out."""
    outlet = MemoryOutlet()
    link = SerialLink(board.path, ticks)
    clock = SerialClock("clock-1", link, outlet, AckMarkFile(tmp_path / "clock-1.mark"), ticks)
    stop = threading.Event()
    thread = threading.Thread(target=clock.run, args=(stop,))

    def presses() -> list[Side]:
        return [seen.side for _, seen in outlet.observed if isinstance(seen, ClockPressed)]

    board.do("live")
    thread.start()
    try:
        eventually(lambda: clock.health().condition is Condition.READY)
        for number, button in enumerate("RLRL"):
            board.do(f"close {button}")
            eventually(lambda number=number: len(presses()) == number + 1)  # type: ignore[misc]
            board.do("wait 60")
            board.do(f"open {button}")
            if number == 1:
                board.do("brownout")
                board.do("wait 50")
    finally:
        stop.set()
        thread.join()
    assert presses() == [Side(button) for button in "RLRL"]
