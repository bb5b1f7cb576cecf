"""A board for MicroPython's Unix port: a line on stdin closes a switch, its Wi-Fi is always there.

Runs the firmware's ``main.py`` as it is: ``micropython board.py FOLDER...``, where modules are.
"""

import os
import select
import sys
import time

sys.path[:0] = sys.argv[1:]
closed = []


class Pin:
    """A switch, or the buzzer."""

    IN = OUT = PULL_UP = IRQ_FALLING = 0

    def __init__(self, *_: object) -> None:
        """As the board's own."""

    def irq(self, handler: object, _trigger: object) -> None:
        """Keep what a switch calls: left, right, middle, in the order of ``main.py``."""
        closed.append(handler)


class Wifi:
    """Connected from the beginning."""

    def __init__(self, _kind: object) -> None:
        """As the board's own."""

    def active(self, _is_on: object) -> None:
        """As the board's own."""

    def connect(self, _name: object, _password: object) -> None:
        """As the board's own."""

    def isconnected(self) -> bool:
        """Whether there is a network."""
        return True


class Module:
    """What a module of the board has."""


def module(name: str, **has: object) -> None:
    """Let ``import`` find a module."""
    sys.modules[name] = made = Module()
    for key, value in has.items():
        setattr(made, key, value)


said = select.poll()
said.register(sys.stdin, select.POLLIN)


def sleep_ms(ms: int) -> None:
    """Time passes, in which a switch may close: ``main.py`` sleeps in its loop."""
    if said.poll(0):
        closed["LRM".index(sys.stdin.readline().strip())](None)
    time.sleep_ms(ms)


module("machine", Pin=Pin)
module("network", WLAN=Wifi, STA_IF=0)
module("os", **dict(((name, getattr(os, name)) for name in dir(os)), sync=lambda: None))
module("time", ticks_ms=time.ticks_ms, ticks_diff=time.ticks_diff, sleep_ms=sleep_ms)

from devices.firmware.main import main  # noqa: E402

main()
