"""What snapshots of the fold save a recorder that starts late in a round, and what they cost.

Each start is a process of its own, on the log of a hall in whose games twenty turns are played
(``hall_log``): one without snapshots, which then writes them, and one that goes on from them.
Times are CPU, not the clock's, until the games of all tables are read and what follows from them
is worked out; the baseline is the start without.
"""

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.service.games import snapshots
from recorder.service.recorder import Recorder
from tests.bench.figures import Figure, Figures
from tests.bench.hall.bench_hall import AT_MS
from tests.bench.hall.hall_curves import keep_table
from tests.bench.hall.hall_log import hall_plan, played_game, write_hall

HALLS = (1, 16, 64)
TURNS_PLAYED = 20
BEGIN = "<!-- figures of make bench ONLY=snapshots -->\n"
_HEAD = """| tables | all games read, without | with | one written | its size | load |
|---|---|---|---|---|---|
"""


def run(halls: tuple[int, ...] = HALLS) -> Figures:
    """The figures by name; those of all halls are written into the documents."""
    _, begun = played_game(TURNS_PLAYED)
    figures: Figures = {}
    lines = _HEAD
    for tables in halls:
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "hall.db"
            with contextlib.closing(SqliteEventLog(path)) as log:
                write_hall(log, (), tables, 0, begun=begun)
            first, second = _started(path, tables), _started(path, tables)
        read, again, written = first["read"], second["read"], first["written"]
        figures[f"all games of {tables} tables read at a start, CPU"] = Figure(
            "s", again, baseline=read
        )
        figures[f"a snapshot of {tables} written, CPU"] = Figure("ms", written)
        figures[f"a snapshot of {tables}, size"] = Figure("kB", first["size"])
        lines += (
            f"| {tables} | {read:.1f} s | {again:.1f} s | {written:.0f} ms |"
            f" {first['size']:.0f} kB | {os.getloadavg()[0]:.0f} |\n"
        )
    if halls == HALLS:
        keep_table(BEGIN, lines)
    return figures


def _started(path: Path, tables: int) -> Mapping[str, float]:
    words = [sys.executable, "-m", "tests.bench.hall.bench_snapshots", str(path), str(tables)]
    took: Mapping[str, float] = json.loads(
        subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout
    )
    return took


def measure(path: Path, tables: int) -> dict[str, float]:
    """One start: seconds until all games are read; ms for a snapshot, written where none is; kB."""
    folder = path.with_suffix(".snapshots")
    plan = replace(hall_plan(played_game(0)[0], tables), snapshots=folder)
    with SqliteEventLog(path) as log:
        recorder = Recorder(plan, MemoryBus(MemoryBroker()), log, lambda: AT_MS)
        recorder.open()
        began = time.process_time()
        recorder.catch_up()
        read = time.process_time() - began
        snapshots.REST_S = 0.0
        began = time.process_time()
        for _ in range(tables):
            recorder._snapshots.keep()
            recorder._snapshots.end()
        written = time.process_time() - began
        recorder.stop()
    sizes = [file.stat().st_size for file in folder.iterdir()]
    assert len(sizes) == tables
    return {
        "read": read,
        "written": 1000 * written / tables,
        "size": statistics.median(sizes) / 1000,
    }


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
