"""What can be seen of a venue without touching a device: files, disk, rights, refused guests.

Reads files alone, so that it is cheap enough to be asked every few seconds while the venue runs.
"""

import errno
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from calibration.venue.programs_file import (
    KEYS,
    ProgramsFile,
    read_keys,
    read_programs_file,
    refuse_no_venue,
)
from calibration.venue.setup.broker_files import may, password_fits
from devices.agent_process.table_file import AgentPlan, DevicePlan, read_table_file
from recorder.domain.errors import TilecastError
from recorder.log.opening import wall_ms
from recorder.projections.health.device_health import HealthGrade as Grade
from recorder.projections.health.finding import Finding, ill
from recorder.service.venue_file import VenuePlan, read_record_file
from recorder.systems import tail
from recorder.table.game_recorder import TablePlan
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

LEAST_FREE_MB = 50
_REFUSED_FOR_S = 600.0
"""A guest whom the broker has refused tries again every few seconds."""
_TAIL_BYTES = 65_536
_LOOKS_EVERY_S = 2.0
_NEAR = ("127.0.0.1", "::1")
"""Our own programs, whose passwords are compared; the doctor is refused on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is examined: the recorder's plan, the agents of this machine, the addresses to try."""

    record: VenuePlan | None
    agents: Sequence[tuple[Path, AgentPlan]]
    brokers: Sequence[tuple[str, str]]
    folder: Path | None = None
    programs: ProgramsFile | None = None
    doctor: str = ""
    """The broker as the doctor has it, who may try out its limits; empty without such a user."""


def read_place(path: Path) -> Place:
    """A venue's folder, a recorder's file or an agent's. NotationError names what is wrong."""
    refuse_no_venue(path)
    if path.is_dir():
        programs = read_programs_file(path)
        record = read_record_file(path / programs.recorder.file)
        agents = [(path / name, read_table_file(path / name)) for name in programs.agents.files]
        keys = read_keys(path)
        pages = [("dashboard", url)] if (url := keys.get("TILECAST_MQTT_URL")) else []
        brokers = [("recorder", record.broker), *_addresses(agents), *pages]
        doctor = keys.get("TILECAST_DOCTOR_URL", "")
        return Place(
            record=record,
            agents=agents,
            brokers=brokers,
            folder=path.absolute(),
            programs=programs,
            doctor=doctor,
        )
    if _is_recorders(path):
        record = read_record_file(path)
        return Place(record=record, agents=[], brokers=[("recorder", record.broker)])
    agents = [(path, read_table_file(path, os.environ.get("TILECAST_MQTT_URL", "")))]
    return Place(record=None, agents=agents, brokers=_addresses(agents))


def _addresses(agents: Sequence[tuple[Path, AgentPlan]]) -> list[tuple[str, str]]:
    return [(path.stem, agent.broker_url) for path, agent in agents]


def _is_recorders(path: Path) -> bool:
    try:
        return "[[table]]" in path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False  # reading it as an agent's file says what is wrong with it


def venue_faults(folder: Path) -> list[Finding]:
    """What is wrong with a venue's folder, as those see it who look while it runs."""
    try:
        place = read_place(folder)
    except (TilecastError, OSError) as fault:
        return [ill("files", f"they cannot be read: {fault}")]
    return [found for found in files_found(place) if found.grade is not Grade.WELL]


