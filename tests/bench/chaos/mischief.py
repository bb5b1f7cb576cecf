"""What can be done to a running table besides killing it, and whether the recorder says so.

Its network is cut, its disk refuses, its log is damaged, its programs stand still.
"""

import contextlib
import json
import os
import random
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from recorder.bus.broker import BrokerHandle, free_port

TOLD_WITHIN_S = 5.0
"""So soon a recorder must say what is wrong."""
_PAGE_BYTES = 4096
_CHUNK_BYTES = 65_536


class Network:
    """The line between the tables and their broker: it can be split, and then carries nothing."""

    def __init__(self, url: str) -> None:
        self._broker = int(url.rpartition(":")[2])
        self._port = free_port()
        self.url = f"mqtt://127.0.0.1:{self._port}"
        self._whole = threading.Event()
        self._whole.set()
        self._door = socket.create_server(("127.0.0.1", self._port))
        threading.Thread(target=self._accept, daemon=True).start()

    def split(self, seconds: float) -> None:
        """Nothing comes through for a while, and nobody is informed."""
        self._whole.clear()
        time.sleep(seconds)
        self._whole.set()

    def close(self) -> None:
        """Let nobody in any more."""
        self._whole.set()
        self._door.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        self._whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self._broker), timeout=5)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        threading.Thread(target=self._carry, args=(near, far), daemon=True).start()
        self._carry(far, near)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK_BYTES):
                self._whole.wait()
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def freeze(pid: int | None, seconds: float) -> None:
    """A process stands still for a while."""
    if pid is None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)


def hit_broker(broker: BrokerHandle, folder: Path, chance: random.Random, how: str) -> None:
    pid = broker.pid
    if pid is None:
        return
    if how == "forgetful":
        for kept in folder.glob("*.db"):
            kept.unlink()
    if how in {"killed", "forgetful"}:
        os.kill(pid, signal.SIGKILL)
        return
    freeze(pid, chance.uniform(0.3, 1.5))


def may_refuse_writes(folder: Path) -> bool:
    """Whether files of a folder can be made to refuse, as on a disk that was mounted read-only."""
    probe = folder / "probe"
    probe.touch()
    with _unwritable([probe]):
        try:
            probe.write_bytes(b"x")
        except OSError:
            return True
    return False


@contextmanager
def read_only(log: Path) -> Iterator[None]:
    """A log's files take nothing while the block runs, anyone who has them open already."""
    files = (log, *(log.with_name(f"{log.name}-{part}") for part in ("wal", "shm")))
    with _unwritable([file for file in files if file.exists()]):
        yield


@contextmanager
def _unwritable(files: list[Path]) -> Iterator[None]:
    def mark(how: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            subprocess.run(["chattr", how, *files], check=False, capture_output=True)

    mark("+i")
    try:
        yield
    finally:
        mark("-i")


def damage_page(log: Path) -> None:
    """Write nonsense over a page of a log that nobody has open; one in its middle, with rows."""
    with closing(sqlite3.connect(log)) as opened:
        ((middle,),) = opened.execute("SELECT max(seq) / 2 + 1 FROM event")
        ((digest,),) = opened.execute("SELECT hash FROM event WHERE seq = ?", (middle,))
    with log.open("r+b") as file:
        at = file.read().index(str(digest).encode()) // _PAGE_BYTES * _PAGE_BYTES
        file.seek(at)
        file.write(secrets.token_bytes(_PAGE_BYTES))


def wait_until(holds: Callable[[], bool], within_s: float) -> bool:
    end_s = time.monotonic() + within_s
    while time.monotonic() < end_s:
        if holds():
            return True
        time.sleep(0.1)
    return False


def is_unwell(port: int) -> bool:
    """Whether a recorder says on its health address that something is wrong."""
    return bool(_health(port))


def is_well(port: int) -> bool:
    """Whether it says that nothing is."""
    return _health(port) == ""


def is_behind(port: int) -> bool:
    """Whether a recorder's figures report a table whose fold is cut short for the others."""
    address = f"http://127.0.0.1:{port}/metrics"
    with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2) as answer:
        return b"\ntilecast_tables_behind 0.0\n" not in answer.read()
    return False


def _health(port: int) -> str | None:
    """What a recorder says is wrong; None where it says nothing."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2).close()
    except urllib.error.HTTPError as refused:
        return str(json.load(refused)["wrong"])
    except OSError:
        return None
    return ""


def tilecast(*words: object) -> None:
    """A command that must succeed."""
    subprocess.run([sys.executable, "-m", "tilecast", *map(str, words)], check=True)


class Command:
    """``tilecast <words>`` as a process that can be killed and is started again."""

    def __init__(
        self, folder: Path, *words: object, environment: dict[str, str] | None = None
    ) -> None:
        self._words = [sys.executable, "-m", "tilecast", *map(str, words)]
        self.output = folder / f"{words[0]}.log"
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        if self._process is None or self._process.poll() is not None:
            with self.output.open("ab") as file:
                self._process = subprocess.Popen(
                    self._words, stdout=file, stderr=subprocess.STDOUT, env=self._environment
                )

    def end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
