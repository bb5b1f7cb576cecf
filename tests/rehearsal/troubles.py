"""What goes wrong at a venue that runs: a jolt is over at once, an outage when its block ends."""

import os
import re
import signal
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.rehearsal.cameras import Camera
from tests.rehearsal.hall import Hall

BROKER = "broker/mosquitto.conf"
"""Stands in the command line of a venue's broker."""


def agent_of(table: int) -> str:
    """What the command line of a table's agent ends with."""
    return f"table-{table}.toml"


def kill_broker(hall: Hall) -> None:
    """The broker is gone without a word; ``tilecast venue`` starts another."""
    os.kill(hall.pid_of(BROKER), signal.SIGKILL)


@contextmanager
def killed(hall: Hall, word: str) -> Iterator[None]:
    """A program is killed, and the one started in its place is not ready before the block ends."""
    for number in hall.pids_of(word):
        os.kill(number, signal.SIGKILL)
    over, held = threading.Event(), list[int]()

    def hold() -> None:
        while not over.wait(0.1):
            for number in set(hall.pids_of(word)) - set(held):
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGSTOP)
                    held.append(number)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()
        for number in held:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGCONT)


@contextmanager
def lid_shut(numbers: list[int]) -> Iterator[None]:
    """These processes stand still, as those of a laptop whose lid is shut."""
    for number in numbers:
        os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        for number in reversed(numbers):
            os.kill(number, signal.SIGCONT)


@contextmanager
def switched_off(camera: Camera) -> Iterator[None]:
    camera.off()
    try:
        yield
    finally:
        camera.on()


class Wifi:
    """The way of a table's devices to the venue; what is sent while it is lost waits."""

    def __init__(self) -> None:
        self._carries = threading.Event()
        self._carries.set()
        self._ways: list[tuple[socketserver.ThreadingTCPServer, threading.Thread]] = []

    def way_to(self, port: int) -> int:
        """A port of this machine that leads to another one."""
        wifi = self

        class Way(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                wifi._carries.wait()
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as there:
                    back = threading.Thread(target=wifi._carry, args=(there, self.request))
                    back.start()
                    wifi._carry(self.request, there)
                    back.join()

        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Way)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        self._ways.append((server, thread))
        return int(server.server_address[1])

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        with suppress(OSError):
            while sent := here.recv(65536):
                self._carries.wait()
                there.sendall(sent)
        for line in (here, there):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def lay(self, file: Path) -> None:
        """An agent's file names this way instead of the broker's port."""
        text = file.read_text("utf-8")
        found = re.search(r"(mqtts?://[^\n]*127[.]0[.]0[.]1:)([0-9]+)", text)
        assert found is not None, file
        way = self.way_to(int(found[2]))
        file.write_text(text.replace(found[0], f"{found[1]}{way}"), "utf-8")

    @contextmanager
    def lost(self) -> Iterator[None]:
        self._carries.clear()
        try:
            yield
        finally:
            self._carries.set()

    def close(self) -> None:
        self._carries.set()
        for server, thread in self._ways:
            server.shutdown()
            server.server_close()
            thread.join()


class WallClock:
    """The time of day as the venue's programs see it, by ``libfaketime``; they run on steadily."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "time-of-day"
        self.set(0)

    @staticmethod
    def library() -> str:
        """Where it is installed; empty where it is not."""
        places = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
        return str(next(places, ""))

    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": self.library(),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, ahead_s: int) -> None:
        """So many seconds ahead of the true time."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{ahead_s:+d}\n", "utf-8")
        written.replace(self._file)
