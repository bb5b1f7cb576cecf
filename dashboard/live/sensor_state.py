"""A table at one moment: what every sensor last said, and the whole table at an earlier row.

For directors only: racks and pictures are in it. Pure folds over rows of the log.
"""

from collections.abc import Iterable, Iterator, Sequence

from recorder.domain.instruments import BagWeighed
from recorder.domain.observations import (
    ClockPressed,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
)
from recorder.domain.record import GameStarted, Observed
from recorder.domain.tile_text import write_tiles
from recorder.frames import desk
from recorder.log.port import EventLog, Row
from recorder.projections.broadcast import Projection
from recorder.projections.framed import framed
from recorder.wire.row_heads import STARTED_TYPE

_HEARD = frozenset(
    {"rack.seen", "rack.count", "rack.typed", "clock.press", "bag.weight", STARTED_TYPE}
)


class SensorState:
    """Racks, bag and pictures as last reported at one table; a new game forgets them.

    ``rows`` are the numbers of the present game's rows, from its beginning.
    """

    def __init__(self, table: int) -> None:
        self.table = table
        self._left = 0
        self._game = ""
        self._racks: dict[Side, desk.SensedRack] = {}
        self._typed: dict[Side, desk.SensedRack] = {}
        self._bag: desk.SensedBag | None = None
        self._pictures: dict[str, desk.NewPicture] = {}
        self.rows: list[int] = []

    def advance(self, row: Row) -> None:
        """One more row of the log; what cannot be read changes nothing."""
        if row.table != self.table:
            return
        self.rows.append(row.seq)
        if row.picture:
            self._pictures[row.device] = framed(desk.NewPicture, row, row=row.seq)
        if row.type not in _HEARD:
            return
        match row.says:
            case GameStarted(game=game, left_player=left):
                self._left = left
                if game != self._game:
                    self._game, self.rows = game, [row.seq]
                    self._racks, self._typed, self._bag = {}, {}, None
            case Observed(what=what):
                self._observe(what, row.at)

    def as_json(self) -> desk.Senses:
        """``racks`` by player (null: nothing reported), ``bag`` as weighed, ``pictures`` by device.

        ``typed`` are racks that a person typed, until their player's press: no sensor's word.
        """
        sides = (Side.LEFT, Side.RIGHT) if self._left == 0 else (Side.RIGHT, Side.LEFT)
        return {
            "racks": [self._racks.get(side) for side in sides],
            "typed": [self._typed.get(side) for side in sides],
            "bag": self._bag,
            "pictures": [self._pictures[name] for name in sorted(self._pictures)],
        }

    def _observe(self, what: Observation, at: int) -> None:
        match what:
            case RackSeen() as rack:
                self._racks[rack.side] = {
                    "count": rack.count,
                    "at": at,
                    "letters": write_tiles(rack.letters),
                    "doubtful": list(rack.doubtful),
                }
            case RackCounted() as rack:
                before = self._racks.get(rack.side)
                same = before is not None and before["count"] == rack.count
                self._racks[rack.side] = {
                    "count": rack.count,
                    "at": at,
                    "letters": before["letters"] if before and same else "",
                    "doubtful": before["doubtful"] if before and same else [],
                }
            case RackTyped(side=side, letters=letters):
                self._typed.pop(side, None)  # what was typed before is not so
                if letters:
                    self._typed[side] = {
                        "count": len(letters),
                        "at": at,
                        "letters": write_tiles(letters),
                        "doubtful": [],
                    }
            case ClockPressed(side=side):
                self._typed.pop(side, None)
            case BagWeighed(tiles=tiles):
                self._bag = {
                    "at": at,
                    "tiles": None if tiles is None else tiles.count,
                    "probability": None if tiles is None else tiles.probability,
                }
            case _:
                return


def rows_of(log: EventLog, known: Sequence[int], upto: int | None = None) -> Iterator[Row]:
    """The rows that a table's game is folded from: those ``known`` by number, else the whole log.

    A log of many tables is long, and its looks take time to read.
    """
    wanted = [seq for seq in known if upto is None or seq <= upto]
    if not wanted:
        return log.read_from(1)
    return (row for seq in wanted for row in log.read_from(seq, 1))


def table_at(rows: Iterable[Row], table: int, seq: int) -> desk.Moment:
    """The table as it stood after row ``seq``: the frame, what sensors said, the time.

    ``rows`` come in order from the first one; later ones are not read. ``frame`` is null while no
    game has begun. What was corrected later stands as it was recorded then.
    """
    projection, sensors = Projection(table), SensorState(table)
    last = 0
    at = 0
    for row in rows:
        if row.seq > seq:
            break
        projection.advance(row)
        sensors.advance(row)
        if row.table == table:
            last, at = row.seq, row.at
    lines = [line.as_json() for line in projection.lines]
    return {
        "seq": last,
        "at": at,
        "frame": projection.frame(),
        "sheet": lines,
        "senses": sensors.as_json(),
    }
