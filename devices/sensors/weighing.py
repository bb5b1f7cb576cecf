"""Tiles from grams: samples of a load cell -> what rests on it, what was taken. No I/O, no clock.

A bag is lifted to draw from it, so it is weighed at rest before and after, never meanwhile. A
count of n tiles taken has the mean n*m and the variance n*s^2 + 2*r^2 (+ (n*e)^2 for a mean that
is itself only measured): m, s, e of the tiles, r the repeatability of one weighing.
"""

from collections import deque
from dataclasses import dataclass, field, replace
from math import exp, log
from statistics import median

from devices.sensors.scale_profile import ScaleProfile
from devices.words import scale_says
from recorder.domain.errors import DeviceError
from recorder.domain.instruments import BagLifted, BagReturned, BagWeighed, CountEstimate

REST_MS = 1_000
"""For so long the reading must hold still where nothing hurries: zero, tare, calibration."""
BAG_REST_MS = 500
"""The same for a bag in play; what it was taken for too early is said again when it has changed."""
BACK_MS = 300
"""For so long it must lie there to be back: it swings as it is lifted and as it is put down."""
PATIENCE_MS = 10_000
"""After so long without rest the bag is weighed all the same."""
MOST_TILES = 110
_FEWEST_SAMPLES = 5
_LEAST_SHARE = 0.001
_MOST_ALTERNATIVES = 4
_LIFTED, _RETURNED = 0.4, 0.6
"""Shares of the empty bag's mass below which it is gone, and above which it is back."""
_NEWS = 0.4
"""Of a tile: so much change at rest is news; less is creep, and is followed silently."""


def tile_statistics(weights_g: list[float]) -> tuple[float, float, float]:
    """Mean, spread and error of the mean of single tiles. DeviceError for too few or odd ones."""
    if len(weights_g) < 5:
        raise DeviceError(scale_says("too_few", tiles=len(weights_g)))
    mean = sum(weights_g) / len(weights_g)
    spread = (sum((weight_g - mean) ** 2 for weight_g in weights_g) / (len(weights_g) - 1)) ** 0.5
    if mean <= 0.3 or spread > 0.25 * mean:
        raise DeviceError(scale_says("uneven", grams=f"{mean:.2f}", spread=f"{spread:.2f}"))
    return mean, spread, spread / len(weights_g) ** 0.5


def tiles_taken(profile: ScaleProfile, change_g: float) -> CountEstimate:
    """How many tiles a loss of so many grams between two weighings is; negative: a gain."""
    return _estimate(profile, change_g, -MOST_TILES, weighings=2)


def tiles_in(profile: ScaleProfile, grams: float) -> CountEstimate:
    """How many tiles weigh so much."""
    return _estimate(profile, grams, 0, weighings=1)


def _estimate(profile: ScaleProfile, grams: float, least: int, weighings: int) -> CountEstimate:
    near = round(grams / profile.tile_g)
    counts = range(max(least, near - 6), min(MOST_TILES, near + 6) + 1) or range(least, least + 1)
    scores = {count: _score(profile, grams, count, weighings) for count in counts}
    best = max(scores.values())
    total = sum(exp(score - best) for score in scores.values())
    shares = sorted(
        ((exp(score - best) / total, -abs(count - near), count) for count, score in scores.items()),
        reverse=True,
    )
    (probability, _, count), *rest = shares
    others = [(other, share) for share, _, other in rest if share >= _LEAST_SHARE]
    return CountEstimate(count, probability, tuple(others[:_MOST_ALTERNATIVES]))


def _score(profile: ScaleProfile, grams: float, count: int, weighings: int) -> float:
    """The log likelihood of a mass difference for a count, all counts being as likely before."""
    variance = (
        abs(count) * profile.tile_spread_g**2
        + weighings * profile.repeat_g**2
        + (count * profile.tile_error_g) ** 2
    )
    return -((grams - count * profile.tile_g) ** 2) / (2 * variance) - log(variance) / 2


@dataclass(frozen=True, slots=True)
class Resting:
    """A reading that held still, or was given up on: median and spread of that time."""

    value: float
    spread: float
    settled: bool = True


