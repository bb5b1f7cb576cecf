"""``programs.toml``: what ``tilecast venue`` starts. Text only; every mistake is named.

The keys of dashboard and pages are not in it but in ``keys.env`` beside it, in the form that
systemd's ``EnvironmentFile`` reads too.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from recorder.declared.port_number import MOST_PORT
from recorder.declared.settings_file import Settings, load_toml
from recorder.domain.errors import NotationError
from recorder.domain.limits import AnyText, Name, Wanted, Within
from recorder.systems import read_file

FILE, KEYS = "programs.toml", "keys.env"
Text = Annotated[str, AnyText(), Wanted("a text in quotes")]
Port = Annotated[int, Within(1, MOST_PORT), Wanted(f"a port, 1 to {MOST_PORT}")]
Seconds = Annotated[float, Within(0, 3600), Wanted("seconds, 0 to 3600")]
Files = Annotated[tuple[Text, ...], Wanted('a list of files, as ["table-1.toml"]')]


@dataclass(frozen=True, slots=True, kw_only=True)
class VenueOfPrograms:
    """``[venue]``: its name on the bus, as in the recorder's file."""

    name: Name = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class MosquittoSection:
    """``[broker]``: Mosquitto's configuration, and the port where it listens for our programs."""

    config: Text = "broker/mosquitto.conf"
    port: Port = 1883


@dataclass(frozen=True, slots=True, kw_only=True)
class RecorderProgram:
    """``[recorder]``: the recorder's file."""

    file: Text = "venue.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardSection:
    """``[dashboard]``: as the options of ``tilecast dashboard``."""

    host: Text = "127.0.0.1"
    port: Port = 8015
    delay: Seconds = 0.0
    options: Annotated[tuple[Text, ...], Wanted('further options, as ["--words", "list.kwg"]')] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsSection:
    """``[agents]``: the files of those tables whose devices hang on this machine."""

    files: Files = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramsFile:
    """The programs of one venue."""

    venue: VenueOfPrograms = VenueOfPrograms()
    broker: MosquittoSection = MosquittoSection()
    recorder: RecorderProgram = RecorderProgram()
    dashboard: DashboardSection = DashboardSection()
    agents: AgentsSection = AgentsSection()


PROGRAMS_FILE: Settings[ProgramsFile] = Settings(ProgramsFile)


def refuse_no_venue(place: Path) -> None:
    """NotationError where a venue's folder, or a file in its place, is not there."""
    if not place.exists() and place.suffix != ".toml":
        raise NotationError(
            f"{place}: there is no such folder; make a venue with: tilecast init {place}"
        )


def read_programs_file(folder: Path) -> ProgramsFile:
    """What is to be started in a venue's folder. NotationError names file, section and key."""
    path = folder / FILE
    return PROGRAMS_FILE.read(
        load_toml(path, f"make a venue with: tilecast init {folder}"), str(path)
    )


_MADE = "tilecast init makes it with the other files of a venue; copy it from where you saved yours"


def read_keys(folder: Path) -> dict[str, str]:
    """The variables of ``keys.env``. NotationError when the file or a line is at fault."""
    path = folder / KEYS
    try:
        lines = read_file(path).decode("utf-8").splitlines()
    except FileNotFoundError:
        raise NotationError(f"{path}: no such file; {_MADE}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{path}: a letter in it is not UTF-8: save it as UTF-8") from None
    except OSError as fault:
        raise NotationError(
            f"{path}: {fault.strerror}: give it to the user who runs this"
        ) from fault
    pairs = [line.partition("=") for line in lines if line.strip() and not line.startswith("#")]
    for number, (name, mark, _) in enumerate(pairs, 1):
        if not mark or not name.isidentifier():
            raise NotationError(f"{path}: line {number} must be NAME=VALUE")
    return {name: value for name, _, value in pairs}
