"""Which devices are alive: three missed heartbeats, or the broker's word, make one lost.

Says each loss and each return once. Pure bookkeeping: the caller gives the time.
"""

from collections.abc import Iterable

from recorder.domain.notices import CodedText, coded, in_words
from recorder.domain.observations import DeviceBack, DeviceLost
from recorder.wire import DeviceState, Presence

SILENCE_MS = 3500
"""Three heartbeats of one second, and half of one for the way."""


class Presences:
    """Watches the devices named; others are ignored."""

    def __init__(self, devices: Iterable[str]) -> None:
        self._heard: dict[str, int] = {}
        self._lost: set[str] = set()
        self._devices = frozenset(devices)

    def beat(self, device: str, now_ms: int) -> list[DeviceBack]:
        """A heartbeat: the device is there; a return is said once."""
        if device not in self._devices:
            return []
        self._heard[device] = now_ms
        return self._back(device)

    def said(self, device: str, state: DeviceState, now_ms: int) -> list[DeviceLost | DeviceBack]:
        """What the device, or the broker for it, says of its state."""
        if device not in self._devices:
            return []
        if state.state in (Presence.LOST, Presence.DISCONNECTED):
            known = device in self._heard
            self._heard.pop(device, None)
            reason = state.reason
            why = in_words(reason) if reason else coded("broker_says", state=state.state)
            return list(self._gone(device, why)) if known else []
        self._heard[device] = now_ms
        return list(self._back(device))

    def overdue(self, now_ms: int) -> list[DeviceLost]:
        """Devices that have just been silent for too long."""
        silent = [name for name, at in self._heard.items() if now_ms - at > SILENCE_MS]
        lost: list[DeviceLost] = []
        for device in silent:
            lost += self._gone(device, coded("no_heartbeat", ms=SILENCE_MS))
        return lost

    def _gone(self, device: str, reason: CodedText) -> list[DeviceLost]:
        self._heard.pop(device, None)
        if device in self._lost:
            return []
        self._lost.add(device)
        return [DeviceLost(device=device, reason=reason)]

    def _back(self, device: str) -> list[DeviceBack]:
        if device not in self._lost:
            return []
        self._lost.discard(device)
        return [DeviceBack(device=device)]
