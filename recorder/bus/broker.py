"""A broker for one machine: the one that was named, else Mosquitto, else the demo broker.

A child process is watched over: it is started again when it dies, and dies with us. Both listen on
loopback only. This module does not speak MQTT beyond the greeting that shows a broker is ready.
"""

import argparse
import asyncio
import logging
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

from recorder.backoff import Backoff
from recorder.bus.ends_with_us import ending_with_us
from recorder.domain.errors import NotationError, RecorderError
from recorder.own_thread import OwnThread
from recorder.systems import OUT_OF_CTRL_C, is_superuser, open_log_of_program, tail

BrokerKind = Literal["given", "mosquitto", "amqtt"]

DEMO_BANNER = "demo broker; use Mosquitto for a tournament (apt install mosquitto)"
_READY_WITHIN_S = 30.0
_LAST_WORDS_BYTES = 2000
_PAUSES_S = Backoff(0.1, 5.0)
_HELLO = bytes.fromhex("100f00044d5154540402000a0003") + b"tc?"
_GOODBYE = bytes.fromhex("e000")
_OF_SERVERS = range(20_000, 32_000)
MEMORY_LIMIT = 209_715_200
"""Bytes that a broker of ours takes at most; beyond them it drops connections and messages."""
HEAP_TOPIC = "$SYS/broker/heap/current"
"""Where Mosquitto says every second or two how many bytes it has taken."""

log = logging.getLogger("tilecast.broker")


class BrokerHandle:
    """A broker that may be used until ``stop``; ``url`` is what a bus takes."""

    def __init__(self, url: str, kind: BrokerKind, child: "Child | None" = None) -> None:
        self.url = url
        self.kind = kind
        self.banner = DEMO_BANNER if kind == "amqtt" else ""
        self._child = child

    @property
    def pid(self) -> int | None:
        """The process number of our child, None for a broker that was given."""
        return None if self._child is None else self._child.pid

    def stop(self) -> None:
        """End the child, if it is ours. Stopping twice is harmless."""
        if self._child is not None:
            self._child.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def start_broker(wanted: str = "auto", *, workdir: Path, port: int | None = None) -> BrokerHandle:
    """A broker that answers: ``auto``, ``mosquitto``, ``amqtt`` or the URL of a running one.

    Children listen on 127.0.0.1 at ``port`` (a free one when None) and keep their files in
    ``workdir``. Raises NotationError for a wish nobody can fulfil and RecorderError, with the last
    lines of its log, for a broker that is not ready in time. A given URL is not tried out.
    """
    if wanted.startswith(("mqtt://", "mqtts://")):
        return BrokerHandle(wanted, "given")
    if wanted not in {"auto", "mosquitto", "amqtt"}:
        raise NotationError(
            f"unknown broker {wanted!r}: expected auto, mosquitto, amqtt or mqtt://host[:port]"
        )
    mosquitto = find_mosquitto()
    if wanted == "mosquitto" and mosquitto is None:
        raise RecorderError("Mosquitto is not installed here: apt install mosquitto")
    workdir = workdir.absolute()
    workdir.mkdir(parents=True, exist_ok=True)
    port = free_port() if port is None else _refuse_taken(port)
    if mosquitto is not None and wanted != "amqtt":
        config = workdir / "mosquitto.conf"
        config.write_text(mosquitto_config(port, workdir), encoding="utf-8")
        kind: BrokerKind = "mosquitto"
        command = [str(mosquitto), "-c", str(config)]
    else:
        kind = "amqtt"
        command = [sys.executable, "-m", "recorder.bus.broker", "--amqtt", str(port)]
    child = Child(command, port=port, log_path=workdir / f"{kind}.log")
    child.start()
    return BrokerHandle(f"mqtt://127.0.0.1:{port}", kind, child)


def find_mosquitto() -> Path | None:
    """Where Mosquitto is installed; Debian puts it where ordinary users do not look."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    return None if found is None else Path(found)


def free_port(usual: int | None = None) -> int:
    """A TCP port of the loopback that nobody used a moment ago, the ``usual`` one if it is free.

    Not one of those that a system gives to outgoing connections: the next of these might take it
    before its server does.
    """
    wanted = [] if usual is None else [usual]
    while True:
        port = wanted.pop() if wanted else secrets.choice(_OF_SERVERS)
        with socket.socket() as sock, suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port


def _refuse_taken(port: int) -> int:
    """The port, if nobody listens on it: another broker there would be taken for our child."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("127.0.0.1", port))
        except OSError as err:
            raise RecorderError(f"port {port} for the broker: {err.strerror}") from err
    return port


def mosquitto_config(port: int, workdir: Path) -> str:
    """The configuration of the child; every line that differs from the default has its reason."""
    lines = [
        f"listener {port} 127.0.0.1",
        "allow_anonymous true",  # loopback only
        *broker_settings(f"{workdir}/"),
    ]
    if is_superuser():
        # Otherwise it becomes user mosquitto, cannot write to workdir (and says so only in its
        # log), and forgets to die with us: Linux clears that wish when the user changes.
        lines.insert(0, "user root")
    return "\n".join(lines) + "\n"


