"""Hundreds of kills, restarts and cut connections; afterwards every press must be there once.

``python -m tests.bench.chaos [--events 500 | --minutes M] [--seed N] [--only KIND] [--postgres]``:
two clocks on serial lines looked after by ``tilecast agent``, a networked clock by itself,
Mosquitto, ``tilecast record``: all are killed, ended, frozen, unplugged or kept from their files at
random while the players go on pressing. With ``--postgres`` the log is in a database that crashes
too, and a second recorder stands by. Prints
``sent N recorded N lost N doubled N``; status 1 when something was lost or doubled, or when the
chain of the log does not hold.
"""

import argparse
import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Self

from devices.sim.peers.mqtt_peer import MqttPeer
from devices.sim.peers.serial_peer import SerialPeer
from recorder.bus.broker import BrokerHandle, start_broker
from recorder.domain.errors import RecorderError
from recorder.domain.observations import Side
from recorder.log.places import LogPlace, open_log_reader
from recorder.service.venue_file import LOG_NAME
from tests.postgres_server import DatabaseServer, running_server, server_programs

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
    "broker forgetful": 4,
    "agent doubled": 3,
    "disk full": 6,
    "log locked": 2,
}
OF_A_FILE = {"disk full", "log locked"}
WITH_DATABASE = {"database crashed": 8}
LONGER_THAN_PATIENT_S = 6.0
"""A log that another program holds for so long refuses."""
Press = tuple[str, int]
"""A clock, and the sum of its times: it falls with every press, so each press has its own."""


