"""How long a press takes to its row, by where the log is: memory, a file, PostgreSQL.

One game after the other is played by the recorder itself, in turns on each make of log; counted is
from the storing of a press to the row that says what was played, all of the recorder's own work
between included. PostgreSQL is a server of this machine that flushes as it should. Baseline: the
file. The table of ``docs/hall.md`` is kept below ``build/``.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.log.database import connected
from recorder.log.opening import wall_ms
from recorder.log.port import EventLog, NewRow, Row
from recorder.log.postgres import PostgresEventLog
from recorder.log.sqlite import SqliteEventLog
from tests.bench.figures import Figures, figure_of
from tests.bench.hall.hall_curves import keep_table
from tests.bench.hall.hall_log import game_as_scenario
from tests.postgres_server import DatabaseServer, running_server, server_programs

Found = dict[str, tuple[list[float], list[float]]]
"""By make of log, how long presses took to their rows, and how long rows to be stored, in ms."""
GAMES = 4
FILE, MEMORY = "a file", "memory"
DATABASE = "PostgreSQL"
BEGIN = "<!-- figures of make bench ONLY=press_to_row -->\n"
_TURN_OVER = ("game.played", "game.exchanged", "game.passed")


@dataclass(slots=True)
class TimedLog:
    """A log that notes how long each press takes to its row, and rows to be stored, in ms.

    ``by_arrival``: from when the press came in, what it waited in line included; by the wall clock.
    """

    log: EventLog
    by_arrival: bool = False
    took_ms: list[float] = field(default_factory=list)
    stored_ms: list[float] = field(default_factory=list)
    _presses: dict[int, float] = field(default_factory=dict)

    def append(self, rows: Sequence[NewRow]) -> list[Row | None]:
        began = time.perf_counter()
        stored = self.log.append(rows)
        now = time.perf_counter()
        if rows:
            self.stored_ms.append(1000 * (now - began))
        for row in stored:
            if row is not None and row.type == "clock.press":
                waited = (wall_ms() - row.received) / 1000 if self.by_arrival else now - began
                self._presses[row.seq] = now - waited
            elif row is not None and row.kind is Kind.RECORDED and row.type in _TURN_OVER:
                pressed = [self._presses.pop(ref) for ref in row.refs if ref in self._presses]
                self.took_ms += [1000 * (now - at) for at in pressed[:1]]
        return stored

    def __getattr__(self, name: str) -> Any:
        return getattr(self.log, name)


def run() -> Figures:
    """The figures by name; the database is left out where no server is installed."""
    programs = server_programs()
    took: Found = {}
    with tempfile.TemporaryDirectory() as place:
        if programs is None:
            took = _played(Path(place), None)
        else:
            with running_server(programs, is_durable=True) as server:
                took = _played(Path(place), server)
    if programs is not None:
        keep_table(BEGIN, _table(took))
    figures: Figures = {}
    for place_, what in enumerate(("press to row", "rows stored")):
        file = statistics.median(took[FILE][place_])
        figures |= {
            f"{what}, log in {name}": figure_of("ms", ms[place_], file) for name, ms in took.items()
        }
    return figures


def _played(place: Path, server: DatabaseServer | None) -> Found:
    scenario = parse_scenario(game_as_scenario(), "press.scn")
    took: Found = {}
    for number in range(GAMES + 1):
        for name, opened in _logs(place, number, server).items():
            with opened() as log:
                timed = TimedLog(log)
                play_through(scenario, store=timed)
            if number:  # the first game warms up
                pressed, stored = took.setdefault(name, ([], []))
                pressed += timed.took_ms
                stored += timed.stored_ms
    return took


def _logs(
    place: Path, number: int, server: DatabaseServer | None
) -> dict[str, Callable[[], AbstractContextManager[EventLog]]]:
    found: dict[str, Callable[[], AbstractContextManager[EventLog]]] = {
        MEMORY: _in_memory,
        FILE: lambda: SqliteEventLog(place / f"{number}.db"),
    }
    if server is not None:
        address = _empty(server, f"game{number}")
        found[DATABASE] = lambda: PostgresEventLog(address)
    return found


@contextmanager
def _in_memory() -> Iterator[EventLog]:
    yield MemoryEventLog()


def _empty(server: DatabaseServer, name: str) -> str:
    with connected(server.address) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    return server.address.replace("/postgres?", f"/{name}?")


def _table(took: Found) -> str:
    file = statistics.median(took[FILE][0])
    lines = [
        "| log in | press to row, median | p95 | against a file | rows stored, median |",
        "|---|---|---|---|---|",
    ]
    for name, (ms, stored) in took.items():
        median, p95 = statistics.median(ms), statistics.quantiles(ms, n=20)[-1]
        lines.append(
            f"| {name} | {median:.1f} ms | {p95:.1f} ms | {median / file:.2f} |"
            f" {statistics.median(stored):.1f} ms |"
        )
    return "\n".join(lines) + "\n"
