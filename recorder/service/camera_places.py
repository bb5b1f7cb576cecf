"""Whose game a camera sees: the plays that it sees laid, against the presses of every table.

A turn's play is laid shortly before the press that ends it: mostly one play, of tiles in one line,
now and then none. A camera whose plays come so with another table's presses, and not with those of
its own, stands over another board, or its cable or address is another camera's. Two tables that
press at the same times are not told apart. Folds rows.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from recorder.domain.board import Square, col_of, row_of
from recorder.domain.observations import (
    BoardNotSeen,
    BoardSeen,
    CameraDoubted,
    CameraExchanged,
    ClockAct,
    ClockChanged,
    ClockPressed,
    DeviceLost,
    Side,
)
from recorder.domain.record import Observed
from recorder.domain.tiles import EMPTY
from recorder.log.port import Row

_TURNS = 8
"""So many turns are looked back on."""
_LEAST_TURNS = 3
_LEAST_PLAYS = 2
_AFTER_MS = 2_000
"""A hand that has pressed is over the board for so long; then the camera sees what was laid."""
_NO_PLAY, _ONE_PLAY, _MORE_PLAYS = 0.09, 0.89, 0.02
"""The shares of turns with no tile laid, with tiles in one line, and with others."""
_RARE = 0.02
_QUICK_MS, _COUNTED_MS = 2_500, 9_000
"""The mean time from the last tile to the press: of a quick player, of one who counts again."""
_SLOW = 4
"""Of one who thinks about the next turn too: a fourth of the turn."""
_HABIT, _HABIT_MS = 0.15, 300
"""By how much, of its mean and in any case, the time of one who always takes as long varies."""
_STRAY = 0.1
"""The share of plays that are laid at any moment of their turn."""
_HIDDEN_MS = 15_000
"""An arm hides the board for less; a camera that sees nothing for longer may miss a play."""
_MOST_LOOKS = 200
_SURE = 10.0
"""Nats by which two exchanged cameras explain more than those in the settings, at two tables."""
_UNLIKE = 4.0
"""A camera fits its own clock hardly better than chance: by so much at most."""
_AS_CHANCE = -2.0
"""It fits the other one hardly worse than chance."""


@dataclass(slots=True)
class _Camera:
    """What the board camera of a table saw, by the record's time."""

    device: str
    since_ms: int
    """It watches from here on."""
    lost_ms: int | None = None
    """It sees nothing from here on."""
    blind: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_TURNS))
    looks: deque[tuple[int, frozenset[Square], frozenset[Square]]] = field(
        default_factory=lambda: deque(maxlen=_MOST_LOOKS)
    )
    """Squares on which tiles came, and those from which tiles went."""
    plays: deque[tuple[int, frozenset[Square]]] = field(
        default_factory=lambda: deque(maxlen=_TURNS + 1)
    )
    """Tiles that came one after the other in one line, and when the last of them lay."""

    def see(self, seen: BoardSeen, at_ms: int) -> bool:
        """One more look; whether tiles came or went."""
        if self.lost_ms is not None and at_ms - self.lost_ms > _HIDDEN_MS:
            self.blind.append((self.lost_ms, at_ms))
        self.lost_ms = None
        changes = [(Square(change.square), change.was, change.now) for change in seen.changes]
        came = frozenset(square for square, was, now in changes if was == EMPTY != now)
        gone = frozenset(square for square, was, now in changes if was != EMPTY == now)
        if came or gone:
            self.looks.append((at_ms - seen.still_ms, came, gone))
        if came and self.plays and _are_in_line(self.plays[-1][1] | came):
            came |= self.plays.pop()[1]
        if came:
            self.plays.append((at_ms - seen.still_ms, came))
        return bool(came or gone)

    def is_blind(self, from_ms: int, to_ms: int) -> bool:
        """Whether it may have missed something between two times."""
        if from_ms < self.since_ms:
            return True
        if self.lost_ms is not None and self.lost_ms + _HIDDEN_MS < to_ms:
            return True
        return any(begun < to_ms and from_ms < ended for begun, ended in self.blind)

    def laid(self, from_ms: int, to_ms: int) -> tuple[int, frozenset[Square]]:
        """When the last tile came between two times, and the squares of those that were left."""
        lying: dict[Square, int] = {}
        for at_ms, came, gone in self.looks:
            if from_ms < at_ms <= to_ms:
                lying |= dict.fromkeys(came, at_ms)
                for square in gone:
                    lying.pop(square, None)
        return max(lying.values(), default=0), frozenset(lying)

    @property
    def rhythm_ms(self) -> float | None:
        """The mean time from one play to the next; None: too few were seen."""
        if len(self.plays) < _LEAST_PLAYS:
            return None
        return max(1.0, (self.plays[-1][0] - self.plays[0][0]) / (len(self.plays) - 1))


