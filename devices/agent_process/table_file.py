"""The agent's TOML file -> a plan. Every mistake in it is named with what is allowed instead.

Reads text only: whether ports, cameras and brokers exist is found out later, by those who open
them.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.tilesets import tile_set_names
from recorder.toml_file import allow, load_toml, section
from recorder.wire.topics import NAME

EXAMPLE = """\
# The devices at one table. Start with: tilecast agent table.toml
# Ports and cameras of this machine: tilecast devices

[venue]
name = "main"                  # the same at every table and in the recorder

[broker]
url = "mqtt://127.0.0.1:1883"  # or mqtts://user:password@host; may be left out when the
                               # environment has TILECAST_MQTT_URL

[agent]
folder = "agent"               # outboxes and evidence; must survive a restart

[[device]]
kind = "board-camera"
name = "cam-1"
source = "0"                   # camera number, /dev/video0, rtsp://..., http://phone:8080/shot.jpg,
                               # a video file, or a folder of photographs
tiles = "english"
# profile = "cam-1.json"       # from: tilecast calibrate camera table.toml
# interval_ms = 250            # between two requests to a snapshot address
# still_frames = 2             # so many like frames in a row: the hands are gone

[[device]]
kind = "serial-clock"
name = "clock-1"
port = "/dev/ttyUSB0"          # or socket://host:port, rfc2217://host:port
# baud = 115200

# The rest is optional; take the # away from what the table has.

# [[device]]
# kind = "rack-camera"
# name = "rack-left"
# source = "1"                 # as for a board camera
# side = "L"                   # on this half of the clock sits the player whose rack it sees
# tiles = "english"
# profile = "rack-left.json"   # from: tilecast calibrate racks table.toml

# [[device]]
# kind = "slip-camera"         # for slips from: tilecast printables --slip english
# name = "slip-1"
# source = "/dev/video2"

# [[device]]
# kind = "bag-scale"
# name = "scale-1"
# port = "/dev/ttyUSB1"
# profile = "scale-1.json"     # from: tilecast calibrate scale table.toml

# [[device]]
# kind = "rack-counter"
# name = "rack-count-left"
# port = "/dev/ttyUSB2"
# side = "L"

# [[device]]
# kind = "dgt-clock"           # instead of a serial clock: a clock on a DGT e-board
# name = "clock-2"
# port = "/dev/ttyACM0"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPlan:
    """What every camera has: where its pictures come from, and when they are still enough."""

    name: str
    source: str
    table: int = 0
    interval_ms: int = 250
    still_frames: int = 2
    still_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCameraPlan(CameraPlan):
    """One ``kind = "board-camera"``."""

    tiles: str = "english"
    profile: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCameraPlan(CameraPlan):
    """One ``kind = "rack-camera"``; ``side`` is the half of the clock of the rack's player."""

    side: str
    tiles: str = "english"
    profile: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipCameraPlan(CameraPlan):
    """One ``kind = "slip-camera"``; which alphabet a slip has, its markers say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlan:
    """What every device has that talks TCC1 on a serial line."""

    name: str
    port: str
    baud: int = 115_200
    table: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialClockPlan(LinePlan):
    """One ``kind = "serial-clock"``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DgtClockPlan:
    """One ``kind = "dgt-clock"``: a clock on a DGT e-board, which has a speed of its own."""

    name: str
    port: str
    table: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BagScalePlan(LinePlan):
    """One ``kind = "bag-scale"``; ``profile`` is a file from ``tilecast calibrate scale``."""

    profile: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCounterPlan(LinePlan):
    """One ``kind = "rack-counter"``; ``side`` as for a rack camera."""

    side: str


_HINTS = {
    "port": "; the ports of this machine: tilecast devices",
    "source": "; the cameras of this machine: tilecast devices",
    "profile": "; make one with: tilecast scale PORT --out FILE",
    "side": "; L or R, the half of the clock of the player whose rack it is",
}
_SIDES = ("L", "R")
"""The halves of the clock."""

