"""One clock floods with all that it may send: ``python -m tests.bench.hall.flooded``.

In one run, in turns: the other table's presses without a flood and with one, from the press to its
acknowledgement; how much the venue's folder grows; what the broker and the recorder hold.

The device that floods would have a processor of its own; here it takes this machine's from the
venue, which the ratio includes.
"""

import json
import multiprocessing
import secrets
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from recorder.bus.address import broker_address
from recorder.domain.limits import MOST_STORED_A_SECOND, MOST_STORED_AT_ONCE
from tests.attacks.on_shares import resident_mb
from tests.foreign_clock import PahoClock
from tests.rehearsal.hall import Hall, open_hall

UP = "tc/v1/main/up/clock-2"
PRESSES, PAUSE_S, TURNS = 80, 0.05, 6
_AT_ONCE = 100
PRESSED = {"left_ms": 1_400_000, "right_ms": 1_400_000}


class Flood:
    """The clock of table 2: presses, presses with junk, heartbeats of ever new boots, questions.

    It is a process of its own, so that what measures the other clock waits for none of it.
    """

    def __init__(self, hall: Hall) -> None:
        context = multiprocessing.get_context("spawn")
        self._on, self._sent = context.Event(), context.Value("L", 0)
        url = hall.clock_url(table=2)
        self._process = context.Process(
            target=_flooding, args=(url, self._on, self._sent), daemon=True
        )
        self._process.start()

    @property
    def sent(self) -> int:
        """How many events so far; twice as many other messages were with them."""
        return int(self._sent.value)

    def go(self, *, on: bool) -> None:
        if on:
            self._on.set()
        else:
            self._on.clear()

    def close(self) -> None:
        self._process.terminate()
        self._process.join()


def _flooding(url: str, on: Any, sent: Any) -> None:
    address = broker_address(url)
    client = paho.Client(CallbackAPIVersion.VERSION2)
    client.username_pw_set(address.user, address.password)
    client.connect(address.host, address.port)
    client.loop_start()
    boot, number = secrets.token_hex(4), 0
    while True:
        on.wait()
        number += 1
        side, other = "LR" if number % 2 else "RL"
        data: dict[str, Any] = {**PRESSED, "side": side, "running": other}
        data |= {} if number % 10 else {"x": "x" * 60_000}
        said = {"v": 1, "dev": "clock-2", "boot": boot, "seq": number, "t": number * 5}
        said |= {"type": "clock.press", "data": data}
        beat = {"v": 1, "boot": secrets.token_hex(4), "t": number, "seq_high": 9, "outbox": 9}
        client.publish(f"{UP}/hb", json.dumps(beat).encode(), 0)
        client.publish(f"{UP}/ask", b'{"v":1,"id":"q","what":"time"}', 0)
        done = client.publish(f"{UP}/ev", json.dumps(said).encode(), 1)
        sent.value = number
        if number % _AT_ONCE == 0:
            done.wait_for_publish(5)


def pressed(clock: PahoClock) -> list[float]:
    """Milliseconds from each press to its acknowledgement."""
    taken = []
    for number in range(PRESSES):
        began = time.perf_counter()
        clock.press("R" if number % 2 == 0 else "L")
        while clock.waiting():
            time.sleep(0.0005)
        taken.append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE_S)
    return taken


def held(hall: Hall) -> tuple[int, int]:
    """Bytes of the venue's folder, and of the broker's file, which is written again and again."""
    files = [file for file in hall.folder.rglob("*") if file.is_file()]
    broker = sum(file.stat().st_size for file in files if file.name.startswith("mosquitto.db"))
    return sum(file.stat().st_size for file in files) - broker, broker


def p95(values: list[float]) -> float:
    """The value that nineteen in twenty do not pass."""
    return sorted(values)[int(len(values) * 0.95)]


def measure(hall: Hall, clock: PahoClock, flood: Flood) -> None:
    calm, under = list[float](), list[float]()
    before, spent = held(hall)[0], 0.0
    for _ in range(TURNS):
        flood.go(on=False)
        time.sleep(1)
        calm += pressed(clock)
        flood.go(on=True)
        began = time.monotonic()
        under += pressed(clock)
        spent += time.monotonic() - began
    broker, recorder = hall.pid_of("broker/mosquitto.conf"), hall.pid_of("record")
    print(f"flood        {flood.sent} events in {spent:.0f} s, {flood.sent / spent:.0f} a second")
    print(f"other table  p95 {p95(calm):.1f} ms calm, {p95(under):.1f} ms under the flood")
    print(f"             ratio {p95(under) / p95(calm):.2f}")
    folder, file = held(hall)
    most = (MOST_STORED_AT_ONCE + 3600 * MOST_STORED_A_SECOND) / 1e6
    print(f"disk         {(folder - before) / 1e6:.1f} MB more; {most:.1f} MB at most in an hour")
    print(f"             {file / 1e6:.1f} MB in the broker's file, while the flood is on")
    print(f"memory       broker {resident_mb(broker)} MB, recorder {resident_mb(recorder)} MB")


def main() -> None:
    """A venue with two networked clocks."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hall = open_hall(stack, folder / "hall", "--clock", "mqtt", "--tables", "2")
        clock = stack.enter_context(
            PahoClock(hall.clock_url(), "main", "clock-1", folder / "flash")
        )
        flood = Flood(hall)
        stack.callback(flood.close)
        measure(hall, clock, flood)
        print("\n".join(line for line in hall.said() if line.startswith(("missing", "mended"))))


if __name__ == "__main__":
    main()
