"""Games of which only the numbers of tiles matter, with sensors that err: for the tile account."""

import random
from dataclasses import dataclass, field

from devices.sensors.scale_profile import ScaleProfile
from devices.sensors.weighing import tiles_in, tiles_taken
from recorder.domain.instruments import CountEstimate
from recorder.domain.tile_account.account import Account, draw, open_account, play, read
from recorder.domain.tile_account.finding import AccountFinding, Action, judge
from recorder.domain.tile_account.readings import Counted, Taken, Zone
from recorder.domain.tile_account.stories import MishapKind

CAMERAS = ("rack camera 1", "rack camera 2")
SCALE = "bag scale"
PLASTIC = ScaleProfile(zero_counts=0, counts_per_g=1, bag_g=40, tile_g=1.5, tile_spread_g=0.075)
WOOD = ScaleProfile(zero_counts=0, counts_per_g=1, bag_g=40, tile_g=1.0, tile_spread_g=0.05)

_MORE: dict[MishapKind | None, int] = {MishapKind.OVERDRAW: 1, MishapKind.UNDERDRAW: -1}


def weighed(tile: ScaleProfile, after_g: float, before_g: float | None = None) -> Taken:
    """What the scale's own driver makes of the bag's weight, and of its change."""
    taken = {} if before_g is None else _chances(tiles_taken(tile, before_g - after_g))
    return Taken(source=SCALE, level=_chances(tiles_in(tile, after_g)), taken=taken)


def _chances(estimate: CountEstimate) -> dict[int, float]:
    return {estimate.count: estimate.probability, **dict(estimate.alternatives)}


@dataclass
class TileGame:
    """One game: tiles with masses, racks, and an account that hears two cameras and a scale."""

    rng: random.Random
    tile: ScaleProfile
    misread: float = 0.01
    sources: tuple[str, ...] = (*CAMERAS, SCALE)
    bag: list[float] = field(default_factory=list)
    racks: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    findings: list[AccountFinding] = field(default_factory=list)
    before_g: float = 0.0
    happened: bool = False

    def __post_init__(self) -> None:
        gauss = self.rng.gauss
        self.bag = [gauss(self.tile.tile_g, self.tile.tile_spread_g) for _ in range(100)]
        self.account: Account = open_account(100, sources=self.sources)
        self.before_g = self.weight()
        if SCALE in self.sources:
            self.account = read(self.account, [weighed(self.tile, self.before_g)])

    def weight(self) -> float:
        """What the scale shows, in grams."""
        return sum(self.bag) + self.rng.gauss(0, self.tile.repeat_g)

    def camera(self, player: int) -> int:
        count = len(self.racks[player])
        if self.rng.random() >= self.misread:
            return count
        return max(0, count + self.rng.choice((-1, -1, -1, -1, 1, 1, 1, 1, -2, 2)))

    def turn(self, player: int, tiles: int, *, wrong: MishapKind | None = None) -> AccountFinding:
        """Some tiles laid, a draw (with one thing ``wrong``), sensors read and judged."""
        rack = self.racks[player]
        del rack[:tiles]
        self.account = play(self.account, player=player, tiles=tiles)
        due = min(7 - len(rack), len(self.bag))
        self.rng.shuffle(self.bag)
        for _ in range(due + _MORE.get(wrong, 0)):
            rack.append(self.bag.pop())
        if wrong is MishapKind.LOOSE:
            rack.pop()
        self.account = read(draw(self.account), self.readings())
        self.findings.append(judge(self.account))
        return self.findings[-1]

    def readings(self) -> list[Counted | Taken]:
        """All that the sensors say now."""
        now_g = self.weight()
        said: list[Counted | Taken] = [
            Counted(source=name, zone=Zone.rack(player), count=self.camera(player))
            for player, name in enumerate(CAMERAS)
            if name in self.sources
        ]
        if SCALE in self.sources:
            said.append(weighed(self.tile, now_g, self.before_g))
        self.before_g = now_g
        return said

    def to_the_end(
        self, *, wrong_at: int | None = None, wrong: MishapKind = MishapKind.OVERDRAW
    ) -> list[AccountFinding]:
        """Play until somebody is out; at one turn, if wanted, something goes wrong in the draw.

        The game stops there; ``happened`` says whether the bag lasted until then.
        """
        self.turn(0, 0)
        self.turn(1, 0)
        for number in range(80):
            player = number % 2
            if not self.racks[player]:
                break
            tiles = min(len(self.racks[player]), self.rng.choice((2, 3, 4, 4, 5, 5, 6, 7)))
            spare = len(self.bag) > tiles
            if wrong_at is not None and number >= wrong_at and spare:
                self.turn(player, tiles, wrong=wrong)
                self.happened = True
                break
            self.turn(player, tiles)
        return self.findings


def actions(findings: list[AccountFinding]) -> dict[Action, int]:
    """How often each action came."""
    return {action: sum(one.action is action for one in findings) for action in Action}
