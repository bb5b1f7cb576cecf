"""What a play scores by the rule set in force, which alone says what a whole rack brings (SCORE-3).

Nothing here asks whether the play is legal: it stands until somebody objects.
"""

from collections.abc import Mapping

from recorder.domain.board import Board, Square
from recorder.domain.plays import Placement
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.scoring import BINGO_POINTS, laying_points, score, words_laid
from recorder.domain.tiles import Tile, TileSet


def play_score(rules: Rules, board: Board, placement: Placement, tile_set: TileSet) -> int:
    """The points of a play on ``board`` (as it was before it), as if it were legal."""
    return score(board, placement, tile_set, bingo=_bonus(rules))


def laying_score(
    rules: Rules, board: Board, tiles: Mapping[Square, Tile], tile_set: TileSet
) -> int | None:
    """The points of tiles in any squares, of every word that they make; None without a word."""
    has_words = bool(words_laid(board, tiles))
    return laying_points(board, tiles, tile_set, bingo=_bonus(rules)) if has_words else None


def _bonus(rules: Rules) -> int:
    bonus = rules.get_whole("score.bingo_bonus")
    return BINGO_POINTS if bonus is None else bonus
