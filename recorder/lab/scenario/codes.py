"""The codes that a scenario may name, and to whom what is told goes."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from recorder.declared.near_names import meant
from recorder.domain.errors import NotationError
from recorder.domain.notices import Manner, Notice
from recorder.texts import load_catalogue

DEVICE_LOST, DEVICE_CONTRADICTS = Notice.DEVICE_LOST.value, Notice.DEVICE_CONTRADICTS.value
KNOWN = frozenset(notice.value for notice in Notice)
PROCEDURES = frozenset(load_catalogue().as_json()["procedure"])
GAME_ENDINGS = frozenset(
    ("forfeit", "left", "no_show", "ordered", "overtime", "play_out", "resignation", "six_zero")
)

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


def known(code: str, codes: Collection[str], what: str) -> str:
    """The code, if it is one. NotationError with the nearest one and all of them if it is not."""
    if code not in codes:
        raise NotationError(
            f"{code!r} is no {what}{meant(code, codes)}; there are {', '.join(sorted(codes))}"
        )
    return code
