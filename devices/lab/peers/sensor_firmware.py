"""The firmware of a bag scale and of a rack counter, in Python: what builders are asked for.

The physics is in here too: a load that swings before it rests, a converter that hisses, a bag that
never lies twice the same. Must not know wires, threads or the agent.
"""

import math
import random
from dataclasses import dataclass

from devices.ports import Ticks
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import Body, Hello, Load, Places

_GREETING_EVERY = 10
_SWING_MS, _SWING_PERIOD_MS = 180.0, 90.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCell:
    """How a load cell and its converter behave, in grams and counts."""

    counts_per_g: float = 420.0
    zero_counts: int = 83_000
    noise_g: float = 0.012
    repeat_g: float = 0.07
    creep_g_per_min: float = 0.01


class ScaleFirmware:
    """A scale without its wire: ``sample`` gives the lines that it sends ten times a second.

    ``put`` sets the mass that lies on it. Each putting down adds the error of a placement, and
    the reading swings until it rests.
    """

    def __init__(
        self, dev: str, boot: str, ticks: Ticks, *, cell: LoadCell | None = None, seed: int = 1
    ) -> None:
        self._dev, self._boot, self._ticks = dev, boot, ticks
        self._cell = cell or LoadCell()
        self._chance = random.Random(seed)  # noqa: S311 - noise, no secret
        self._grams = self._put_g = self._placement_g = 0.0
        self._swing_g = 0.0
        self._put_ms = ticks()
        self._samples = 0

    def put(self, grams: float) -> None:
        """What lies on the scale from now on; 0 for nothing."""
        if not 0 < self._put_g < grams:  # what is added does not move what lies there
            self._placement_g = self._chance.gauss(0, self._cell.repeat_g) if grams else 0.0
        self._put_g = grams
        self._swing_g = grams + self._placement_g - self._grams
        self._grams = grams + self._placement_g
        self._put_ms = self._ticks()

    def sample(self) -> list[TccFrame]:
        """What is sent now: a load, and every second who speaks."""
        self._samples += 1
        lines: list[Body] = [Load(counts=self._counts())]
        if self._samples % _GREETING_EVERY == 1:
            lines.insert(0, Hello(firmware="1.0", model="sim scale"))
        now_ms = self._ticks()
        return [
            TccFrame(dev=self._dev, boot=self._boot, seq=0, t_ms=now_ms, body=body)
            for body in lines
        ]

    def _counts(self) -> int:
        cell, since_ms = self._cell, self._ticks() - self._put_ms
        swing_g = (
            self._swing_g
            * math.exp(-since_ms / _SWING_MS)
            * math.cos(2 * math.pi * since_ms / _SWING_PERIOD_MS)
        )
        grams = self._grams + swing_g + cell.creep_g_per_min * since_ms / 60_000
        grams += self._chance.gauss(0, cell.noise_g)
        return round(cell.zero_counts + grams * cell.counts_per_g)


class RackFirmware:
    """A rack counter without its wire: eight places, a reading each, five times a second."""

    def __init__(self, dev: str, boot: str, ticks: Ticks, *, seed: int = 1) -> None:
        self._dev, self._boot, self._ticks = dev, boot, ticks
        self._chance = random.Random(seed)  # noqa: S311 - noise, no secret
        self._places = "." * 8
        self._samples = 0

    def put(self, places: str) -> None:
        """Which places have a tile from now on: ``#`` a tile, ``.`` none, ``?`` half on it."""
        self._places = places

    def sample(self) -> list[TccFrame]:
        """What is sent now: the places, and every two seconds who speaks."""
        self._samples += 1
        middle = {"#": 92, ".": 6, "?": 50}
        levels = tuple(
            min(100, max(0, round(self._chance.gauss(middle[place], 2)))) for place in self._places
        )
        lines: list[Body] = [Places(levels=levels)]
        if self._samples % _GREETING_EVERY == 1:
            lines.insert(0, Hello(firmware="1.0", model="sim rack"))
        now_ms = self._ticks()
        return [
            TccFrame(dev=self._dev, boot=self._boot, seq=0, t_ms=now_ms, body=body)
            for body in lines
        ]
