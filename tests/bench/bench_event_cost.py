"""What an event costs the recorder now, and what it did before its doors were closed.

One game of 94 events goes through the recorder into a log on disk, by this tree and by that of the
commit ``BEFORE``, in turns and each in a process of its own. CPU, so a busy machine changes little.
"""

import json
import statistics
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

Result = dict[str, Any]
ROOT = Path(__file__).parents[2]
BEFORE = "aea8b49"
"""The last commit that believed whatever a device said."""
TIMES = 5
_PLAYED = """
import json, sys, tempfile, time
from pathlib import Path
from recorder.log.sqlite import SqliteEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
text = Path(sys.argv[1]).read_text("utf-8")
play_through(parse_scenario("\\n".join(text.splitlines()[:9]) + "\\n", "warm.scn"))
with tempfile.TemporaryDirectory() as place:
    log = SqliteEventLog(Path(place) / "log.db")
    began = time.process_time()
    play_through(parse_scenario(text, "cost.scn"), store=log)
    took = time.process_time() - began
    keys = [row.key for row in log.read_from(1)]
    log.close()
print(json.dumps([took, sum(key is not None for key in keys)]))
"""


def run() -> dict[str, Result]:
    """The figure by its name; without a baseline where the clone does not have that commit."""
    from tests.bench.hall.hall_log import game_as_scenario

    with tempfile.TemporaryDirectory() as place:
        before, game = Path(place) / "before", Path(place) / "cost.scn"
        game.write_text(game_as_scenario(), encoding="utf-8")
        trees = {"now": ROOT} | ({"before": before} if _unpacked(before) else {})
        costs: dict[str, list[float]] = {name: [] for name in trees}
        stored = set()
        for _ in range(TIMES):
            for name, tree in trees.items():
                words = [sys.executable, "-c", _PLAYED, str(game)]
                said = subprocess.run(words, cwd=tree, check=True, stdout=subprocess.PIPE).stdout
                took, events = json.loads(said)
                stored.add(events)
                costs[name].append(1000 * took / events)
    if len(stored) != 1:
        raise ValueError(f"both must store the same events, and stored {stored}")
    median = statistics.median(costs["now"])
    then = statistics.median(costs["before"]) if "before" in costs else None
    figure = {
        "unit": "ms",
        "median": round(median, 2),
        "p95": round(max(costs["now"]), 2),
        "baseline": then and round(then, 2),
        "ratio": then and round(median / then, 2),
    }
    return {"an event of a game, recorder and log, CPU": figure}


def _unpacked(folder: Path) -> bool:
    """Whether the tree of ``BEFORE`` is there now."""
    words = ["git", "-C", str(ROOT), "archive", BEFORE]
    packed = subprocess.run(words, check=False, capture_output=True)
    if packed.returncode:
        return False
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return True
