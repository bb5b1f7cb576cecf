"""The examination of networked clocks: a sound one passes, and each flaw is called by its name."""

import argparse
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from recorder.bus.port import MemoryBroker, MemoryBus, Message
from recorder.commands.clock_exam import ClockExam
from recorder.commands.doctor import Check, Grade
from recorder.commands.doctor_cli import _teller
from tests.foreign_clock import FLAWS, ForeignClock

PACE = 0.05
SLOWER = {"sends all at once": 0.25}
"""Sixty events must have come before they are counted, on a busy machine too."""

pytestmark = pytest.mark.slow
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
REQUIREMENTS = (
    *("greeting", "heartbeat", "commands", "event", "kept until the ack"),
    *("an ack that does not rise", "an ack for another boot", "the ack", "window"),
    *("bad messages", "reconnect", "presses", "time"),
)


@contextmanager
def switched_on(broker: MemoryBroker, flash: Path, flaw: str) -> Iterator[threading.Event]:
    """A clock of a stranger on a broker; its halves are pressed once the event is set."""
    clock, bus = (
        ForeignClock("bench", "clock-9", flash, pace=SLOWER.get(flaw, PACE), flaw=flaw),
        MemoryBus(broker),
    )
    lock, stop, pressing = threading.RLock(), threading.Event(), threading.Event()

    def heard(message: Message) -> None:
        with lock:
            clock.hear(message.topic, message.payload)

    def send(topic: str, payload: bytes, qos: int, *, retained: bool) -> None:
        bus.publish(topic, payload, qos=qos, retain=retained)

    def work() -> None:
        presses = 0
        while not stop.wait(0.01):
            with lock:
                clock.step()
                if pressing.is_set() and presses < 4:
                    clock.press("LR"[presses % 2])
                    presses += 1

    bus.subscribe(f"{clock.down}+", heard)
    bus.start()
    with lock:
        clock.connected(send)
    thread = threading.Thread(target=work)
    thread.start()
    yield pressing
    stop.set()
    thread.join()
    bus.stop()


class FoundBadError(Exception):
    """A requirement is not kept: the rest need not be tried."""


def examined(flash: Path, flaw: str = "") -> list[Check]:
    """What the examination finds, up to the first fault; the builder presses when asked to."""
    broker, found = MemoryBroker(), []
    with switched_on(broker, flash, flaw) as pressing:

        def tell(check: Check) -> None:
            if check.is_request:
                pressing.set()
            else:
                found.append(check)
            if check.grade is Grade.BAD:
                raise FoundBadError

        exam = ClockExam(
            lambda _: MemoryBus(broker),
            "bench",
            "clock-9",
            tell,
            pace=SLOWER.get(flaw, PACE),
            patience_s=2,
        )
        with suppress(FoundBadError):
            assert exam.examine()
    return found


def test_a_clock_after_the_page_alone_keeps_every_requirement(tmp_path: Path) -> None:
    """All are tried but the broken connection: that broker is not ours."""
    grades = {check.what: check.grade for check in examined(tmp_path / "flash")}
    assert tuple(grades) == REQUIREMENTS
    assert [what for what in grades if grades[what] is not Grade.OK] == ["reconnect"]


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_called_by_the_requirement_that_it_breaks(tmp_path: Path, flaw: str) -> None:
    """A builder reads where to look; what the flaw does not touch is not accused before it."""
    *_, last = examined(tmp_path / "flash", flaw)
    assert (last.what, last.grade) == (NAMED[flaw], Grade.BAD), last


def test_a_clock_that_is_not_there_is_said_to_be_silent(tmp_path: Path) -> None:
    """With the topic on which it should be heard."""
    found: list[Check] = []
    broker = MemoryBroker()
    exam = ClockExam(lambda _: MemoryBus(broker), "bench", "clock-8", found.append, pace=0.01)
    assert not exam.examine()
    (check,) = found
    assert check.words.startswith("nothing comes on tc/v1/bench/up/clock-8/state")


def test_what_the_builder_is_asked_to_do_is_no_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its line says that there is something to do, not that something is unknown."""
    show, broker = _teller(argparse.Namespace(json=False)), MemoryBroker()
    with switched_on(broker, tmp_path / "flash", "") as pressing:

        def tell(check: Check) -> None:
            show(check)
            if check.is_request:
                pressing.set()

        exam = ClockExam(lambda _: MemoryBus(broker), "bench", "clock-9", tell, pace=PACE)
        assert exam.examine()
    lines = capsys.readouterr().out.splitlines()
    (asked,) = [line.split() for line in lines if "now press left, right" in line]
    assert asked[:2] == ["do", "presses"]
