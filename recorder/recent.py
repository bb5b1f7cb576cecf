"""Mappings whose keys others choose: the entries used last are kept, the rest is forgotten."""

from collections import OrderedDict
from typing import Generic, TypeVar

MOST_BOOTS = 16
"""Boots of one device of which something is known. An honest device has one at a time."""

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Recent(OrderedDict[_Key, _Value]):
    """A dictionary of at most ``most`` entries: setting one more drops the one set longest ago."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, key: _Key, value: _Value) -> None:
        """Set an entry, which is then the newest."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)


class ByBoot(Generic[_Value]):
    """Values by device and boot, of each device those of its last boots.

    A device that invents boots drops its own alone. Devices are bounded by who may speak.
    """

    def __init__(self) -> None:
        self._devices: dict[str, Recent[str, _Value]] = {}

    def get(self, source: tuple[str, str]) -> _Value | None:
        """The value of a device's boot; None where none is known."""
        boots = self._devices.get(source[0])
        if boots is None or source[1] not in boots:
            return None
        boots.move_to_end(source[1])
        return boots[source[1]]

    def __setitem__(self, source: tuple[str, str], value: _Value) -> None:
        boots = self._devices.get(source[0])
        if boots is None:
            boots = self._devices[source[0]] = Recent(MOST_BOOTS)
        boots[source[1]] = value

    def __contains__(self, source: tuple[str, str]) -> bool:
        return source[1] in self._devices.get(source[0], {})

    def __len__(self) -> int:
        return sum(map(len, self._devices.values()))