class FolderWatch:
    """What is wrong with a venue's folder, looked at again and again.

    Not more often than takes a fiftieth of a core: a hall has many files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._next_s, self._found = 0.0, list[Finding]()

    def __call__(self) -> list[Finding]:
        """What was found last, or just now."""
        if time.monotonic() >= self._next_s:
            begun_s = time.thread_time()
            self._found = venue_faults(self._folder)
            took_s = time.thread_time() - begun_s
            self._next_s = time.monotonic() + max(_LOOKS_EVERY_S, 50 * took_s)
        return self._found


def files_found(place: Place) -> Iterator[Finding]:
    """All that can be seen before any program runs."""
    yield from startable_found(place)
    yield from disk_found(place)
    if place.folder is not None and place.programs is not None:
        yield from _rights_found(place, place.folder, place.programs)
        yield from _passwords_found(place, place.folder, place.programs)
        yield from _pages_found(place.programs, place.record)
        yield from _refused_found(place.folder)


def disk_found(place: Place) -> Iterator[Finding]:
    """Disks on which there is no room, each once."""
    folders = [_existing(folder) for _, folder in _folders(place)]
    for folder in {folder.stat().st_dev: folder for folder in reversed(folders)}.values():
        free_mb = shutil.disk_usage(folder).free // 1_000_000
        if free_mb < LEAST_FREE_MB:
            free = f"{free_mb} MB are free at {folder}"
            yield ill("disk", f"the disk is full: {free}. Make room; recording goes on by itself")


def startable_found(place: Place) -> Iterator[Finding]:
    """What keeps a program from its start: names that do not fit each other, closed folders."""
    yield from names_found(place)
    for what, folder in _folders(place):
        complaint = folder_complaint(folder)
        grade = Grade.ILL if complaint else Grade.WELL
        yield Finding(f"folder of {what}", grade, complaint or "well")


def names_found(place: Place) -> Iterator[Finding]:
    """Names that two devices share, that the recorder does not expect, at another table."""
    seen: dict[str, Path] = {}
    expected = _expected(place.record)
    for path, agent in place.agents:
        if place.record is not None and agent.venue != place.record.plan.venue:
            words = f"{path.name} says venue {agent.venue}, the recorder's file says"
            words += f" {place.record.plan.venue}: make them the same"
            yield Finding(f"venue of {path.stem}", Grade.ILL, words)
        for device in agent.devices:
            if device.name in seen:
                other = seen[device.name].name
                words = f"{path.name} and {other} both have a {device.name}: rename one of them"
                yield Finding(f"name of {device.name}", Grade.ILL, words)
            seen[device.name] = path
            game = expected.get(device.name)
            if expected and game is None:
                words = f"{path.name} has it, no table of the recorder's file expects it: "
                words += "name it there under devices, or rename it"
                yield Finding(f"name of {device.name}", Grade.ILL, words)
            elif game is not None:
                yield from _differences(path, device, game)


def _differences(path: Path, device: DevicePlan, game: TablePlan) -> Iterator[Finding]:
    """What an agent's file and the recorder's say otherwise about a device."""
    table, role = game.started.table, game.devices[device.name]
    said = [("table", "table", device.table, table), ("kind", "role", device.kind, role)]
    tiles = getattr(device, "tiles", None)
    if tiles is not None:
        said.append(("tiles", "tiles", tiles, game.started.tile_set))
    for ours, theirs, there, here in said:
        if there and there != here:
            words = f"{path.name} says {ours} {there}, the recorder's file says {theirs} {here}:"
            yield Finding(f"{ours} of {device.name}", Grade.ILL, f"{words} make them the same")


def _expected(record: VenuePlan | None) -> dict[str, TablePlan]:
    if record is None:
        return {}
    return {name: table for table in record.plan.tables for name in table.devices}


def _folders(place: Place) -> list[tuple[str, Path]]:
    record = [] if place.record is None else [("recorder", place.record.folder)]
    return [*record, *((path.stem, agent.folder) for path, agent in place.agents)]


def _existing(folder: Path) -> Path:
    """A folder, or the nearest one above it that is there."""
    return next(place for place in (folder, *folder.absolute().parents) if place.is_dir())


def folder_complaint(folder: Path) -> str:
    """Whether files can be written in a folder; a full disk is no fault of the folder."""
    if folder.exists() and not folder.is_dir():
        return f"a file is in the folder's place: name another folder than {folder}"
    there = _existing(folder)
    try:
        with tempfile.NamedTemporaryFile(dir=there):
            return ""
    except OSError as fault:
        if fault.errno == errno.ENOSPC:
            return ""
        return f"{fault.strerror}: give {there} to the user who runs this, or name another"


def _rights_found(place: Place, folder: Path, programs: ProgramsFile) -> Iterator[Finding]:
    """Devices that the broker's access list keeps from speaking or hearing."""
    text = _named_in(folder, programs, "acl_file")
    if place.record is None or not text:
        return
    venue = place.record.plan.venue
    speaker = {
        device.name: _user(agent.broker_url)
        for _, agent in place.agents
        for device in agent.devices
    }
    for name in _expected(place.record):
        user = "console" if name.startswith("phone-") else speaker.get(name, "")
        says, hears = Up(venue, name, UpChannel.EVENT), Down(venue, name, DownChannel.ACK)
        if not (may(text, user, "write", str(says)) and may(text, user, "read", str(hears))):
            by = f" by {user}" if user else ""
            words = f"the broker's access list forbids it: allow {name}{by} in broker/acl as the"
            words += " other devices are, and start the venue again"
            yield ill(f"rights of {name}", words)


def _user(url: str) -> str:
    """Who somebody is at the broker: by a password, or by the name of a certificate."""
    address = urlsplit(url)
    return address.username or "".join(parse_qs(address.query).get("as", []))


