"""Whether the programs of a venue would take what their files say: keys, log, broker.

Tried out by the parts that will read them. Nothing of the venue is changed.
"""

import re
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from calibration.venue.checks import disk_found, read_place, startable_found
from calibration.venue.programs_file import FILE, KEYS, read_keys
from calibration.venue.running import DASHBOARD, VenueFolder
from calibration.venue.supervisor import ProgramPlan
from recorder.bus.broker import find_mosquitto, free_port, serves
from recorder.domain.errors import NotationError, RecorderError
from recorder.log.places import is_begun, open_log_reader
from recorder.projections.health.device_health import HealthGrade

DIRECTOR, COMMENTATOR = "TILECAST_DIRECTOR_TOKEN", "TILECAST_COMMENTATOR_TOKEN"
SERVES_WITHIN_S = 10.0
"""A broker that neither serves nor dies for so long is not accused: the machine is busy."""
_STEP_S = 0.05

_UNUSED = {DIRECTOR: "a-key-0123456789", COMMENTATOR: "b-key-0123456789"}
"""In the place of a key that is not there: the dashboard makes one at each start."""


class CheckKeys(Protocol):
    """NotationError when the dashboard does not take the two keys."""

    def __call__(self, *, director_token: str, commentator_token: str) -> object:
        """Try them."""


def refuse_unready(venue: VenueFolder, check_keys: CheckKeys) -> None:
    """NotationError or RecorderError, with the remedy, for what no program of the venue takes.

    Keys, the log, and of what the doctor examines all that can be seen before anything runs.
    """
    given = read_keys(venue.folder)
    own = {name: given[name] for name in _UNUSED if given.get(name)}
    for name, key in own.items():
        _check(venue, check_keys, name, {name: key})
    _check(venue, check_keys, " and ".join(_UNUSED), own)
    _refuse_other_port(venue)
    place = read_place(venue.folder)
    for found in startable_found(place):
        if found.grade is HealthGrade.ILL:
            raise RecorderError(found.line)
    log = venue.record.log
    if not is_begun(log) or any(disk_found(place)):  # which keeps SQLite from reading, too
        return
    try:
        open_log_reader(log).close()
    except RecorderError as fault:
        words = "move it away and a new log begins, or name another folder: [recorder] folder"
        raise RecorderError(f"{fault}: {words}") from fault


def _refuse_other_port(venue: VenueFolder) -> None:
    """NotationError where the broker is awaited at a port at which it will not listen."""
    port, path = venue.programs.broker.port, venue.folder / venue.programs.broker.config
    text = path.read_text(encoding="utf-8", errors="replace")
    listens = re.findall(r"(?m)^listener\s+(\d+)", text)
    if listens and str(port) not in listens and "\ninclude_dir" not in text:
        said = f"[broker] port is {port}, and {path} listens at {', '.join(listens)}"
        raise NotationError(f"{venue.folder / FILE}: {said}: make them the same")


def _check(venue: VenueFolder, check_keys: CheckKeys, names: str, own: Mapping[str, str]) -> None:
    keys = {**_UNUSED, **own}
    try:
        check_keys(director_token=keys[DIRECTOR], commentator_token=keys[COMMENTATOR])
    except NotationError as fault:
        remedy = "write another, or take the line out and one is made at each start"
        raise NotationError(f"{venue.folder / KEYS}: {names}: {fault}: {remedy}") from fault


def refuse_broken_broker(venue: VenueFolder) -> None:
    """NotationError with Mosquitto's own word where it does not start with its configuration.

    Tried with a copy that listens on free ports of this machine alone, and keeps nothing.
    """
    mosquitto, path = find_mosquitto(), venue.folder / venue.programs.broker.config
    if mosquitto is None:
        return
    text = path.read_text(encoding="utf-8", errors="replace")
    ports = iter(free_port, None)
    text = re.sub(r"(?m)^listener \d.*$", lambda _: f"listener {next(ports)} 127.0.0.1", text)
    text = re.sub(r"(?m)^persistence true$", "persistence false", text)
    listener = re.search(r"(?m)^listener (\d+)", text)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place, path.name)
        copy.write_text(text, encoding="utf-8")
        command = [str(mosquitto), "-c", str(copy)]
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(command, cwd=venue.folder, stdout=said, stderr=said) as process,  # noqa: S603
        ):
            try:
                _wait(process, int(listener[1]) if listener else 0)
                is_dead = process.poll() is not None
            finally:
                process.kill()
            said.seek(0)
            words = said.read().decode("utf-8", "replace")
    if is_dead:
        wrong = [re.sub(r"^\d+: ", "", line) for line in words.splitlines() if "Error" in line]
        why = " ".join(wrong).replace(str(copy), path.name) or "it says nothing"
        remedy = "fix that line (tilecast init writes such a file)"
        raise NotationError(f"{path}: Mosquitto does not start with it: {why} {remedy}")


def refuse_broken_dashboard(venue: VenueFolder, plans: Iterable[ProgramPlan]) -> None:
    """NotationError with the dashboard's own word where it does not start as ``[dashboard]`` says.

    Files that it reads while it serves, as branding or standings, are not looked into.
    """
    plan = next(plan for plan in plans if plan.name == DASHBOARD)
    done = subprocess.run(  # noqa: S603  # our own command line
        [*plan.command, "--check"],
        cwd=plan.folder,
        env=plan.variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode:
        words = [line for line in done.stderr.splitlines() if line.strip()]
        why = words[-1] if words else "it says nothing"
        raise NotationError(f"{venue.folder / FILE}: [dashboard]: it does not start: {why}")


def _wait(process: "subprocess.Popen[bytes]", port: int) -> None:
    end = time.monotonic() + SERVES_WITHIN_S
    while process.poll() is None and time.monotonic() < end:
        if port and serves(port):
            return
        time.sleep(_STEP_S)
