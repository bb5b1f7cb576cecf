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
        self._ask("Take everything off the scale, then press Enter.")
        zero = self._rest(_FIRST_STILL_COUNTS)
        counts_per_g = self._known_mass(zero)
        still = max(0.1 * abs(counts_per_g), 3 * zero.spread)
        self._ask("Put the empty bag on the scale, then press Enter.")
        bag = self._rest(still)
        grams = [(bag.value - zero.value) / counts_per_g]
        self._tell(f"the bag weighs {grams[0]:.1f} g")
        repeat_g = self._repeatability(zero, counts_per_g, still, grams[0])
        weights = self._single_tiles(wanted.tiles, counts_per_g, still)
        mean_g, spread_g, error_g = tile_statistics(weights)
        self._tell(f"a tile weighs {mean_g:.3f} g, with a spread of {spread_g:.3f} g")
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
            text = self._ask("Put a known mass on it, type its grams, then press Enter.")
            try:
                grams = float(text.replace(",", "."))
            except ValueError:
                self._tell(f"{text!r} is not a number of grams")
                continue
            rest = self._rest(_FIRST_STILL_COUNTS)
            counts_per_g = (rest.value - zero.value) / grams if grams else 0.0
            if grams < _LEAST_GRAMS or abs(counts_per_g) < _LEAST_COUNTS_PER_G:
                self._tell(
                    f"{grams:g} g gave {rest.value - zero.value:.0f} counts: take"
                    f" {_LEAST_GRAMS:g} g or more, and a cell that gives"
                    f" {_LEAST_COUNTS_PER_G:g} counts a gram or more"
                )
                continue
            return counts_per_g

    def _repeatability(
        self, zero: Resting, counts_per_g: float, still: float, first_g: float
    ) -> float:
        """The spread of the same bag put down again; from few trials, hence a floor of 0.05 g."""
        found = [first_g]
        for number in (2, 3, 4):
            self._ask(f"Lift the bag and put it down again ({number} of 4), then press Enter.")
            found.append((self._rest(still).value - zero.value) / counts_per_g)
        mean = sum(found) / len(found)
        spread = sqrt(sum((weight_g - mean) ** 2 for weight_g in found) / (len(found) - 1))
        self._tell(f"put down again it differs by {spread:.2f} g")
        return max(0.05, spread)

    def _single_tiles(self, tiles: int, counts_per_g: float, still: float) -> list[float]:
        self._ask("Take the bag off, then press Enter.")
        before = self._rest(still).value
        weights: list[float] = []
        while len(weights) < tiles:
            self._ask(f"Put tile {len(weights) + 1} of {tiles} on the scale, then press Enter.")
            after = self._rest(still).value
            weight_g = (after - before) / counts_per_g
            if not 0.3 < weight_g < 5.0:
                self._tell(f"{weight_g:.2f} g is not one tile more; again")
                continue
            weights.append(weight_g)
            before = after
        return weights

    def _whole_set(self, profile: ScaleProfile, count: int, still: float) -> ScaleProfile:
        """All tiles in the bag give the mean far better than ten do."""
        self._ask(f"Put all {count} tiles into the bag and the bag on the scale, then press Enter.")
        net_g = profile.grams(self._rest(still).value) - profile.bag_g
        seen = tiles_in(profile, net_g)
        if abs(seen.count - count) > max(2.0, 3 * count * profile.tile_error_g / profile.tile_g):
            raise DeviceError(
                f"{net_g:.1f} g in the bag are {seen.count} tiles, not {count}: is the set"
                " complete, and was the bag empty when it was weighed?"
            )
        mean_g = net_g / count
        self._tell(f"{count} tiles weigh {net_g:.1f} g, {mean_g:.3f} g each")
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
        raise DeviceError(f"{self._link.name}: no reading at rest; does it give LOAD lines?")
