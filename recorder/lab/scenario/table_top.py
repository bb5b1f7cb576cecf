"""The table itself: where every tile lies, what the clock shows, what the slip says.

What happens is applied on it, and what cannot happen is refused: a tile that is taken where
none lies, a press of a clock that was never started. It knows no sensor, no recorder and no rule
of the game beyond where things are.
"""

from dataclasses import dataclass, replace
from functools import singledispatchmethod

from recorder.domain.board import Square, name_across
from recorder.domain.errors import NotationError
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, Tile, Tiles, TileSet, face
from recorder.lab.scenario import steps
from recorder.lab.scenario.steps import Sensor, Setup, TableMishap

MOST_ON_A_RACK = 20
"""No rack has room for more tiles."""


@dataclass(frozen=True, slots=True)
class LyingTile:
    """A tile on the board: what it is, who laid it, how it lies (degrees clockwise of upright).

    ``owner`` is 0 before the game, when tiles are only counted.
    """

    tile: Tile
    owner: int
    is_face_up: bool = True
    degrees: int = 0

    @property
    def shows(self) -> Tile:
        """What a camera sees of it: the letter, or ``BLANK`` for a blank or a back."""
        return face(self.tile) if self.is_face_up else BLANK


@dataclass(slots=True)
class ClockHands:
    """Both times left in milliseconds, player 1 first; who is on the clock, and who was last.

    ``is_swapped``: the half that runs is the wrong one.
    """

    left_ms: list[int]
    running: int | None = None
    last: int | None = None
    is_swapped: bool = False

    def run(self, player: int) -> None:
        """A player's half runs from now on, rightly."""
        self.running = self.last = player
        self.is_swapped = False

    def swap(self, player: int) -> None:
        """A player's half runs from now on, and should not."""
        self.run(player)
        self.is_swapped = True

    def advance(self, elapsed_ms: int) -> None:
        """Let the running half fall."""
        if self.running is not None:
            self.left_ms[self.running - 1] -= elapsed_ms


@dataclass(slots=True)
class RackTiles:
    """What stands on a rack. ``count`` is None while nothing was said of it.

    ``letters`` are its tiles where all are known; ``aside``, ``on_table`` and ``dropped`` are tiles
    of that player that stand on no rack, ``held`` those taken off the board while the clocks stand:
    they go onto the rack when a clock runs again. ``has_drawn``: a line has said so.
    """

    count: int | None = None
    letters: Tiles | None = None
    aside: int = 0
    on_table: int = 0
    dropped: int = 0
    held: Tiles = ()
    has_drawn: bool = False

    @property
    def is_overfull_unseen(self) -> bool:
        """Whether more tiles stand there than a rack begins with, and no line has drawn any."""
        return not self.has_drawn and (self.count or 0) > RACK_SIZE

    def pick_up(self) -> None:
        """What was held goes onto the rack."""
        self.add(len(self.held), self.held)
        self.held = ()

    def lay(self, kind: Tile) -> None:
        """A tile goes onto the board: one that is held, else from the rack."""
        if kind in self.held:
            self.held = _without(self.held, kind)
        else:
            self.remove(1, kind)

    def add(self, tiles: int, letters: Tiles = ()) -> None:
        """Tiles come onto the rack; without letters nobody knows which."""
        if self.count is not None:
            self.count += tiles
            known = self.letters if len(letters) == tiles else None
            self.letters = None if known is None else known + letters

    def remove(self, tiles: int, letter: Tile = EMPTY) -> None:
        """Tiles leave the rack; without a letter nobody knows which."""
        if self.count is not None:
            self.count = max(0, self.count - tiles)
            known = self.letters or ()
            self.letters = _without(known, letter) if letter in known else None

    def back_into_bag(self, tiles: int) -> None:
        """Tiles laid aside go first, then dropped ones, those on the table, those of the rack."""
        left = tiles
        self.aside, left = _taken(self.aside, left)
        self.dropped, left = _taken(self.dropped, left)
        self.on_table, left = _taken(self.on_table, left)
        if self.count is not None and left > self.count:
            self.pick_up()
        if self.count is not None and left > self.count:
            raise NotationError(f"that player has {tiles - left + self.count} tiles to put back")
        if left:
            self.remove(left)


def _without(tiles: Tiles, tile: Tile) -> Tiles:
    """Some tiles without one of a kind."""
    at = tiles.index(tile)
    return (*tiles[:at], *tiles[at + 1 :])


def _taken(there: int, wanted: int) -> tuple[int, int]:
    """What is left of a heap, and how many more are wanted, after some were taken from it."""
    some = min(there, wanted)
    return there - some, wanted - some


