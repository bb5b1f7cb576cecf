"""What is wrong with a venue's files, folders, broker and devices, each with what helps.

Everything is tried out on the spot. A camera or a port that an agent has is not touched: what the
agent says of it is taken.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from calibration.venue.programs_file import read_keys, read_programs_file
from devices.agent_process.table_file import AgentPlan, DevicePlan, read_table_file
from devices.agent_process.ticks import agent_ticks
from devices.cameras.complaint import camera_complaint
from devices.link.complaint import port_complaint
from recorder.bus.carrying import Caller, carries
from recorder.bus.mqtt import takes
from recorder.bus.refusal import why_refused
from recorder.commands.trials.doctor import Doctor
from recorder.commands.trials.doctor import Grade as _Promise
from recorder.projections.health.device_health import HealthGrade as Grade
from recorder.projections.health.device_health import VenueHealth
from recorder.service.venue_file import BROKERS, VenuePlan, read_record_file
from recorder.table.game_recorder import TablePlan
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

ANSWER_S = 10.0
LEAST_FREE_MB, SCARCE_FREE_MB = 50, 500
"""A round of games with its pictures takes some hundred megabytes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what, how it is, what is wrong and what helps."""

    what: str
    grade: Grade
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is examined: the recorder's plan, the agents of this machine, the addresses to try."""

    record: VenuePlan | None
    agents: Sequence[tuple[Path, AgentPlan]]
    brokers: Sequence[tuple[str, str]]
    doctor: str = ""
    """The broker as the doctor has it, who may try out its limits; empty without such a user."""


def read_place(path: Path) -> Place:
    """A venue's folder, a recorder's file or an agent's. NotationError names what is wrong."""
    if path.is_dir():
        programs = read_programs_file(path)
        record = read_record_file(path / programs.recorder.file)
        agents = [(path / name, read_table_file(path / name)) for name in programs.agents.files]
        keys = read_keys(path)
        pages = [("dashboard", url)] if (url := keys.get("TILECAST_MQTT_URL")) else []
        brokers = [("recorder", record.broker), *_addresses(agents), *pages]
        doctor = keys.get("TILECAST_DOCTOR_URL", "")
        return Place(record=record, agents=agents, brokers=brokers, doctor=doctor)
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


def examine(
    place: Place, health: VenueHealth | None, answer_s: float = ANSWER_S
) -> Iterator[Finding]:
    """Every finding, as soon as it is made; ``health`` is what was heard, None where nobody was."""
    yield from files_found(place)
    refused = False
    for who, url in place.brokers:
        if url not in BROKERS:
            cause = why_refused(url, who, answer_s)
            refused = refused or bool(cause)
            where = urlsplit(url).hostname
            yield _found(f"broker for {who}", f"{where}: {cause}" if cause else "")
    if not refused:
        yield from _rights(place, answer_s)
        yield from _promises(place)
    yield from devices_found(place, health)


def _found(what: str, complaint: str) -> Finding:
    return Finding(what, Grade.ILL if complaint else Grade.WELL, complaint or "well")


def files_found(place: Place) -> Iterator[Finding]:
    """What can be seen before any program runs: names that fit each other, room to write."""
    yield from names_found(place)
    for what, folder in _folders(place):
        yield _found(f"folder of {what}", folder_complaint(folder))


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


def folder_complaint(folder: Path) -> str:
    """Whether files can be written in a folder, or in the nearest one above it that is there."""
    if folder.exists() and not folder.is_dir():
        return f"{folder}: a file is in the folder's place: name another folder"
    there = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    try:
        free_mb = shutil.disk_usage(there).free // 1_000_000
        if free_mb < LEAST_FREE_MB:
            return f"{there}: {free_mb} MB are free: the disk is full, make room on it"
        with tempfile.NamedTemporaryFile(dir=there) as probe:
            probe.write(b"x" * 4096)
            probe.flush()
    except OSError as fault:
        return f"{there}: {fault.strerror}: give it to the user who runs this, or name another"
    return ""


def _rights(place: Place, answer_s: float) -> Iterator[Finding]:
    record = place.record
    recorder = None
    if record is not None and record.broker not in BROKERS:
        recorder = Caller(record.broker, record.plan.recorder)
    for _, agent in place.agents:
        for device in agent.devices:
            topic = str(Up(agent.venue, device.name, UpChannel.RAW, "doctor"))
            if takes(agent.broker_url, device.name, topic, answer_s) is False:
                words = f"the broker drops what {device.name} says in venue {agent.venue}: its"
                words += " access list forbids it; are both names those in it? Restart the broker"
                words += " after a change (tilecast init writes a list)"
                yield Finding(f"rights of {device.name}", Grade.ILL, words)
            elif recorder is not None:
                name, caller = device.name, Caller(agent.broker_url, device.name)
                yield from _hearing(recorder, caller, agent.venue, name, answer_s)


def _hearing(
    recorder: Caller, device: Caller, venue: str, name: str, answer_s: float
) -> Iterator[Finding]:
    """Whether the device hears the recorder, and the recorder the device: tried by a question.

    On channels of consoles, where neither says anything to the other in a game.
    """
    payload = f"doctor-{secrets.token_hex(8)}".encode()
    down, up = str(Down(venue, name, DownChannel.ANSWER)), str(Up(venue, name, UpChannel.ASK))
    for speaker, listener, topic, who in (
        (recorder, device, down, name),
        (device, recorder, up, "the recorder"),
    ):
        if not carries(speaker, listener, topic, payload, answer_s / 2):
            place = topic.rpartition("/")[0] + "/#"
            words = f"{who} does not hear what is said to it: the broker's access list forbids it"
            words += f" to read {place}; allow it there, and restart the broker (tilecast init"
            words += " writes a list)"
            yield Finding(f"hearing of {name}", Grade.ILL, words)


def _promises(place: Place) -> Iterator[Finding]:
    """What the broker does not give of what it should."""
    if place.doctor and place.record is not None:
        doctor = Doctor(place.doctor, place.record.plan.venue, lambda _: None)
        doctor.examine()
        for check in doctor.checks:
            if check.grade in (_Promise.WEAK, _Promise.BAD):
                grade = Grade.ILL if check.grade is _Promise.BAD else Grade.WEAK
                yield Finding(check.what, grade, check.words)


def devices_found(place: Place, health: VenueHealth | None) -> Iterator[Finding]:
    """How each device is: as it was heard, else as its camera or port is found on the spot."""
    heard = {} if health is None else {each.device.name: each for each in health.devices}
    local: dict[str, Callable[[], str]] = {}
    for _, agent in place.agents:
        for device in agent.devices:
            if port := getattr(device, "port", ""):
                local[device.name] = partial(port_complaint, port)
            if source := getattr(device, "source", ""):
                local[device.name] = partial(camera_complaint, source, agent_ticks())
    for name in dict.fromkeys([*heard, *local]):
        known = heard.get(name)
        if known is not None and known.grade is Grade.WELL:
            yield Finding(name, Grade.WELL, known.said)
            continue
        said = "" if known is None else f"{known.said}: {known.remedy}"
        is_held = known is not None and known.waiting is not None
        complaint = "" if is_held or name not in local else local[name]()
        if complaint or said:
            yield Finding(name, Grade.ILL if known is None else known.grade, complaint or said)
        else:
            yield Finding(name, Grade.WELL, "well")
