"""What a page works out itself, so that it need not be told with every play.

Unseen tiles follow from the tile set and the board, scores from the totals by turn, the squares and
the main word of the last play from where it lies (``cross`` are its other words). What comes out
right is left out, and nothing else: where a board has more tiles than the set, or a score has
another reason, it is told. Pure; ``static/js/overlay/thin.js`` makes the frame whole again,
``whole`` is its twin.
"""

from collections import Counter

from recorder.domain.board import col_of, name_across, parse_square, row_of
from recorder.domain.plays import Placement
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, face
from recorder.wire import Json

_LEFT_OUT = ("unseen", "turns")
_OF_PLAYER = ("score",)
_OF_PLAY = ("squares", "total")


def thinned(frame: Json) -> Json:
    """A public frame without what ``whole`` puts back; the one given stays as it is."""
    play = frame["last_play"]
    bare = {
        **_without(frame, _LEFT_OUT),
        "players": [_without(player, _OF_PLAYER) for player in frame["players"]],
        "last_play": None if play is None else _without(play, (*_OF_PLAY, "words")),
    }
    guess = whole(bare)
    pairs = zip(frame["players"], guess["players"], strict=True)
    return {
        **_untold(frame, guess, _LEFT_OUT),
        "players": [_untold(player, guessed, _OF_PLAYER) for player, guessed in pairs],
        "last_play": None if play is None else _told_play(play, guess["last_play"]),
    }


def whole(thin: Json) -> Json:
    """The frame again: what it says itself goes before what is worked out."""
    board, scores, play = thin["board"], thin["scores"], thin["last_play"]
    totals = scores[-1][1:] if scores else [0, 0]
    players = [{"score": total, **one} for total, one in zip(totals, thin["players"], strict=True)]
    shown = None if play is None else _whole_play(play, board, totals)
    worked_out = {"unseen": _unseen(thin["tile_set"], board), "turns": len(scores)}
    return {**worked_out, **thin, "players": players, "last_play": shown}


def _without(told: Json, names: tuple[str, ...]) -> Json:
    return {key: value for key, value in told.items() if key not in names}


def _untold(told: Json, guess: Json, names: tuple[str, ...]) -> Json:
    """Without those of the names of which the guess is right."""
    return {k: v for k, v in told.items() if k not in names or guess[k] != v}


def _told_play(play: Json, guess: Json) -> Json:
    """A play with its cross words alone where the main one is as guessed."""
    told = _untold(play, guess, _OF_PLAY)
    if play["words"][:1] != guess["words"]:
        return told
    return {**_without(told, ("words",)), "cross": play["words"][1:]}


def _whole_play(play: Json, board: list[str], totals: list[int]) -> Json:
    where = _of_play(play, board, totals)
    where["words"] += play.get("cross", [])
    return {**where, **_without(play, ("cross",))}


def _unseen(tile_set: Json, board: list[str]) -> Json:
    laid = Counter(face(tile) for row in board for tile in row if tile != EMPTY)
    tiles = {kind: max(0, count - laid[kind]) for kind, count in tile_set["counts"].items()}
    count, blanks = sum(tiles.values()), tiles[BLANK]
    vowels = sum(tiles[letter] for letter in tile_set["vowels"])
    return {
        "tiles": tiles,
        "count": count,
        "vowels": vowels,
        "consonants": count - vowels - blanks,
        "blanks": blanks,
        "bag": max(0, tile_set["total"] - laid.total() - 2 * RACK_SIZE),
    }


def _of_play(play: Json, board: list[str], totals: list[int]) -> Json:
    """Squares and word of a play that was laid somewhere; of others there are none."""
    if not play["position"]:
        return {"squares": [], "words": [], "total": totals[play["player"]]}
    placement = Placement(*parse_square(play["position"]), play["word"])
    under = zip(play["word"], placement.squares(), strict=False)
    word = "".join(board[row_of(sq)][col_of(sq)] if tile == EMPTY else tile for tile, sq in under)
    return {
        "squares": [name_across(sq) for sq in placement.new_tiles()],
        "words": [word],
        "total": totals[play["player"]],
    }
