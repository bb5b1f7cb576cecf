"""What somebody with a login at the venue's machine, or with its files, tries."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import tilecast
from recorder.log.anchors import AnchorFile
from recorder.log.copies import back_up
from recorder.log.keeper import LogKeeper
from recorder.log.sqlite import SqliteEventLog
from tests.attacks.attack import Severity, Target, attack, status


@attack(Severity.HIGH)
def read_keys_where_everybody_may(target: Target) -> None:
    """In the list of processes, in what programs say, in files with open modes: there are none."""
    hall = target.hall
    kept = {"venue.toml", "keys.env", "links.html", "tilecast.links"}
    lines = [" ".join(words) for words in hall.processes()]
    for secret in target.secrets():
        assert not [line for line in lines if secret in line]
        assert secret not in "\n".join(hall.said())
        for file in (file for file in hall.folder.rglob("*.log") if file.name not in kept):
            assert secret not in file.read_text("utf-8", "replace"), file
    modes = {file: file.stat().st_mode for file in hall.folder.rglob("*") if file.is_file()}
    assert modes
    assert [str(file) for file, mode in modes.items() if mode & 0o077] == []


@attack(Severity.HIGH)
def read_the_racks_in_a_copy_of_the_log(target: Target) -> None:
    """What the commands about logs write is their user's alone, whatever the shell lets through."""
    log, folder = target.hall.folder / "record" / "tilecast.db", target.hall.folder / "copies"
    copy, again = folder / "copy.db", folder / "again.db"
    folder.mkdir()
    for words in (("backup", log, copy), ("restore", copy, again), ("migrate", again)):
        command = [sys.executable, "-m", "tilecast", "log", *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, umask=0o022)
    modes = {file.name: file.stat().st_mode for file in folder.iterdir()}
    assert {"copy.db", "again.db"} <= set(modes)
    assert [name for name, mode in modes.items() if mode & 0o077] == []


@attack(Severity.HIGH)
def have_a_file_served_through_a_link(target: Target) -> None:
    """A picture by its checksum that is a link to something else, or another picture."""
    director = target.session("director")
    evidence = [path for path in target.hall.folder.rglob("evidence") if path.is_dir()]
    name = "ab" * 32
    for folder in evidence or [target.hall.folder / "record"]:
        for link in (folder / f"{name}.jpg", folder / name[:2] / f"{name}.jpg"):
            link.parent.mkdir(exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to("/etc/passwd")
    for path in (
        f"/api/picture/{name}",
        "/api/picture/../../etc/passwd",
        f"/api/picture/{name}.jpg",
    ):
        assert "root:" not in target.get(path, session=director)


@attack(Severity.HIGH)
def change_a_log_unnoticed(target: Target) -> None:
    """A copy of which a row was changed, or the end cut, is named by the command."""
    source, folder = target.hall.folder / "record" / "tilecast.db", target.hall.folder.parent
    for number, bytes_ in enumerate((b'"left_ms":14', b'"running":"L"')):
        copy = folder / f"tampered-{number}.db"
        back_up(source, copy)
        data = copy.read_bytes()
        assert bytes_ in data
        place = data.rindex(bytes_) + len(bytes_) - 2
        copy.write_bytes(data[:place] + b"9" + data[place + 1 :])
        assert tilecast.main(["log", "verify", str(copy)]) == 1
        assert tilecast.main(["log", "migrate", str(copy)]) == 1


@attack(Severity.HIGH)
def cut_a_log_and_take_its_heads_away(target: Target) -> None:
    """With the noted heads the cut is named; without them it is said that none are there."""
    folder = target.hall.folder.parent / "cut"
    folder.mkdir(exist_ok=True)
    copy, heads = folder / "tilecast.db", folder / "tilecast.anchors"
    copy.unlink(missing_ok=True)
    back_up(target.hall.folder / "record" / "tilecast.db", copy)
    with SqliteEventLog(copy) as log:
        LogKeeper(AnchorFile(heads)).note(log, 1)
        rows = log.head()
    with closing(sqlite3.connect(copy)) as file, file:
        file.execute("DROP TRIGGER event_no_delete")
        file.execute("DELETE FROM event WHERE seq = ?", [rows])
    assert tilecast.main(["log", "verify", str(copy)]) == 1
    heads.unlink()
    with SqliteEventLog.open_reader(copy) as log:
        assert "cannot be told" in LogKeeper(AnchorFile(heads)).check(log)


@attack(Severity.MEDIUM)
def have_a_strange_file_taken_for_a_log(target: Target) -> None:
    """A link, a folder, a text, a database of others: refused in a sentence."""
    folder = target.hall.folder.parent / "strange"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "folder.db").mkdir(parents=True)
    (folder / "text.db").write_bytes(os.urandom(5_000))
    (folder / "link.db").symlink_to("/etc/passwd")
    shutil.copy(target.hall.folder / "record" / "tilecast.access", folder / "other.db")
    for file in sorted(folder.iterdir()):
        for command in (["verify"], ["migrate"]):
            assert tilecast.main(["log", *command, str(file)]) == 1
    assert Path("/etc/passwd").read_bytes().startswith(b"root:")
    assert status(target.get("/healthz")) == 200
