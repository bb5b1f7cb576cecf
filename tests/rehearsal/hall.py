"""A venue made by ``tilecast init`` and run by ``tilecast venue``, as one would at a terminal."""

import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recorder.bus.broker import free_port
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.eventually import BUSY_S, eventually
from tests.programs import Program

_PROGRAM = (sys.executable, "-m", "tilecast")


@dataclass(frozen=True, slots=True)
class Hall:
    """A venue that runs: its folder, its process, its ports, what it says."""

    folder: Path
    process: "subprocess.Popen[bytes]"
    broker_port: int
    page_port: int

    def said(self) -> list[str]:
        """The lines that it has said so far."""
        return (self.folder.parent / "said").read_text("utf-8").splitlines()

    def clock_url(self, password: str = "", table: int = 1) -> str:
        file = self.folder / "clocks" / f"clock-{table}.json"
        told: dict[str, Any] = json.loads(file.read_text("utf-8"))
        if "authority" in told:
            return f"mqtts://127.0.0.1:{self.broker_port}"
        proof = f"{told['user']}:{password or told['broker_password']}"
        return f"mqtt://{proof}@127.0.0.1:{self.broker_port}"

    def recorder_url(self) -> str:
        """The broker as the recorder reaches it."""
        found = re.search(r'url = "(.+)"', (self.folder / "venue.toml").read_text("utf-8"))
        return found[1]

    def read_log(self, begin: int = 1) -> list[Row]:
        with closing(SqliteEventLog.open_reader(self.folder / "record" / "tilecast.db")) as log:
            return list(log.read_from(begin))

    def rows(self, kind: str, table: int = 1) -> list[Row]:
        return [row for row in self.read_log() if row.type == kind and row.table == table]

    def frame(self, table: int = 1) -> dict[str, Any]:
        """What the public sees of a table."""
        address = f"http://127.0.0.1:{self.page_port}/api/table/{table}/frame"
        with urllib.request.urlopen(address, timeout=20) as answer:
            frame: dict[str, Any] = json.load(answer)
        return frame

    def scores(self, table: int = 1) -> tuple[int, ...]:
        """Both scores as the public sees them."""
        return tuple(player["score"] for player in self.frame(table)["players"])

    def processes(self) -> list[list[str]]:
        """Number and command line of each process that names the folder or works in it."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().decode().split("\0")
                place = (process / "cwd").readlink()
            except OSError:
                continue  # it has just ended
            if place == self.folder or str(self.folder) in words:
                found.append([process.name, *words])
        return found

    def pid_of(self, word: str) -> int:
        """The process in whose command line a word stands."""
        return next(int(words[0]) for words in self.processes() if word in words)

    def pids_of(self, word: str) -> list[int]:
        """The processes with a word in their command line that ends so."""
        return [
            int(number)
            for number, *words in self.processes()
            if any(said.endswith(word) for said in words)
        ]


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(BUSY_S)
    finally:
        process.kill()  # its programs end with it
        process.wait()


def open_hall(
    stack: ExitStack,
    folder: Path,
    *words: str,
    environment: Mapping[str, str] | None = None,
    edit: Callable[[Path], object] | None = None,
) -> Hall:
    """Make a venue, have its files edited, and start it; it ends with ``stack``."""
    broker, page = free_port(), free_port()
    ports = ("--broker-port", str(broker), "--dashboard-port", str(page))
    usual = ("--yes", "--no-pads", "--address", "none")
    said = folder.parent / "said"
    assert Program("init", str(folder), *usual, *ports, *words, said=said).wait() == 0, said
    if edit is not None:
        edit(folder)
    with said.open("wb") as output:
        process = subprocess.Popen(
            [*_PROGRAM, "venue", str(folder)],
            stdout=output,
            stderr=output,
            env={**os.environ, **(environment or {})},
        )
    stack.callback(_end, process)
    hall = Hall(folder, process, broker, page)
    wanted = {"broker", "recorder", "dashboard", "table-1"}

    def runs() -> bool:
        assert process.poll() is None, hall.said()
        return wanted <= {line.split()[0] for line in hall.said() if line.endswith(" runs")}

    eventually(runs, "the programs run", BUSY_S)
    return hall
