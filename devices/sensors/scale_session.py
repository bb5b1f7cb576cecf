"""Calibrating a bag scale, step by step: nothing, a known mass, the bag, single tiles, all tiles.

Talks to a person through two callables and to the scale through a byte link. A step that cannot
be right is refused with the reason and asked for again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt

from devices.ports import ByteLink, LinkLost, Received, Ticks
from devices.sensors.scale_profile import ScaleProfile
from devices.sensors.weighing import Resting, Settling, tile_statistics, tiles_in
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import Load
from devices.words import port_fault, scale_says
from recorder.domain.errors import DeviceError

_PATIENCE_NEWS = 300
_WAIT_S = 0.1
_FIRST_STILL_COUNTS = 60.0
"""Before anything is known of the scale: a few times the hiss of a 24-bit converter."""
_LEAST_GRAMS = 20.0
_LEAST_COUNTS_PER_G = 50.0

Tell = Callable[[str], None]
Ask = Callable[[str], str]
"""Show a request, wait, give what was typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be weighed: so many single tiles, and a whole set of so many (0: not asked)."""

    tiles: int = 10
    full_set: int = 100


class ScaleSession:
    """One calibration. ``run`` gives the profile, or DeviceError when the scale is at fault."""

    def __init__(self, link: ByteLink, ticks: Ticks, tell: Tell, ask: Ask) -> None:
        self._link, self._ticks, self._tell, self._ask = link, ticks, tell, ask
        self._reader = LineReader()

    def run(self, wanted: Wanted) -> ScaleProfile:
        """Ask for everything in turn."""
        self._ask(scale_says("empty"))
        zero = self._rest(_FIRST_STILL_COUNTS)
        counts_per_g = self._known_mass(zero)
        still = max(0.1 * abs(counts_per_g), 3 * zero.spread)
        self._ask(scale_says("bag"))
        bag = self._rest(still)
        grams = [(bag.value - zero.value) / counts_per_g]
        self._tell(scale_says("bag_weighs", grams=f"{grams[0]:.1f}"))
        repeat_g = self._repeatability(zero, counts_per_g, still, grams[0])
        weights = self._single_tiles(wanted.tiles, counts_per_g, still)
        mean_g, spread_g, error_g = tile_statistics(weights)
        tile, spread = f"{mean_g:.3f}", f"{spread_g:.3f}"
        self._tell(scale_says("tile_weighs", grams=tile, spread=spread))
        profile = ScaleProfile(
            zero_counts=zero.value,
            counts_per_g=counts_per_g,
            bag_g=grams[0],
            tile_g=mean_g,
            tile_spread_g=spread_g,
            tile_error_g=error_g,
            repeat_g=repeat_g,
            still_g=still / abs(counts_per_g),
        )
        return self._whole_set(profile, wanted.full_set, still) if wanted.full_set else profile

    def _known_mass(self, zero: Resting) -> float:
        while True:
            text = self._ask(scale_says("known_mass"))
            try:
                grams = float(text.replace(",", "."))
            except ValueError:
                self._tell(scale_says("no_grams", given=text))
                continue
            rest = self._rest(_FIRST_STILL_COUNTS)
            counts_per_g = (rest.value - zero.value) / grams if grams else 0.0
            if grams < _LEAST_GRAMS or abs(counts_per_g) < _LEAST_COUNTS_PER_G:
                self._tell(
                    scale_says(
                        "too_light",
                        grams=f"{grams:g}",
                        counts=f"{rest.value - zero.value:.0f}",
                        least=f"{_LEAST_GRAMS:g}",
                        counts_a_gram=f"{_LEAST_COUNTS_PER_G:g}",
                    )
                )
                continue
            return counts_per_g

    def _repeatability(
        self, zero: Resting, counts_per_g: float, still: float, first_g: float
    ) -> float:
        """The spread of the same bag put down again; from few trials, hence a floor of 0.05 g."""
        found = [first_g]
        for number in (2, 3, 4):
            self._ask(scale_says("again", number=number))
            found.append((self._rest(still).value - zero.value) / counts_per_g)
        mean = sum(found) / len(found)
        spread = sqrt(sum((weight_g - mean) ** 2 for weight_g in found) / (len(found) - 1))
        self._tell(scale_says("differs", grams=f"{spread:.2f}"))
        return max(0.05, spread)

    def _single_tiles(self, tiles: int, counts_per_g: float, still: float) -> list[float]:
        self._ask(scale_says("bag_off"))
        before = self._rest(still).value
        weights: list[float] = []
        while len(weights) < tiles:
            self._ask(scale_says("tile", number=len(weights) + 1, tiles=tiles))
            after = self._rest(still).value
            weight_g = (after - before) / counts_per_g
            if not 0.3 < weight_g < 5.0:
                self._tell(scale_says("not_one", grams=f"{weight_g:.2f}"))
                continue
            weights.append(weight_g)
            before = after
        return weights

    def _whole_set(self, profile: ScaleProfile, count: int, still: float) -> ScaleProfile:
        """All tiles in the bag give the mean far better than ten do."""
        self._ask(scale_says("whole_set", tiles=count))
        net_g = profile.grams(self._rest(still).value) - profile.bag_g
        seen = tiles_in(profile, net_g)
        if abs(seen.count - count) > max(2.0, 3 * count * profile.tile_error_g / profile.tile_g):
            raise DeviceError(
                scale_says("not_whole", grams=f"{net_g:.1f}", seen=seen.count, tiles=count)
            )
        mean_g = net_g / count
        set_g, each_g = f"{net_g:.1f}", f"{mean_g:.3f}"
        self._tell(scale_says("set_weighs", tiles=count, grams=set_g, each=each_g))
        return replace(profile, tile_g=mean_g, tile_error_g=profile.repeat_g * sqrt(2) / count)

    def _rest(self, still: float) -> Resting:
        """The next reading at rest. DeviceError when none comes within half a minute."""
        settling, begun_ms = Settling(still), self._ticks()
        for _ in range(_PATIENCE_NEWS):
            match self._link.news(_WAIT_S):
                case Received(at_ms=at_ms, data=data):
                    for line in self._reader.feed(data):
                        # What waited while the person was busy is old.
                        if at_ms <= begun_ms or not isinstance(line, TccFrame):
                            continue
                        if not isinstance(line.body, Load):
                            continue
                        rest = settling.feed(at_ms, line.body.counts)
                        if rest is not None and rest.settled:
                            return rest
                case LinkLost(reason=reason):
                    raise DeviceError(f"{self._link.name}: {reason}")
                case _:
                    continue
        raise DeviceError(port_fault("no_rest", port=self._link.name))
