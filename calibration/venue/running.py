"""What a venue's folder says is to be started, and whether it can be.

Made from the files that ``tilecast init`` wrote, or that somebody wrote like them.
"""

import re
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calibration.venue.programs_file import (
    ProgramsFile,
    read_keys,
    read_programs_file,
    refuse_no_venue,
)
from calibration.venue.supervisor import ProgramPlan
from devices.agent_process.table_file import read_table_file
from recorder.bus.broker import find_mosquitto
from recorder.domain.errors import NotationError, RecorderError
from recorder.log.database import is_database
from recorder.log.opening import held_alone
from recorder.service.venue_file import VenuePlan, read_record_file

LOGS = "logs"
BROKER, RECORDER, DASHBOARD = "broker", "recorder", "dashboard"
NO_MOSQUITTO = "Mosquitto is not installed here: apt install mosquitto"


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueFolder:
    """A venue's folder, read: its programs and what the recorder records."""

    folder: Path
    programs: ProgramsFile
    record: VenuePlan


def read_venue(folder: Path) -> VenueFolder:
    """All settings of a venue. NotationError names file, section and key."""
    if folder.is_file():
        raise NotationError(f"{folder}: is a file; name the folder that tilecast init made")
    folder = folder.absolute()
    programs = read_programs_file(folder)
    record = read_record_file(folder / programs.recorder.file)
    if record.plan.venue != programs.venue.name:
        names = f"{record.plan.venue!r} and {programs.venue.name!r}"
        raise NotationError(f"{folder}: two names for one venue, {names}: make them the same")
    for file in programs.agents.files:
        read_table_file(folder / file)
    return VenueFolder(folder=folder, programs=programs, record=record)


def plans_of(venue: VenueFolder) -> list[ProgramPlan]:
    """How each program is started, in order. RecorderError with the remedy when one cannot be."""
    mosquitto = find_mosquitto()
    if mosquitto is None:
        raise RecorderError(NO_MOSQUITTO)
    broker, dashboard = venue.programs.broker, venue.programs.dashboard
    config = venue.folder / broker.config
    _refuse_lacking(venue, config)
    log = venue.record.log
    options = [
        *(["--folder", str(venue.record.folder)] if is_database(log) else ["--log", str(log)]),
        "--host", dashboard.host,
        "--port", str(dashboard.port), "--delay", f"{dashboard.delay:g}",
        "--venue", venue.programs.venue.name, "--pictures", str(venue.folder),
        *dashboard.options,
        *_clocks_of(venue),
    ]  # fmt: skip
    first = _plan(venue, BROKER, [str(mosquitto), "-c", broker.config], ports=(broker.port,))
    return [
        first,
        _tilecast(venue, RECORDER, ["record", str(venue.folder / venue.programs.recorder.file)]),
        _tilecast(
            venue,
            DASHBOARD,
            ["dashboard", *options],
            # An address may have a password, which a list of processes would show.
            environment={**read_keys(venue.folder), "TILECAST_LOG": str(log)},
            ports=(dashboard.port,),
        ),
        *(
            _tilecast(venue, Path(file).stem, ["agent", str(venue.folder / file)], after=RECORDER)
            for file in venue.programs.agents.files
        ),
    ]


def _clocks_of(venue: VenueFolder) -> list[str]:
    """Where the dashboard finds the settings of clocks that ask to join; with TLS they do not."""
    options, folder = venue.programs.dashboard.options, venue.folder / "clocks"
    is_there = any(folder.glob("*.json")) and not {"--clocks", "--tls"}.intersection(options)
    return ["--clocks", str(folder)] if is_there else []


def _refuse_lacking(venue: VenueFolder, config: Path) -> None:
    """NotationError when a file of the broker would be missing."""
    if not config.is_file():
        raise NotationError(f"{config}: no such file; tilecast init makes it")
    for name, file in re.findall(_NEEDED, config.read_text(encoding="utf-8"), re.MULTILINE):
        if not (venue.folder / file).is_file():
            wanted = f"{config.name} names it as {name}"
            raise NotationError(f"{venue.folder / file}: no such file; {wanted}")


_NEEDED = r"^(password_file|acl_file|cafile|certfile|keyfile|crlfile) (.+)$"


def _tilecast(
    venue: VenueFolder, name: str, words: Sequence[str], **options: object
) -> ProgramPlan:
    command = [sys.executable, "-P", "-m", "tilecast", *words]
    return _plan(venue, name, command, **{"after": BROKER, **options})


def _plan(venue: VenueFolder, name: str, command: Sequence[str], **options: object) -> ProgramPlan:
    log = venue.folder / LOGS / f"{name}.log"
    return ProgramPlan(name=name, command=command, folder=venue.folder, log=log, **options)  # type: ignore[arg-type]


_RUNNING = ".running"
_BROKER_TAKEN = (
    "Debian starts a Mosquitto of its own: sudo systemctl disable --now mosquitto; or another"
    " tilecast venue runs; or take another with tilecast init --broker-port"
)
_DASHBOARD_TAKEN = "another dashboard runs; or change [dashboard] port in programs.toml"


@contextmanager
def run_alone(folder: Path) -> Iterator[None]:
    """Hold a venue's folder; RecorderError where another program does. Ends with this program."""
    pages = page_address(read_programs_file(folder))
    taken = f"{folder}: tilecast venue runs this folder already: its pages are at {pages}/"
    with held_alone(folder / _RUNNING, taken):
        yield


def page_address(programs: ProgramsFile) -> str:
    """Where this machine finds the pages of a venue."""
    scheme = "https" if "--tls" in programs.dashboard.options else "http"
    return f"{scheme}://127.0.0.1:{programs.dashboard.port}"


def is_run(folder: Path) -> bool:
    """Whether a ``tilecast venue`` runs this folder now."""
    try:
        with run_alone(folder):
            return False
    except RecorderError:
        return True


def refuse_taken(venue: VenueFolder) -> None:
    """RecorderError when a port that is needed is somebody else's, with the remedy."""
    config = (venue.folder / venue.programs.broker.config).read_text(encoding="utf-8")
    listeners = [int(port) for port in re.findall(r"^listener (\d+)", config, re.MULTILINE)]
    remedies = dict.fromkeys(listeners, _BROKER_TAKEN)
    remedies[venue.programs.dashboard.port] = _DASHBOARD_TAKEN
    for port, remedy in remedies.items():
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as fault:
                raise RecorderError(f"port {port}: {fault.strerror}: {remedy}") from fault


def recorder_file(place: Path) -> Path:
    """The recorder's file of a venue's folder, or the file itself where one is named.

    NotationError where neither is there.
    """
    refuse_no_venue(place)
    return place / read_programs_file(place).recorder.file if place.is_dir() else place
