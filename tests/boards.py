"""Boards by the plays that made them, each as ``8D QUALM``."""

from itertools import accumulate

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.plays import parse_placement


def boards_after(*plays: str) -> list[Board]:
    """The empty board, then the one after each play."""
    return list(accumulate(plays, board_with, initial=EMPTY_BOARD))


def board_with(board: Board, play: str) -> Board:
    """A board with the new tiles of one more play."""
    return board.place(parse_placement(play).new_tiles())


def board_of(*plays: str) -> Board:
    """The board after plays."""
    return boards_after(*plays)[-1]
