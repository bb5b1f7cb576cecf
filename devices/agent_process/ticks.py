"""The time of a process at the table: that of its devices and of what they keep."""

import time
from pathlib import Path

from devices.ports import Ticks
from recorder.uptime import steady_ms


def agent_ticks(folder: Path | None = None) -> Ticks:
    """Milliseconds that never jump, kept over restarts in the agent's folder if that is given.

    They start at the wall clock's, for an outbox outlives the machine's uptime, and its times
    should not run backwards.
    """
    file = None if folder is None else folder / "agent.time"
    return steady_ms(lambda: time.time_ns() // 1_000_000, file)
