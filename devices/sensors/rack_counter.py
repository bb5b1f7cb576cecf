"""A rack with a sensor below each place, on a byte link: how many tiles, once they stand still.

Must not know how many a player may have.
"""

from devices.ports import ByteLink, Outlet, Ticks
from devices.sensors.serial_sensor import SerialSensor
from devices.tcc1.messages import Body, Places
from devices.words import port_fault
from recorder.domain.errors import DeviceError
from recorder.domain.observations import RackCounted, Side
from recorder.wire.control import Command

STILL_MS = 500
"""For so long the places must show the same: tiles are pushed about all the time."""
_SURE = 35
"""So far from the middle of 0..100 a level leaves no doubt."""


def place_confidence(level: int) -> float:
    """The probability that a level is on the right side of the middle: 0.5 at 50, 0.999 when sure.

    A straight line between the two: nobody has measured better, and every sensor differs.
    """
    return 0.5 + 0.499 * min(1.0, abs(level - 50) / _SURE)


class RackCounter(SerialSensor):
    """The device at one half of the clock."""

    kind = "rack-counter"
    says = "RACK"
    commands = ("count",)

    def __init__(
        self, name: str, link: ByteLink, outlet: Outlet, ticks: Ticks, *, side: Side
    ) -> None:
        super().__init__(name, link, outlet, ticks)
        self._side = side
        self._places = ""
        self._since_ms = 0
        self._said: str | None = None
        self._weakest: float = 1.0

    def _hear(self, body: Body, at_ms: int) -> bool:
        if not isinstance(body, Places):
            return False
        places = "".join("#" if level > 50 else "." for level in body.levels)
        confidence = 1.0
        for level in body.levels:
            confidence *= place_confidence(level)
        if places != self._places:
            self._places, self._since_ms, self._weakest = places, at_ms, confidence
        # The least certain sample of the still time counts: a place that flickers is a doubt.
        self._weakest = min(self._weakest, confidence)
        if at_ms - self._since_ms >= STILL_MS and places != self._said:
            self._said = places
            self._outlet.observe(
                RackCounted(side=self._side, places=places, confidence=round(self._weakest, 4)),
                self._since_ms,
            )
        return True

    def _complaint(self) -> str:
        return "" if self._said is None or self._weakest > 0.5 else port_fault("weak_place")

    def _do(self, command: Command) -> None:  # noqa: ARG002 there is one command
        if not self._places:
            raise DeviceError(f"{self.name}: nothing has been heard of the rack yet")
        self._said = None
