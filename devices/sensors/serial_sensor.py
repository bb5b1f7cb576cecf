"""A sensor that talks TCC1 all the time and keeps nothing: the part that all such drivers share.

What such a sensor measures lasts (a weight, tiles on a rack), so a lost line harms nothing and no
line is numbered or asked for again. Must not know what the lines mean.
"""

from abc import abstractmethod

from devices.link.serial_device import LineDevice
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import Body
from recorder.domain.errors import DeviceError
from recorder.wire.control import Command


class SerialSensor(LineDevice):
    """A device of whose lines the newest says it all."""

    mute = "mute_sensor"

    @abstractmethod
    def _hear(self, body: Body, at_ms: int) -> bool:
        """Take a line; False when it is none of this sensor's."""

    @abstractmethod
    def _do(self, command: Command) -> None:
        """Carry out a command; DeviceError says why it cannot be."""

    def _line(self, frame: TccFrame, at_ms: int) -> None:
        if self._hear(frame.body, at_ms):
            self._heard_ms = at_ms

    def _obey(self, command: Command) -> None:
        if command.cmd not in self.commands:
            known = ", ".join(self.commands)
            error = f"a {self.kind} knows {known}, not {command.cmd!r}"
            self._outlet.respond(command.id, error)
            return
        try:
            self._do(command)
        except DeviceError as err:
            self._outlet.respond(command.id, str(err))
        else:
            self._outlet.respond(command.id)
