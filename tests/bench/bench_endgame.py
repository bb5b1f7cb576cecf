"""How often the solver of endgames finds the best spread, and how long it takes.

Macondo, the engine of the field, is in no package of Debian or Python, so its figures are not
here. Small ends are held against ``exhaustive_endgame``, which tries everything and shares no code
with the product. Ends with both racks, from the first turn with an empty bag: of games by points
and of public records, where they are at hand (``TILECAST_SHARED``). Words: the list that ships, and
all that those records lay.
"""

import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from recorder.analysis.best_plays import PlayFinder
from recorder.analysis.endgame import EndgameSolver, Ending, LateTurn
from recorder.analysis.late_plays import LatePlays
from recorder.analysis.vocabulary import Vocabulary
from recorder.domain.board import EMPTY_BOARD, SIZE, Board, Square
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tile, Tiles, as_blank
from recorder.tilesets import load_tile_set
from tests.bench.exhaustive_endgame import Cells, Exhaustive, TooLongError
from tests.bench.figures import Figure, Figures, figure_of

ENGLISH = load_tile_set("english")
WORDS = Path(__file__).parents[2] / "devices" / "lab" / "words" / "english.txt"
GAMES = Path(os.environ.get("TILECAST_SHARED", Path(__file__).parents[3] / "shared")) / "gcg/clean"
BY_POINTS, RECORDED, SMALL, MOST_TILES = 8, 16, 24, 5
"""Games by points; public games and small ends at most; tiles on both racks of a small end."""
GIVEN_S, TRIED_S = 5.0, 3.0
"""CPU seconds for the solver, as a commentator waits, and for trying everything."""


@dataclass(frozen=True, slots=True)
class End:
    """A position with an empty bag: who is on turn has ``mine``."""

    cells: Cells
    mine: str
    theirs: str


def run() -> Figures:
    listed = frozenset(WORDS.read_text("utf-8").split())
    finder = PlayFinder(listed, ENGLISH)
    small, whole = ends_by_points(finder)
    vocabulary = finder.vocabulary
    right, ours_s, tried_s, skipped = beside_exhaustive(small[:SMALL], vocabulary, listed)
    solved = [timed(end, vocabulary) for end in whole]
    figures = {
        f"small ends, same spread as trying everything (% of {len(right)})": Figure(
            "%", share(right), baseline=f"{skipped} too large to try"
        ),
        "small ends": figure_of("s CPU", ours_s, statistics.median(tried_s)),
        f"ends with both racks, solved in {GIVEN_S:.0f} s (% of {len(solved)})": Figure(
            "%", share([ending.solved for ending, _ in solved])
        ),
        "ends with both racks": figure_of("s CPU", [spent for _, spent in solved]),
    }
    recorded = list(islice(recorded_ends(), RECORDED))
    if recorded:
        figures |= of_players(recorded, listed)
    return figures


def beside_exhaustive(
    ends: Sequence[End], vocabulary: Vocabulary, words: frozenset[str]
) -> tuple[list[bool], list[float], list[float], int]:
    """Whether each gain is that of trying everything, both times, and how many were left out."""
    right, ours_s, tried_s, skipped = [], [], [], 0
    tries = Exhaustive(words, TRIED_S)
    for end in ends:
        begun = time.process_time()
        try:
            gain = tries.gain(end.cells, end.mine, end.theirs)
        except TooLongError:
            skipped += 1
            continue
        tried_s.append(time.process_time() - begun)
        ending, spent = timed(end, vocabulary)
        ours_s.append(spent)
        right.append(ending.solved and ending.gain == gain)
    return right, ours_s, tried_s, skipped


def of_players(ends: Sequence[End], listed: frozenset[str]) -> Figures:
    """Ends of public games, with the words that they lay.

    Not held against what was played: an opponent who errs gives more than the best play promises.
    """
    words = listed | {word for end in ends for word in words_on(end.cells)}
    vocabulary = Vocabulary.of(words, ENGLISH)
    found = [timed(end, vocabulary) for end in ends]
    return {
        f"ends of public games, solved in {GIVEN_S:.0f} s (% of {len(found)})": Figure(
            "%", share([ending.solved for ending, _ in found])
        ),
        "ends of public games": figure_of("s CPU", [spent for _, spent in found]),
    }


def share(each: Sequence[bool]) -> float:
    return round(100 * sum(each) / max(1, len(each)), 1)


