"""An agent on a small machine: a quarter of a core and 256 MB, with cameras of other makers.

``python -m tests.rehearsal.small_machine FOLDER [PICTURES]``, as root, where there are control
groups (version 1): FOLDER has the photographs of a game, which are laid under the camera one by
one. The agent alone is held to the small machine. Prints how late each look came, the memory
taken, and how often the agent was held back.
"""

import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.wire.topics import UpChannel, up_filter
from tests.rehearsal.cameras import MAKERS, lens_in, on_the_table, switched_on

PERIOD_US, QUOTA_US = 100_000, 25_000
MEMORY_BYTES = 256 * 1024 * 1024
EVERY_S = 12.0
"""A quick turn."""
BEGINS_S = 40.0
"""So long the agent may take to begin, at a quarter of a core."""
_GROUPS = Path("/sys/fs/cgroup")


class SmallMachine:
    """A control group of one agent."""

    def __init__(self) -> None:
        self._cpu, self._memory = (_GROUPS / kind / "tilecast" for kind in ("cpu", "memory"))
        for place in (self._cpu, self._memory):
            with suppress(OSError):  # what the camera before has counted goes with it
                place.rmdir()
            place.mkdir(exist_ok=True)
        (self._cpu / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (self._cpu / "cpu.cfs_quota_us").write_text(str(QUOTA_US))
        (self._memory / "memory.limit_in_bytes").write_text(str(MEMORY_BYTES))
        (self._memory / "memory.max_usage_in_bytes").write_text("0")

    def enter(self) -> None:
        """Hold this process to it, and those that it starts."""
        for place in (self._cpu, self._memory):
            (place / "cgroup.procs").write_text(str(os.getpid()))

    def said(self) -> dict[str, int]:
        """What was taken, in MB, and how many periods of a tenth of a second were cut short."""
        stat = dict(line.split() for line in (self._cpu / "cpu.stat").read_text().splitlines())
        usage = int((self._memory / "memory.max_usage_in_bytes").read_text())
        periods, cut = int(stat["nr_periods"]), int(stat["nr_throttled"])
        return {"most_mb": usage // 2**20, "periods": periods, "cut_short": cut}


def examine(photographs: list[Path], maker: str) -> dict[str, object]:
    """The figures of one camera; every photograph but the first brings new tiles."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        lens = stack.enter_context(lens_in(folder))
        lens.show(on_the_table(photographs[0]))
        source = stack.enter_context(switched_on(MAKERS[maker], lens, folder))
        broker = stack.enter_context(start_broker(workdir=folder / "broker"))
        looks: queue.Queue[float] = queue.Queue()
        bus = MqttBus(broker.url, "rehearsal")

        def take(message: Message) -> None:
            said = json.loads(message.payload)
            if said["type"] == "board.seen" and said["data"].get("changes"):
                looks.put(time.monotonic())
            message.ack()

        bus.subscribe(up_filter("main", UpChannel.EVENT), take)
        stack.enter_context(bus)
        machine = SmallMachine()
        programs = {"record": _RECORD, "agent": _AGENT}
        for name, text in programs.items():
            (folder / f"{name}.toml").write_text(text.format(url=broker.url, source=source))
        recorder, agent = (
            subprocess.Popen(
                [sys.executable, "-m", "tilecast", name, str(folder / f"{name}.toml")],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=machine.enter if name == "agent" else None,  # noqa: PLW1509 - no threads
            )
            for name in programs
        )
        try:
            late = _played(lens.show, photographs, looks)
            cpu_s = sum(_cpu_s(agent.pid))
        finally:
            for process in (agent, recorder):
                process.terminate()
                process.wait(60)
        seen = [late_s for late_s in late if late_s is not None]
        return {
            "camera": maker,
            "pictures": len(late),
            "seen": len(seen),
            "median_s": round(statistics.median(seen), 1) if seen else None,
            "latest_s": round(max(seen), 1) if seen else None,
            "cpu_s": round(cpu_s, 1),
            **machine.said(),
        }


def _played(
    show: Callable[..., None], photographs: list[Path], looks: "queue.Queue[float]"
) -> list[float | None]:
    """How long after each photograph its tiles are reported; None: not before the next."""
    time.sleep(BEGINS_S)
    late: list[float | None] = []
    for photograph in photographs[1:]:
        time.sleep(1)
        while not looks.empty():
            looks.get()
        show(on_the_table(photograph))
        shown_s = time.monotonic()
        try:
            late.append(looks.get(timeout=EVERY_S) - shown_s)
        except queue.Empty:
            late.append(None)
        time.sleep(max(0.0, EVERY_S - (time.monotonic() - shown_s)))
    return late


def _cpu_s(pid: int) -> tuple[float, float]:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / ticks, int(fields[12]) / ticks


_RECORD = """
[venue]
name = "main"

[broker]
url = "{url}"

[recorder]
folder = "record"

[[table]]
number = 1
game = "rehearsal"
players = ["Ada", "Ben"]
tiles = "english"
rules = "wespa4"
confirmed = ["overtime", "endgame"]
devices = {{ cam-1 = "board-camera" }}
"""
_AGENT = """
[venue]
name = "main"

[broker]
url = "{url}"

[agent]
folder = "agent"

[[device]]
kind = "board-camera"
name = "cam-1"
source = "{source}"
tiles = "english"
"""


def main(words: list[str]) -> int:
    """0 when every camera that can be had here was tried."""
    photographs = sorted(Path(words[0]).glob("image-*.jpg"), key=lambda path: int(path.stem[6:]))
    photographs = photographs[: int(words[1])] if words[1:] else photographs
    for name, maker in MAKERS.items():
        if missing := maker.needs():
            print(f"{name}: not here: {missing}")
        else:
            print(json.dumps(examine(photographs, name)), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
