"""How long the best plays of a rack take, on boards of a game that the search itself plays.

The words are made up: as many as a large list has, with its lengths and English letters.
"""

import random
import statistics
import time
from typing import Any

from recorder.analysis.best_plays import PlayFinder
from recorder.domain.board import EMPTY_BOARD
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK
from recorder.tilesets import load_tile_set

WORDS = 270_000
GAMES = 3
SHARES = {2: 0.0005, 3: 0.005, 4: 0.02, 5: 0.05, 6: 0.08, 7: 0.12, 8: 0.15, 9: 0.15, 10: 0.13}


def run() -> dict[str, dict[str, Any]]:
    """CPU milliseconds for a full rack; the baseline is the opening, with nothing on the board."""
    tile_set = load_tile_set("english")
    rng = random.Random(20)
    words = made_up_words(rng)
    begun = time.process_time()
    finder = PlayFinder(words, tile_set)
    prepared = round((time.process_time() - begun) * 1000)
    plain: list[float] = []
    opening: list[float] = []
    for _ in range(GAMES):
        bag = [tile for tile, count in tile_set.counts.items() for _ in range(count)]
        rng.shuffle(bag)
        board, rack = EMPTY_BOARD, read_tiles("")
        while len(bag) >= 7:
            rack += tuple(bag.pop() for _ in range(7 - len(rack)))
            begun = time.process_time()
            plays = finder.best(board, rack, most=1)
            spent = (time.process_time() - begun) * 1000
            if BLANK not in rack:
                (opening if board.is_empty else plain).append(spent)
            if not plays:
                rack = ()
                continue
            board = board.place(plays[0].placement.new_tiles())
            rack = plays[0].leave
    median, base = statistics.median(plain), statistics.median(opening)
    worst = sorted(plain)[int(0.95 * len(plain))]
    figure = {"unit": "ms CPU", "median": round(median, 1), "p95": round(worst, 1)}
    return {
        "best plays of a full rack": figure
        | {"baseline": f"opening {base:.1f}", "ratio": round(median / base, 2)},
        f"words prepared for the search ({WORDS})": {
            "unit": "ms CPU",
            "median": prepared,
            "p95": None,
            "baseline": None,
            "ratio": None,
        },
    }


def made_up_words(rng: random.Random) -> set[str]:
    """Words of alternating consonants and vowels, so that racks and boards make many of them."""
    vowels, consonants = "EEEEAAAIIOOU", "RRRTTTNNNSSSLLDDGGCCMMPPHHBBFFWWYVKJXQZ"
    words: set[str] = set()
    lengths, shares = list(SHARES), list(SHARES.values())
    while len(words) < WORDS:
        length = rng.choices(lengths, shares)[0]
        first = rng.random() < 0.4
        words.add(
            "".join(
                rng.choice(vowels if (at % 2 == 0) == first else consonants) for at in range(length)
            )
        )
    return words