def timed(end: End, vocabulary: Vocabulary) -> tuple[Ending, float]:
    """What the solver says, and its CPU seconds."""
    begun = time.process_time()
    mine, theirs = tiles(end.mine), tiles(end.theirs)
    plays = LatePlays(vocabulary, ENGLISH, board_of(end.cells), Counter(mine + theirs))
    turn = LateTurn(plays.start, plays.rack(mine), plays.rack(theirs), passed=False)
    solver = EndgameSolver(plays, lambda: time.process_time() - begun > GIVEN_S)
    return solver.solve(turn), time.process_time() - begun


def tiles(rack: str) -> Tiles:
    return read_tiles(rack)


def board_of(cells: Cells) -> Board:
    """The same board for the product."""
    laid: dict[Square, Tile] = {}
    for at, cell in enumerate(cells):
        if cell != ".":
            (tile,) = read_tiles(cell.upper())
            laid[Square(at)] = as_blank(tile) if cell.islower() else tile
    return EMPTY_BOARD.place(laid)


def ends_by_points(finder: PlayFinder) -> tuple[list[End], list[End]]:
    """Ends of games in which both take the play that counts most: small ones, and whole ones."""
    rng, small, whole = random.Random(35), [], []
    for _ in range(BY_POINTS):
        bag = [tile for tile, count in ENGLISH.counts.items() for _ in range(count)]
        rng.shuffle(bag)
        board, racks, at = EMPTY_BOARD, [(), ()], 0
        begun, passes = False, 0
        while passes < 2:
            while bag and len(racks[at]) < 7:
                racks[at] += (bag.pop(),)
            end = End(cells_of(board), written(racks[at]), written(racks[1 - at]))
            if not bag and racks[1 - at] and not begun:
                whole.append(end)
                begun = True
            if begun and len(racks[0]) + len(racks[1]) <= MOST_TILES:
                small.append(end)
            plays = finder.best(board, racks[at], 1)
            passes = 0 if plays else passes + 1
            if plays:
                board = board.place(plays[0].placement.new_tiles())
                racks[at] = plays[0].leave
                if not racks[at] and not bag:
                    break
            at = 1 - at
    return small, whole


def cells_of(board: Board) -> Cells:
    """A board as letters and dots."""
    return tuple(
        "." if tile is EMPTY else tile.label.lower() if tile.is_blank else tile.label
        for tile in board.cells
    )


def written(rack: Tiles) -> str:
    return "".join("?" if tile is BLANK else tile.label for tile in rack)


def words_on(cells: Cells) -> Iterator[str]:
    """Every word that lies on a board."""
    rows = ["".join(cells[at * SIZE : (at + 1) * SIZE]) for at in range(SIZE)]
    for line in (*rows, *("".join(column) for column in zip(*rows, strict=True))):
        yield from (word.upper() for word in line.split(".") if len(word) > 1)


def recorded_ends() -> Iterator[End]:
    """The first turn with an empty bag of each public game whose racks are all known."""
    for file in sorted(GAMES.glob("*.gcg")):
        found = _recorded(file.read_text("utf-8", errors="replace"))
        if found is not None:
            yield found


def _recorded(text: str) -> End | None:
    """By the lines alone: ``>nick: RACK 8D WORD +24 24``."""
    lines = [line.split() for line in text.splitlines() if line.startswith(">")]
    cells = ["."] * SIZE * SIZE
    full = Counter({tile.label: count for tile, count in ENGLISH.counts.items()})
    for _, *rest in lines:
        if len(rest) < 3 or rest[0].startswith("("):
            return None
        unseen = full - Counter("?" if cell.islower() else cell for cell in cells if cell != ".")
        rack = Counter(rest[0])
        if unseen.total() <= 14:
            other = unseen - rack
            known = not rack - unseen and 0 < other.total() <= 7 and 0 < rack.total() <= 7
            racks = ["".join(part.elements()) for part in (rack, other)]
            return End(tuple(cells), *racks) if known else None
        if len(rest) == 5 and not _lay(cells, rest[1], rest[2]):
            return None
    return None


def _lay(cells: list[str], place: str, word: str) -> bool:
    """The tiles of a play onto the board; False where it is no place or runs over the edge."""
    across = place[0].isdecimal()
    row, column = (place[:-1], place[-1]) if across else (place[1:], place[0])
    if not (row.isdecimal() and "A" <= column.upper() <= "O" and word.replace(".", "").isalpha()):
        return False
    at = (int(row) - 1) * SIZE + ord(column.upper()) - ord("A")
    for letter in word:
        if at >= SIZE * SIZE:
            return False
        if letter != ".":
            cells[at] = letter
        at += 1 if across else SIZE
    return True