class TableTop:
    """Everything on the table. ``do`` raises NotationError for what cannot happen."""

    def __init__(self, setup: Setup, tile_set: TileSet) -> None:
        self.setup = setup
        self.board: dict[Square, LyingTile] = {}
        self.bag = tile_set.total
        self.racks = (RackTiles(), RackTiles())
        self.clock = ClockHands(self._full_times())
        self.slips: dict[int, steps.SlipShows] = {}
        self.lost: set[Sensor] = set()
        self.errors: dict[tuple[Sensor, int], steps.SensorErrs] = {}
        self.is_covered = False
        self.knocks = 0
        self._set, self._total = tile_set, tile_set.total
        self._is_started = self._has_played = False
        self._in_hand: list[tuple[Tile, int]] = []
        self._has_laid = False
        self._reply_to: int | None = None

    def rack(self, player: int) -> RackTiles:
        """A player's rack."""
        return self.racks[player - 1]

    @property
    def on_turn(self) -> int:
        """Whose half runs, or ran last; before that who moves first."""
        return self.clock.running or self.clock.last or self.setup.first

    @singledispatchmethod
    def do(self, what: object) -> None:
        """Carry out what happens; most of what is said changes nothing on the table."""

    @do.register
    def _(self, _what: steps.StartClocks) -> None:
        if self._is_started:
            raise NotationError("the game was started already; go 1 sets a half going again")
        self._is_started = True
        self.clock.left_ms = self._full_times()
        self.clock.run(self.setup.first)
        self._pick_up()

    def _full_times(self) -> list[int]:
        return [round(self.setup.minutes * 60_000)] * 2

    @do.register
    def _(self, what: steps.LayTiles) -> None:
        for square in what.through:
            if square not in self.board:
                raise NotationError(f"no tile lies on {name_across(square)}, where a . stands")
        self._must_be_free(*(square for square, _ in what.tiles))
        for square, tile in what.tiles:
            self.board[square] = LyingTile(tile, self._laid_by(face(tile), what.player))

    def _must_be_free(self, *squares: Square) -> None:
        taken = [name_across(square) for square in squares if square in self.board]
        if taken:
            raise NotationError(f"a tile lies on {', '.join(taken)} already")

    def _laid_by(self, kind: Tile, player: int) -> int:
        """Who lays such a tile.

        The player who has just taken one off, else that player, or who moves.
        """
        if self.clock.last is None:
            return 0
        held = next((tile for tile in self._in_hand if tile[0] == kind), None)
        if held is not None:
            self._in_hand.remove(held)
        owner = (player or self._mover) if held is None else held[1]
        self._has_laid = self._has_played = True
        self.rack(owner).lay(kind)
        return owner

    @property
    def _mover(self) -> int:
        """Who lays tiles.

        The player who should be on the clock, or has that player drawn, the other.
        """
        if self._reply_to is not None:
            return 3 - self._reply_to
        return 3 - self.on_turn if self.clock.is_swapped else self.on_turn

    @do.register
    def _(self, what: steps.TakeTiles) -> None:
        for square, tile in what.tiles:
            lying = self._lying(square)
            if tile and face(tile) != face(lying.tile):
                raise NotationError(f"{lying.tile} lies on {name_across(square)}, not {tile}")
        for square, _ in what.tiles:
            lying = self.board.pop(square)
            if lying.owner:
                self._take_up(self.rack(lying.owner), face(lying.tile))
                self._in_hand.append((face(lying.tile), lying.owner))

    def _lying(self, square: Square) -> LyingTile:
        if square not in self.board:
            raise NotationError(f"no tile lies on {name_across(square)}")
        return self.board[square]

    @do.register
    def _(self, what: steps.MoveTile) -> None:
        lying = self._lying(what.start)
        self._must_be_free(what.goal)
        del self.board[what.start]
        self.board[what.goal] = lying

    @do.register
    def _(self, what: steps.FlipTile) -> None:
        lying = self._lying(what.square)
        self.board[what.square] = replace(lying, is_face_up=not lying.is_face_up)

    @do.register
    def _(self, what: steps.TurnTile) -> None:
        self.board[what.square] = replace(self._lying(what.square), degrees=what.degrees)

    @do.register
    def _(self, what: steps.PressClock) -> None:
        self._must_have_run("a press")
        self._pick_up()
        if self.clock.running in (None, what.player):
            self.clock.run(3 - what.player)
        self.clock.is_swapped = False

    def _must_have_run(self, what: str) -> None:
        if self.clock.last is None:
            raise NotationError(f"the clock was never started: start comes before {what}")

    @do.register
    def _(self, _what: steps.StopClocks) -> None:
        self._must_have_run("stop")
        self.clock.running = None

    @do.register
    def _(self, what: steps.RunClock) -> None:
        self.clock.run(what.player)
        self._pick_up()

    @do.register
    def _(self, what: steps.SetTime) -> None:
        self.clock.left_ms[what.player - 1] = what.left_ms

    @do.register
    def _(self, _what: steps.SwapClocks) -> None:
        self._must_have_run("swap")
        self.clock.swap(3 - self.on_turn)

    @do.register
    def _(self, what: steps.DrawTiles) -> None:
        self._from_bag(what.count)
        if self._has_laid and what.player == self._mover:
            self._reply_to, self._has_laid = what.player, False
        rack = self.rack(what.player)
        if what.to_table:
            rack.on_table, rack.has_drawn = rack.on_table + what.count, True
            return
        if (rack.count or 0) + what.count > MOST_ON_A_RACK:
            raise NotationError(f"a rack has no room for more than {MOST_ON_A_RACK} tiles")
        if rack.is_overfull_unseen:
            raise NotationError(
                f"{rack.count} tiles stand on the rack of player {what.player} that were never "
                "drawn: nobody draws to them"
            )
        rack.has_drawn = True
        if rack.count is None and self.clock.last is None:
            rack.count = 0
        rack.add(what.count)

    @do.register
    def _(self, what: steps.SpillTiles) -> None:
        self._from_bag(what.count)
        self.rack(what.player).dropped += what.count

    def _take_up(self, rack: RackTiles, kind: Tile) -> None:
        """A tile is removed the board: while the clocks stand nobody racks it yet."""
        if self.clock.running is None:
            rack.held += (kind,)
        else:
            rack.add(1, (kind,))

    def _pick_up(self) -> None:
        self._in_hand.clear()
        self._reply_to, self._has_laid = None, False
        for rack in self.racks:
            rack.pick_up()

    def _from_bag(self, tiles: int) -> None:
        if tiles > self.bag:
            raise NotationError(f"the bag holds {self.bag} tiles")
        self.bag -= tiles

    @do.register
    def _(self, what: steps.ReturnTiles) -> None:
        if self.bag + what.count > self._total:
            raise NotationError(f"the bag holds {self.bag} of {self._total} tiles already")
        self.rack(what.player).back_into_bag(what.count)
        self.bag += what.count

    @do.register
    def _(self, what: steps.RackHolds) -> None:
        rack = self.rack(what.player)
        for tile in sorted(set(what.letters or ())):
            there, known = (what.letters or ()).count(tile), self._set.count(tile)
            if there > known:
                raise NotationError(f"the set has {known} {tile}, and {there} stand on the rack")
        if rack.count is not None:
            # What is more on the rack than before has come from beside it.
            rack.on_table, surplus = _taken(rack.on_table, max(0, what.count - rack.count))
            rack.dropped, surplus = _taken(rack.dropped, surplus)
            rack.held = rack.held[surplus:]
        rack.count, rack.letters = what.count, what.letters

    @do.register
    def _(self, what: steps.LayAside) -> None:
        rack = self.rack(what.player)
        if rack.count is not None and what.count > rack.count:
            raise NotationError(f"{rack.count} tiles stand on the rack of player {what.player}")
        if rack.count is None and what.count > RACK_SIZE:
            raise NotationError(
                f"no line has said that more than {RACK_SIZE} tiles stand on the rack of player "
                f"{what.player}: write rack {what.player} {what.count} first"
            )
        rack.remove(what.count)
        rack.aside += what.count

    @do.register
    def _(self, what: steps.SlipShows) -> None:
        self.slips[what.player] = what

    @do.register
    def _(self, _what: steps.GiveVerdict) -> None:
        if not self._has_played:
            raise NotationError("nobody has laid a tile that a verdict could be about")

    @do.register
    def _(self, what: steps.HaveMishap) -> None:
        if what.what is TableMishap.KNOCK:
            self.knocks += 1
        elif what.what in (TableMishap.COVER, TableMishap.UNCOVER):
            covers = what.what is TableMishap.COVER
            if covers == self.is_covered:
                raise NotationError(f"the board is {'' if covers else 'not '}covered already")
            self.is_covered = covers

    @do.register
    def _(self, what: steps.LoseSensor) -> None:
        self._must_have(what.sensor)
        if what.sensor in self.lost:
            raise NotationError(f"{what.sensor} is lost already")
        self.lost.add(what.sensor)

    @do.register
    def _(self, what: steps.RegainSensor) -> None:
        self._must_have(what.sensor)
        if what.sensor not in self.lost:
            raise NotationError(f"{what.sensor} is not lost")
        self.lost.remove(what.sensor)

    @do.register
    def _(self, what: steps.SensorErrs) -> None:
        self._must_have(what.sensor)
        self.errors[what.sensor, what.player] = what

    @do.register
    def _(self, what: steps.SensorRight) -> None:
        wrong = [key for key in self.errors if key[0] is what.sensor]
        if not wrong:
            raise NotationError(f"{what.sensor} works rightly already")
        for key in wrong:
            del self.errors[key]

    def _must_have(self, sensor: Sensor) -> None:
        if sensor not in self.setup.sensors:
            there = ", ".join(fitted for fitted in Sensor if fitted in self.setup.sensors)
            raise NotationError(f"this table has no {sensor}; it has {there}")
