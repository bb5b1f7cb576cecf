"""A venue gets other tables or devices: its keys stay, and what was edited by hand."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

from calibration.venue.setup.broker_files import FOLDER
from calibration.venue.setup.certificates import AUTHORITY, sign_client
from calibration.venue.setup.files import files_of, make_keys
from calibration.venue.setup.founding import Founded, MakeAccounts, check_files, write_files
from calibration.venue.setup.made import Made, keep_setup, read_setup
from calibration.venue.setup.refused import AnswerRefusedError
from calibration.venue.setup.wishes import ClockKind, SetupAnswers, TableWishes, tables_of
from recorder.private import keep_private
from recorder.service.venue_file import LOG_NAME

_PASSWORDS = f"{FOLDER}/passwords"
"""Salted: the same passwords never are the same text, so nobody edits it by hand."""


def with_tables(wishes: SetupAnswers, new: Sequence[TableWishes]) -> SetupAnswers:
    """The same venue with more tables behind those that it has."""
    tables = tables_of(wishes)
    both = [*tables, *new]
    return replace(
        wishes,
        tables=wishes.tables + len(new),
        players=tuple((table.players[0], table.players[1]) for table in both if table.players),
        clocks=tuple(table.clock for table in both),
        cameras=tuple(table.camera for table in both),
        ports=tuple(table.port for table in both),
    )


def add_tables(folder: Path, new: Sequence[TableWishes], make_accounts: MakeAccounts) -> Founded:
    """Add tables to the venue in ``folder``: see ``change_venue``."""
    return change_venue(folder, with_tables(read_setup(folder).wishes, new), make_accounts)


def change_venue(folder: Path, wishes: SetupAnswers, make_accounts: MakeAccounts) -> Founded:
    """Make the venue in ``folder`` what is wished for now: all files or none, no record touched.

    NotationError for a venue that was not made here, and for a file whose lines that must change
    were edited by hand. Who is gone has no password any more, nor has the link of a table's phones.
    """
    keep_private()
    before = read_setup(folder)
    keys = make_keys(wishes, before.keys)
    old, new = files_of(before.wishes, before.keys), files_of(wishes, keys)
    files = _changed(folder, old, new)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".tilecast-init-") as staging:
        for path in folder.rglob("*.toml"):
            _copy(path, Path(staging) / path.relative_to(folder))
        _copy(folder / "keys.env", Path(staging) / "keys.env")
        write_files(files, Path(staging))
        check_files(Path(staging))
    write_files(files, folder)
    for name in old.keys() - new.keys():
        (folder / name).unlink(missing_ok=True)
    if wishes.has_tls:
        for table in tables_of(wishes):
            place = folder / "clocks" / table.clock_name
            if table.clock is ClockKind.MQTT and not place.exists():
                sign_client(folder / AUTHORITY, place, table.clock_name)
    kept = before.phones[: wishes.tables]
    numbers = range(len(kept) + 1, wishes.tables + 1)
    gone = range(wishes.tables + 1, before.wishes.tables + 1)
    place = (folder / "record" / LOG_NAME).with_suffix(".access")
    _, phones = make_accounts(place, numbers, gone)
    made = Made(wishes=wishes, keys=keys, phones=[*kept, *phones])
    return Founded(files=sorted(files), links=keep_setup(made, folder, None))


def _copy(path: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(path.read_bytes())


def _changed(folder: Path, old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """What must be written: the text of each file that is new or differs from what it was."""
    changed = {}
    for name, text in new.items():
        path = folder / name
        if name not in old:
            if path.exists():
                raise AnswerRefusedError("file_taken", file=str(path))
            changed[name] = text
        elif name == _PASSWORDS:
            changed[name] = text
        elif text != old[name]:
            present = path.read_text("utf-8") if path.exists() else old[name]
            changed[name] = carried_over(present, old[name], text, str(path))
    return changed


def carried_over(present: str, old: str, new: str, name: str) -> str:
    """``present`` with the lines changed that differ between ``old`` and ``new``.

    What was edited by hand stays. NotationError where lines that must change were edited, or stand
    there more than once.
    """
    lines, before, after = (text.splitlines(keepends=True) for text in (present, old, new))
    differing = SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes()
    for tag, i1, i2, j1, j2 in reversed(differing):
        if tag == "equal":
            continue
        if i1 == len(before):
            lines += after[j1:j2]
            continue
        # A line before it and one behind it, where it is an insertion: that is its place.
        first, last = (i1, i2) if i1 < i2 else (max(i1 - 1, 0), min(i2 + 1, len(before)))
        found = _places(lines, before[first:last])
        if len(found) != 1:
            line = before[first].strip()
            raise AnswerRefusedError("edited_by_hand", file=name, line=line)
        at = found[0] + (i1 - first)
        lines[at : at + (i2 - i1)] = after[j1:j2]
    return "".join(lines)


def _places(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    size = len(wanted)
    return [at for at in range(len(lines) - size + 1) if list(lines[at : at + size]) == wanted]
