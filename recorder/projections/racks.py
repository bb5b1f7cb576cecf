"""What the sensors know of both racks, now and at each press; for commentators, never on air.

A rack that no sensor has seen is unknown, and so is one that is no longer seen: nothing here is
worked out from the tiles on the board. Each turn is matched with the press that ended it, by the
row that recorded it, so that a score sheet can say what the player held.
"""

from dataclasses import dataclass

from recorder.domain.observations import (
    ClockPressed,
    DeviceLost,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
)
from recorder.domain.record import GameStarted, Observed, Recorded
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, Tiles
from recorder.frames import booth
from recorder.log.port import Row

_NOT_HEARD = frozenset(
    {"board.seen", "board.not_seen", "board.stirred", "board.still", "board.reached"}
)
"""Looks at the board say nothing of racks; reading them takes time."""


@dataclass(frozen=True, slots=True)
class KnownRack:
    """Letters as a camera read them (``RackSeen``), when (milliseconds since 1970), by whom.

    ``typed``: by a person, in the player's order. Nobody sees when such a rack changes: it is known
    until the player's own turn is over.
    """

    letters: Tiles
    slots: Tiles
    doubtful: tuple[int, ...]
    confidence: float
    at: int
    device: str
    typed: bool = False

    def as_json(self) -> booth.KnownRack:
        """As commentators get it."""
        return {
            "letters": write_tiles(self.letters),
            "slots": write_tiles(self.slots),
            "doubtful": list(self.doubtful),
            "confidence": self.confidence,
            "at": self.at,
            "typed": self.typed,
        }


@dataclass(frozen=True, slots=True)
class CountedRack:
    """How many tiles a rack's sensor counts, how sure, when and which device."""

    count: int
    confidence: float
    at: int
    device: str

    def as_json(self) -> booth.CountedRack:
        """As commentators get it."""
        return {"count": self.count, "confidence": self.confidence, "at": self.at}


@dataclass(frozen=True, slots=True)
class Move:
    """What was known of both racks when a turn ended.

    ``rack`` is the fullest look since the player's turn before, for tiles leave the rack while a
    play forms; ``other`` is the opponent's rack.
    """

    rack: KnownRack | None = None
    other: KnownRack | None = None

    def as_json(self) -> booth.KnownMove:
        """As plain JSON values."""
        return {
            "rack": None if self.rack is None else self.rack.as_json(),
            "other": None if self.other is None else self.other.as_json(),
        }


UNKNOWN_MOVE = Move()


class Racks:
    """One table, folded row by row; a new game begins anew."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._game = ""
        self._left = 0
        self._begin()

    def advance(self, row: Row) -> None:
        """One more row of the log; rows of other tables do not matter."""
        if row.table != self.table or row.type in _NOT_HEARD:
            return
        match row.says:
            case Observed(what=what):
                self._observe(row, what)
            case GameStarted() as started:
                if started.game != self._game:
                    self._game, self._left = started.game, started.left_player
                    self._begin()
            case Recorded() as says if row.game == self._game:
                self._record(row, says)

    def seen(self, player: int) -> KnownRack | None:
        """The rack as it was last read; None when it is not known."""
        return self._seen[player]

    def counted(self, player: int) -> CountedRack | None:
        """What a sensor below the rack counts; None when there is none."""
        return self._counted[player]

    def to_play_from(self, player: int) -> KnownRack | None:
        """The rack before any tile of the play that is forming left it; None when not known."""
        return self._fullest[player]

    def at_turn(self, row: int) -> Move:
        """What was known at the end of the turn that a row recorded first (``SheetLine.row``)."""
        return self._moves.get(row, UNKNOWN_MOVE)

    def _begin(self) -> None:
        self._seen: list[KnownRack | None] = [None, None]
        self._fullest: list[KnownRack | None] = [None, None]
        self._counted: list[CountedRack | None] = [None, None]
        self._presses: dict[int, tuple[int, Move]] = {}
        self._moves: dict[int, Move] = {}

    def _observe(self, row: Row, what: Observation) -> None:
        match what:
            case DeviceLost(device=lost):
                self._lose(lost)
            case RackSeen():
                self._see(self._player(what.side), _known(what, row.at, row.device))
            case RackTyped(side=side, letters=letters):
                self._type(self._player(side), _typed(letters, row.at, row.device))
            case RackCounted(side=side, count=count, confidence=confidence):
                found = CountedRack(count, confidence, row.at, row.device)
                self._counted[self._player(side)] = found
            case ClockPressed(side=side):
                self._press(row.seq, self._player(side))

    def _player(self, side: Side) -> int:
        return self._left if side is Side.LEFT else 1 - self._left

    def _see(self, player: int, look: KnownRack | None) -> None:
        self._seen[player] = look
        if look is not None and _fuller(look, self._fullest[player]):
            self._fullest[player] = look

    def _type(self, player: int, rack: KnownRack | None) -> None:
        """What a person types replaces what was known, also what they typed wrongly before."""
        self._seen[player] = self._fullest[player] = rack

    def _lose(self, device: str) -> None:
        """A camera or sensor is gone: what it saw last may have changed since."""
        for player in (0, 1):
            seen, counted = self._seen[player], self._counted[player]
            if seen is not None and seen.device == device and not seen.typed:
                self._seen[player] = None
            if counted is not None and counted.device == device:
                self._counted[player] = None

    def _press(self, seq: int, player: int) -> None:
        self._presses[seq] = (player, Move(self._fullest[player], self._seen[1 - player]))
        self._turn_over(player)

    def _turn_over(self, player: int) -> None:
        """What is on the rack now is what the next play is made from, until more is drawn."""
        seen = self._seen[player]
        if seen is not None and seen.typed:
            self._seen[player] = None
        self._fullest[player] = self._seen[player]

    def _record(self, row: Row, says: Recorded) -> None:
        player = says.event.player
        named = [says.turn.group, *row.refs]
        press = next((self._presses[seq] for seq in named if seq in self._presses), None)
        if press is not None and press[0] == player:
            self._moves[row.seq] = press[1]
        elif not self._presses:
            # No clock at this table: the row itself is all that tells when the turn was over.
            self._moves[row.seq] = Move(self._fullest[player], self._seen[1 - player])
            self._turn_over(player)


def _known(seen: RackSeen, at: int, device: str) -> KnownRack | None:
    """None when no tile was seen: whether the rack is empty or out of sight, nobody knows."""
    if not seen.letters:
        return None
    return KnownRack(seen.letters, seen.slots, seen.doubtful, seen.confidence, at, device)


def _typed(letters: Tiles, at: int, device: str) -> KnownRack | None:
    return KnownRack(letters, letters, (), 1.0, at, device, typed=True) if letters else None


def _fuller(look: KnownRack, before: KnownRack | None) -> bool:
    """Whether a look shows more of the rack than one before; tiles drawn too many go again."""
    if before is None or len(before.letters) > RACK_SIZE:
        return True
    return len(look.letters) >= len(before.letters)
