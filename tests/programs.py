"""``tilecast`` as a process of its own, forked from one that has loaded its modules already.

Loading takes most of a program's start. It is done once for all programs of a test process; what
importing does (nothing) is held by ``tests/house/test_architecture.py``. What is about the start
itself, a terminal, memory or the environment of a program starts it as people do.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from signal import SIGKILL, SIGTERM, Signals
from subprocess import TimeoutExpired

from argon2 import PasswordHasher

from tests.eventually import BUSY_S

LOADED = (
    "dashboard.app", "dashboard.cli", "dashboard.lab.simulate_cli", "dashboard.serving",
    "dashboard.web.deflate", "dashboard.web.door_protocol", "devices.agent",
    "recorder.cli", "recorder.service.process", "pydantic.v1", "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio", "uvicorn.protocols.http.h11_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)  # fmt: skip
"""What each command would load first; some of it libraries load only when they are used."""


QUICK_PASSWORDS = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
"""Passwords are hashed as always, at the least cost: tests sign in, and start, more than people."""


@cache
def _server() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload(list(LOADED))
    return context


def _run(words: tuple[str, ...], said: str, folder: str, environment: Mapping[str, str]) -> None:
    """In the new process: the command line, its words going to a file."""
    import tilecast
    from dashboard.auth import accounts

    accounts.PasswordHasher = QUICK_PASSWORDS  # type: ignore[misc,assignment]
    with Path(said).open("ab") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    os.umask(0o022)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["tilecast", *words]
    sys.exit(tilecast.main())


class Program:
    """A running command, with the methods of ``subprocess.Popen`` that tests use."""

    def __init__(self, *words: str, said: Path | None = None, **more: str) -> None:
        """Start ``tilecast WORDS``; what it says is added to a file, or thrown away.

        ``more`` are variables of its environment. It ends with the tests at the latest.
        """
        if said is not None:
            said.touch()
        around = {**os.environ, **more}
        self._values = (words, str(said or os.devnull), str(Path.cwd()), around)
        self.start()

    def start(self) -> None:
        self._process = _server().Process(target=_run, args=self._values, daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def returncode(self) -> int | None:
        """See ``poll``."""
        return self.poll()

    def poll(self) -> int | None:
        """Its exit status, negative for a signal; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, once it has ended; TimeoutExpired after so many seconds."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired("tilecast", timeout or 0)
        return self._process.exitcode

    def send_signal(self, signal: Signals) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal)

    def terminate(self) -> None:
        self.send_signal(SIGTERM)

    def kill(self) -> None:
        """End it without a word to anybody."""
        self.send_signal(SIGKILL)

    def end(self, how: Signals) -> None:
        self.send_signal(how)
        self.wait(BUSY_S)
