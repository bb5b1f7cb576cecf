"""Damaged files of a log by the thousand: ``python -m tests.bench.damaged_logs 100000``.

Each is opened, verified, read by game and by key, and repaired. Counts what becomes of them; ends
with status 1 where one raised a raw exception, was read otherwise than it was proven, or was
repaired into something that was not written. The logs are small and so are their pages: a file of
30 to 70 pages costs a fifth of one of 300 rows, and the same share of damage is one that only the
check of the whole file finds.
"""

import random
import sqlite3
import sys
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.log.damage import damaged_at_random, judged, repaired_well, row_of_three_tables

ROWS = 60
PAGES = (512, 1024)
"""Sizes in bytes, by turns: with the smaller one every tree has inner pages."""


def examined(many: int, seed: int, folder: Path) -> Counter[str]:
    """What became of so many files."""
    models = [_model(folder / f"model-{page}.db", page) for page in PAGES]
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    for number in range(many):
        path = folder / f"{number}.db"
        held, rows = models[number % len(PAGES)]
        path.write_bytes(damaged_at_random(held, chance, PAGES[number % len(PAGES)]))
        found = judged(path, rows)
        counts[found] += 1
        if number % 9 == 0:
            counts[f"repaired: {repaired_well(path, rows) or 'well'}"] += 1
        for made in folder.glob(f"{number}.db*"):
            made.unlink()
        (folder / "tilecast.anchors").unlink(missing_ok=True)
    return counts


def _model(path: Path, page: int) -> tuple[bytes, list[Row]]:
    """A log with pages of so many bytes, as a file and as its rows."""
    with closing(sqlite3.connect(path)) as file:
        file.execute(f"PRAGMA page_size = {page}")
        file.execute("VACUUM")
    with SqliteEventLog(path) as log:
        log.append([row_of_three_tables(number) for number in range(ROWS)])
        rows = list(log.read_from(1))
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes(), rows


def main() -> int:
    """The command: how many, and which seed."""
    many, seed = (*map(int, sys.argv[1:]), 1)[:2] if len(sys.argv) > 1 else (1000, 1)
    with tempfile.TemporaryDirectory() as folder:
        counts = examined(many, seed, Path(folder))
    for found, count in counts.most_common():
        print(f"{count:8} {found}")
    return int(not set(counts) <= {"named", "same", "repaired: well"})


if __name__ == "__main__":
    raise SystemExit(main())
