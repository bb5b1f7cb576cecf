"""To whom what is told goes, as a scenario names them."""

from collections.abc import Mapping
from types import MappingProxyType

from recorder.domain.notices import Manner, Notice

DEVICE_LOST, DEVICE_CONTRADICTS = Notice.DEVICE_LOST.value, Notice.DEVICE_CONTRADICTS.value
KNOWN = frozenset(notice.value for notice in Notice)

TO: Mapping[str, str] = MappingProxyType(
    {
        Manner.TELL_PLAYERS.value: "players",
        Manner.ALERT.value: "director",
        Manner.SHOW.value: "director",
        Manner.LOOK_UP.value: "record",
        Manner.WITHHELD.value: "later",
    }
)
"""To whom a notice goes, by how the director learns of it."""
AUDIENCES = ("players", "director", "record", "later")
