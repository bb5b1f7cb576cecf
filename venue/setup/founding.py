"""A venue's folder is made: all files or none, and no file of somebody's own is replaced unasked.

The files are written beside the folder first and held against the very readers that will read them.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from dashboard.live.log_follower import now_ms
from devices.agent_process.table_file import read_table_file
from recorder.domain.errors import NotationError
from recorder.private import keep_private
from recorder.service.process import LOG_NAME
from recorder.service.venue_file import read_record_file
from venue.programs_file import read_keys, read_programs_file
from venue.setup.files import Keys, files_of, make_keys, new_key
from venue.setup.links import SHEET, Link, LinkKeys, links_of, sheet
from venue.setup.wishes import Wishes, tables_of

PICTURES = "pictures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Founded:
    """What was made: files by their place in the folder, and the links that people need."""

    files: Sequence[str]
    links: Sequence[Link]


def refuse_replacing(wishes: Wishes, folder: Path) -> None:
    """NotationError when a file that would be written is there already."""
    names = [*files_of(wishes, make_keys(wishes)), SHEET]
    there = [name for name in names if (folder / name).exists()]
    if there:
        shown = ", ".join(there[:3]) + (", ..." if len(there) > 3 else "")
        raise NotationError(
            f"{folder}: {shown} is there already; --overwrite replaces the settings and all keys"
            " (never the record)"
        )


def found_venue(wishes: Wishes, folder: Path) -> Founded:
    """Write a venue's files into ``folder``. NotationError when a wish cannot be."""
    keep_private()
    keys = make_keys(wishes)
    files = files_of(wishes, keys)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".tilecast-init-") as staging:
        _write(files, Path(staging))
        _check(Path(staging), [name for name in files if name.startswith("table-")])
        folder.mkdir(exist_ok=True)
        for name in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.move(Path(staging) / name, folder / name)
    links = _open_doors(wishes, keys, folder)
    return Founded(files=[*files, SHEET], links=links)


def _write(files: Mapping[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _check(staging: Path, tables: Sequence[str]) -> None:
    try:
        read_record_file(staging / "venue.toml")
        for name in tables:
            read_table_file(staging / name)
        read_programs_file(staging)
        read_keys(staging)
    except NotationError as fault:
        raise NotationError(str(fault).replace(f"{staging}/", "")) from fault


def _open_doors(wishes: Wishes, keys: Keys, folder: Path) -> list[Link]:
    """Accounts for the administrator and each table's phones, and the sheet with all links."""
    place = folder / "record" / LOG_NAME
    with closing(Accounts(place.with_suffix(".access"))) as accounts:
        now = now_ms()
        password = accounts.first_password(now)
        phones = []
        for table in tables_of(wishes):
            name = f"table-{table.number}"
            accounts.set_user(name, Role.SCORER, new_key(), now, table.number)
            phones.append(accounts.make_link(name, now))
    link_keys = LinkKeys(director=keys.director, commentator=keys.commentator, phones=phones)
    links = links_of(wishes, link_keys)
    (folder / SHEET).write_text(sheet(wishes, links, password), encoding="utf-8")
    return links
