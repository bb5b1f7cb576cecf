"""Whole games as looks without a clock: tiles laid in any order, hands that rest over the board."""

import random
from pathlib import Path

import pytest

import devices.lab
from recorder.domain.board import EMPTY_BOARD, SIZE, Board, Square, col_of, row_of
from recorder.domain.game import Exchanged, NoPlay, Passed, Played, Withdrawn
from recorder.domain.instruments import PictureEdge
from recorder.domain.observations import COVERED_SYMBOL, STANDARD_ORDER, BoardSeen, SquareCosts
from recorder.domain.pictured import WatchedLook
from recorder.domain.tile_text import read_tile
from recorder.domain.tiles import face
from recorder.gcg import GcgGame, read_gcg
from recorder.lab.comparison import compare
from recorder.watched_game import read_watched
from tests.cases import first_of

pytestmark = pytest.mark.slow  # plays whole games

GAMES = Path(devices.lab.__path__[0]) / "games"
EDGES = (PictureEdge.BOTTOM, PictureEdge.TOP)
TURNS = Played | Withdrawn | Exchanged | Passed | NoPlay
RESTS = 0.3
"""How often a hand rests so long that the board is read before a play is complete."""


class Filmed:
    """Looks at a game as a camera takes them; what happens is drawn by lot."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)
        self.looks: list[WatchedLook] = []
        self.at_ms = 0
        self.take(EMPTY_BOARD)

    def play(self, board: Board, played: Played) -> Board:
        """The tiles of a play, one to three at a time, in any order."""
        left = [*played.placement.new_tiles().items()]
        self.lot.shuffle(left)
        self.at_ms += self.lot.randint(4_000, 60_000)
        while left:
            some = self.lot.randint(1, 3)
            now, left = left[:some], left[some:]
            board = board.place(dict(now))
            self.at_ms += self.lot.randint(400, 1_500)
            if self.lot.random() < RESTS:
                self.take(board, played.player, now[-1][0])
        self.at_ms += 500
        self.take(board, played.player)
        return board

    def take(self, board: Board, player: int | None = None, hand: Square | None = None) -> None:
        """One look; the player has reached in, and a hand may still lie over the board."""
        symbols = [face(read_tile(tile)) for row in board.rows() for tile in row]
        if hand is not None:
            rows = range(row_of(hand), SIZE) if player == 0 else range(row_of(hand) + 1)
            for row in rows:
                symbols[row * SIZE + col_of(hand)] = COVERED_SYMBOL
        number = len(self.looks)
        seen = BoardSeen(
            frame=f"f{number}",
            squares=SquareCosts(
                bytes(0 if symbol == mark else 120 for symbol in symbols for mark in STANDARD_ORDER)
            ),
            corners=((0.0, 0.0), (15.0, 0.0), (15.0, 15.0), (0.0, 15.0)),
            pose_score=1.0,
            turn_margin=50.0,
            covered=0.0,
            still_ms=300,
        )
        reached = () if player is None else (EDGES[player],)
        self.looks.append(WatchedLook(f"f{number}", self.at_ms, (number, number), reached, seen))


def filmed(game: GcgGame, seed: int) -> list[WatchedLook]:
    """The looks at a game: an exchange or a pass shows nothing."""
    film, board, before = Filmed(seed), EMPTY_BOARD, EMPTY_BOARD
    for event in game.events:
        match event:
            case Played():
                before, board = board, film.play(board, event)
            case Withdrawn(player=player):
                board = before
                film.at_ms += film.lot.randint(2_500, 25_000)
                film.take(board, player)
            case _:
                pass
    return film.looks


@pytest.mark.parametrize("seed", first_of(1, range(3)))
@pytest.mark.parametrize("record", ["english.gcg", "german.gcg"])
def test_a_game_is_told_as_played_in_whatever_order_its_tiles_come(record: str, seed: int) -> None:
    """Each play is one turn of its player, also where the board was read while it was laid."""
    game = read_gcg((GAMES / record).read_bytes())
    played = [event for event in game.events if isinstance(event, TURNS)]
    watched = read_watched(filmed(game, seed), game.tile_set, PictureEdge.BOTTOM)
    told = [event for _, event in watched.series.events()]
    turns = compare(played, told, game.tile_set).turns
    assert [turn for turn in turns if not turn["matched"]] == []
