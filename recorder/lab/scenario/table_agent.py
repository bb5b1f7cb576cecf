"""The agent at a table: what happens there becomes observations, each at its time.

A camera shows when something begins to move and looks when all lies still, or when it is asked; a
bag is off its scale for a moment while somebody draws; a rack counter speaks when its places have
settled. Whatever no sensor of the table can notice is not said. Knows the wire, not the recorder.
"""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from math import erfc, sqrt
from typing import TYPE_CHECKING

from recorder.domain.board import Square
from recorder.domain.instruments import BagLifted, BagReturned, BagWeighed, CountEstimate
from recorder.domain.observations import (
    Acted,
    Announced,
    BoardSeen,
    BoardStirred,
    Observation,
    RackCounted,
    Say,
    Side,
    SquareChange,
    TurnAct,
)
from recorder.lab.scenario import steps
from recorder.lab.scenario.senses import BoardView, Senses
from recorder.lab.scenario.steps import Happening, Said, Sensor, TableMishap
from recorder.lab.scenario.table_top import MOST_ON_A_RACK, LyingTile, TableTop

if TYPE_CHECKING:
    from recorder.domain.tiles import Tiles

SIDES = {1: Side.LEFT, 2: Side.RIGHT}
BOARD_STILL_MS = 700
"""So long nothing has moved when a camera looks: the hands are gone."""
COUNTED_MS, RACK_SEEN_MS, SLIP_SEEN_MS = 300, 900, 500
BAG_AWAY_MS, BAG_AT_REST_MS = 1_000, 1_000
"""How long a hand is in the bag, and until the bag then lies still."""
TILE_G, TILE_SPREAD_G, WEIGHED_WITHIN_G = 1.5, 0.075, 0.1
SURE_COUNT, NEAR_COUNT = 0.97, 0.01
"""How sure a scale is of all that is in the bag, and of one tile more or less."""
SURE_PLACES = 0.99
PLACES, MOST_PLACES = 8, 10
MS_PER_HOUR = 3_600_000

ROLES = {
    Sensor.CAMERA: {"camera-1": "board-camera"},
    Sensor.CLOCK: {"clock-1": "serial-clock"},
    Sensor.RACKS: {"rack-camera-1": "rack-camera", "rack-camera-2": "rack-camera"},
    Sensor.COUNTERS: {"rack-1": "rack-counter", "rack-2": "rack-counter"},
    Sensor.SCALE: {"scale-1": "bag-scale"},
    Sensor.SLIP: {"slip-1": "slip-camera", "slip-2": "slip-camera"},
    Sensor.BOX: {"box-1": "scorer-box"},
}
"""The devices that a sensor of a scenario stands for, with their roles."""

Publish = Callable[[str, Observation], None]
"""Publishes an observation as the next event of a device, now."""


@dataclass(order=True)
class _Due:
    at_ms: int
    number: int
    act: Callable[[], None] = field(compare=False)


@dataclass(slots=True)
class _Bag:
    """The bag as its scale feels it; ``drawn`` counts the hands in it, the last one weighs."""

    weighed_g: float | None = None
    is_away: bool = False
    away_since_ms: int = 0
    drawn: int = 0