class Settling:
    """Samples -> readings at rest. A single spike is no motion; two in a row, or in five, are."""

    def __init__(self, still: float, rest_ms: int = REST_MS) -> None:
        self._still, self._rest_ms = still, rest_ms
        self._samples: deque[tuple[int, float]] = deque()
        self._restless_since_ms: int | None = None

    def forget(self) -> None:
        """Begin again: something was lifted or put down."""
        self._samples.clear()
        self._restless_since_ms = None

    def feed(self, at_ms: int, value: float) -> Resting | None:
        """What lies still now; None while it moves."""
        if self._restless_since_ms is None:
            self._restless_since_ms = at_ms
        self._samples.append((at_ms, value))
        while len(self._samples) > 2 and at_ms - self._samples[1][0] >= self._rest_ms:
            self._samples.popleft()
        first_ms = self._samples[0][0]
        if len(self._samples) < _FEWEST_SAMPLES or at_ms - first_ms < self._rest_ms:
            return None
        smooth = self._without_spikes()
        spread = max(smooth) - min(smooth)
        if spread <= self._still and not self._swings(median(smooth)):
            self._restless_since_ms = at_ms
            return Resting(median(smooth), spread)
        if at_ms - self._restless_since_ms >= PATIENCE_MS:
            self._restless_since_ms = at_ms
            return Resting(median(smooth), spread, settled=False)
        return None

    def _swings(self, middle: float) -> bool:
        """Whether more than one sample in five is off: a swing that medians alone would hide."""
        off = sum(abs(value - middle) > self._still for _, value in self._samples)
        return off > len(self._samples) // _FEWEST_SAMPLES

    def _without_spikes(self) -> list[float]:
        values = [value for _, value in self._samples]
        return [median(values[i : i + 3]) for i in range(len(values) - 2)]


Weighed = BagWeighed | BagLifted | BagReturned


@dataclass(slots=True)
class BagWatch:
    """What happens to a bag on its scale: fed samples, it shows what is news."""

    profile: ScaleProfile
    _settling: Settling = field(init=False)
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=3))
    _there: bool | None = None
    _lifted_ms: int = 0
    _back_since_ms: int | None = None
    _last_g: float | None = None
    _is_due: bool = True
    _said_restless: bool = False

    def __post_init__(self) -> None:
        self._settling = Settling(self.profile.still_g, BAG_REST_MS)

    @property
    def is_there(self) -> bool:
        """Whether the bag lies on the scale, as far as known."""
        return bool(self._there)

    def ask(self) -> None:
        """Say the weight again at the next rest."""
        self._is_due = True

    def feed(self, at_ms: int, counts: int) -> list[Weighed]:
        """One sample; what it makes known, in order."""
        gross_g = self.profile.grams(counts)
        self._recent.append(gross_g)
        if len(self._recent) < 3:
            return []
        news = self._came_or_went(at_ms, median(self._recent))
        if not self._there and self._back_since_ms is None:
            return news
        rest = self._settling.feed(at_ms, gross_g)
        return [*news, *self._rested(rest)] if rest is not None and self._there else news

    def _came_or_went(self, at_ms: int, gross_g: float) -> list[Weighed]:
        share = gross_g / self.profile.bag_g
        before, self._there = self._there, self._lies_there(at_ms, share)
        if before == self._there:
            return []
        self._is_due = True
        if before is None:
            return []
        if self._there:
            since_ms = at_ms if self._back_since_ms is None else self._back_since_ms
            return [BagReturned(away_ms=max(0, since_ms - self._lifted_ms))]
        self._lifted_ms = at_ms
        return [BagLifted(grams=None if self._last_g is None else round(self._last_g, 2))]

    def _lies_there(self, at_ms: int, share: float) -> bool:
        """Whether the bag lies there; it is gone at once, and back when it has stayed."""
        if self._there is not False:
            is_there = share > (_LIFTED if self._there else _RETURNED)
            if not is_there:
                self._back_since_ms = None
            return is_there
        if share <= _RETURNED:
            self._back_since_ms = None
            return False
        if self._back_since_ms is None:
            self._settling.forget()
            self._back_since_ms = at_ms
        return at_ms - self._back_since_ms >= BACK_MS

    def _rested(self, rest: Resting) -> list[Weighed]:
        net_g, last_g = rest.value - self.profile.bag_g, self._last_g
        if net_g < -self.profile.tile_g:  # lighter than empty: it hangs from a hand
            rest = replace(rest, settled=False)
        is_news = last_g is None or abs(net_g - last_g) > _NEWS * self.profile.tile_g
        if not rest.settled:
            # Said once, but never compared with: what moves may be a hand.
            is_news, self._said_restless = not self._said_restless, True
            return [self._weighed(net_g, rest, taken=None)] if is_news else []
        self._last_g, self._said_restless = net_g, False
        if not (self._is_due or is_news):
            return []
        self._is_due = False
        taken = None if last_g is None else tiles_taken(self.profile, last_g - net_g)
        return [self._weighed(net_g, rest, taken)]

    def _weighed(self, net_g: float, rest: Resting, taken: CountEstimate | None) -> BagWeighed:
        tiles = tiles_in(self.profile, net_g) if rest.settled else None
        return BagWeighed(
            grams=round(net_g, 2),
            spread_g=round(rest.spread, 3),
            settled=rest.settled,
            taken=taken,
            tiles=tiles,
        )
