"""Which devices are alive: three missed heartbeats, or the broker's word, make one lost.

Says each loss and each return once. Pure bookkeeping: the caller gives the time.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping

from recorder.domain.instruments import DeviceRole
from recorder.domain.limits import MOST_A_SECOND
from recorder.domain.notices import CodedText, coded, in_words
from recorder.domain.observations import DeviceBack, DeviceLost
from recorder.domain.record import Observed
from recorder.log.port import Row
from recorder.wire.control import DeviceState, Presence

SILENCE_MS = 3500
"""Three heartbeats of one second, and half of one for the way."""
NEVER_MS = 20_000
"""So long a device may take to be heard for the first time: an agent starts, a network comes up."""

MOST_LOSSES, UNSTEADY_MS = 5, 60_000
"""A device that was lost so often in so long is back when that is over: each time is two rows."""


def missed(roles: Mapping[str, str]) -> list[str]:
    """Of devices and their roles those that somebody misses: an assistant types when they like."""
    return [name for name, role in roles.items() if role != DeviceRole.ASSISTANT]


class Presences:
    """Watches the devices named; others are ignored."""

    def __init__(self, devices: Iterable[str]) -> None:
        self._heard: dict[str, int] = {}
        self._lost: set[str] = set()
        self._flooding: set[str] = set()
        self._losses: dict[str, deque[int]] = {}
        self._devices = frozenset(devices)
        self._unheard = set(self._devices)
        self._since_ms: int | None = None

    def watch(self, devices: Iterable[str], moved: Collection[str], now_ms: int) -> None:
        """Watch these from now on; those that were moved are waited for at their new table."""
        self._devices = frozenset(devices)
        self._unheard = (self._unheard & self._devices) | (self._devices.intersection(moved))
        self._unheard -= self._heard.keys()
        self._lost -= set(moved)
        for device in self._heard.keys() - self._devices:
            del self._heard[device]
        if self._since_ms is not None:
            self._since_ms = now_ms

    def take(self, row: Row) -> None:
        """A row of a game that is on: who was lost before a restart can come back after it."""
        match row.says:
            case Observed(what=DeviceLost(device=device)):
                self._lost.add(device)
            case Observed(what=DeviceBack(device=device)):
                self._lost.discard(device)

    def count(self) -> tuple[int, int]:
        """How many devices are there, and how many are lost."""
        return len(self._heard), len(self._lost)

    def spoke(self, device: str) -> None:
        """An event came: the device is no stranger, though it may not answer now."""
        self._unheard.discard(device)

    def beat(self, device: str, now_ms: int) -> list[DeviceBack]:
        """A heartbeat: the device is there; a return is said once."""
        if device not in self._devices:
            return []
        self._heard[device] = now_ms
        self.spoke(device)
        return self._back(device, now_ms)

    def said(self, device: str, state: DeviceState, now_ms: int) -> list[DeviceLost | DeviceBack]:
        """What the device, or the broker for it, says of its state."""
        if device not in self._devices:
            return []
        if state.state in (Presence.LOST, Presence.DISCONNECTED):
            known = device in self._heard
            self._heard.pop(device, None)
            reason = state.reason
            why = in_words(reason) if reason else coded("broker_says", state=state.state)
            return list(self._gone(device, why, now_ms)) if known else []
        self._heard[device] = now_ms
        self.spoke(device)
        return list(self._back(device, now_ms))

    def overdue(self, now_ms: int) -> list[DeviceLost]:
        """Devices that have just been silent for too long, and those that never spoke."""
        silent = [name for name, at in self._heard.items() if now_ms - at > SILENCE_MS]
        lost: list[DeviceLost] = []
        for device in silent:
            lost += self._gone(device, coded("no_heartbeat", ms=SILENCE_MS), now_ms)
        return [*lost, *self._never(now_ms)]

    def floods(
        self, begun: Iterable[str], ended: Iterable[str]
    ) -> Iterator[DeviceLost | DeviceBack]:
        """Of which devices more has come than is taken of one, and which are calm again.

        What a device says that floods is not all there any more, whatever else was said of it.
        """
        for device in self._devices.intersection(begun):
            self._flooding.add(device)
            yield from self._gone_for(device, coded("floods", most=MOST_A_SECOND))
        for device in self._devices.intersection(ended):
            self._flooding.discard(device)
            if device in self._heard:
                yield from self._back(device)
            else:
                yield from self._gone_for(device, coded("no_heartbeat", ms=SILENCE_MS))

    def listens(self, now_ms: int) -> None:
        """The recorder is connected: from now on its devices can be heard."""
        self._since_ms = now_ms if self._since_ms is None else self._since_ms

    def _never(self, now_ms: int) -> list[DeviceLost]:
        if self._since_ms is None or now_ms - self._since_ms <= NEVER_MS:
            return []
        unheard, self._unheard = sorted(self._unheard), set()
        reason = coded("never_heard", ms=NEVER_MS)
        return [lost for device in unheard for lost in self._gone(device, reason)]

    def _gone_for(self, device: str, reason: CodedText) -> list[DeviceLost]:
        self._lost.discard(device)
        return self._gone(device, reason)

    def _gone(self, device: str, reason: CodedText, now_ms: int | None = None) -> list[DeviceLost]:
        self._heard.pop(device, None)
        if device in self._lost:
            return []
        self._lost.add(device)
        if now_ms is not None:
            self._losses.setdefault(device, deque(maxlen=MOST_LOSSES)).append(now_ms)
        return [DeviceLost(device=device, reason=reason)]

    def _back(self, device: str, now_ms: int | None = None) -> list[DeviceBack]:
        if device not in self._lost or device in self._flooding:
            return []
        losses = self._losses.get(device, deque())
        if now_ms is not None and len(losses) == MOST_LOSSES and now_ms < losses[0] + UNSTEADY_MS:
            return []
        self._lost.discard(device)
        return [DeviceBack(device=device)]
