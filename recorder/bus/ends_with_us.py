"""Has a program that we start end when we end, however that happens; also the script that does it.

As a script (``PROCESS COMMAND...``) it becomes the command. Every program of a venue begins with
it, so it imports little, and Python finds no packages for it.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

_PR_SET_PDEATHSIG = 1


def ending_with_us(command: Sequence[str]) -> list[str]:
    """The command line of a program that Linux ends with the thread that starts it."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *command]


def _become(parent: int, command: list[str]) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        raise SystemExit(f"process {parent} ended before its program began")
    os.execv(command[0], command)  # noqa: S606  # no shell, our own command line


if __name__ == "__main__":
    _become(int(sys.argv[1]), sys.argv[2:])
