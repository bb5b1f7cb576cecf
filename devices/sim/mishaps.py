"""What goes wrong at a simulated table, by name. Each starts once the game is under way.

They act where the world acts: on the cable, on the broker's process. Nothing here calls a driver.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Mapping

from devices.sim.simulated_table import SimulatedTable
from recorder.domain.errors import NotationError

EARLY, LATER = 6, 9
"""Numbers of clock events: after the third turn or so, and some turns on."""

Act = Callable[[SimulatedTable, int | None], None]


def unplug(table: SimulatedTable, _broker_pid: int | None) -> None:
    """The clock's cable comes out and is put back three turns later; the clock runs on."""
    _after(table, EARLY)
    table.clock.unplug()
    _after(table, LATER)
    table.clock.replug()


def serial_noise(table: SimulatedTable, _broker_pid: int | None) -> None:
    """The clock's line stutters for the rest of the game."""
    noise = random.Random(7)  # noqa: S311 - the same noise every time
    while not table.finished.wait(0.3):
        table.clock.noise(noise.randbytes(noise.randint(1, 40)))


def broker_killed(table: SimulatedTable, broker_pid: int | None) -> None:
    """The broker's process is killed in mid-game."""
    if broker_pid is None:
        raise NotationError("broker_killed needs a broker of our own, not a given one")
    _after(table, EARLY)
    os.kill(broker_pid, signal.SIGKILL)


MISHAPS: Mapping[str, Act] = {
    "unplug": unplug,
    "serial_noise": serial_noise,
    "broker_killed": broker_killed,
}


def begin(verb: str, table: SimulatedTable, broker_pid: int | None) -> None:
    """Let a mishap happen beside the game."""
    act = MISHAPS[verb]
    threading.Thread(target=act, args=(table, broker_pid), name=verb, daemon=True).start()


def _after(table: SimulatedTable, events: int) -> None:
    while table.clock.seq_high < events and not table.finished.is_set():
        time.sleep(0.05)
