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
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from recorder.bus.broker import free_port, start_broker
from recorder.domain.errors import RecorderError
from recorder.log.places import LogPlace, open_log_reader
from recorder.service.venue_file import LOG_NAME
from tests.bench.chaos.chaos_clocks import Clocks
from tests.bench.chaos.chaos_files import agent_text, recorder_text, written
from tests.bench.chaos.chaos_names import is_told_of_twin
from tests.bench.chaos.chaos_tables import (
    BUSY_CLOCK,
    CAMERA,
    LONGEST_CALM_S,
    BusyTable,
    FailingCamera,
    is_told,
)
from tests.bench.chaos.mischief import (
    TOLD_WITHIN_S,
    Command,
    Network,
    damage_page,
    freeze,
    hit_broker,
    is_behind,
    is_unwell,
    is_well,
    may_refuse_writes,
    read_only,
    tilecast,
    wait_until,
)
from tests.postgres_server import DatabaseServer, running_server, server_programs
from tests.rehearsal.troubles import WallClock

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
    "name doubled": 1,
    "agent frozen": 4,
    "recorder frozen": 4,
    "network split": 8,
    "clock set": 4,
    "disk full": 6,
    "disk read-only": 4,
    "log locked": 2,
    "log damaged": 1,
    "camera frozen": 1,
    "camera black": 1,
    "table busy": 2,
}
OF_A_FILE = {"disk full", "disk read-only", "log locked", "log damaged"}
WITH_DATABASE = {"database crashed": 8}
LONGER_THAN_PATIENT_S = 6.0
"""A log that another program holds for so long refuses."""
Press = tuple[str, int]
"""A clock, and the sum of its times: it falls with every press, so each press has its own."""


