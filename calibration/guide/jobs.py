"""Guided calibrations as jobs of a page: each runs its step in a thread and waits for answers.

A job's person is the one who has the page open. Must not know HTTP.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.guide.checks import Dialogue
from calibration.guide.steps import Options, Step, step_of
from calibration.guide.words import words
from devices.agent_process.table_file import AgentPlan
from devices.pictures import Image, encode_jpeg
from devices.ports import Ticks
from recorder.domain.errors import TilecastError

_MOST_LINES = 40
_QUALITY = 80


class GivenUpError(TilecastError):
    """The person ended the step, or the page was closed."""


class Job(Dialogue):
    """One device's calibration. All methods may be called from any thread.

    ``state`` is ``idle``, ``running``, ``kept``, ``refused`` or ``given up``.
    """

    def __init__(self, name: str, kind: str, step: Step) -> None:
        self.name, self.kind = name, kind
        self._step = step
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None
        self._begin()

    def _begin(self) -> None:
        self._state = "idle"
        self._lines: list[str] = []
        self._figures: tuple[str, ...] = ()
        self._faults: tuple[str, ...] = ()
        self._request = ""
        self._answers: list[str] = []
        self._is_over = False
        self._picture, self._pictures = b"", 0

    def start(self, options: Options) -> bool:
        """Begin, or begin again; False while it runs."""
        with self._news:
            if self._state == "running":
                return False
            self._begin()
            self._state = "running"
        self._thread = threading.Thread(
            target=self._work, args=(options,), name=f"calibrating {self.name}"
        )
        self._thread.start()
        return True

    def answer(self, text: str) -> bool:
        """What the person says to the request; False when nothing is asked."""
        with self._news:
            if not self._request:
                return False
            self._answers.append(text)
            self._request = ""
            self._news.notify_all()
        return True

    def give_up(self) -> None:
        """End the step at its next word, and wait for it."""
        with self._news:
            self._is_over = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join()

    def state(self) -> dict[str, Any]:
        """What a page shows."""
        with self._news:
            return {
                "name": self.name,
                "kind": self.kind,
                "state": self._state,
                "lines": list(self._lines),
                "figures": list(self._figures),
                "faults": list(self._faults),
                "request": self._request,
                "picture": self._pictures,
            }

    def picture(self) -> bytes:
        """The newest picture, JPEG; empty when there is none."""
        with self._news:
            return self._picture

    def tell(self, line: str) -> None:
        """See ``Dialogue``."""
        with self._news:
            self._go_on()
            self._lines = [*self._lines, line][-_MOST_LINES:]

    def ask(self, request: str) -> str:
        """See ``Dialogue``."""
        with self._news:
            self._request = request
            self._news.wait_for(lambda: bool(self._answers) or self._is_over)
            self._go_on()
            return self._answers.pop(0)

    def is_answered(self, request: str) -> bool:
        """See ``Dialogue``."""
        with self._news:
            self._go_on()
            if self._answers:
                self._answers.clear()
                return True
            self._request = request
            return False

    def show(self, picture: Image, lines: Sequence[str], faults: Sequence[str] = ()) -> None:
        """See ``Dialogue``."""
        data = encode_jpeg(picture, _QUALITY)
        with self._news:
            self._go_on()
            self._picture, self._pictures = data, self._pictures + 1
            self._figures, self._faults = tuple(lines), tuple(faults)

    def keep_on(self) -> None:
        """See ``Dialogue``."""
        with self._news:
            self._go_on()

    def _go_on(self) -> None:
        if self._is_over:
            raise GivenUpError(self.name)

    def _work(self, options: Options) -> None:
        try:
            kept = self._step(self, options)
        except GivenUpError:
            self._end("given up", (words("given_up"),))
        except (TilecastError, OSError, ValueError) as err:
            self._end("refused", (str(err),))
        else:
            self._end("kept", kept.lines)
        finally:
            if self._state == "running":
                self._end("refused", (words("program_fault"),))

    def _end(self, state: str, lines: tuple[str, ...]) -> None:
        with self._news:
            self._lines += lines
            self._request, self._state = "", state


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The table file and its jobs, by device."""

    table: Path
    jobs: Mapping[str, Job]

    def give_up(self) -> None:
        """End every step."""
        for job in self.jobs.values():
            job.give_up()


def bench_of(plan: AgentPlan, table: Path, seconds: float, ticks: Ticks) -> Bench:
    """A job for each device that can be calibrated; nothing is opened yet."""
    jobs = {}
    for device in plan.devices:
        found = step_of(device, table, seconds, ticks)
        if found is not None:
            jobs[device.name] = Job(device.name, *found)
    return Bench(table=table, jobs=jobs)
