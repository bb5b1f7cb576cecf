"""How fast game records are replayed with every check, and how fast a word list loads."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import devices.lab
from recorder.domain.lexicon import adjudicate
from recorder.domain.tile_text import read_tiles
from recorder.gcg import read_gcg
from recorder.tilesets import load_tile_set
from recorder.word_lists import load_word_list

Result = dict[str, Any]
ROUNDS = 60
WORDS = 200_000


def run() -> dict[str, Result]:
    """The figures by name; a replay with every check has no simpler way beside it."""
    folder = Path(devices.lab.__path__[0]) / "games"
    records = [path.read_bytes() for path in sorted(folder.glob("*.gcg"))]
    plays = sum(read_gcg(record).plays for record in records)
    strict = [timed(lambda: [read_gcg(record) for record in records]) for _ in range(ROUNDS)]
    return {
        "strict replay of a record, per play, CPU": figure("ms", [one / plays for one in strict]),
        **word_figures(),
    }


def word_figures() -> dict[str, Result]:
    """Loading a made-up list, and asking it about a play of three words."""
    tile_set = load_tile_set("english")
    letters = [str(letter) for letter in tile_set.letters]
    words = {
        "".join(letters[number // 26**place % 26] for place in range(5)) for number in range(WORDS)
    }
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "words.txt"
        path.write_text("\n".join(sorted(words)), encoding="utf-8")
        loads = [timed(lambda: load_word_list(path, tile_set)) for _ in range(5)]
        plain = [timed(lambda: set(path.read_text("utf-8").split())) for _ in range(5)]
        listed = load_word_list(path, tile_set)
    asked = sorted(words)[:3]
    spelt = [*map(read_tiles, asked)]
    verdicts = [timed(lambda: adjudicate(spelt, listed)) for _ in range(1000)]
    lookups = [timed(lambda: [word in words for word in asked]) for _ in range(1000)]
    return {
        f"word list of {WORDS} words loaded": figure("ms", loads, statistics.median(plain)),
        "verdict on three words": figure("ms", verdicts, statistics.median(lookups)),
    }


def timed(work: Callable[[], object]) -> float:
    """CPU milliseconds of a call."""
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)


def figure(unit: str, values: list[float], baseline: float | None = None) -> Result:
    """Median, 95th percentile and the ratio of the median to the baseline, if there is one."""
    ordered = sorted(values)
    median = statistics.median(ordered)
    return {
        "unit": unit,
        "median": round(median, 4),
        "p95": round(ordered[round(0.95 * (len(ordered) - 1))], 4),
        "baseline": None if baseline is None else round(baseline, 4),
        "ratio": None if baseline is None else round(median / baseline, 2),
    }