class Chaos:
    """The whole table, and the mischief done to it."""

    def __init__(
        self,
        folder: Path,
        running: ExitStack,
        seed: int,
        database: DatabaseServer | None = None,
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
        self._network = running.enter_context(closing(Network(self.broker.url)))
        self.clocks = running.enter_context(Clocks(self._network.url, folder))
        self._camera = running.enter_context(closing(FailingCamera()))
        self._busy = running.enter_context(BusyTable(self._network.url, folder))
        self._time_of_day = WallClock(folder)
        if not WallClock.library():
            del self.kinds["clock set"]
        if database is None and not may_refuse_writes(folder):
            del self.kinds["disk read-only"]
        ports = {name: peer.path for name, peer in self.clocks.serial.items()}
        self._agent_file = written(
            folder / "table.toml", agent_text(self._network.url, ports, {CAMERA: self._camera.url})
        )
        self._agent = Command(folder, "agent", self._agent_file)
        running.callback(self._agent.end, signal.SIGKILL)
        self._recorders: list[Command] = []
        self._monitor = self.port = free_port()
        seen = self._time_of_day.environment() if WallClock.library() else {}
        for place in self._folders:
            place.mkdir(exist_ok=True)
            more = "" if database is None else f'log = "{self.log}"\n'
            venue = written(place / "venue.toml", recorder_text(self.broker.url, more))
            words = ("record", venue, "--monitor", self._monitor)
            self._recorders.append(Command(place, *words, environment=seen))
            self._monitor += 1
            running.callback(self._recorders[-1].end, signal.SIGKILL)
        self._copies: list[Path] = []
        self.done: Counter[str] = Counter()
        self.told: Counter[bool] = Counter()
        self.in_time: Counter[bool] = Counter()

    def mischief(self) -> None:
        """Do one thing, each kind once first; who looks after recorders starts them again."""
        for recorder in self._recorders if self._database else ():
            recorder.start()
        kinds, weights = zip(*self.kinds.items(), strict=True)
        undone = [kind for kind in kinds if not self.done[kind]]
        (kind,) = [self._chance.choice(undone)] if undone else self._chance.choices(kinds, weights)
        late = self.told[False] + self.in_time[False]
        self._deed(kind)()
        self.done[kind] += 1
        if self.told[False] + self.in_time[False] > late:
            print(f"{kind}: not in time", file=sys.stderr)
        time.sleep(self._chance.uniform(0.05, 1.2))

    def _deed(self, kind: str) -> Callable[[], None]:
        what, _, how = kind.rpartition(" ")
        ending = signal.SIGKILL if how == "killed" else signal.SIGTERM
        alone = {
            "agent doubled": self._double_agent,
            "name doubled": self._double_name,
            "agent frozen": lambda: freeze(self._agent.pid, self._chance.uniform(0.3, 3)),
            "recorder frozen": self._freeze_recorder,
            "disk read-only": self._refuse_disk,
            "log damaged": self._damage_log,
            "camera frozen": lambda: self._spoil_camera("frozen"),
            "camera black": lambda: self._spoil_camera("black"),
            "table busy": self._flood,
        }
        if kind in alone:
            return alone[kind]
        return {
            "agent": lambda: self._again(self._agent, ending),
            "recorder": lambda: self._again(self._chance.choice(self._recorders), ending),
            "broker": lambda: hit_broker(self.broker, self.folder / "broker", self._chance, how),
            "cable": self._pull,
            "networked clock switched": self.clocks.switch_off,
            "disk": self._fill_disk,
            "log": self._lock_log,
            "database": self._crash_database,
            "network": lambda: self._network.split(self._chance.uniform(0.5, 4)),
            "clock": lambda: self._time_of_day.set(self._chance.choice((-7200, -60, 0, 3600))),
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

    def _double_name(self) -> None:
        """Somebody starts an agent elsewhere whose clock has a name that is taken."""
        self._agent.start()
        for recorder in self._recorders:
            recorder.start()
        folder = self.folder / f"elsewhere-{self.done.total()}"
        is_said = is_told_of_twin(folder, self.broker.url, "clock-1")
        if is_said is not None:
            self.told[is_said] += 1

    def _freeze_recorder(self) -> None:
        """For longer than its lease, where it has one."""
        freeze(self._chance.choice(self._recorders).pid, self._chance.uniform(0.5, 4))

    def _refuse_disk(self) -> None:
        """The log's disk is read-only until the recorder says so, or ends and says why.

        Its shared memory is a file there too; the system ends a program that writes into that.
        """
        recorder = self._recorders[0]
        recorder.start()
        if not isinstance(self.log, Path) or not wait_until(
            lambda: is_well(self.port), LONGEST_CALM_S
        ):
            return
        before = recorder.output.stat().st_size

        def is_told() -> bool:
            said = recorder.output.read_bytes()[before:]
            return is_unwell(self.port) or (recorder.pid is None and b"Bus error" in said)

        with read_only(self.log):
            self.told[wait_until(is_told, TOLD_WITHIN_S)] += 1
        recorder.start()  # as whoever looks after it does

    def _damage_log(self) -> None:
        """A page of the log is nonsense: the recorder goes on without its rows, and says so."""
        if not isinstance(self.log, Path) or not self.log.exists():
            return
        recorder, copy = self._recorders[0], self.folder / f"copy-{self.done.total()}.db"
        recorder.end(signal.SIGTERM)
        tilecast("log", "backup", self.log, copy)
        damage_page(self.log)
        before = recorder.output.stat().st_size
        recorder.start()
        aside = self.log.with_name(f"{self.log.name}.damaged-{len(self._copies) + 1}")

        def is_told() -> bool:
            return aside.name.encode() in recorder.output.read_bytes()[before:]

        self.told[wait_until(is_told, LONGEST_CALM_S)] += 1
        self._copies.append(copy)

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

    def _spoil_camera(self, how: str) -> None:
        """A camera gives one picture for ever, or black ones: that is reported, and taken back."""
        self._agent.start()
        is_said = is_told(self._camera, self.log, how)
        if is_said is not None:
            self.told[is_said] += 1

    def _flood(self) -> None:
        """One table's devices say more than anybody can read: reported of, the others in time."""
        ports = range(self.port, self._monitor)
        self._busy.flood(0)
        self._are_heard(LONGEST_CALM_S)
        is_told, in_time = self._busy.flood_watched(
            lambda: any(map(is_behind, ports)), lambda: self._are_heard(TOLD_WITHIN_S)
        )
        self.told[is_told] += 1
        self.in_time[in_time] += 1

    def _are_heard(self, within_s: float) -> bool:
        """Whether all that the clocks have sent till now is in the log in time."""
        sent = self.clocks.sent
        return wait_until(lambda: len(self.rows()) >= sent, within_s)

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
        """Device, boot, number and content of every clock event in the log.

        What it lost with a damaged page is in the copy that was made before.
        """
        rows = _clock_rows(self.log)
        for copy in self._copies:
            known = {row[:3] for row in rows}
            rows += [row for row in _clock_rows(copy) if row[:3] not in known]
        return rows

    def holds(self) -> bool:
        """Whether the chain of the log does."""
        with open_log_reader(self.log) as reader:
            return reader.verify() is None


def _clock_rows(log: LogPlace) -> list[tuple[str, str, int, str]]:
    if isinstance(log, Path) and not log.exists():
        return []
    with contextlib.suppress(RecorderError), open_log_reader(log) as reader:
        return [
            (*row.key, str(row.body["data"]))
            for row in reader.read_from(1)
            if row.key is not None and _is_counted(row.key[0], row.body["type"])
        ]
    return []  # it is not laid out yet, or its database is down


def _is_counted(device: str, kind: str) -> bool:
    """The agent's comparisons of time are its own; the clocks did not number them."""
    return device != BUSY_CLOCK and (kind.startswith("clock.") or device == "clock-3")


def main(arguments: list[str]) -> int:
    """0 when everything was recorded once and the chain holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=500, help="things done to the table")
    parser.add_argument("--minutes", type=float, default=0.0, help="go on for so long instead")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="this kind of mischief alone")
    parser.add_argument("--postgres", action="store_true", help="a database, a second recorder")
    args = parser.parse_args(arguments)
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
        ready_by = time.monotonic() + LONGEST_CALM_S
        while not chaos.rows() and time.monotonic() < ready_by:
            time.sleep(0.2)
        end = time.monotonic() + args.minutes * 60
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
    if chaos.told:
        print(f"said by the recorder itself: {chaos.told[True]} of {chaos.told.total()}")
    if chaos.in_time:
        print(f"others in time: {chaos.in_time[True]} of {chaos.in_time.total()}")
    print(f"the chain of the log {'holds' if is_whole else 'IS BROKEN'}")
    print(f"sent {sent} recorded {recorded} lost {sent - recorded} doubled {doubled}")
    is_good = is_whole and not chaos.told[False] and not chaos.in_time[False]
    return 0 if is_good and recorded == sent and not doubled else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