class TableAgent:
    """All devices of one table. ``now_ms`` is its time, from 0 at the beginning of the scenario."""

    def __init__(self, table: TableTop, senses: Senses, tell: Publish) -> None:
        self.now_ms = 0
        self._table, self._senses, self._tell_now = table, senses, tell
        self._due: list[_Due] = []
        self._numbers = 0
        self._stirred = False
        self._moved_ms = -60_000
        self._told: BoardSeen | None = None
        self._bag = _Bag()
        self._racks: dict[int, tuple[int | None, Tiles | None]] = {1: (None, None), 2: (None, None)}
        self._blanks = 0

    def begin(self) -> None:
        """What devices say when they are switched on."""
        self._look()
        if self._has(Sensor.SCALE):
            self._weigh()

    def next_ms(self) -> int | None:
        """When a device has something to say next, as far as is known now."""
        return self._due[0].at_ms if self._due else None

    def pass_to(self, at_ms: int) -> None:
        """Let time pass; what is due then is said."""
        self._table.clock.advance(at_ms - self.now_ms)
        said = self._senses.clock.advance(at_ms - self.now_ms)
        self.now_ms = at_ms
        self._tell_all(Sensor.CLOCK, "clock-1", said)
        while self._due and self._due[0].at_ms <= at_ms:
            heapq.heappop(self._due).act()

    def asked_to_look(self) -> None:
        """The recorder asks the board camera for a look."""
        self._look()

    def notice(self, what: Happening) -> None:
        """Something has just happened on the table."""
        match what:
            case (
                steps.LayTiles()
                | steps.TakeTiles()
                | steps.MoveTile()
                | steps.FlipTile()
                | steps.TurnTile()
            ):
                self._stir()
                self._count_racks()
            case steps.DrawTiles() | steps.SpillTiles() | steps.ReturnTiles():
                self._hand_in_bag()
                self._count_racks()
            case steps.RackHolds() | steps.LayAside():
                self._count_racks()
            case steps.SlipShows(player=player):
                self._after(SLIP_SEEN_MS, partial(self._see_slip, player))
            case steps.SayAloud():
                self._hear(what)
            case steps.HaveMishap(what=TableMishap.KNOCK | TableMishap.COVER | TableMishap.UNCOVER):
                self._stir()
            case steps.RegainSensor(sensor=Sensor.CAMERA):
                self._stir()
            case _:
                self._turn_clock(what)
                self._count_racks()

    # The clock.

    def _turn_clock(self, what: Happening) -> None:
        clock = self._senses.clock
        match what:
            case steps.StartClocks():
                first = self._table.setup.first
                said = [*clock.reset(), *clock.press(SIDES[3 - first])]
            case steps.PressClock(player=player):
                said = [*clock.press(SIDES[player])]
                self._blanks = 0
            case steps.StopClocks():
                said = [*clock.pause()]
            case steps.RunClock(player=player):
                said = [*clock.run(SIDES[player])]
            case steps.SwapClocks():
                said = [*clock.run(SIDES[self._table.on_turn])]
            case steps.SetTime():
                said = [*clock.set(*self._table.clock.left_ms)]
            case _:
                return
        self._tell_all(Sensor.CLOCK, "clock-1", said)

    # The board.

    def _stir(self) -> None:
        self._moved_ms = self.now_ms
        if not self._stirred:
            self._stirred = True
            self._tell(Sensor.CAMERA, "camera-1", BoardStirred(frame=self._frame()))
        self._after(BOARD_STILL_MS, self._look_if_still)

    def _look_if_still(self) -> None:
        if self.now_ms - self._moved_ms >= BOARD_STILL_MS and self._stirred:
            self._look()

    def _look(self) -> None:
        if not self._has(Sensor.CAMERA):
            return
        table = self._table
        view = BoardView(self._read_tiles(), table.setup.turned, table.is_covered, table.knocks)
        still_ms = min(self.now_ms - self._moved_ms, 60_000)
        seen = self._senses.board(view, self._frame(), still_ms)
        self._stirred = False
        if isinstance(seen, BoardSeen):
            seen, self._told = _with_news(seen, self._told), seen
        self._tell(Sensor.CAMERA, "camera-1", seen)

    def _read_tiles(self) -> dict[Square, LyingTile]:
        """The tiles that lie on the board, as the camera reads them."""
        lying = dict(self._table.board)
        wrong = self._table.errors.get((Sensor.CAMERA, 0))
        for square, tile in () if wrong is None else wrong.tiles:
            if square in lying:
                lying[square] = replace(lying[square], tile=tile)
        return lying

    def _frame(self) -> str:
        return f"at {self.now_ms}"

    # Racks and bag.

    def _count_racks(self) -> None:
        for player in (1, 2):
            rack, known = self._table.rack(player), self._racks[player]
            if rack.count is None or (rack.count, rack.letters) == known:
                continue
            if rack.count != known[0]:
                self._after(COUNTED_MS, partial(self._tell_count, player))
            self._after(RACK_SEEN_MS, partial(self._see_rack, player))
            self._racks[player] = rack.count, rack.letters

    def _tell_count(self, player: int) -> None:
        wrong = self._table.errors.get((Sensor.COUNTERS, player))
        stands = (self._table.rack(player).count or 0) if wrong is None else wrong.amount
        count = min(stands, MOST_PLACES)
        places = "#" * count + "." * max(0, PLACES - count)
        counted = RackCounted(side=SIDES[player], places=places, confidence=SURE_PLACES)
        self._tell(Sensor.COUNTERS, f"rack-{player}", counted)

    def _see_rack(self, player: int) -> None:
        rack = self._table.rack(player)
        if self._has(Sensor.RACKS):
            wrong = self._table.errors.get((Sensor.RACKS, player))
            most = MOST_ON_A_RACK if wrong is None else wrong.amount
            letters = None if rack.letters is None else rack.letters[:most]
            seen = self._senses.rack(SIDES[player], min(rack.count or 0, most), letters)
            self._tell_all(Sensor.RACKS, f"rack-camera-{player}", [] if seen is None else [seen])

    def _hand_in_bag(self) -> None:
        if not self._has(Sensor.SCALE):
            return
        bag = self._bag
        bag.drawn += 1
        if not bag.is_away:
            bag.is_away, bag.away_since_ms = True, self.now_ms
            self._tell(Sensor.SCALE, "scale-1", BagLifted(grams=bag.weighed_g))
        hand = bag.drawn
        self._after(BAG_AWAY_MS, partial(self._put_bag, hand))

    def _put_bag(self, hand: int) -> None:
        bag = self._bag
        if hand != bag.drawn:
            return
        bag.is_away = False
        returned = BagReturned(away_ms=self.now_ms - bag.away_since_ms)
        self._tell(Sensor.SCALE, "scale-1", returned)
        self._after(BAG_AT_REST_MS, partial(self._weigh, hand))

    def _weigh(self, hand: int = 0) -> None:
        bag = self._bag
        if hand != bag.drawn:
            return
        now_g, before_g = TILE_G * self._table.bag + self._drift_g(), bag.weighed_g
        bag.weighed_g = now_g
        weighed = BagWeighed(
            grams=now_g,
            spread_g=WEIGHED_WITHIN_G,
            settled=True,
            taken=None if before_g is None else _taken(round((before_g - now_g) / TILE_G)),
            tiles=_estimate(round(now_g / TILE_G), SURE_COUNT, NEAR_COUNT, least=0),
        )
        self._tell(Sensor.SCALE, "scale-1", weighed)

    def _drift_g(self) -> float:
        """By how many grams the scale is off; one that drifts does since the beginning."""
        wrong = self._table.errors.get((Sensor.SCALE, 0))
        return 0.0 if wrong is None else wrong.amount * self.now_ms / MS_PER_HOUR

    # What is written and said.

    def _see_slip(self, player: int) -> None:
        if self._has(Sensor.SLIP):
            seen = self._senses.slip(self._table.slips[player])
            self._tell_all(Sensor.SLIP, f"slip-{player}", [] if seen is None else [seen])

    def _hear(self, said: steps.SayAloud) -> None:
        side = SIDES[said.player or self._table.on_turn]
        match said.what:
            case Said.EXCHANGE | Said.PASS:
                heard: Observation = Announced(
                    side=side, say=Say(said.what.value), count=said.count
                )
            case Said.BLANK:
                self._blanks = min(self._blanks + 1, TurnAct.BLANK.counts[-1])
                heard = Acted(side=side, act=TurnAct.BLANK, count=self._blanks, letter=said.letter)
            case _ if said.what.value in list(TurnAct):
                heard = Acted(side=side, act=TurnAct(said.what.value), count=said.count)
            case _:
                return  # no button of the box says it
        self._tell(Sensor.BOX, "box-1", heard)

    def _has(self, sensor: Sensor) -> bool:
        return sensor in self._table.setup.sensors and sensor not in self._table.lost

    def _after(self, wait_ms: int, act: Callable[[], None]) -> None:
        self._numbers += 1
        heapq.heappush(self._due, _Due(self.now_ms + wait_ms, self._numbers, act))

    def _tell(self, sensor: Sensor, device: str, observation: Observation) -> None:
        if self._has(sensor):
            self._tell_now(device, observation)

    def _tell_all(self, sensor: Sensor, device: str, said: Iterable[Observation]) -> None:
        for observation in said:
            self._tell(sensor, device, observation)


def _taken(count: int) -> CountEstimate:
    """Tiles that left the bag, and how often such a difference of weights is taken for one off."""
    spread_g = sqrt(abs(count) * TILE_SPREAD_G**2 + 2 * WEIGHED_WITHIN_G**2)
    near = erfc(TILE_G / 2 / spread_g / sqrt(2)) / 2
    return _estimate(count, 1 - 2 * near, near, least=count - 1)


def _estimate(count: int, sure: float, near: float, *, least: int) -> CountEstimate:
    beside = [other for other in (count + 1, count - 1) if other >= least]
    return CountEstimate(count, sure, tuple((other, near) for other in beside))


def _with_news(seen: BoardSeen, before: BoardSeen | None) -> BoardSeen:
    """A look with what changed since the one reported before."""
    if before is None:
        return seen
    pairs = zip(before.squares.symbols, seen.squares.symbols, strict=True)
    changes = tuple(
        SquareChange(square=square, was=was, now=now, confidence=0.95)
        for square, (was, now) in enumerate(pairs)
        if was != now
    )
    return replace(seen, since=before.frame, changes=changes)
