"""The agent's TOML file -> a plan. Every mistake in it is named with what is allowed instead.

Reads text only: whether ports, cameras and brokers exist is found out later, by those who open
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from devices.cameras.live.addresses import address_fault
from devices.vision.beside.slip_layout import alphabet_of
from recorder.declared.codec import Json, RuleFault
from recorder.declared.near_names import meant
from recorder.declared.settings_file import Settings, load_toml
from recorder.declared.whose_file import AGENT_FILE, refuse_other
from recorder.domain.errors import NotationError
from recorder.domain.limits import AnyText, Like, Name, Wanted, Within
from recorder.domain.observations import READABLE, without_symbol
from recorder.tilesets import SUFFIX, load_tile_set

Text = Annotated[str, AnyText(), Wanted("a text in quotes")]
CameraSource = Annotated[
    str,
    Like(r"[\s\S]*\S[\s\S]*"),
    Wanted("a camera: its number, its device, its address, or a folder"),
]
SerialPort = Annotated[
    str,
    Like(r"/.+|COM[0-9]+|(socket|rfc2217|loop|spy|alt|hwgrep)://.+"),
    Wanted("a serial port, as /dev/ttyUSB0, COM3 or socket://host:port"),
]
Latency = Annotated[int, Within(0, 10_000), Wanted("milliseconds, 0 to 10000")]
Side = Literal["L", "R"]
"""The halves of the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraPlan:
    """What every camera has: where its pictures come from, and when they are still enough.

    ``latency_ms`` is what a stream needs at the least from lens to here: its frames are so much
    older than they seem.
    """

    kind: str
    name: Name
    source: CameraSource
    table: int = 0
    interval_ms: int = 250
    still_frames: int = 2
    still_ms: int = 0
    latency_ms: Latency = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardCameraPlan(CameraPlan):
    """A camera over the board; ``divides_turns`` where no clock does, by who reaches in."""

    kind: Literal["board-camera"] = "board-camera"
    tiles: Text = "english"
    profile: Text = ""
    divides_turns: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCameraPlan(CameraPlan):
    """A camera at a rack; ``side`` is the half of the clock of the rack's player."""

    kind: Literal["rack-camera"] = "rack-camera"
    side: Side
    tiles: Text = "english"
    profile: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipCameraPlan(CameraPlan):
    """A camera over the slips; English and German ones say by their markers which they are."""

    kind: Literal["slip-camera"] = "slip-camera"
    tiles: Text = "english"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlan:
    """What every device has that talks TCC1 on a serial line."""

    kind: str
    name: Name
    port: SerialPort
    baud: int = 115_200
    table: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialClockPlan(LinePlan):
    """A clock that talks TCC1."""

    kind: Literal["serial-clock"] = "serial-clock"


@dataclass(frozen=True, slots=True, kw_only=True)
class DgtClockPlan:
    """A clock on a DGT e-board, which has a speed of its own."""

    kind: Literal["dgt-clock"] = "dgt-clock"
    name: Name
    port: SerialPort
    table: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BagScalePlan(LinePlan):
    """A scale under the bag; ``profile`` is a file from ``tilecast calibrate scale``."""

    kind: Literal["bag-scale"] = "bag-scale"
    profile: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCounterPlan(LinePlan):
    """A counter of the tiles on a rack; ``side`` as for a rack camera."""

    kind: Literal["rack-counter"] = "rack-counter"
    side: Side


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
_HINTS = {
    "port": "the ports of this machine: tilecast devices",
    "source": "the cameras of this machine: tilecast devices",
    "profile": "name the file that tilecast calibrate scale TABLE.toml writes",
    "side": "the half of the clock of the player whose rack it is",
}


def _fit(plan: DevicePlan) -> RuleFault | None:
    """Addresses are whole (``http://[::1`` is half of one), a camera's can lead to one."""
    for key in ("source", "port"):
        address = str(getattr(plan, key, ""))
        try:
            if "://" in address:
                urlsplit(address.removeprefix("snapshot:")).port  # noqa: B018 - read, it is checked
        except ValueError as fault:
            return RuleFault(key, f"a whole address; of this one: {fault}", address)
    if isinstance(plan, CameraPlan) and (wanted := address_fault(plan.source)):
        return RuleFault("source", wanted, plan.source)
    return None


DEVICES: Mapping[str, Settings[DevicePlan]] = {
    name: Settings(kind, hints=_HINTS, rule=_fit) for name, kind in KINDS.items()
}
"""Every kind of device and how its section is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueName:
    """The section ``[venue]``."""

    name: Name = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentBroker:
    """The section ``[broker]``."""

    url: Annotated[str, Like("mqtts?://.+"), Wanted("mqtt://host or mqtts://user:password@host")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFolder:
    """The section ``[agent]``."""

    folder: Text = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """An agent's file; each ``[[device]]`` is of its ``kind`` in ``DEVICES``."""

    venue: VenueName = VenueName()
    broker: AgentBroker
    agent: AgentFolder = AgentFolder()
    device: tuple[Mapping[str, Any], ...] = ()