def _passwords_found(place: Place, folder: Path, programs: ProgramsFile) -> Iterator[Finding]:
    """Programs whose password is not the one that the broker knows."""
    text = _named_in(folder, programs, "password_file")
    files = {"recorder": programs.recorder.file, "dashboard": KEYS}
    for who, url in place.brokers if text else ():
        address = urlsplit(url)
        if (
            address.password
            and password_fits(text, address.username or "", address.password) is False
        ):
            file = files.get(who, f"{who}.toml")
            words = "its password is not the one that the broker knows: "
            words += (
                f"{file} and broker/passwords are of different set-ups; put this one's file back"
            )
            yield ill(f"broker for {who}", words)


def _named_in(folder: Path, programs: ProgramsFile, setting: str) -> str:
    """The text of a file that Mosquitto's configuration names; empty where it names none."""
    with suppress(OSError, UnicodeDecodeError):
        config = (folder / programs.broker.config).read_text(encoding="utf-8")
        if named := re.search(rf"(?m)^{setting} (.+)$", config):
            return (folder / named[1].strip()).read_text(encoding="utf-8")
    return ""


def _pages_found(programs: ProgramsFile, record: VenuePlan | None) -> Iterator[Finding]:
    """Pages that nobody but this machine reaches, or that are looked for at another one."""
    page, options = programs.dashboard, programs.dashboard.options
    named = [address for option, address in pairwise(options) if option == "--allow-host"]
    is_alone = page.host in {"127.0.0.1", "localhost", "::1"} and "--proxy" not in options
    # Else the venue was made with --address none, as somebody wished.
    if is_alone and (named or _has_phones(record)):
        words = "this machine alone reaches them: for phones, tablets and OBS elsewhere write"
        words += ' [dashboard] host = "0.0.0.0" in programs.toml, or make the venue with --address'
        yield Finding("pages", Grade.WEAK, words)
    for address in named:
        if not _is_ours(address):
            words = "links and codes name an address that this machine does not have: they say"
            words += f" {address}. Was the folder copied, or is this another network? Take that"
            words += " address again, or run tilecast init --overwrite"
            yield ill("pages", words)


def _has_phones(record: VenuePlan | None) -> bool:
    """Whether a table's clock or pad is a phone: without its page the table has none."""
    wanted = ("phone-clock-", "phone-pad-")
    return record is not None and any(
        name.startswith(wanted) for table in record.plan.tables for name in table.devices
    )


def _is_ours(address: str) -> bool:
    """Whether this machine has an address; a name is believed."""
    with suppress(ValueError):
        family = socket.AF_INET6 if ip_address(address).version == 6 else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind((address, 0))
            except OSError as fault:
                return fault.errno != errno.EADDRNOTAVAIL
    return True


_CAME = re.compile(r"New connection from (\S+):\d+ on port")
_LET_IN = re.compile(r"New client connected from (\S+):\d+ as ")
_SOMEWHERE = "somewhere"
_REFUSED = re.compile(r"Client .*disconnected[,:] not authori[sz]ed")


def _refused_found(folder: Path) -> Iterator[Finding]:
    """Guests from other machines whom the broker has just refused, by its own log."""
    found = refused_guests(tail(folder / "logs" / "broker.log", _TAIL_BYTES))
    now_s = wall_ms() / 1000
    new = {guest: at_s for guest, at_s in found.items() if now_s - at_s < _REFUSED_FOR_S}
    strange = {guest: at_s for guest, at_s in new.items() if guest not in _NEAR}
    if len(strange) > 1:  # a guest that tries again is soon known by its address
        strange.pop(_SOMEWHERE, None)
    for address, at_s in strange.items():
        at = time.strftime("%H:%M:%S", time.localtime(at_s))
        words = "it refused somebody whose name or password is wrong: at"
        words += f" {at}, from {address}. Put clocks/NAME.json into the clock again; to another"
        words += " table's machine copy its folder from machines/ again"
        yield ill("broker", words)


def refused_guests(log: str) -> dict[str, float]:
    """Addresses whose last try was refused, by Mosquitto's log, with the seconds since 1970.

    Mosquitto 2.0 does not say whom it refuses: it is who has come and was not let in. Where it may
    be one of several the address is ``_SOMEWHERE``.
    """
    waiting: list[str] = []
    refused: dict[str, float] = {}
    for line in log.splitlines():
        stamp, _, words = line.partition(": ")
        if came := _CAME.search(words):
            waiting.append(came[1])
        elif let_in := _LET_IN.search(words):
            waiting = [address for address in waiting if address != let_in[1]]
            refused.pop(let_in[1], None)
        elif _REFUSED.search(words) and stamp.isdecimal():
            guests = set(waiting)
            refused[guests.pop() if len(guests) == 1 else _SOMEWHERE] = float(stamp)
            waiting = []
    return refused
