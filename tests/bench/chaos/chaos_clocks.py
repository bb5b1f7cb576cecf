"""Three clocks whose players press on, whatever is done to the rest of the table."""

import threading
from pathlib import Path
from typing import Self

from devices.lab.peers.mqtt_peer import MqttPeer
from devices.lab.peers.serial_peer import SerialPeer
from recorder.domain.observations import Side

PRESS_EVERY_S = 0.25
TICK_MS = 1_000


class Clocks:
    """Two serial clocks and a networked one, whose players press on."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url, self._flash = url, folder / "flash"
        self._flash.mkdir()
        self.serial = {name: SerialPeer(name.upper()) for name in ("clock-1", "clock-2")}
        self._networked = MqttPeer(url, self._flash, name="clock-3")
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._turn = self._sent_before = 0
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.calm()
        for peer in self.serial.values():
            peer.close()
        self._networked.close()

    @property
    def sent(self) -> int:
        """Events that the clocks have numbered, time comparisons of the networked one too."""
        with self._lock:
            serial = sum(peer.seq_high for peer in self.serial.values())
            return serial + self._sent_before + self._networked.seq_high

    @property
    def waiting(self) -> int:
        """Events that their clocks still keep."""
        with self._lock:
            return sum(peer.outbox for peer in self.serial.values()) + self._networked.waiting

    def calm(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def switch_off(self) -> None:
        """The networked clock loses its power, and gets it back."""
        with self._lock:
            self._networked.close()
            self._sent_before += self._networked.seq_high
            self._networked = MqttPeer(self._url, self._flash, name="clock-3")

    def _play(self) -> None:
        while not self._stop.wait(PRESS_EVERY_S):
            with self._lock:
                side = Side.RIGHT if self._turn % 2 == 0 else Side.LEFT
                for peer in self.serial.values():
                    peer.press(side)
                    peer.advance(TICK_MS)
                # It lost who runs with its power: one of the two is a press.
                self._networked.press(side.value)
                self._turn += 1
