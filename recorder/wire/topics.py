"""Every MQTT topic, built and parsed in one place.

The tree is split by direction so that an access list needs two lines only: a device writes below
``up/<its name>`` and reads below ``down/<its name>``. Names do not move: a device keeps its name
when it is carried to another table (which table it serves is its retained ``config``).
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from recorder.domain.errors import DeviceError, RecorderError
from recorder.domain.limits import MOST_TABLES, NAME_PATTERN

PREFIX = "tc/v1"
NAME = re.compile(NAME_PATTERN)


class UpChannel(StrEnum):
    """What a device says."""

    STATE = "state"
    INFO = "info"
    EVENT = "ev"
    HEARTBEAT = "hb"
    RESPONSE = "resp"
    RAW = "raw"
    ASK = "ask"


class DownChannel(StrEnum):
    """What is sent to a device."""

    ACK = "ack"
    COMMAND = "cmd"
    CONFIG = "config"
    TIME = "time"
    ANSWER = "answer"


class Audience(StrEnum):
    """Who may read what is said of a table: everybody, or the director only."""

    PUBLIC = "pub"
    INTERNAL = "int"


RAW_KINDS = ("picture", "doctor")
"""What a device sends as a raw sample: pictures, and what is sent for it to try its rights."""
TRIED_KINDS = ("echo", "size", "kept", "will", "again")
"""What ``tilecast doctor`` sends to itself, through the broker."""


@dataclass(frozen=True, slots=True)
class Up:
    """From a device to the recorder; ``kind`` only for raw samples."""

    venue: str
    device: str
    channel: UpChannel
    kind: str = ""

    def __str__(self) -> str:
        tail = f"/{_named(self.kind)}" if self.channel is UpChannel.RAW else ""
        return f"{_root(self.venue)}/up/{_named(self.device)}/{self.channel.value}{tail}"


@dataclass(frozen=True, slots=True)
class Down:
    """From the recorder to a device."""

    venue: str
    device: str
    channel: DownChannel

    def __str__(self) -> str:
        return f"{_root(self.venue)}/down/{_named(self.device)}/{self.channel.value}"


@dataclass(frozen=True, slots=True)
class Table:
    """What is said of a table: ``channel`` is a name such as ``state``, ``move``, ``alert``."""

    venue: str
    audience: Audience
    table: int
    channel: str

    def __str__(self) -> str:
        if not 1 <= self.table <= MOST_TABLES:
            raise RecorderError(f"table number {self.table} is not within 1..{MOST_TABLES}")
        tail = f"table/{self.table}/{_named(self.channel)}"
        return f"{_root(self.venue)}/{self.audience.value}/{tail}"


@dataclass(frozen=True, slots=True)
class RecorderTopic:
    """Whether a recorder is there."""

    venue: str
    recorder: str

    def __str__(self) -> str:
        return f"{_root(self.venue)}/sys/recorder/{_named(self.recorder)}/state"


Topic = Up | Down | Table | RecorderTopic


def up_filter(venue: str, channel: UpChannel) -> str:
    """The filter for one channel of every device of a venue."""
    tail = "/+" if channel is UpChannel.RAW else ""
    return f"{_root(venue)}/up/+/{channel.value}{tail}"


def own_topics(venue: str, device: str) -> list[str]:
    """Every topic on which a device speaks: no more, for a broker keeps what is retained.

    It reads none of them: one that does not read on would fill the broker's memory by itself.
    """
    plain = [
        str(Up(venue, device, channel)) for channel in UpChannel if channel is not UpChannel.RAW
    ]
    return [*plain, *(str(Up(venue, device, UpChannel.RAW, kind)) for kind in RAW_KINDS)]


def table_filter(venue: str, audience: Audience) -> str:
    """The filter for all that one audience may read of all tables."""
    return f"{_root(venue)}/{audience.value}/table/#"


def recorder_filter(venue: str) -> str:
    """The filter for the state of every recorder of a venue."""
    return f"{_root(venue)}/sys/recorder/+/state"


@lru_cache(maxsize=1024)
def parse_topic(text: str) -> Topic:
    """The topic named by a text. Raises DeviceError when it is none of ours.

    The same few topics come all day long; what is none of ours is not remembered.
    """
    parts = text.split("/")
    if len(parts) < 6 or "/".join(parts[:2]) != PREFIX:
        raise DeviceError(f"unknown topic {text!r}: expected {PREFIX}/<venue>/...")
    for part in parts:
        if not NAME.fullmatch(part):
            raise DeviceError(f"topic {text!r}: {part!r} is not a name of a-z, 0-9 and '-'")
    match parts[2:]:
        case [venue, "up", device, "raw", kind]:
            return Up(venue, device, UpChannel.RAW, kind)
        case [venue, "up", device, channel] if channel in list(UpChannel) and channel != "raw":
            return Up(venue, device, UpChannel(channel))
        case [venue, "down", device, channel] if channel in list(DownChannel):
            return Down(venue, device, DownChannel(channel))
        case [venue, audience, "table", number, channel] if audience in list(Audience):
            return Table(venue, Audience(audience), _table_number(text, number), channel)
        case [venue, "sys", "recorder", recorder, "state"]:
            return RecorderTopic(venue, recorder)
    raise DeviceError(f"unknown topic {text!r}")


def _table_number(topic: str, number: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,3}", number):
        raise DeviceError(f"topic {topic!r}: table {number!r} is not within 1..{MOST_TABLES}")
    return int(number)


def _root(venue: str) -> str:
    return f"{PREFIX}/{_named(venue)}"


def _named(name: str) -> str:
    if not NAME.fullmatch(name):
        raise RecorderError(f"{name!r} cannot be part of a topic: use 1..32 of a-z, 0-9 and '-'")
    return name
