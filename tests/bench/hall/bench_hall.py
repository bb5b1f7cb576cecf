"""What a hall costs a recorder: its start on the log of a whole tournament, its memory, its turns.

Each figure is taken in a process of its own, on a log of six finished rounds whose results the
event knows and a seventh in play (``hall_log``), at 1, 4, 16, 64 and 256 tables, and of 24 rounds
at 64. Times are CPU, not the clock's. Baselines: for the start the same log read row by row and
nothing else; for memory the program without a log.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.anchors import Anchor, AnchorFile
from recorder.log.keeper import LogKeeper
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from tests.bench.figures import Figure, Figures
from tests.bench.hall.hall_curves import HallCost, keep
from tests.bench.hall.hall_log import hall_plan, played_game, write_hall

ROUNDS, MANY_ROUNDS = 6, 24
HALLS = (*((tables, ROUNDS) for tables in (1, 4, 16, 64, 256)), (64, MANY_ROUNDS))
"""Tables and rounds: the curves, and as many finished games at fewer tables."""
TURNS_BEGUN = 6
HEADS_EVERY = 1_000
AT_MS = 1_900_000_000_000


def run(halls: tuple[tuple[int, int], ...] = HALLS) -> Figures:
    """The figures by name; those of all halls are kept to be drawn."""
    _, rows = played_game()
    _, begun = played_game(TURNS_BEGUN)
    figures: Figures = {}
    costs: list[HallCost] = []
    with tempfile.TemporaryDirectory() as place:
        for many, rounds in halls:
            path = Path(place) / f"{many}.db"
            with contextlib.closing(SqliteEventLog(path)) as log:
                write_hall(log, rows, many, rounds, begun=begun)
                _note_heads(log, path)
            words = [sys.executable, "-m", "tests.bench.hall.bench_hall", str(path), str(many)]
            took = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
            figures |= _figures(many, rounds, took)
            names = ("start", "read", "turn", "memory")
            cost = {name: round(took[name], 3) for name in names}
            costs.append(HallCost(tables=many, rounds=rounds, rows=int(took["rows"]), **cost))
            path.unlink()
    if halls == HALLS:
        keep(costs)
    return figures


def _note_heads(log: SqliteEventLog, path: Path) -> None:
    """Note heads on the way, as a recorder does once a minute."""
    heads = AnchorFile(path.with_suffix(".anchors"))
    for seq in range(HEADS_EVERY, log.head(), HEADS_EVERY):
        (row,) = log.read_from(seq, 1)
        heads.note(Anchor(row.seq, row.hash, row.at))


def _figures(tables: int, rounds: int, took: dict[str, float]) -> Figures:
    of = f"{tables} tables" if tables > 1 else "1 table"
    of += f", {rounds} rounds" if rounds != ROUNDS else ""
    return {
        f"start, {of}, {int(took['rows'])} rows, CPU": Figure(
            "s", took["start"], baseline=took["read"]
        ),
        f"a turn in play read again, {of}, CPU": Figure("ms", took["turn"]),
        f"memory, {of}, games in play read": Figure("MB", took["memory"], baseline=took["bare"]),
    }


def measure(path: Path, tables: int) -> dict[str, float]:
    """What one start on a log takes: in seconds of CPU, milliseconds for a turn, and MB."""
    plan, _ = played_game(0)
    bare = _memory_mb()
    began = time.process_time()
    log = SqliteEventLog(path)
    LogKeeper(AnchorFile(path.with_suffix(".anchors"))).check(log)
    recorder = Recorder(hall_plan(plan, tables), MemoryBus(MemoryBroker()), log, lambda: AT_MS)
    recorder.open()
    start = time.process_time() - began
    began = time.process_time()
    recorder.catch_up()
    turn = (time.process_time() - began) / (tables * TURNS_BEGUN)
    memory = _memory_mb()
    recorder.stop()
    began = time.process_time()
    rows = sum(1 for _ in log.read_from(1))
    read = time.process_time() - began
    log.close()
    return {
        "rows": rows,
        "start": start,
        "read": read,
        "turn": 1000 * turn,
        "memory": memory,
        "bare": bare,
    }


def _memory_mb() -> float:
    """The resident memory of this process, where the system shows it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))