@dataclass(slots=True)
class _Seat:
    """A table: its game, its camera, and when its clock was started and pressed."""

    game: str = ""
    camera: _Camera | None = None
    presses: deque[int] = field(default_factory=lambda: deque(maxlen=_TURNS + 1))


@dataclass(slots=True)
class CameraPlaces:
    """Reads every row of clocks and board cameras and says which camera sees another table."""

    _seats: dict[int, _Seat] = field(default_factory=dict)
    _said: set[tuple[str, int]] = field(default_factory=set)

    def take(self, row: Row) -> list[CameraDoubted]:
        """One more row in the order of the log; the cameras that see another table's game."""
        match row.says if row.type in ("camera.exchanged", "camera.doubt") else None:
            case Observed(what=CameraExchanged()):
                self._seats.clear()
                self._said.clear()
            case Observed(what=CameraDoubted(device=camera, sees=sees)):
                self._said.add((camera, sees))
            case _:
                pass
        if row.refs or row.type not in _READ:
            return []  # what has refs was seen before, by a camera that was exchanged
        seat = self._seats.setdefault(row.table, _Seat())
        if seat.game != row.game:
            seat = self._seats[row.table] = _Seat(row.game, _still_there(seat.camera))
        if not _take(seat, row):
            return []
        return [*self._found(row.table, row.at)]

    def recall(self, row: Row) -> None:
        """A row that was stored before: what it shows is said once more rows come, if not yet."""
        self._said.difference_update((doubt.device, doubt.sees) for doubt in self.take(row))

    def _found(self, table: int, now_ms: int) -> Iterator[CameraDoubted]:
        here = self._seats[table]
        own = _fit(here, here, now_ms)
        if own is None or own >= _UNLIKE:
            return
        for number, there in self._seats.items():
            if number == table or not self._are_exchanged(own, here, there, now_ms):
                continue
            for seat, sees in ((here, number), (there, table)):
                camera = seat.camera.device if seat.camera else ""
                if (camera, sees) not in self._said:
                    self._said.add((camera, sees))
                    yield CameraDoubted(device=camera, sees=sees)

    def _are_exchanged(self, own: float, here: _Seat, there: _Seat, now_ms: int) -> bool:
        """Whether the cameras of two tables explain each other's presses, and not their own."""
        others = _fit(there, there, now_ms)
        if others is None or others >= _UNLIKE:
            return False
        mine, theirs = _fit(there, here, now_ms), _fit(here, there, now_ms)
        if mine is None or theirs is None or min(mine, theirs) < _AS_CHANCE:
            return False
        # The more pairs there are, the likelier chance favours one.
        pairs = math.comb(len(self._seats), 2)
        return mine + theirs - own - others > _SURE + math.log(pairs)


def _take(seat: _Seat, row: Row) -> bool:
    """Note what a row says; whether it is worth comparing the tables again."""
    match row.says:
        case Observed(what=ClockChanged(act=ClockAct.RESUME)) if not seat.presses:
            seat.presses.append(row.at)
        case Observed(what=ClockPressed(running=running)) if running is not Side.NONE:
            seat.presses.append(row.at)
            return True
        case Observed(what=BoardSeen(moving=False) as seen):
            if seat.camera is None or seat.camera.device != row.device:
                seat.camera = _Camera(row.device, row.at)
            return seat.camera.see(seen, row.at)
        case Observed(what=BoardNotSeen()) if seat.camera and seat.camera.device == row.device:
            seat.camera.lost_ms = seat.camera.lost_ms or row.at
        case Observed(what=DeviceLost(device=lost)) if seat.camera and seat.camera.device == lost:
            seat.camera.lost_ms = seat.camera.lost_ms or row.at
        case _:
            pass
    return False


