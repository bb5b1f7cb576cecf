"""The process that finds best plays: a question a line on its input, an answer a line back.

Started by ``dashboard.commentator.analysis``; ends when its input does, so that it never outlives a
dashboard.
"""

import json
import sys
from pathlib import Path

from recorder.analysis.best_plays import PlayFinder, RankedPlay
from recorder.declared.codec import Json
from recorder.domain.board import Board
from recorder.domain.errors import TilecastError
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.systems import give_way
from recorder.tilesets import load_tile_set
from recorder.word_lists import load_word_list

_GIVE_WAY = 5


class Worker:
    """A finder for each tile set that is asked for, made when it is."""

    def __init__(self, path: Path, own: Path | None = None) -> None:
        self._path = path
        known = [] if own is None else [load_tile_set(str(own))]
        self._own = {tile_set.name: tile_set for tile_set in known}
        self._finders: dict[str, PlayFinder] = {}

    def answer(self, question: Json) -> Json:
        """The plays for a question; ``fault`` when the list or the board is at fault."""
        try:
            board = Board(read_tiles(str(question["cells"])))
            finder = self._finder(str(question["tiles"]))
        except (TilecastError, OSError) as err:
            return {"fault": str(err)}
        found = finder.best(board, read_tiles(str(question["rack"])), int(question["most"]))
        return {"plays": [_told(board, play) for play in found]}

    def _finder(self, tiles: str) -> PlayFinder:
        if tiles not in self._finders:
            tile_set = self._own.get(tiles) or load_tile_set(tiles)
            listed = load_word_list(self._path, tile_set)
            self._finders[tiles] = PlayFinder(listed.words, tile_set)
        return self._finders[tiles]


def _told(board: Board, play: RankedPlay) -> Json:
    return {
        "position": play.placement.position,
        "word": write_tiles(play.placement.word),
        "text": write_tiles(words_formed(board, play.placement)[0].tiles),
        "score": play.score,
        "leave": write_tiles(play.leave),
        "worth": round(play.worth, 1),
    }


def main() -> None:
    """Answer until there are no more questions."""
    give_way(_GIVE_WAY)
    worker = Worker(*map(Path, sys.argv[1:]))
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for line in sys.stdin:
        answer = json.dumps(worker.answer(json.loads(line)))
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