def broker_settings(folder: str) -> list[str]:
    """What every broker of ours has; each line that differs from the default has its reason.

    ``folder`` is where it keeps its state, with the slash at its end.
    """
    return [
        "persistence true",
        f"persistence_location {folder}",
        "autosave_interval 5",
        "max_queued_messages 100000",  # the default of 1000 drops messages and says Success
        "max_inflight_messages 200",
        "set_tcp_nodelay true",  # 1 ms instead of 42
        "max_queued_bytes 33554432",  # of one client that does not read on; without it 100 GB
        f"memory_limit {MEMORY_LIMIT}",  # in all
        "sys_interval 1",  # so that a recorder hears in time that this is nearly reached
        "persistent_client_expiration 2d",
        "max_packet_size 1048576",
        "connection_messages true",  # or it does not say whom it refuses
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "log_type notice",
    ]


def memory_limit_of(*configurations: Path) -> int | None:
    """Bytes that a Mosquitto takes at most, by the first of its files that is there.

    None where none is, or where it says no limit.
    """
    for configuration in configurations:
        with suppress(OSError):
            text = configuration.read_text(encoding="utf-8", errors="replace")
            limits = re.findall(r"(?m)^memory_limit +([1-9]\d*) *$", text)
            return int(limits[-1]) if limits else None
    return None


class Child(OwnThread):
    """A broker process, started again when it dies, ended when we end.

    All starts happen on the watching thread: Linux ends a child with the *thread* that made it.
    """

    def __init__(self, command: Sequence[str], *, port: int, log_path: Path) -> None:
        super().__init__("broker-watch")
        self._command = ending_with_us(command)
        self._port = port
        self._log_path = log_path
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = threading.Event()
        self._failure = ""

    @property
    def pid(self) -> int | None:
        """The number of the process that runs at present."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def start(self) -> None:
        """Start the process and wait until it greets. Raises RecorderError with its last words."""
        super().start()
        self._ready.wait(_READY_WITHIN_S + 5)
        if self._failure or not self._ready.is_set():
            self.stop()
            raise RecorderError(f"{self._failure or 'broker not ready'}; see {self._log_path}")

    def _work(self) -> None:
        deaths = 0
        is_first = True
        try:
            while not self._ends.is_set():
                started = time.monotonic()
                fault = self._run_once()
                if is_first and fault:
                    self._failure = fault
                    return
                is_first = False
                if self._ends.is_set():
                    return
                lived_s = time.monotonic() - started
                deaths = 1 if lived_s > _PAUSES_S.longest else deaths + 1
                log.warning("broker died (%s); starting it again", fault or "see its log")
                self._ends.wait(_PAUSES_S.after(deaths))
        finally:
            self._ready.set()

    def _run_once(self) -> str:
        """Run the process to its end. The answer is why it never got ready, or empty."""
        with open_log_of_program(self._log_path) as output:
            self._process = subprocess.Popen(  # noqa: S603  # our own command line
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=Path(__file__).parents[2],
                **OUT_OF_CTRL_C,
            )
        process = self._process
        try:
            fault = self._wait_ready(process)
            if fault:
                return fault
            self._ready.set()
            while process.poll() is None and not self._ends.wait(0.05):
                pass
        finally:
            _end(process)
        return ""

    def _wait_ready(self, process: subprocess.Popen[bytes]) -> str:
        deadline = time.monotonic() + _READY_WITHIN_S
        while not self._ends.is_set():
            if process.poll() is not None:
                return f"broker ended with status {process.returncode}: {self._last_words()}"
            if greets(self._port):
                return ""
            if time.monotonic() > deadline:
                return f"broker not ready on port {self._port} within {_READY_WITHIN_S:g} s"
            time.sleep(0.02)
        return ""

    def _last_words(self) -> str:
        lines = tail(self._log_path, _LAST_WORDS_BYTES).splitlines()
        return " / ".join(lines[-2:])


def greets(port: int) -> bool:
    """Whether an MQTT broker on a loopback port answers a CONNECT with an accepting CONNACK."""
    answer = _answer(port)
    return len(answer) == 4 and answer[0] == 0x20 and answer[3] == 0


def serves(port: int) -> bool:
    """Whether a broker on a loopback port answers at all, were it to refuse who has no password."""
    return _answer(port) != b""


def _answer(port: int) -> bytes:
    """The first bytes that come back to the CONNECT of a nobody; empty where none do."""
    answer = b""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2) as sock:
        sock.sendall(_HELLO)
        answer = sock.recv(4)
        sock.sendall(_GOODBYE)
    return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


async def _run_amqtt(port: int) -> None:
    from amqtt.broker import Broker

    config = {
        "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{port}"}},
        "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
    }
    broker = Broker(config)
    await broker.start()
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    await ended.wait()
    await broker.shutdown()


def main(arguments: Sequence[str] | None = None) -> int:
    """The demo broker's process: ``--amqtt PORT``."""
    parser = argparse.ArgumentParser(prog="python -m recorder.bus.broker")
    parser.add_argument("--amqtt", type=int, metavar="PORT", required=True)
    args = parser.parse_args(arguments)
    with suppress(KeyboardInterrupt):
        asyncio.run(_run_amqtt(args.amqtt))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
