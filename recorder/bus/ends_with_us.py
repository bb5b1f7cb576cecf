"""Has a program that we start end when we end, however that happens; also the script that does it.

It also lets the program open as many files as the system allows: the 1,024 of a login are
fewer than the connections that one stranger opens at a broker.

As a script (``PROCESS COMMAND...``) it becomes the command. Every program of a venue begins with
it, so it imports little, and Python finds no packages for it.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1
_MOST_FILES = 200_000
"""More than one address can open at one port."""


def ending_with_us(command: Sequence[str]) -> list[str]:
    """The command line of a program that Linux ends with the thread that starts it."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def _open_all_that_is_allowed() -> None:
    """A program asks for no more than its soft limit, and Mosquitto then takes no more clients."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft < wanted:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            except (OSError, ValueError):
                return  # macOS allows less than it says


def _become(parent: int, command: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit(f"process {parent} ended before its program began")
    _open_all_that_is_allowed()
    os.execv(command[0], command)  # noqa: S606  # no shell, our own command line


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