TABLE_FILE: Settings[TableFile] = Settings(TableFile, hints={"url": "here or in TILECAST_MQTT_URL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPlan:
    """What one agent looks after. ``folder`` is where its outboxes and evidence are."""

    venue: str
    broker_url: str
    folder: Path
    devices: tuple[DevicePlan, ...]


def example() -> str:
    """A file to begin from, with what may stand in it."""
    return files(__package__).joinpath("example.toml").read_text(encoding="utf-8")


def read_table_file(path: Path, broker_url: str = "") -> AgentPlan:
    """The plan in a file; ``broker_url`` is used when the file names none.

    Relative paths in it are relative to the file's folder. NotationError names file, section,
    key, and what is allowed.
    """
    document = load_toml(path, "see an example with: tilecast agent --example")
    refuse_other(document, path, AGENT_FILE)
    return plan_of(document, path, broker_url)


def plan_of(document: Json, path: Path, broker_url: str = "") -> AgentPlan:
    """The plan in a parsed file; see ``read_table_file``."""
    file = TABLE_FILE.read(_with_broker(document, broker_url), str(path))
    _check_broker(file.broker.url, path)
    if not file.device:
        raise NotationError(f"{path}: has no [[device]] section; see tilecast agent --example")
    devices = tuple(
        _device(entry, f"{path} [[device]] {number}") for number, entry in enumerate(file.device, 1)
    )
    _refuse_twins(devices, path)
    return AgentPlan(
        venue=file.venue.name,
        broker_url=_with_place(file.broker.url, path.parent),
        folder=path.parent / file.agent.folder,
        devices=tuple(_located(device, path.parent) for device in devices),
    )


def _with_place(url: str, folder: Path) -> str:
    """The folder of certificates relative to the file's own folder."""
    head, mark, certs = url.partition("?certs=")
    return f"{head}{mark}{folder / certs}" if mark else url


def _check_broker(url: str, path: Path) -> None:
    from recorder.bus.address import broker_address

    try:
        broker_address(url)
    except NotationError as fault:
        raise NotationError(f"{path} [broker] url: {fault}") from fault


def _with_broker(document: Json, broker_url: str) -> Json:
    """The file with the environment's broker where it names none."""
    broker = document.get("broker", {})
    if not isinstance(broker, dict):
        return document
    usual = {"url": broker_url} if broker_url else {}
    return {**document, "broker": {**usual, **broker}}


def _device(entry: Mapping[str, Any], where: str) -> DevicePlan:
    kind = entry.get("kind")
    settings = DEVICES.get(str(kind))
    if settings is None:
        near = meant(str(kind), DEVICES)
        raise NotationError(f"{where}: kind is {kind!r}{near}; it can be {', '.join(DEVICES)}")
    return settings.read(entry, where)


def _refuse_twins(devices: tuple[DevicePlan, ...], path: Path) -> None:
    """Each device has a name and a line of its own."""
    names = [device.name for device in devices]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"{path}: two devices are called {name!r}")
    ports = [port for device in devices if (port := getattr(device, "port", ""))]
    for port in ports:
        if ports.count(port) > 1:
            raise NotationError(
                f"{path}: two devices are on port {port!r}; each needs its own port"
            )
    sources = [device.source for device in devices if isinstance(device, BoardCameraPlan)]
    for source in sources:
        if sources.count(source) > 1:
            words = f"two board cameras have the source {source!r}; each board has its own"
            raise NotationError(f"{path}: {words}")


def _readable_tiles(device: BoardCameraPlan | RackCameraPlan | SlipCameraPlan, folder: Path) -> str:
    """The tile set that a camera reads, a file by its whole path. NotationError if it cannot."""
    name = str(folder / device.tiles) if device.tiles.endswith(SUFFIX) else device.tiles
    where = f"device {device.name}: tiles"
    try:
        tile_set = load_tile_set(name)
        if isinstance(device, SlipCameraPlan):
            alphabet_of(tile_set)
            return name
    except NotationError as fault:
        raise NotationError(f"{where}: {fault}") from fault
    if strange := without_symbol(tile_set, READABLE):
        raise NotationError(
            f"{where}: the eyes cannot read {strange} of the tile set {device.tiles}; leave this"
            " camera out, and have turns and racks typed"
        )
    return name


def _located(device: DevicePlan, folder: Path) -> DevicePlan:
    """File and folder names made relative to the file's own folder."""
    match device:
        case (
            BoardCameraPlan(source=source, profile=profile)
            | RackCameraPlan(source=source, profile=profile)
        ):
            profile = str(folder / profile) if profile else ""
            tiles = _readable_tiles(device, folder)
            return replace(device, source=_source(source, folder), profile=profile, tiles=tiles)
        case SlipCameraPlan(source=source):
            tiles = _readable_tiles(device, folder)
            return replace(device, source=_source(source, folder), tiles=tiles)
        case BagScalePlan(profile=profile):
            return replace(device, profile=str(folder / profile))
        case SerialClockPlan() | DgtClockPlan() | RackCounterPlan():
            return device


def _source(source: str, folder: Path) -> str:
    if source.startswith("phone"):
        head, mark, authority = source.partition("?ca=")
        return f"{head}{mark}{folder / authority}" if mark else source
    return str(folder / source) if (folder / source).exists() else source
