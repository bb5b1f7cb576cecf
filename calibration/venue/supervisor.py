"""The programs of a venue as one: started in order, started again when they die, ended together.

Everything happens on the thread that calls: Linux ends a child with the thread that made it, which
is how nothing is left behind when this program is killed. Must not know what a program does.
"""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from recorder.backoff import Backoff
from recorder.bus.ends_with_us import ending_with_us
from recorder.systems import kill_session, open_log_of_program, tail

PAUSES_S = Backoff(0.5, 30.0)
WELL_AFTER_S = 30.0
"""Who lived so long was well: its next death is a first one again."""
READY_WITHIN_S = 120.0
"""At the first start; after each death as much again: a busy machine needs longer."""
END_WITHIN_S = 12.0
_LAST_WORDS_BYTES = 2000
MOST_LOG_BYTES = 8_000_000
"""Of a program's log; as much again is kept of what it said before. What a broker says is chosen by
strangers: two lines for each connection, 1 GB in an hour."""


class Phase(StrEnum):
    """Where a program is."""

    WAITS = "waits"
    STARTS = "starts"
    RUNS = "runs"
    DIED = "died"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlan:
    """How one program is started.

    ``ports`` of this machine answer once it is ready; none: it is ready at once. It waits for the
    program named ``after``. What it says goes to the file ``log``.
    """

    name: str
    command: Sequence[str]
    folder: Path
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    ports: Sequence[int] = ()
    after: str = ""

    def variables(self) -> dict[str, str]:
        """The environment of its process."""
        return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **self.environment}


Told = Callable[[str, Phase, str], object]
"""Gets each change: the program, its phase, and a word on why."""


@dataclass(slots=True)
class Program:
    """One program, and what has become of it; times are seconds of the steady clock."""

    plan: ProgramPlan
    phase: Phase = Phase.WAITS
    why: str = ""
    deaths: int = 0
    since_s: float = 0.0
    process: "subprocess.Popen[bytes] | None" = None

    def start(self, now_s: float) -> None:
        """Start its process, in a session of its own: Ctrl-C is for us alone."""
        with open_log_of_program(self.plan.log) as output:
            self.process = subprocess.Popen(  # noqa: S603  # our own command line
                ending_with_us(self.plan.command),
                cwd=self.plan.folder,
                env=self.plan.variables(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.phase, self.since_s = Phase.STARTS, now_s

    def is_ready(self) -> bool:
        """Whether all its ports answer."""
        return all(map(answers, self.plan.ports))

    def last_words(self) -> str:
        """What it wrote last: the line that says most of why it died."""
        lines = [line.strip() for line in tail(self.plan.log, _LAST_WORDS_BYTES).splitlines()]
        said = next((line for line in reversed(lines) if line), "")
        return re.sub(r"/enter/\S+", "/enter/...", said)  # a dashboard says its links


_KILLED = -9
"""The status of a program that was killed, where there are signals."""


def _cause(status: int, words: str) -> str:
    """Why a program ended; one that was killed had no time to say why, whatever it wrote last."""
    if status == _KILLED:
        return "killed by somebody, or by the system because memory was full"
    return f"status {status}: {words or 'it said nothing'}"


class Supervisor:
    """Keeps programs running; ``tell`` gets every change of phase."""

    def __init__(self, plans: Sequence[ProgramPlan], tell: Told) -> None:
        self.programs = {plan.name: Program(plan) for plan in plans}
        self._tell = tell

    def step(self) -> None:
        """Look after each program once; several times a second."""
        for program in self.programs.values():
            self._look_after(program, time.monotonic())

    def _look_after(self, program: Program, now_s: float) -> None:
        shorten(program.plan.log)
        process = program.process
        if process is not None and process.poll() is not None:
            self._died(program, process.returncode, now_s)
        match program.phase:
            case Phase.WAITS if self._may_start(program):
                program.start(now_s)
                self._told(program, Phase.STARTS, "")
            case Phase.STARTS if program.is_ready():
                program.since_s = now_s
                self._told(program, Phase.RUNS, "")
            case Phase.STARTS if now_s - program.since_s > READY_WITHIN_S * (1 + program.deaths):
                wanted = ", ".join(map(str, program.plan.ports))
                end(program, within_s=2.0)
                self._pause(program, f"does not answer on port {wanted}", now_s)
            case Phase.DIED if now_s >= program.since_s:
                program.start(now_s)
                self._told(program, Phase.STARTS, "")

    def _may_start(self, program: Program) -> bool:
        after = self.programs.get(program.plan.after)
        return after is None or after.phase is Phase.RUNS

    def _died(self, program: Program, status: int, now_s: float) -> None:
        if program.phase is Phase.RUNS and now_s - program.since_s > WELL_AFTER_S:
            program.deaths = 0
        program.process = None
        self._pause(program, _cause(status, program.last_words()), now_s)

    def _pause(self, program: Program, why: str, now_s: float) -> None:
        program.deaths += 1
        pause_s = PAUSES_S.after(program.deaths)
        program.since_s = now_s + pause_s
        self._told(program, Phase.DIED, f"{why}; again in {pause_s:g} s")

    def _told(self, program: Program, phase: Phase, why: str) -> None:
        program.phase, program.why = phase, why
        self._tell(program.plan.name, phase, why)

    def stop(self) -> None:
        """End all: those at once that no running one comes after, so that each is heard to go."""
        running = list(self.programs.values())
        while running:
            needed = {program.plan.after for program in running}
            ending = [program for program in running if program.plan.name not in needed]
            end(*ending)
            for program in reversed(ending):
                self._told(program, Phase.ENDED, "")
            running = [program for program in running if program not in ending]


def end(*programs: Program, within_s: float = END_WITHIN_S) -> None:
    """End the processes of programs at once, and what they have started, for good."""
    processes = [program.process for program in programs if program.process is not None]
    for program in programs:
        program.process = None
    for process in processes:
        process.terminate()
    latest_s = time.monotonic() + within_s
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, latest_s - time.monotonic()))
        with suppress(ProcessLookupError, PermissionError):
            kill_session(process)
        process.wait()


def answers(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def shorten(path: Path) -> None:
    """Move what is in a log that is too long to ``NAME.log.old``, and begin it again.

    Its program goes on writing at the new end of the same file. What it writes between the copy
    and the cut, some lines at most, is lost.
    """
    with suppress(OSError):
        if path.stat().st_size > MOST_LOG_BYTES:
            shutil.copy(path, path.with_name(f"{path.name}.old"))
            os.truncate(path, 0)
