"""A scale below the bag, on a byte link: what was taken from the bag, weighed at rest.

Must not know how many tiles a player may draw: whether that is too many is the recorder's to say,
and the director's to hear.
"""

from dataclasses import replace
from pathlib import Path

from devices.ports import ByteLink, Outlet, Ticks
from devices.sensors.scale_profile import SCALE_FILE
from devices.sensors.serial_sensor import SerialSensor
from devices.sensors.weighing import BagWatch, Settling
from devices.tcc1.messages import Body, Load
from recorder.domain.errors import DeviceError
from recorder.wire.control import Command


class BagScale(SerialSensor):
    """The device. Its profile is a file: taring writes it again.

    NotationError when the profile cannot be read.
    """

    kind = "bag-scale"
    says = "LOAD"
    commands = ("weigh", "zero", "tare")

    def __init__(
        self, name: str, link: ByteLink, profile: Path, outlet: Outlet, ticks: Ticks
    ) -> None:
        super().__init__(name, link, outlet, ticks)
        self._path = profile
        self._begin()

    def _begin(self) -> None:
        self._profile = SCALE_FILE.load(self._path)
        self._bag = BagWatch(self._profile)
        self._plain = Settling(self._profile.still_g * abs(self._profile.counts_per_g))
        self._rests_at: float | None = None

    def _hear(self, body: Body, at_ms: int) -> bool:
        if not isinstance(body, Load):
            return False
        rest = self._plain.feed(at_ms, body.counts)
        self._rests_at = rest.value if rest is not None and rest.settled else None
        for seen in self._bag.feed(at_ms, body.counts):
            self._outlet.observe(seen, at_ms)
        return True

    def _do(self, command: Command) -> None:
        if command.cmd == "weigh":
            if not self._bag.is_there:
                raise DeviceError(f"{self.name}: the bag is not on the scale")
            self._bag.ask()
            return
        if self._rests_at is None:
            raise DeviceError(f"{self.name}: nothing rests on the scale; wait a second")
        profile = self._profile
        if command.cmd == "zero":
            profile = replace(profile, zero_counts=self._rests_at)
        else:
            bag_g = profile.grams(self._rests_at)
            if bag_g < 5 * profile.tile_g:
                raise DeviceError(
                    f"{self.name}: {bag_g:.1f} g is not a bag; put the empty bag on the scale,"
                    " wait a second, then tare"
                )
            profile = replace(profile, bag_g=bag_g)
        SCALE_FILE.save(profile, self._path)
        self._begin()