class Command:
    """``tilecast <words>`` as a process that can be killed and is started again."""

    def __init__(self, folder: Path, *words: object) -> None:
        self._words = [sys.executable, "-m", "tilecast", *map(str, words)]
        self._output = folder / f"{words[0]}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

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

    def __init__(
        self, folder: Path, running: ExitStack, seed: int, database: DatabaseServer | None = None
    ) -> None:
        self._chance = random.Random(seed)
        self._database = database
        self.kinds = dict(MISCHIEF)
        if database is not None:
            kept = {kind: many for kind, many in MISCHIEF.items() if kind not in OF_A_FILE}
            self.kinds = kept | WITH_DATABASE
        self._folders = [folder, folder / "second"][: 1 if database is None else 2]
        self.log: LogPlace = folder / "record" / LOG_NAME
        if database is not None:
            self.log = database.address
        self.folder = folder
        self.broker = running.enter_context(start_broker("mosquitto", workdir=folder / "broker"))
        self.clocks = running.enter_context(Clocks(self.broker.url, folder))
        self._agent_file = self._write(folder, "table.toml", self._table())
        self._agent = Command(folder, "agent", self._agent_file)
        running.callback(self._agent.end, signal.SIGKILL)
        self._recorders = []
        for place in self._folders:
            place.mkdir(exist_ok=True)
            venue = self._write(place, "venue.toml", self._venue())
            self._recorders.append(Command(place, "record", venue))
            running.callback(self._recorders[-1].end, signal.SIGKILL)
        self.done: Counter[str] = Counter()

    def mischief(self) -> None:
        """Do one thing, and let a little time pass."""
        kinds, weights = zip(*self.kinds.items(), strict=True)
        (kind,) = self._chance.choices(kinds, weights)
        self._deed(kind)()
        self.done[kind] += 1
        time.sleep(self._chance.uniform(0.05, 1.2))

    def _deed(self, kind: str) -> Callable[[], None]:
        what, _, how = kind.rpartition(" ")
        ending = signal.SIGKILL if how == "killed" else signal.SIGTERM
        if kind == "agent doubled":
            return self._double_agent
        return {
            "agent": lambda: self._again(self._agent, ending),
            "recorder": lambda: self._again(self._chance.choice(self._recorders), ending),
            "broker": lambda: _hit(self.broker, self.folder / "broker", self._chance, how),
            "cable": self._pull,
            "networked clock switched": self.clocks.switch_off,
            "disk": self._fill_disk,
            "log": self._lock_log,
            "database": self._crash_database,
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

    def _double_agent(self) -> None:
        """Somebody starts an agent a second time, on the same outbox and ports."""
        with (self.folder / "doubled.log").open("ab") as file:
            words = [sys.executable, "-m", "tilecast", "agent", str(self._agent_file)]
            with subprocess.Popen(words, stdout=file, stderr=subprocess.STDOUT) as twin:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    twin.wait(5)
                twin.kill()

    def _fill_disk(self) -> None:
        """No file of the recorder's may grow for a while, as on a disk that is full."""
        pid = self._recorders[0].pid
        if pid is None:
            return
        with contextlib.suppress(ProcessLookupError):
            _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
            time.sleep(self._chance.uniform(0.5, 3))
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))

    def _lock_log(self) -> None:
        """Another program holds the log's file for longer than the recorder waits for it."""
        if isinstance(self.log, Path) and self.log.exists():
            with closing(sqlite3.connect(self.log, isolation_level=None, timeout=5)) as other:
                with contextlib.suppress(sqlite3.OperationalError):
                    other.execute("BEGIN IMMEDIATE")
                time.sleep(LONGER_THAN_PATIENT_S)

    def _crash_database(self) -> None:
        if self._database is not None:
            self._database.crash()
            time.sleep(self._chance.uniform(0, 2))
            self._database.start()

    def settle(self) -> None:
        """The players stop, everything runs; wait until everything has arrived."""
        self.clocks.calm()
        end = time.monotonic() + LONGEST_CALM_S
        quiet, last = time.monotonic(), -1
        while time.monotonic() < min(end, quiet + 8):
            self._agent.start()
            for recorder in self._recorders:
                recorder.start()
            rows = len(self.rows())
            if rows != last or self.clocks.waiting:
                quiet, last = time.monotonic(), rows
            time.sleep(0.5)

    def rows(self) -> list[tuple[str, str, int, str]]:
        """Device, boot, number and content of every clock event in the log."""
        if isinstance(self.log, Path) and not self.log.exists():
            return []
        with contextlib.suppress(RecorderError), open_log_reader(self.log) as reader:
            return [
                (*row.key, str(row.body["data"]))
                for row in reader.read_from(1)
                if row.key is not None and _is_counted(row.key[0], row.body["type"])
            ]

        return []  # it is not laid out yet, or its database is down

    def holds(self) -> bool:
        """Whether the chain of the log does."""
        with open_log_reader(self.log) as reader:
            return reader.verify() is None

    def _write(self, folder: Path, name: str, text: str) -> Path:
        path = folder / name
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
        text += "" if self._database is None else f'log = "{self.log}"\n'
        for number in (1, 2, 3):
            text += (
                f'[[table]]\nnumber = {number}\ngame = "chaos-{number}"\nplayers = ["A", "B"]\n'
                f'check_clock = false\ndevices = {{ clock-{number} = "serial-clock" }}\n'
            )
        return text


def _is_counted(device: str, kind: str) -> bool:
    """The agent's comparisons of time are its own; the clocks did not number them."""
    return kind.startswith("clock.") or device == "clock-3"


def _hit(broker: BrokerHandle, folder: Path, chance: random.Random, how: str) -> None:
    pid = broker.pid
    if pid is None:
        return
    if how == "forgetful":
        for kept in folder.glob("*.db"):
            kept.unlink()
    if how in {"killed", "forgetful"}:
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
    parser.add_argument("--only", default="", help="this kind of mischief alone")
    parser.add_argument(
        "--postgres", action="store_true", help="a log in a database, and a second recorder"
    )
    args = parser.parse_args(arguments)
    end = time.monotonic() + args.minutes * 60
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        database = None
        if args.postgres:
            programs = server_programs()
            if programs is None:
                parser.error("no PostgreSQL server is installed: apt install postgresql")
            database = running.enter_context(running_server(programs))
        chaos = Chaos(Path(folder), running, args.seed, database)
        if args.only:
            if args.only not in chaos.kinds:
                parser.error(f"--only {args.only}: one of {', '.join(chaos.kinds)}")
            chaos.kinds = {args.only: 1}
        end = time.monotonic() + LONGEST_CALM_S
        while not chaos.rows() and time.monotonic() < end:
            time.sleep(0.2)
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
