"""The status screen: programs and devices as tables, and what helps where something is wrong.

On a terminal one screen that is drawn again; else a line for each change.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from calibration.venue.supervisor import Phase, Program
from recorder.projections.health.device_health import DeviceHealth, HealthGrade, VenueHealth
from recorder.projections.health.finding import Finding

_COLOURS = {HealthGrade.WELL: "green", HealthGrade.WEAK: "yellow", HealthGrade.ILL: "red"}
_PHASES = {Phase.RUNS: "green", Phase.DIED: "red"}
_FIGURES = re.compile(r"[\d.]+")
_WIDEST = 140
_NARROW = 100
"""Columns of the screen below which eight columns would be a few letters each."""


def device_table(health: VenueHealth, width: int) -> Table:
    """A row for each device that is expected; on a narrow screen only what it says."""
    table = Table(box=SIMPLE_HEAD)
    columns = ["table", "device", "role", "says"]
    if width >= _NARROW:
        columns += ["version", "delay", "waiting", "picture"]
    for column in columns:
        right = column in {"table", "delay", "waiting"}
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for found in health.devices:
        table.add_row(*_cells(found)[: len(columns)])
    return table


def _cells(found: DeviceHealth) -> list[Text | str]:
    device = found.device
    return [
        str(device.table),
        device.name,
        str(device.role),
        Text(found.said, style=_COLOURS[found.grade]),
        found.version,
        "" if found.delay_ms is None else f"{found.delay_ms} ms",
        "" if found.waiting is None else str(found.waiting),
        found.picture,
    ]


def remedies(found: Iterable[Finding]) -> list[str]:
    """What helps, a line for each thing that is wrong."""
    return [finding.line for finding in found if finding.grade is not HealthGrade.WELL]


def recorder_line(health: VenueHealth) -> str:
    """One line on the recorder."""
    if health.broker or health.recorder is None:
        return "recorder: not heard"
    recorder = health.recorder
    if recorder.fault:
        return f"recorder: {recorder.fault}"
    return f"recorder: {recorder.state}, version {recorder.version}, row {recorder.head}"


def print_health(health: VenueHealth, found: Iterable[Finding]) -> None:
    """The whole picture on standard output; colours only where there is a terminal."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _WIDEST
    console.print(recorder_line(health))
    console.print(device_table(health, console.width))
    for line in remedies(found):
        console.print(line, soft_wrap=True)


def program_table(programs: Iterable[Program]) -> Table:
    """A row for each program."""
    table = Table(box=SIMPLE_HEAD)
    for column in ("program", "is", "died", "why"):
        table.add_column(column, overflow="fold")
    for program in programs:
        phase = Text(str(program.phase), style=_PHASES.get(program.phase, ""))
        table.add_row(program.plan.name, phase, str(program.deaths or ""), program.why)
    return table


class PlainScreen:
    """A line for each change, for logs and pipes; that figures count on is none."""

    is_live = False

    def __init__(self) -> None:
        self._known: set[tuple[str, str]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, name: str, phase: Phase, why: str) -> None:
        """A program's change."""
        _say(f"{name:12} {phase}{f': {why}' if why else ''}")

    def show(
        self, _programs: Iterable[Program], health: VenueHealth, found: Sequence[Finding]
    ) -> None:
        """What is newly wrong, and what is right again."""
        lines = {(_subject(line), _FIGURES.sub("", line)): line for line in remedies(found)}
        now = set(lines)
        for line in [line for key, line in lines.items() if key not in self._known]:
            _say(f"needs you    {line}")
        if health.broker:  # what the devices are meanwhile nobody knows
            self._known |= now
            return
        still = {subject for subject, _ in now}
        for name in sorted({subject for subject, _ in self._known} - still):
            _say(f"fixed        {name}")
        self._known = now


def _subject(line: str) -> str:
    """Whom a remedy is for."""
    return line.partition(": ")[0]


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class LiveScreen:
    """One screen that is drawn again; below it stand the addresses."""

    is_live = True

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = addresses
        self._live = Live(console=Console(highlight=False, markup=False), auto_refresh=False)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.__exit__(None, None, None)

    def tell(self, name: str, phase: Phase, why: str) -> None:
        """A program's change: the next drawing shows it."""

    def show(
        self, programs: Iterable[Program], health: VenueHealth, found: Sequence[Finding]
    ) -> None:
        """Draw it."""
        recorder = Text(recorder_line(health))
        parts: list[RenderableType] = [
            program_table(programs),
            recorder,
            device_table(health, self._live.console.width),
        ]
        parts += [Text(line, style="red") for line in remedies(found)]
        parts += [Text(line) for line in (*self._addresses, "Ctrl-C ends everything")]
        self._live.update(Group(*parts), refresh=True)
