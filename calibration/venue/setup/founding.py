"""A venue's folder is made: all files or none, and no file of somebody's own is replaced unasked.

The files are written beside the folder first and held against the very readers that will read them.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.venue.programs_file import read_keys, read_programs_file
from calibration.venue.setup.broker_files import TLS
from calibration.venue.setup.certificates import AUTHORITY, make_authority, sign_client, sign_server
from calibration.venue.setup.files import WEB, Keys, files_of, machine_folder, make_keys
from calibration.venue.setup.links import SHEET, Link
from calibration.venue.setup.made import SETUP, Made, keep_setup
from calibration.venue.setup.refused import AnswerRefusedError
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, tables_of
from devices.agent_process.table_file import read_table_file
from recorder.domain.errors import NotationError
from recorder.private import keep_private
from recorder.service.venue_file import LOG_NAME, read_record_file

PICTURES = "pictures"
MakeAccounts = Callable[[Path, Iterable[int], Iterable[int]], tuple[str | None, list[str]]]
"""Makes the dashboard's first accounts in a file: the first password, a link's key by table.

Those of tables that are gone, the last argument, end.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Founded:
    """What was made: files by their place in the folder, and the links that people need."""

    files: Sequence[str]
    links: Sequence[Link]


def refuse_replacing(wishes: SetupAnswers, folder: Path) -> None:
    """NotationError when a file that would be written is there already."""
    names = [*files_of(wishes, make_keys(wishes)), SHEET]
    there = [name for name in names if (folder / name).exists()]
    if there:
        shown = ", ".join(there[:3]) + (", ..." if len(there) > 3 else "")
        raise AnswerRefusedError("folder_taken", folder=str(folder), files=shown)


def found_venue(wishes: SetupAnswers, folder: Path, make_accounts: MakeAccounts) -> Founded:
    """Write a venue's files into ``folder``. NotationError when a wish cannot be."""
    keep_private()
    keys = make_keys(wishes)
    files = files_of(wishes, keys)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        beside = tempfile.TemporaryDirectory(dir=folder.parent, prefix=".tilecast-init-")
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(folder)) from fault
    with beside as staging:
        write_files(files, Path(staging))
        check_files(Path(staging))
        if wishes.has_tls:
            _certify(wishes, Path(staging))
        folder.mkdir(exist_ok=True)
        made = sorted(file for file in Path(staging).rglob("*") if file.is_file())
        names = [str(file.relative_to(staging)) for file in made]
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(staging) / name, folder / name)
    links = _open_doors(wishes, keys, folder, make_accounts)
    return Founded(files=[*names, SHEET, SETUP], links=links)


def _certify(wishes: SetupAnswers, folder: Path) -> None:
    """The venue's authority; certificates for broker and pages, and for all who come over TLS."""
    authority = folder / AUTHORITY
    make_authority(authority, f"Tilecast venue {wishes.name}")
    hosts = [wishes.address, "localhost", "127.0.0.1"]
    sign_server(authority, folder / TLS, "broker", hosts)
    sign_server(authority, folder / WEB, "web", hosts)
    for number in wishes.elsewhere:
        sign_client(authority, folder / machine_folder(number) / "tls", f"table-{number}")
    for table in tables_of(wishes):
        if table.clock is ClockKind.MQTT:
            sign_client(authority, folder / "clocks" / table.clock_name, table.clock_name)


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Each text at its place in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def check_files(staging: Path) -> None:
    """NotationError when one of the readers does not take a venue's files."""
    try:
        read_record_file(staging / "venue.toml")
        for path in staging.rglob("table-*.toml"):
            read_table_file(path)
        read_programs_file(staging)
        read_keys(staging)
    except NotationError as fault:
        raise NotationError(str(fault).replace(f"{staging}/", "")) from fault


def _open_doors(
    wishes: SetupAnswers, keys: Keys, folder: Path, make_accounts: MakeAccounts
) -> list[Link]:
    """Accounts for the administrator and each table's phones, and the sheet with all links."""
    place = folder / "record" / LOG_NAME
    numbers = [table.number for table in tables_of(wishes)]
    password, phones = make_accounts(place.with_suffix(".access"), numbers, ())
    return keep_setup(Made(wishes=wishes, keys=keys, phones=phones), folder, password)
