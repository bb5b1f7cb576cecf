"""The process that finds best plays: questions on its input, answers back, both pickled.

Started by ``dashboard.commentator.analysis``; ends when its input does, so that it never outlives a
dashboard.
"""

import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from dashboard.commentator.analysis import MOST_PLAYS, Answer, Question
from recorder.analysis.best_plays import PlayFinder, RankedPlay
from recorder.analysis.chances import MOST_IN_LAST_DRAWS
from recorder.analysis.endgame import EndgameSolver, LateTurn
from recorder.analysis.last_draws import LastDraws
from recorder.analysis.late_plays import LatePlays
from recorder.domain.board import Board
from recorder.domain.errors import TilecastError
from recorder.domain.game import bag_count
from recorder.domain.plays import Placement
from recorder.domain.scoring import words_formed
from recorder.domain.tile_text import read_tiles, write_tiles
from recorder.domain.tiles import RACK_SIZE, Tiles, TileSet, unseen
from recorder.frames.booth import Ending, LastOption, Play
from recorder.frames.public import PublicPlay
from recorder.systems import give_way
from recorder.tilesets import load_tile_set
from recorder.word_lists import load_word_list

_GIVE_WAY = 5
_WEIGHED = 6
"""Plays that are weighed while tiles are in the bag: the best by points and leave."""


class Worker:
    """A finder for each tile set that is asked for, made when it is."""

    def __init__(self, path: Path, own: Path | None = None) -> None:
        self._path = path
        known = [] if own is None else [load_tile_set(str(own))]
        self._own = {tile_set.name: tile_set for tile_set in known}
        self._finders: dict[str, PlayFinder] = {}

    def answer(self, question: Question) -> Answer:
        """The plays for a question; ``fault`` when the list or the board is at fault."""
        try:
            board = Board(read_tiles(question.cells))
            finder = self._finder(question.tile_set)
        except (TilecastError, OSError) as err:
            return Answer(fault=str(err))
        rack = read_tiles(question.rack)
        if question.seconds:
            until, lead = time.monotonic() + question.seconds, question.lead
            tile_set = self._tile_set(question.tile_set)
            return _ending(finder, tile_set, board, rack, lead, lambda: time.monotonic() > until)
        found = finder.best(board, rack, MOST_PLAYS)
        return Answer(plays=tuple(_told(board, play) for play in found))

    def _finder(self, tiles: str) -> PlayFinder:
        if tiles not in self._finders:
            tile_set = self._tile_set(tiles)
            listed = load_word_list(self._path, tile_set)
            self._finders[tiles] = PlayFinder(listed.words, tile_set)
        return self._finders[tiles]

    def _tile_set(self, name: str) -> TileSet:
        return self._own.get(name) or load_tile_set(name)


def _ending(
    finder: PlayFinder,
    tile_set: TileSet,
    board: Board,
    rack: Tiles,
    lead: int,
    give_up: Callable[[], bool],
) -> Answer:
    """Who wins from here, searched until ``give_up``; ``fault`` where the tiles do not add up."""
    hidden = Counter(unseen(tile_set, board.cells, (rack,)))
    bag = bag_count(tile_set, board)
    if min(hidden.values()) < 0 or hidden.total() - bag > RACK_SIZE or bag > MOST_IN_LAST_DRAWS:
        return Answer(fault="the tiles do not add up")
    others = tuple(hidden.elements())
    plays = LatePlays(finder.vocabulary, tile_set, board, hidden + Counter(rack))
    mine, theirs = plays.rack(rack), plays.rack(others)
    if bag:
        scores = {play.placement: play.score for play in finder.best(board, rack, _WEIGHED)}
        odds = LastDraws(plays, give_up).odds(mine, theirs, bag, lead, tuple(scores))
        options: list[LastOption] = [
            {
                **_written(board, option.placement, scores[option.placement]),
                "win": round(option.win, 3),
                "spread": round(option.spread, 1),
            }
            for option in odds
        ]
        depth = min((option.depth for option in odds), default=0)
        return Answer(ending={"bag": bag, "depth": depth, "options": options})
    solver = EndgameSolver(plays, give_up)
    found = solver.solve(LateTurn(plays.start, mine, theirs, passed=False))
    course: list[PublicPlay | None] = []
    for turn in found.course:
        course.append(None if turn is None else _written(board, *turn))
        if turn is not None:
            board = board.place(turn[0].new_tiles())
    spread = lead + found.gain
    ended: Ending = {"bag": 0, "depth": found.depth, "spread": spread, "solved": found.solved}
    return Answer(ending={**ended, "course": course})


def _written(board: Board, placement: Placement, score: int) -> PublicPlay:
    return {
        "position": placement.position,
        "word": write_tiles(placement.word),
        "text": write_tiles(words_formed(board, placement)[0].tiles),
        "score": score,
    }


def _told(board: Board, play: RankedPlay) -> Play:
    return {
        **_written(board, play.placement, play.score),
        "leave": write_tiles(play.leave),
        "worth": round(play.worth, 1),
    }


def main() -> None:
    """Answer until there are no more questions."""
    give_way(_GIVE_WAY)
    worker = Worker(*map(Path, sys.argv[1:]))
    while True:
        try:
            question: Question = pickle.load(sys.stdin.buffer)  # noqa: S301  our own program
        except EOFError:
            return
        pickle.dump(worker.answer(question), sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
