"""Devices that ask to join and have no key yet: seen by directors alone, who let each in. Pure.

Anybody in the venue's network may ask. Nothing is given before a director has chosen what the
device is to be; then its answer is given once. Times are milliseconds that nobody can set.
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from dashboard.auth.addresses import read_address
from dashboard.auth.guard import Attempts
from recorder.texts import TextError

_MOST, _MOST_OF_ONE = 12, 2
"""Devices that wait, in all and from one address."""
_GONE_MS = 20_000
"""A device that has not asked for its answer for so long has left."""
PHONE, CLOCK = "phone", "clock"


@dataclass(frozen=True, slots=True, order=True)
class JoinAs:
    """What a device may become: a page of a phone or the networked clock ``clock`` of a table."""

    table: int
    page: str
    clock: str = ""


@dataclass(slots=True, kw_only=True)
class Asking:
    """A device that waits. ``number`` is shown to people, ``secret`` known to the device alone."""

    kind: str
    name: str
    address: str
    number: str
    secret: str = field(repr=False)
    heard_ms: int
    presses: int = 0
    place: JoinAs | None = None


@dataclass(slots=True)
class Joining:
    """The devices that ask now: few, and each address seldom."""

    attempts: Attempts = field(default_factory=Attempts)
    _asking: list[Asking] = field(default_factory=list)

    def ask(self, kind: str, name: str, address: str, now: int) -> Asking:
        """One more that waits. NotationError says why it may not."""
        if not is_near(address):
            raise TextError("join_from_afar")
        wait_s = -(-self.attempts.wait_ms(address, now) // 1000)
        if wait_s:
            raise TextError("asked_too_often", seconds=wait_s)
        self._forget(now)
        of_one = sum(asking.address == address for asking in self._asking)
        if len(self._asking) >= _MOST or of_one >= _MOST_OF_ONE:
            raise TextError("many_ask")
        self.attempts.begun(address, now)
        used = {asking.number for asking in self._asking}
        number = next(n for n in iter(_four_digits, "") if n not in used)
        asking = Asking(
            kind=kind,
            name=name,
            address=address,
            number=number,
            secret=secrets.token_urlsafe(24),
            heard_ms=now,
        )
        self._asking.append(asking)
        return asking

    def heard(self, secret: str, presses: int, now: int) -> Asking | None:
        """The device with that secret, None when it waits no more; its place is given once."""
        self._forget(now)
        for asking in self._asking:
            if hmac.compare_digest(asking.secret.encode(), secret.encode()):
                asking.heard_ms, asking.presses = now, presses
                if asking.place is not None:
                    self._asking.remove(asking)
                    self.attempts.succeeded(asking.address)
                return asking
        return None

    def waiting(self, now: int) -> Sequence[Asking]:
        """Those that a director has not answered yet, the first in front."""
        self._forget(now)
        return [asking for asking in self._asking if asking.place is None]

    def answer(self, number: str, place: JoinAs | None, now: int) -> bool:
        """Let a device in at a place, or turn it away with None; False when it waits no more."""
        for asking in self.waiting(now):
            if asking.number == number:
                asking.place = place
                if place is None:
                    self._asking.remove(asking)
                return True
        return False

    def _forget(self, now: int) -> None:
        self._asking = [asking for asking in self._asking if now - asking.heard_ms <= _GONE_MS]


def is_near(address: str) -> bool:
    """Whether an address is of this machine or of a private network, as a venue's is."""
    found = read_address(address)
    return found is not None and found.is_private


def _four_digits() -> str:
    return f"{secrets.randbelow(9000) + 1000}"
