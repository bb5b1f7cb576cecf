"""What must hold for any laying on any board, tried on many made by dice."""

import random
from collections.abc import Iterator

from recorder.domain.board import (
    EMPTY_BOARD,
    Board,
    Direction,
    Square,
    along,
    col_of,
    row_of,
    square,
)
from recorder.domain.game import Played, Withdrawn, new_game, replay
from recorder.domain.plays import Fault, Placement, parse_placement, placement_faults, placement_of
from recorder.domain.scoring import score, words_formed
from recorder.domain.tiles import as_blank
from recorder.tilesets import load_tile_set

GERMAN = load_tile_set("german")


def turned(sq: Square) -> Square:
    """The square mirrored on the long diagonal."""
    return square(col_of(sq), row_of(sq))


def random_laying(dice: random.Random, board: Board) -> Placement | None:
    """One to seven tiles in a line that joins what is there, the gaps filled; None if none fits."""
    direction = dice.choice(list(Direction))
    start = Square(dice.randrange(225))
    wanted, tiles, step = dice.randrange(1, 8), {}, 0
    while len(tiles) < wanted:
        sq = along(start, direction, step)
        if sq is None:
            return None
        if not board.has_tile(sq):
            letter = dice.choice(GERMAN.letters)
            tiles[sq] = as_blank(letter) if dice.random() < 0.05 else letter
        step += 1
    placement = placement_of(board, tiles)
    wrong = placement_faults(board, placement, GERMAN) & ~Fault.NOT_IN_SUPPLY
    return None if wrong else placement


def random_games() -> Iterator[tuple[Board, Placement]]:
    """Boards that grow by layings, each with the next laying."""
    dice = random.Random(15)
    for _ in range(12):
        board = EMPTY_BOARD
        for _ in range(150):
            placement = random_laying(dice, board)
            if placement is not None:
                yield board, placement
                board = board.place(placement.new_tiles())


def test_a_laying_scores_the_same_on_the_board_turned_over_its_diagonal() -> None:
    """The standard board is symmetric, so across and down must agree."""
    tried = 0
    for board, placement in random_games():
        mirror = EMPTY_BOARD.place({turned(sq): board[sq] for sq in board.occupied()})
        other = Placement(turned(placement.start), placement.direction.other, placement.word)
        assert score(board, placement, GERMAN) == score(mirror, other, GERMAN)
        tried += 1
    assert tried > 100


def test_words_formed_are_exactly_the_words_that_were_not_there_before() -> None:
    """Every word read off the board after the play is an old one or is in the list."""
    for board, placement in random_games():
        new = placement.new_tiles()
        formed = words_formed(board, placement)
        after = board.place(new)
        assert all(set(word.squares) & set(new) for word in formed)
        assert all(tuple(after[sq] for sq in word.squares) == word.tiles for word in formed)
        assert set(formed[0].squares) >= set(new) or len(formed[0].squares) == 1


def test_a_laying_is_written_and_read_back_and_taken_back_without_a_trace() -> None:
    """Notation, placing and withdrawing are exact inverses."""
    for board, placement in random_games():
        assert parse_placement(str(placement)) == placement
        assert placement_of(board, placement.new_tiles()) == placement
        points = score(board, placement, GERMAN)
        rows = [row_of(sq) for sq in placement.squares()]
        assert len(set(rows)) == 1 or placement.direction is Direction.DOWN
        if board.is_empty:
            play = Played(0, placement, points)
            assert replay(GERMAN, [play, Withdrawn(0, points)]).board == new_game(GERMAN).board
        assert board.place(placement.new_tiles()).remove(placement.new_tiles()) == board
