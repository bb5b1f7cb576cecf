"""Hundreds of kills, restarts and cut connections; afterwards every press must be there once.

``python -m tests.bench.chaos [--events 500 | --minutes M] [--seed N]``: two clocks on serial lines
looked after by ``tilecast agent``, a networked clock by itself, Mosquitto, ``tilecast record``: all
are killed, ended, frozen or unplugged at random while the players go on pressing. Prints
``sent N recorded N lost N doubled N``; status 1 when something was lost or doubled, or when the
chain of the log does not hold.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from devices.sim.peers.mqtt_peer import MqttPeer
from devices.sim.peers.serial_peer import SerialPeer
from recorder.bus.broker import BrokerHandle, start_broker
from recorder.domain.observations import Side
from recorder.log.sqlite import SqliteEventLog

PRESS_EVERY_S = 0.25
LONGEST_CALM_S = 120.0
TICK_MS = 1_000
MISCHIEF = {
    "agent killed": 20,
    "agent restarted": 6,
    "recorder killed": 20,
    "recorder restarted": 6,
    "broker killed": 14,
    "broker frozen": 10,
    "cable pulled": 16,
    "networked clock switched off": 8,
}
Press = tuple[str, int]
"""A clock, and the sum of its times: it falls with every press, so each press has its own."""


class Command:
    """``tilecast <words>`` as a process that can be killed and is started again."""

    def __init__(self, folder: Path, *words: object) -> None:
        self._words = [sys.executable, "-m", "tilecast", *map(str, words)]
        self._output = folder / f"{words[0]}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, if it does not run."""
        if self._process is None or self._process.poll() is not None:
            with self._output.open("ab") as file:
                self._process = subprocess.Popen(self._words, stdout=file, stderr=subprocess.STDOUT)

    def end(self, how: signal.Signals) -> None:
        """End it and wait for its end."""
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()


class Clocks:
    """Two serial clocks and a networked one, whose players press on."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._flash = url, folder / "flash"
        self._flash.mkdir()
        self.serial = {name: SerialPeer(name.upper()) for name in ("clock-1", "clock-2")}
        self._networked = MqttPeer(url, self._flash, name="clock-3")
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._turn = self._sent_before = 0
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.calm()
        for peer in self.serial.values():
            peer.close()
        self._networked.close()

    @property
    def sent(self) -> int:
        """Events that the clocks have numbered, time comparisons of the networked one too."""
        with self._lock:
            serial = sum(peer.seq_high for peer in self.serial.values())
            return serial + self._sent_before + self._networked.seq_high

    @property
    def waiting(self) -> int:
        """Events that their clocks still keep."""
        with self._lock:
            return sum(peer.outbox for peer in self.serial.values()) + self._networked.waiting

    def calm(self) -> None:
        """The players stop."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def switch_off(self) -> None:
        """The networked clock loses its power, and gets it back."""
        with self._lock:
            self._networked.close()
            self._sent_before += self._networked.seq_high
            self._networked = MqttPeer(self._url, self._flash, name="clock-3")

    def _play(self) -> None:
        while not self._stop.wait(PRESS_EVERY_S):
            with self._lock:
                side = Side.RIGHT if self._turn % 2 == 0 else Side.LEFT
                for peer in self.serial.values():
                    peer.press(side)
                    peer.advance(TICK_MS)
                # It lost who runs with its power: one of the two is a press.
                self._networked.press(side.value)
                self._turn += 1


