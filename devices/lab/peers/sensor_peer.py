"""A simulated sensor behind a pseudo-terminal: only bytes cross.

Sends what its firmware samples, in real time. Must not know the agent or the recorder.
"""

import secrets
import threading
import time
from collections.abc import Callable
from typing import Generic, Protocol, Self, TypeVar

from devices.lab.peers.device_port import device_port
from devices.lab.peers.sensor_firmware import RackFirmware, ScaleFirmware
from devices.ports import Ticks
from devices.tcc1.framing import TccFrame

_Put_contra = TypeVar("_Put_contra", contravariant=True)


class SensorFirmware(Protocol[_Put_contra]):
    """What the peer runs."""

    def put(self, what: _Put_contra, /) -> None:
        """Change what the sensor feels."""

    def sample(self) -> list[TccFrame]:
        """What is sent now."""


class SensorPeer(Generic[_Put_contra]):
    """A sensor that is switched on; ``port`` is its cable."""

    def __init__(
        self,
        name: str,
        every_s: float,
        make: Callable[[str, str, Ticks], SensorFirmware[_Put_contra]],
    ) -> None:
        born = time.monotonic()
        self.port = device_port(name)
        self._every_s = every_s
        self._lock = threading.Lock()
        self._firmware = make(
            name.upper(), secrets.token_hex(4), lambda: int((time.monotonic() - born) * 1000)
        )
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"simulated {name}")
        self._thread.start()

    @property
    def path(self) -> str:
        """What to open as the serial port."""
        return self.port.path

    def put(self, what: _Put_contra) -> None:
        """Change what the sensor feels: grams on a scale, places of a rack."""
        with self._lock:
            self._firmware.put(what)

    def close(self) -> None:
        """Switch the sensor off."""
        self._stop.set()
        self._thread.join()
        self.port.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _work(self) -> None:
        while not self._stop.wait(self._every_s):
            with self._lock:
                frames = self._firmware.sample()
            self.port.write(b"".join(frame.to_bytes() for frame in frames))


def simulated_scale(*, seed: int = 1) -> SensorPeer[float]:
    """A bag scale on a pseudo-terminal."""
    return SensorPeer("scale", 0.1, lambda *who: ScaleFirmware(*who, seed=seed))


def simulated_rack(*, seed: int = 1) -> SensorPeer[str]:
    """A rack counter on a pseudo-terminal."""
    return SensorPeer("rack", 0.2, lambda *who: RackFirmware(*who, seed=seed))
