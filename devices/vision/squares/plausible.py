"""A picture that cannot be right says so: squares become doubtful, and a note says why.

A board of another game, a screen, tiles of another alphabet, blur, and a grid that lies beside the
tiles all give letters too, and sure ones. What is known of tile sets and of pictures shows.
"""

import numpy as np
import numpy.typing as npt

from devices.vision.geometry.pose import Floats
from devices.vision.look import BoardReading
from devices.vision.set_symbols import count_of, symbols_of
from devices.vision.squares.grid_fit import DOUBTFUL_SHIFT
from devices.vision.squares.sharpness import Sharpness
from devices.vision.squares.squares import SquareReading
from recorder.domain.board import SQUARES
from recorder.domain.observations import BLANK_SYMBOL, COVERED_SYMBOL, EMPTY_SYMBOL, SEEN
from recorder.domain.tiles import TileSet

_LEAST_CONFIDENCE = 0.76
"""Mean confidence on the squares of a wrong grid stays below, on a right one hardly ever."""
_MOST_DOUBTFUL = 0.5
"""The part of the squares in sight that may be doubtful in a picture of a board."""
_SURE_THOUGH_BLURRED = 0.995
_DOUBTFUL = 0.8
"""How probable anything is at most that cannot be relied on."""
_STRANGE = 0.5
_FEW_STRANGE = 2
"""Letters of no set that a smudge or a hand-lettered tile explains."""
_EMPTY, _COVERED = SEEN.index(EMPTY_SYMBOL), SEEN.index(COVERED_SYMBOL)

Squares = npt.NDArray[np.bool_]


def plausible(
    log_probs: Floats, reading: SquareReading, tile_set: TileSet, *, hold_supply: bool
) -> tuple[Floats, tuple[str, ...]]:
    """``log_probs`` [15, 15, 32] with what cannot be relied on made doubtful, and notes on it.

    Without ``hold_supply`` a board may show more tiles than the set has.
    """
    flat = log_probs.reshape(SQUARES, -1)
    best = flat.argmax(axis=1)
    tiles = (best != _EMPTY) & (best != _COVERED)
    doubtful = np.zeros(SQUARES, bool)
    notes: list[str] = []
    if hold_supply and (too_many := _too_many(best, tile_set)):
        doubtful |= np.isin(best, [SEEN.index(face) for face in too_many])
        counts = ", ".join(
            f"{count} {'blanks' if face == BLANK_SYMBOL else face} of {count_of(tile_set, face)}"
            for face, count in too_many.items()
        )
        notes.append(f"more tiles than the {tile_set.name} set has: {counts}")
    strange = tiles & (reading.foreign.ravel() > _STRANGE)
    if strange.sum() > _FEW_STRANGE:
        doubtful |= tiles
        notes.append(
            f"letters on {int(strange.sum())} tiles are none of the {tile_set.name} set: "
            "another language, or another game?"
        )
    if reading.sharpness is not None and reading.sharpness.is_blurred:
        # A letter that is smeared out passes for a bare square.
        doubtful |= tiles | (flat.max(axis=1) < np.log(_SURE_THOUGH_BLURRED))
        notes.append(blur_note(reading.sharpness))
    if reading.fit is not None:
        beside = tiles & (reading.fit.shift_at(np.arange(SQUARES)) > DOUBTFUL_SHIFT)
        doubtful |= beside
        if reading.fit.is_contradictory:
            # Which tile belongs to which square is not known anywhere near them.
            doubtful |= tiles | (flat.max(axis=1) < np.log(_SURE_THOUGH_BLURRED))
            notes.append("no grid fits the tiles: is a corner of the board off, or in no picture?")
        elif beside.any():
            notes.append(f"the grid does not lie on the tiles at {int(beside.sum())} squares")
    return _doubted(flat, doubtful).reshape(log_probs.shape), tuple(notes)


def blur_note(sharpness: Sharpness) -> str:
    """What to do about blur, in one sentence."""
    if sharpness.is_moved:
        return "the picture is blurred by motion: camera or board moved, or too long an exposure"
    return "the picture is out of focus"


def unreadable(look: BoardReading) -> str:
    """Why what was read of a picture makes no sense, or nothing."""
    in_sight = SQUARES - look.symbols.count(COVERED_SYMBOL)
    doubtful = len(look.doubtful) - (SQUARES - in_sight)
    is_vague = look.confidence.mean() < _LEAST_CONFIDENCE
    if is_vague or doubtful > _MOST_DOUBTFUL * max(in_sight, 1):
        why = "; ".join(look.notes) or "is the picture out of focus, or is this another board?"
        return f"{doubtful} of {in_sight} squares cannot be read: {why}"
    return ""


def _too_many(best: npt.NDArray[np.intp], tile_set: TileSet) -> dict[str, int]:
    """The faces that are seen more often than the set has them, with how often."""
    counts = np.bincount(best, minlength=len(SEEN))
    faces = (BLANK_SYMBOL, *symbols_of(tile_set))
    return {
        face: int(counts[SEEN.index(face)])
        for face in faces
        if counts[SEEN.index(face)] > count_of(tile_set, face)
    }


def _doubted(flat: Floats, doubtful: Squares) -> Floats:
    """Log chances in which nothing is surer than ``_DOUBTFUL`` on these squares."""
    squares = np.flatnonzero(doubtful & (flat.max(axis=1) > np.log(_DOUBTFUL)))
    result = flat.copy()
    even = np.log((1.0 - _DOUBTFUL) / flat.shape[1])
    result[squares] = np.logaddexp(flat[squares] + np.log(_DOUBTFUL), even)
    return result