class Chaos:
    """The whole table, and the mischief done to it."""

    def __init__(self, folder: Path, running: ExitStack, seed: int) -> None:
        self._chance = random.Random(seed)
        self.folder = folder
        self.broker = running.enter_context(start_broker("mosquitto", workdir=folder / "broker"))
        self.clocks = running.enter_context(Clocks(self.broker.url, folder))
        self._agent = Command(folder, "agent", self._write("table.toml", self._table()))
        running.callback(self._agent.end, signal.SIGKILL)
        self._recorder = Command(folder, "record", self._write("venue.toml", self._venue()))
        running.callback(self._recorder.end, signal.SIGKILL)
        self.done: Counter[str] = Counter()

    def mischief(self) -> None:
        """Do one thing, and let a little time pass."""
        kinds, weights = zip(*MISCHIEF.items(), strict=True)
        (kind,) = self._chance.choices(kinds, weights)
        self._deed(kind)()
        self.done[kind] += 1
        time.sleep(self._chance.uniform(0.05, 1.2))

    def _deed(self, kind: str) -> Callable[[], None]:
        what, _, how = kind.rpartition(" ")
        ending = signal.SIGKILL if how == "killed" else signal.SIGTERM
        return {
            "agent": lambda: self._again(self._agent, ending),
            "recorder": lambda: self._again(self._recorder, ending),
            "broker": lambda: _hit(self.broker, self._chance, how),
            "cable": self._pull,
            "networked clock switched": self.clocks.switch_off,
        }[what]

    def _again(self, command: Command, ending: signal.Signals) -> None:
        command.end(ending)
        time.sleep(self._chance.choice((0, 0, 0.3)))
        command.start()

    def _pull(self) -> None:
        peer = self.clocks.serial[self._chance.choice(list(self.clocks.serial))]
        peer.unplug()
        time.sleep(self._chance.uniform(0.05, 0.8))
        peer.replug()

    def settle(self) -> None:
        """The players stop, everything runs; wait until everything has arrived."""
        self.clocks.calm()
        end = time.monotonic() + LONGEST_CALM_S
        quiet, last = time.monotonic(), -1
        while time.monotonic() < min(end, quiet + 8):
            self._agent.start()
            self._recorder.start()
            rows = len(self.rows())
            if rows != last or self.clocks.waiting:
                quiet, last = time.monotonic(), rows
            time.sleep(0.5)

    def rows(self) -> list[tuple[str, str, int, str]]:
        """Device, boot, number and content of every clock event in the log."""
        path = self.folder / "record" / "tilecast.db"
        if not path.exists():
            return []
        with SqliteEventLog.open_reader(path) as reader:
            return [
                (*row.key, str(row.body["data"]))
                for row in reader.read_from(1)
                if row.key is not None and _is_counted(row.key[0], row.body["type"])
            ]

    def holds(self) -> bool:
        """Whether the chain of the log does."""
        with SqliteEventLog.open_reader(self.folder / "record" / "tilecast.db") as reader:
            return reader.verify() is None

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def _table(self) -> str:
        text = f'[broker]\nurl = "{self.broker.url}"\n'
        for name, peer in self.clocks.serial.items():
            entry = f'kind = "serial-clock"\nname = "{name}"\nport = "{peer.path}"\n'
            text += f"[[device]]\n{entry}"
        return text

    def _venue(self) -> str:
        text = f'[broker]\nurl = "{self.broker.url}"\n[recorder]\nfolder = "record"\n'
        for number in (1, 2, 3):
            text += (
                f'[[table]]\nnumber = {number}\ngame = "chaos-{number}"\nplayers = ["A", "B"]\n'
                f'check_clock = false\ndevices = {{ clock-{number} = "serial-clock" }}\n'
            )
        return text


def _is_counted(device: str, kind: str) -> bool:
    """The agent's comparisons of time are its own; the clocks did not number them."""
    return kind.startswith("clock.") or device == "clock-3"


def _hit(broker: BrokerHandle, chance: random.Random, how: str) -> None:
    pid = broker.pid
    if pid is None:
        return
    if how == "killed":
        os.kill(pid, signal.SIGKILL)
        return
    os.kill(pid, signal.SIGSTOP)
    time.sleep(chance.uniform(0.3, 1.5))
    os.kill(pid, signal.SIGCONT)


def main(arguments: list[str]) -> int:
    """0 when everything was recorded once and the chain holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=500, help="things done to the table")
    parser.add_argument("--minutes", type=float, default=0.0, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    end = time.monotonic() + args.minutes * 60
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        chaos = Chaos(Path(folder), running, args.seed)
        time.sleep(3)
        while time.monotonic() < end if args.minutes else chaos.done.total() < args.events:
            chaos.mischief()
            if chaos.done.total() % 50 == 0:
                print(f"{chaos.done.total()} done, {chaos.clocks.sent} sent", file=sys.stderr)
        chaos.settle()
        sent, rows, is_whole = chaos.clocks.sent, chaos.rows(), chaos.holds()
    contents = Counter((device, content) for device, _, _, content in rows if device != "clock-3")
    recorded = len({row[:3] for row in rows})
    doubled = len(rows) - recorded + sum(count - 1 for count in contents.values())
    print(", ".join(f"{kind} {count}" for kind, count in sorted(chaos.done.items())))
    print(f"the chain of the log {'holds' if is_whole else 'IS BROKEN'}")
    print(f"sent {sent} recorded {recorded} lost {sent - recorded} doubled {doubled}")
    return 0 if is_whole and recorded == sent and not doubled else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
