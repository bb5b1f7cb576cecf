"""What somebody with a login at the venue's machine, or with its files, tries."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import tilecast
from recorder.log.anchors import AnchorFile
from recorder.log.copies import back_up
from recorder.log.keeper import LogKeeper
from recorder.log.port import NewRow
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
        warning = LogKeeper(AnchorFile(heads)).check(log)
    assert warning.code == "heads_gone"


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


@attack(Severity.HIGH)
def have_a_prepared_log_put_back(target: Target) -> None:
    """One that drops what it acknowledges: no command takes it, and what was there stays."""
    folder = target.hall.folder.parent / "prepared"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy, log = folder / "copy.db", folder / "tilecast.db"
    for place in (copy, log):
        back_up(target.hall.folder / "record" / "tilecast.db", place)
    whole = log.read_bytes()
    with closing(sqlite3.connect(copy)) as file, file:
        file.execute("CREATE TRIGGER t BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END")
    for words in (("verify", copy), ("migrate", copy), ("backup", copy, folder / "more.db"),
                  ("restore", copy, log), ("copy", copy, folder / "other.db")):  # fmt: skip
        assert tilecast.main(["log", *map(str, words)]) == 1, words
    assert log.read_bytes() == whole


@attack(Severity.HIGH)
def compute_a_log_anew_from_a_row_on(target: Target) -> None:
    """Every row of it holds; the noted heads say that it is another one."""
    folder = target.hall.folder.parent / "anew"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy, forged = folder / "copy.db", folder / "tilecast.db"
    target.is_recorded()
    back_up(target.hall.folder / "record" / "tilecast.db", copy)
    with SqliteEventLog.open_reader(copy) as log:
        LogKeeper(AnchorFile(folder / "tilecast.anchors")).note(log, 1)
        rows = list(log.read_from(1))
    pressed = max(row.seq for row in rows if row.type == "clock.press")
    with SqliteEventLog(forged) as log:
        for row in rows:
            body = dict(row.body)
            if row.seq == pressed:
                body["data"] = {**body["data"], "left_ms": 7}
            kept = {"table": row.table, "game": row.game, "kind": row.kind, "at": row.at}
            log.append([NewRow(**kept, body=body, refs=row.refs, key=row.key)])
        assert log.verify() is None
    assert tilecast.main(["log", "verify", str(forged)]) == 1


@attack(Severity.MEDIUM)
def stop_a_command_by_a_file_from_elsewhere(target: Target) -> None:
    """Deep, endless, no text, a pipe without a writer's end: one sentence each, and soon."""
    folder = target.hall.folder.parent / "files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    said = {
        "feed.js": b"newt=" + b"[" * 100_000,
        "feed.csv": b"name\n" + b'"' * 100_000,
        "a.t": b"\xff" * 100_000,
        "config.tsh": b"division A ../../../../etc/passwd\n",
        "list.kwg": os.urandom(4_000),
        "game.gcg": b"#note x\n" * 50_000,
        "venue.toml": b"a." * 2_000 + b"a = 1",
        "nested.toml": b"a = " + b"[" * 50_000,
    }
    for name, content in said.items():
        (folder / name).write_bytes(content)
    for words in (
        ("event", "check", folder / "feed.js"), ("event", "check", folder / "feed.csv"),
        ("event", "check", folder / "a.t"), ("event", "check", folder),
        ("event", "check", "/dev/null"),
        ("record", folder / "venue.toml"), ("record", folder / "nested.toml"),
        ("log", "verify", folder / "game.gcg"),
        ("log", "restore", folder / "list.kwg", folder / "x.db"),
    ):  # fmt: skip
        told = StringIO()
        with redirect_stdout(told), redirect_stderr(told):
            done = tilecast.main([*map(str, words)])  # a fault of ours is raised
        assert "root:" not in told.getvalue(), words
        assert done in (0, 1), (words, told.getvalue()[-300:])
    assert status(target.get("/healthz")) == 200
