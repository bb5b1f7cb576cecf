"""The processes of a demonstration: started, watched, and ended with it."""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from recorder.domain.errors import RecorderError

_MOST_SHOWN = 600


class DemoProcesses:
    """Commands of ours as processes; ``running`` ends them. Their output goes to ``folder``."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._folder, self._running = folder, running
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, *command: object, name: str = "") -> Path:
        """Start a command; the path of its output, which is named after it."""
        name = name or str(command[0])
        (output := self._folder / f"{name}.log").touch(mode=0o600)  # it will hold keys
        with output.open("w", encoding="utf-8") as file:
            words = [sys.executable, "-m", "tilecast", *map(str, command)]
            child = subprocess.Popen(words, stdout=file, stderr=subprocess.STDOUT)  # noqa: S603 - our own command
        self._children[name] = child
        self._running.callback(_end, child)
        return output

    def check(self) -> None:
        """RecorderError where one of them has ended, with its last words."""
        for name, child in self._children.items():
            if child.poll() is not None:
                words = (self._folder / f"{name}.log").read_text(encoding="utf-8")[-_MOST_SHOWN:]
                raise RecorderError(f"{name} ended with status {child.returncode}: {words}")


def _end(child: "subprocess.Popen[bytes]") -> None:
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
