"""The examination of networked clocks: a sound one passes, and each flaw is called by its name."""

import argparse
from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest

from recorder.commands.doctor_cli import teller
from recorder.commands.trials.doctor import Check, Grade
from recorder.lab.clock_exam.clock_ear import HeardMessage, OwnTime
from recorder.lab.clock_exam.clock_exam import PRESSES, ClockExam
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from tests.foreign_clock import FLAWS, ForeignClock

if TYPE_CHECKING:
    from recorder.bus.port import Message

pytestmark = pytest.mark.slow  # examines clocks for minutes of their time

_STEP_S = 0.05
NAMED = {
    "any ack counts as progress": "an ack that does not rise",
    "forgets once it is sent": "kept until the ack",
    "forgets at any ack": "an ack that does not rise",
    "deaf to acks": "the ack",
    "another number when sent again": "kept until the ack",
    "sends all at once": "window",
    "no retained state": "greeting",
    "beats without boot": "heartbeat",
    "beats too seldom": "heartbeat",
    "answers nothing": "commands",
    "stops on nonsense": "bad messages",
    "never tells time": "time",
    "sign of the offset": "time",
    "time left as text": "presses",
    "the half pressed runs": "presses",
}
ALIKE = {
    *("forgets at any ack", "another number when sent again", "beats too seldom"),
    *("never tells time", "time left as text"),
}
"""Flaws against a requirement that another flaw breaks."""
REQUIREMENTS = (
    *("greeting", "heartbeat", "commands", "event", "kept until the ack"),
    *("an ack that does not rise", "an ack for another boot", "the ack", "window"),
    *("bad messages", "reconnect", "presses", "time"),
)


class World(OwnTime):
    """A clock of a stranger on a broker in memory, and the only time that passes: none is waited.

    Whenever the examiner waits, the clock works; its halves are pressed once ``pressing`` is set.
    """

    def __init__(self, flash: Path, flaw: str = "") -> None:
        self.broker, self.pressing = MemoryBroker(), False
        self._now_s, self._presses = 1_000.0, 0
        self._said: deque[Message] = deque()
        self.clock = ForeignClock("bench", "clock-9", flash, flaw=flaw, now_s=self.now_s)
        bus = self.bus("clock-9")
        bus.subscribe(f"{self.clock.down}+", self._said.append)
        bus.start()

        def send(topic: str, payload: bytes, qos: int, *, retained: bool) -> None:
            bus.publish(topic, payload, qos=qos, retain=retained)

        self.clock.connected(send)

    def bus(self, _: str) -> MemoryBus:
        """A connection that is not started."""
        return MemoryBus(self.broker, at_once=True)

    def now_s(self) -> float:
        return self._now_s

    def next_of(self, inbox: SimpleQueue[HeardMessage], within_s: float) -> HeardMessage:
        end_s = self._now_s + within_s
        while inbox.empty() and self._now_s < end_s:
            if self._said:
                message = self._said.popleft()
                self.clock.hear(message.topic, message.payload)
                continue
            self._now_s += _STEP_S
            self.clock.step()
            if self.pressing and self._presses < PRESSES:
                self.clock.press("LR"[self._presses % 2])
                self._presses += 1
        return inbox.get_nowait()


class FoundBadError(Exception):
    """A requirement is not kept: the rest need not be tried."""


def examined(flash: Path, flaw: str = "") -> list[Check]:
    """What the examination finds, up to the first fault; the builder presses when asked to."""
    world, found = World(flash, flaw), []

    def tell(check: Check) -> None:
        if check.is_request:
            world.pressing = True
        else:
            found.append(check)
        if check.grade is Grade.BAD:
            raise FoundBadError

    exam = ClockExam(world.bus, "bench", "clock-9", tell, own_time=world)
    with suppress(FoundBadError):
        assert exam.examine()
    return found


def test_a_clock_after_the_page_alone_keeps_every_requirement(tmp_path: Path) -> None:
    """All are tried but the broken connection: that broker is not ours."""
    grades = {check.what: check.grade for check in examined(tmp_path / "flash")}
    assert tuple(grades) == REQUIREMENTS
    assert [what for what in grades if grades[what] is not Grade.OK] == ["reconnect"]


@pytest.mark.parametrize(
    "flaw",
    [pytest.param(flaw, marks=pytest.mark.further if flaw in ALIKE else ()) for flaw in FLAWS],
)
def test_a_flaw_is_called_by_the_requirement_that_it_breaks(tmp_path: Path, flaw: str) -> None:
    """A builder reads where to look; what the flaw does not touch is not accused before it."""
    *_, last = examined(tmp_path / "flash", flaw)
    assert (last.what, last.grade) == (NAMED[flaw], Grade.BAD), last


def test_a_clock_that_is_not_there_is_said_to_be_silent(tmp_path: Path) -> None:
    """With the topic on which it should be heard."""
    found: list[Check] = []
    world = World(tmp_path / "flash")
    exam = ClockExam(world.bus, "bench", "clock-8", found.append, own_time=world)
    assert not exam.examine()
    (check,) = found
    assert check.words.startswith("nothing comes on tc/v1/bench/up/clock-8/state")


@pytest.mark.further
def test_what_the_builder_is_asked_to_do_is_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its line says that there is something to do, not that something is unknown."""
    show, world = teller(argparse.Namespace(json=False)), World(tmp_path / "flash")

    def tell(check: Check) -> None:
        show(check)
        world.pressing = world.pressing or check.is_request

    assert ClockExam(world.bus, "bench", "clock-9", tell, own_time=world).examine()
    lines = capsys.readouterr().out.splitlines()
    (asked,) = [line.split() for line in lines if "now press left, right" in line]
    assert asked[:2] == ["do", "presses"]