DevicePlan = (
    BoardCameraPlan
    | RackCameraPlan
    | SlipCameraPlan
    | SerialClockPlan
    | DgtClockPlan
    | BagScalePlan
    | RackCounterPlan
)
KINDS: Mapping[str, type[DevicePlan]] = {
    "board-camera": BoardCameraPlan,
    "rack-camera": RackCameraPlan,
    "slip-camera": SlipCameraPlan,
    "serial-clock": SerialClockPlan,
    "dgt-clock": DgtClockPlan,
    "bag-scale": BagScalePlan,
    "rack-counter": RackCounterPlan,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """What one agent looks after. ``folder`` is where its outboxes and evidence are."""

    venue: str
    broker_url: str
    folder: Path
    devices: tuple[DevicePlan, ...]


def read_table_file(path: Path, broker_url: str = "") -> AgentPlan:
    """The plan in a file; ``broker_url`` is used when the file names none.

    Relative paths in it are relative to the file's folder. NotationError names file, section,
    key, and what is allowed.
    """
    return plan_of(load_toml(path, "tilecast agent --example"), path, broker_url)


def plan_of(document: Mapping[str, Any], path: Path, broker_url: str = "") -> AgentPlan:
    """The plan in a parsed file; see ``read_table_file``."""
    where = str(path)
    allow(document, ("venue", "broker", "agent", "device"), where)
    venue = section(document, "venue", ("name",), where)
    broker = section(document, "broker", ("url",), where)
    agent = section(document, "agent", ("folder",), where)
    url = _text(broker, "url", f"{where} [broker]", broker_url)
    if re.match(r"mqtts?://.", url) is None:
        raise NotationError(
            f"{where} [broker]: url is {url!r}; mqtt://host or mqtts://user:password@host is"
            " needed, here or in TILECAST_MQTT_URL"
        )
    entries = document.get("device", [])
    if not isinstance(entries, list) or not entries:
        raise NotationError(f"{where}: no [[device]] in it; see tilecast agent --example")
    devices = tuple(_device(entry, number, where) for number, entry in enumerate(entries, 1))
    names = [device.name for device in devices]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"{where}: two devices are called {name!r}")
    ports = [port for device in devices if (port := getattr(device, "port", ""))]
    for port in ports:
        if ports.count(port) > 1:
            raise NotationError(f"{where}: two devices are on port {port!r}; each has its own line")
    return AgentPlan(
        venue=_name(venue, "name", f"{where} [venue]", "main"),
        broker_url=url,
        folder=path.parent / _text(agent, "folder", f"{where} [agent]", "agent"),
        devices=tuple(_located(device, path.parent) for device in devices),
    )


def _device(entry: Any, number: int, where: str) -> DevicePlan:
    where = f"{where} [[device]] {number}"
    if not isinstance(entry, dict):
        raise NotationError(f"{where}: not a table of keys")
    kind = entry.get("kind")
    plan = KINDS.get(str(kind))
    if plan is None:
        raise NotationError(f"{where}: kind is {kind!r}; it can be {', '.join(KINDS)}")
    keys = [field.name for field in fields(plan)]
    allow(entry, ("kind", *keys), where)
    values: dict[str, Any] = {}
    for field in fields(plan):
        default = None if field.default is MISSING else field.default
        if field.type is int:
            values[field.name] = _whole(entry, field.name, where, default)
        elif field.name == "name":
            values[field.name] = _name(entry, field.name, where, None)
        else:
            values[field.name] = _text(entry, field.name, where, default)
    tiles = values.get("tiles")
    if tiles is not None and tiles not in tile_set_names():
        allowed = ", ".join(tile_set_names())
        raise NotationError(f"{where}: tiles is {tiles!r}; it can be {allowed}")
    if values.get("side", "L") not in _SIDES:
        raise NotationError(f"{where}: side is {values['side']!r}; it can be {', '.join(_SIDES)}")
    return plan(**values)


def _located(device: DevicePlan, folder: Path) -> DevicePlan:
    """File and folder names made relative to the file's own folder."""
    match device:
        case (
            BoardCameraPlan(source=source, profile=profile)
            | RackCameraPlan(source=source, profile=profile)
        ):
            profile = str(folder / profile) if profile else ""
            return replace(device, source=_source(source, folder), profile=profile)
        case SlipCameraPlan(source=source):
            return replace(device, source=_source(source, folder))
        case BagScalePlan(profile=profile):
            return replace(device, profile=str(folder / profile))
        case SerialClockPlan() | DgtClockPlan() | RackCounterPlan():
            return device


def _source(source: str, folder: Path) -> str:
    return str(folder / source) if (folder / source).exists() else source


def _text(section: Mapping[str, Any], key: str, where: str, default: str | None) -> str:
    value = section.get(key, default)
    if value is None:
        hint = _HINTS.get(key, "")
        raise NotationError(f"{where}: {key} is missing{hint}")
    if not isinstance(value, str):
        raise NotationError(f"{where}: {key} is {value!r}; a text in quotes is needed")
    return value


def _name(section: Mapping[str, Any], key: str, where: str, default: str | None) -> str:
    value = _text(section, key, where, default)
    if NAME.fullmatch(value) is None:
        raise NotationError(f"{where}: {key} is {value!r}; small letters, digits and - only")
    return value


def _whole(section: Mapping[str, Any], key: str, where: str, default: int | None) -> int:
    value = section.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NotationError(f"{where}: {key} is {value!r}; a whole number is needed")
    return value


def table_toml(broker_url: str, camera: str, port: str, tiles: str, profile: str = "") -> str:
    """A file for a snapshot camera ``cam-1``, with a profile or none, and a clock ``clock-1``."""
    calibrated = f"profile = {json.dumps(profile)}\n" if profile else ""
    return f"""[broker]
url = "{broker_url}"
[[device]]
kind = "board-camera"
name = "cam-1"
source = "{camera}"
tiles = "{tiles}"
interval_ms = 100
{calibrated}[[device]]
kind = "serial-clock"
name = "clock-1"
port = "{port}"
"""