_READ = frozenset({"clock.press", "clock.change", "board.seen", "board.not_seen", "device.lost"})


def _still_there(camera: _Camera | None) -> _Camera | None:
    """A camera as it goes on into the next game."""
    return camera and _Camera(camera.device, camera.since_ms, camera.lost_ms)


def _fit(seen: _Seat, pressed: _Seat, now_ms: int) -> float | None:
    """How much better a camera fits a clock than chance does, in nats; None: not known yet."""
    camera = seen.camera
    if camera is None or (rhythm_ms := camera.rhythm_ms) is None:
        return None
    presses = [at_ms for at_ms in pressed.presses if at_ms + _AFTER_MS <= now_ms]
    turns = [
        (before_ms, at_ms)
        for before_ms, at_ms in pairwise(presses)
        if not camera.is_blind(before_ms, at_ms + _AFTER_MS)
    ]
    if len(turns) < _LEAST_TURNS:
        return None
    laid = [camera.laid(before_ms + _AFTER_MS, at_ms + _AFTER_MS) for before_ms, at_ms in turns]
    gaps = [
        max(0, at_ms - last_ms) if lying else None
        for (_, at_ms), (last_ms, lying) in zip(turns, laid, strict=True)
    ]
    fit = 0.0
    for place, ((before_ms, at_ms), (_, lying)) in enumerate(zip(turns, laid, strict=True)):
        others = [gap for gap in (*gaps[:place], *gaps[place + 1 :]) if gap is not None]
        turn = _Turn(max(1, at_ms - before_ms), lying, gaps[place] or 0, _usual(others))
        fit += _of_turn(turn, rhythm_ms)
    _, lying = camera.laid(presses[-1] + _AFTER_MS, now_ms)
    if not _are_in_line(lying):
        fit += _of_more((now_ms - presses[-1]) / rhythm_ms)
    return fit


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn by a clock: what came in it, how long before its press, and before the others."""

    turn_ms: int
    lying: frozenset[Square]
    gap_ms: int
    usual_ms: float | None


def _usual(gaps: list[int]) -> float | None:
    return median(gaps) if len(gaps) >= _LEAST_TURNS - 1 else None


def _of_turn(turn: _Turn, rhythm_ms: float) -> float:
    """The same of one turn. By chance plays come at any time, in the rhythm that the camera saw."""
    turn_ms, gap_ms = turn.turn_ms, turn.gap_ms
    expected = turn_ms / rhythm_ms
    if not turn.lying:
        return math.log(_NO_PLAY) + expected
    if not _are_in_line(turn.lying):
        return _of_more(expected)
    before = [
        turn_ms / mean_ms * math.exp(-gap_ms / mean_ms)
        for mean_ms in (_QUICK_MS, _COUNTED_MS, turn_ms / _SLOW)
    ]
    if turn.usual_ms is not None:
        spread_ms = _HABIT * turn.usual_ms + _HABIT_MS
        off = abs(gap_ms - turn.usual_ms) / spread_ms
        before.append(turn_ms / (2 * spread_ms) * math.exp(-off))
    density = _STRAY + (1 - _STRAY) * sum(before) / len(before)
    return math.log(_ONE_PLAY * density) - math.log(expected) + expected


def _of_more(expected: float) -> float:
    """The same of tiles that are not one play, where so many plays are expected by chance."""
    chance = 1 - math.exp(-expected) * (1 + expected)
    return math.log(_MORE_PLAYS) - math.log(max(_RARE, chance))


def _are_in_line(squares: frozenset[Square]) -> bool:
    """Whether they may be one play: all in one row or in one column."""
    return len(set(map(row_of, squares))) <= 1 or len(set(map(col_of, squares))) <= 1
