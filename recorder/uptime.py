"""A machine's time that nobody can set: milliseconds that pass, also while it sleeps.

Wall clocks are set by time servers, by people and by batteries that are empty. What must keep its
order rests on this. Where the system counts no sleep, it counts from the same zero without it.
"""

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from recorder.systems import machine_ms, read_file

TIME_NAME = "tilecast.time"
"""The file beside a log in which its recorder keeps its time (``keep_base_ms``)."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def uptime_ms() -> int:
    """Milliseconds since the machine started; never set, never backwards until it starts again."""
    return machine_ms()


def machine_run() -> str:
    """This run of the machine, apart from its others; empty where the system does not say."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def kept_base_ms(file: Path, run: str) -> int | None:
    """What ``keep_base_ms`` wrote in the same run of the machine; None for any other file."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads(read_file(file))
        if run and kept["run"] == run and type(kept["base_ms"]) is int:
            return int(kept["base_ms"])
    return None


def keep_base_ms(file: Path, run: str, base_ms: int) -> None:
    """Keep what a program adds to ``uptime_ms``, so that its next start goes on with it."""
    with contextlib.suppress(OSError):  # without the file the next start asks the wall clock
        file.write_text(json.dumps({"run": run, "base_ms": base_ms}) + "\n", encoding="utf-8")


def steady_ms(wall_ms: Callable[[], int], file: Path | None = None) -> Callable[[], int]:
    """Milliseconds since 1970 by the wall clock of now, that are not set with it.

    With a file by the wall clock of the first start with it in this run of the machine.
    """
    run = machine_run()
    kept_ms = kept_base_ms(file, run) if file is not None else None
    base_ms = wall_ms() - uptime_ms() if kept_ms is None else kept_ms
    if file is not None and kept_ms is None:
        keep_base_ms(file, run, base_ms)
    return lambda: base_ms + uptime_ms()
