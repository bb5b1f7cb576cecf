"""Whose game a camera sees: the tiles that it sees laid, against the presses of every table.

Tiles are laid shortly before the press that ends the turn. A camera whose tiles come with another
table's presses, and not with those of its own, stands over another board, or its cable or address
is another camera's. Two tables that press at the same times are not told apart. Folds rows.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from recorder.domain.observations import BoardSeen, CameraDoubted, ClockPressed, Side
from recorder.domain.record import Observed
from recorder.domain.tiles import EMPTY
from recorder.log.port import Row

_TURNS = 8
"""So many turns are looked back on."""
_LEAST_TURNS = 3
_AFTER_MS = 2_000
"""A hand that has pressed is over the board for so long; then the camera sees what was laid."""
_QUICK_MS = 3_000
"""The mean time from the last tile to the press, where nothing is counted again."""
_SLOW = 6
"""Where it is, the part of the turn that this takes in the mean: a sixth."""
_STRAY = 0.1
"""The share of turns in which tiles come at any moment, or none is laid."""
_MOST_LAID = 500
_SURE = 9.0
"""Nats by which the exchanged places explain more than those in the settings."""
_UNLIKE = 2.0
"""A camera fits its own clock hardly better than chance: by so much at most. With both, none of
600 pairs of games that were not exchanged were named, and all that were, after 4 turns in the
median."""


@dataclass(slots=True)
class _Seat:
    """A table: its game, its presses and when its camera saw tiles laid, by the record's time."""

    game: str = ""
    camera: str = ""
    presses: deque[int] = field(default_factory=lambda: deque(maxlen=_TURNS + 1))
    laid: deque[int] = field(default_factory=lambda: deque(maxlen=_MOST_LAID))


@dataclass(slots=True)
class CameraPlaces:
    """Reads every row of clocks and board cameras and says which camera sees another table."""

    _seats: dict[int, _Seat] = field(default_factory=dict)
    _said: set[tuple[str, int]] = field(default_factory=set)

    def take(self, row: Row) -> list[CameraDoubted]:
        """One more row in the order of the log; the cameras that see another table's game."""
        if row.type == "camera.exchanged":
            self._seats.clear()
            self._said.clear()
        if row.refs or row.type not in ("clock.press", "board.seen"):
            return []  # what has refs was seen before, by a camera that was exchanged
        seat = self._seats.setdefault(row.table, _Seat())
        if seat.game != row.game:
            seat = self._seats[row.table] = _Seat(row.game)
        match row.says:
            case Observed(what=ClockPressed(running=running)) if running is not Side.NONE:
                seat.presses.append(row.at)
            case Observed(what=BoardSeen(moving=False) as seen) if _lays(seen):
                if seat.camera != row.device:
                    seat.camera = row.device
                    seat.laid.clear()
                seat.laid.append(row.at - seen.still_ms)
            case _:
                return []
        return [*self._found(row.table, row.at)]

    def _found(self, table: int, now_ms: int) -> Iterator[CameraDoubted]:
        here = self._seats[table]
        if not here.camera or _fit(here, here, now_ms) is None:
            return
        for number, there in self._seats.items():
            if number == table or not there.camera or not _are_exchanged(here, there, now_ms):
                continue
            for camera, sees in ((here.camera, number), (there.camera, table)):
                if (camera, sees) not in self._said:
                    self._said.add((camera, sees))
                    yield CameraDoubted(device=camera, sees=sees)


def _are_exchanged(here: _Seat, there: _Seat, now_ms: int) -> bool:
    """Whether the cameras of two tables explain each other's presses, and not their own."""
    own, others = _fit(here, here, now_ms), _fit(there, there, now_ms)
    mine, theirs = _fit(there, here, now_ms), _fit(here, there, now_ms)
    if own is None or others is None or mine is None or theirs is None:
        return False
    return (
        max(own, others) < _UNLIKE
        and min(mine, theirs) > 0
        and mine + theirs - own - others > _SURE
    )


def _fit(camera: _Seat, clock: _Seat, now_ms: int) -> float | None:
    """How much better a camera fits a clock than chance does, in nats; None: not known yet."""
    presses = [at_ms for at_ms in clock.presses if at_ms + _AFTER_MS <= now_ms]
    turns = [
        (before_ms, at_ms)
        for before_ms, at_ms in pairwise(presses)
        if camera.laid and at_ms + _AFTER_MS >= camera.laid[0]
    ]
    if len(turns) < _LEAST_TURNS or len(camera.laid) < _LEAST_TURNS:
        return None
    return sum(_of_turn(camera, before_ms, at_ms) for before_ms, at_ms in turns)


def _of_turn(camera: _Seat, before_ms: int, at_ms: int) -> float:
    laid = [one_ms for one_ms in camera.laid if before_ms + _AFTER_MS < one_ms <= at_ms + _AFTER_MS]
    if not laid:
        return math.log(_STRAY)
    turn_ms, gap_ms = max(1, at_ms - before_ms), max(0, at_ms - laid[-1])
    quick = turn_ms / _QUICK_MS * math.exp(-gap_ms / _QUICK_MS)
    slow = _SLOW * math.exp(-_SLOW * gap_ms / turn_ms)
    return math.log(_STRAY + (1 - _STRAY) * (quick + slow) / 2)


def _lays(seen: BoardSeen) -> bool:
    """Whether tiles have come since the look before."""
    return any(change.was == EMPTY != change.now for change in seen.changes)
