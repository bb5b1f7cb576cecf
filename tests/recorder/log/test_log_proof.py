"""The log proves itself: what was changed, cut or swapped is named; and copies of it."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

import tilecast
from devices.cameras.evidence import EvidenceFolder
from recorder.domain.errors import RecorderError
from recorder.domain.row_kind import Kind
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.anchors import AnchorFile, complaint, read_code
from recorder.log.copies import ANCHORS_NAME, back_up, head_of, put_back
from recorder.log.keeper import LogKeeper
from recorder.log.port import LogGoneError, NewRow
from recorder.log.sqlite import SqliteEventLog
from recorder.service.retained_status import SpokenState
from recorder.wire.control import Presence, RecorderState, decode_recorder_state
from recorder.wire.topics import RecorderTopic
from tests.eventually import PATIENCE_S

pytestmark = pytest.mark.slow

LOG = "tilecast.db"


def _row(number: int, score: int = 10) -> NewRow:
    body = {"type": "game.played", "data": {"n": number, "score": score}}
    return NewRow(table=1, game="g1", kind=Kind.RECORDED, at=1000 + number, body=body)


def _written(path: Path, count: int = 20, score: int = 10) -> None:
    with SqliteEventLog(path) as log:
        log.append([_row(number, score) for number in range(count)])


def _noted(folder: Path) -> LogKeeper:
    """A log of twenty rows whose head was noted."""
    _written(folder / LOG)
    keeper = LogKeeper(AnchorFile(folder / ANCHORS_NAME))
    with SqliteEventLog.open_reader(folder / LOG) as log:
        keeper.note(log, 5)
    return LogKeeper(keeper.anchors)


def _edited(*statements: str) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with closing(sqlite3.connect(path)) as file, file:
            file.execute("PRAGMA ignore_check_constraints = ON")
            for name in ("update", "delete"):
                file.execute(f"DROP TRIGGER event_no_{name}")
            for statement in statements:
                file.execute(statement)

    return edit


def _written_anew(path: Path) -> None:
    path.unlink()
    _written(path, score=110)


def _of_another_venue(path: Path) -> None:
    path.unlink()
    _written(path, count=30, score=99)


MISDEEDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a score": (_edited("UPDATE event SET body = replace(body, '10', '110') WHERE seq = 7"),
                "row 7 was changed"),
    "a kind": (_edited("UPDATE event SET kind = 'ruled' WHERE seq = 7"), "row 7 was changed"),
    "a row gone": (_edited("DELETE FROM event WHERE seq = 7"), "row 7 was changed"),
    "the tail cut": (_edited("DELETE FROM event WHERE seq > 12"), "the log ends at 12"),
    "all written anew": (_written_anew, "row 20 is different"),
    "another venue's": (_of_another_venue, "row 20 is different"),
    "bytes damaged": (_edited("UPDATE event SET body = CAST(x'ff00' AS TEXT) WHERE seq = 7"),
                      "row 7 was changed"),
}  # fmt: skip


@pytest.mark.parametrize(("misdeed", "named"), MISDEEDS.values(), ids=MISDEEDS)
def test_whatever_is_done_to_a_log_is_named(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    misdeed: Callable[[Path], None],
    named: str,
) -> None:
    """By the command, and at the start of a recorder, which then records nothing on top of it."""
    keeper = _noted(tmp_path)
    assert _typed("verify", tmp_path / LOG) == 0
    code = capsys.readouterr().out.split()[-1]
    misdeed(tmp_path / LOG)
    assert _typed("verify", tmp_path / LOG) == 1
    assert named in capsys.readouterr().err
    with SqliteEventLog(tmp_path / LOG) as log:
        with pytest.raises(RecorderError, match=named):
            keeper.check(log)
        if "was changed" not in named:
            (tmp_path / ANCHORS_NAME).unlink()
            assert complaint(log, [read_code(code)]) is not None
    assert _typed("verify", tmp_path / LOG, "--code", code) == 1


@pytest.mark.parametrize("row", [3, 7, 15])
def test_of_a_long_log_the_end_is_proven_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, row: int
) -> None:
    """From a noted head on before anything is recorded, and the rest behind that."""
    monkeypatch.setattr("recorder.log.keeper.PROVEN_FIRST", 9)
    monkeypatch.setattr("recorder.log.keeper._AT_ONCE", 4)
    keeper = LogKeeper(AnchorFile(tmp_path / ANCHORS_NAME))
    with SqliteEventLog(tmp_path / LOG) as log:
        for number in range(20):
            log.append([_row(number)])
            if number in {4, 9, 12, 19}:
                keeper.note(log, number)
        assert keeper.check(log) is None
        keeper.prove(log, lambda: False)
    _edited(f"UPDATE event SET at = 1 WHERE seq = {row}")(tmp_path / LOG)
    with SqliteEventLog.open_reader(tmp_path / LOG) as log:
        prove = keeper.check if row == 15 else partial(keeper.prove, is_enough=lambda: False)
        if row < 15:
            assert keeper.check(log) is None
        with pytest.raises(RecorderError, match=f"row {row} was changed"):
            prove(log)
        keeper.prove(log, lambda: True)  # told to stop: nothing more is looked at


def test_a_log_that_is_gone_is_said(tmp_path: Path) -> None:
    """An empty one begins, but not without a word."""
    keeper = _noted(tmp_path)
    (tmp_path / LOG).unlink()
    with SqliteEventLog(tmp_path / LOG) as log:
        said = keeper.check(log)
        assert (said.code, dict(said.values)["rows"]) == ("log_gone", 20)
        assert keeper.check(log) is None


@pytest.mark.parametrize(
    "words",
    ["log verify", "log migrate", "correct", "dashboard --log"],
)
def test_a_folder_is_no_log_and_the_log_in_it_is_named(
    tmp_path: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No "disk I/O error", which sends people to look for a broken disk."""
    (tmp_path / "record").mkdir()
    _written(tmp_path / "record" / LOG)
    command, *options = words.split()
    assert tilecast.main([command, *options, str(tmp_path / "record")]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path / 'record'} is a folder, not a log: name the file in it" in said
    assert str(tmp_path / "record" / LOG) in said


def test_heads_that_are_gone_are_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who cuts the log puts the noted heads away too; a log that is new has none to miss."""
    keeper = LogKeeper(AnchorFile(tmp_path / ANCHORS_NAME))
    with SqliteEventLog(tmp_path / LOG) as log:
        assert keeper.check(log) is None
    _noted(tmp_path)
    keeper.anchors.path.unlink()
    with SqliteEventLog.open_reader(tmp_path / LOG) as log:
        said = keeper.check(log)
        assert said.code == "heads_gone"
    assert _typed("verify", tmp_path / LOG) == 0
    assert "no head was noted" in capsys.readouterr().out


def test_what_is_no_head_is_passed_over(tmp_path: Path) -> None:
    """A damaged line accuses nobody; a file that cannot be read is named."""
    keeper = _noted(tmp_path)
    with keeper.anchors.path.open("a") as file:
        file.write("9" * 40 + f" {'a' * 64} 1\n7 zz 5\n-5 {'a' * 64} 1\n3 \x00 x\n0 f 0\n")
    with SqliteEventLog.open_reader(tmp_path / LOG) as log:
        assert keeper.check(log) is None
    keeper.anchors.path.unlink()
    keeper.anchors.path.mkdir()
    with (
        SqliteEventLog.open_reader(tmp_path / LOG) as log,
        pytest.raises(RecorderError, match="cannot be read"),
    ):
        keeper.check(log)


def test_evidence_that_was_changed_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the row that names it; what is not there is reported, for devices let the oldest go."""
    pictures = tmp_path / "evidence" / "cam-1"
    digests = [EvidenceFolder(pictures).keep(bytes([number]) * 9) for number in range(3)]
    with SqliteEventLog(tmp_path / LOG) as log:
        log.append([_seen(digest) for digest in digests])
    verify = ("verify", tmp_path / LOG, "--pictures", tmp_path)
    assert _typed(*verify) == 0
    assert "3 of 3 pictures" in capsys.readouterr().out
    files = [next(pictures.rglob(f"{digest}.jpg")) for digest in digests]
    files[0].unlink()
    assert _typed(*verify) == 0
    assert "1 are not there, of rows 1" in capsys.readouterr().out
    files[2].write_bytes(b"another")
    assert _typed(*verify) == 1
    assert "1 pictures were changed, of rows 3" in capsys.readouterr().err


def test_evidence_that_is_no_file_keeps_nobody_waiting(tmp_path: Path) -> None:
    """A pipe that nobody writes, a device without end, a link to a picture: named as changed."""
    pictures = tmp_path / "evidence" / "cam-1"
    digests = [EvidenceFolder(pictures).keep(bytes([number]) * 9) for number in range(3)]
    with SqliteEventLog(tmp_path / LOG) as log:
        log.append([_seen(digest) for digest in digests])
    pipe, device, link = (next(pictures.rglob(f"{digest}.jpg")) for digest in digests)
    pipe.unlink()
    os.mkfifo(pipe)
    device.unlink()
    device.symlink_to("/dev/zero")
    link.symlink_to(link.rename(tmp_path / "moved.jpg"))
    words = ("log", "verify", str(tmp_path / LOG), "--pictures", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "tilecast", *words],
        capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert "3 pictures were changed, of rows 1, 2, 3" in done.stderr
    assert done.returncode == 1


def _seen(digest: str) -> NewRow:
    body = {"type": "board.unreadable", "data": {"picture": digest}}
    return NewRow(table=1, game="g1", kind=Kind.OBSERVED, at=1, body=body)


def test_a_copy_is_made_while_the_log_is_written_and_put_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy is whole, replaces nothing, and what was in its place is kept."""
    _noted(tmp_path)
    with SqliteEventLog(tmp_path / LOG) as log:
        log.append([_row(20)])
        assert _typed("backup", tmp_path / LOG, tmp_path / "copy.db") == 0
        log.append([_row(21)])
    assert _typed("backup", tmp_path / LOG, tmp_path / "copy.db") == 1
    assert "does not replace files" in capsys.readouterr().err
    assert _typed("restore", tmp_path / "copy.db", tmp_path / LOG) == 0
    with SqliteEventLog(tmp_path / LOG) as log:
        assert (log.head(), log.verify()) == (21, None)
        assert LogKeeper(AnchorFile(tmp_path / ANCHORS_NAME)).check(log) is None
    with SqliteEventLog.open_reader(tmp_path / f"{LOG}.before-1") as log:
        assert log.head() == 22


def test_a_copy_that_is_not_whole_is_not_put_back(tmp_path: Path) -> None:
    _written(tmp_path / LOG)
    back_up(tmp_path / LOG, tmp_path / "copy.db")
    _edited("UPDATE event SET at = 1 WHERE seq = 3")(tmp_path / "copy.db")
    with pytest.raises(RecorderError, match="row 3 was changed"):
        put_back(tmp_path / "copy.db", tmp_path / LOG)
    with SqliteEventLog.open_reader(tmp_path / LOG) as log:
        assert log.verify() is None


@pytest.mark.parametrize("code", ["", "412", "412-xxxx-77c1-22b0", "0-3f9a-77c1-22b0", "-1-3f9a"])
def test_what_is_no_code_is_named(code: str) -> None:
    """A slip of the pen is no proof of anything."""
    with pytest.raises(RecorderError, match="is not a log code"):
        read_code(code)


def _typed(*words: object) -> int:
    return tilecast.main(["log", *map(str, words)])


def test_the_recorder_says_how_far_its_log_has_come(tmp_path: Path) -> None:
    """To everybody at the broker, who can hold it against the log one day."""
    heard: list[RecorderState] = []
    broker = MemoryBroker()
    with MemoryBus(broker, at_once=True) as ear, MemoryBus(broker, at_once=True) as mouth:
        ear.subscribe("#", lambda message: heard.append(decode_recorder_state(message.payload)))
        spoken = SpokenState(mouth, RecorderTopic("hall", "r1"), lambda: 5)
        spoken.say(Presence.READY)
        _written(tmp_path / LOG)
        with SqliteEventLog.open_reader(tmp_path / LOG) as log:
            head = head_of(log)
        assert head is not None
        spoken.say_head(head)
        spoken.say_head(head)
    assert [(state.head, state.head_code) for state in heard] == [(0, ""), (20, head.code)]


FOREIGN = {
    "rows dropped": "CREATE TRIGGER t BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END",
    "rows rewritten": "DROP TRIGGER event_no_update; CREATE TRIGGER t AFTER INSERT ON event BEGIN"
    " UPDATE event SET body = '{}' WHERE seq = new.seq - 3; END",
    "a view": "ALTER TABLE event RENAME TO e; CREATE VIEW event AS SELECT * FROM e",
    "a conflict passed over": "CREATE TABLE e AS SELECT * FROM event; DROP TABLE event;"
    ' CREATE TABLE event (seq INTEGER PRIMARY KEY, "table", game, kind UNIQUE ON CONFLICT IGNORE,'
    " v, at, body, refs, dev, boot, number, prev_hash, hash); INSERT INTO event SELECT * FROM e",
    "own trigger, other words": "DROP TRIGGER event_no_update; CREATE TRIGGER event_no_update"
    " BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END",
}
"""What drops or changes rows that a recorder stores, though every row that is there holds."""


REPLACED = """
INSERT OR REPLACE INTO event SELECT seq, "table", game, kind, v, at, replace(body, '10', '99'),
refs, dev, boot, number, prev_hash, hash FROM event WHERE seq = 7"""


@pytest.mark.parametrize("sql", FOREIGN.values(), ids=FOREIGN)
def test_a_file_that_somebody_has_prepared_is_no_log(tmp_path: Path, sql: str) -> None:
    """Not to record in, to verify, to copy, or to put back; its rows can be written again."""
    prepared = tmp_path / "prepared.db"
    _written(prepared)
    with closing(sqlite3.connect(prepared)) as file:
        file.executescript(sql)
    for attempt in (
        lambda: SqliteEventLog(prepared),
        lambda: SqliteEventLog.open_reader(prepared),
        lambda: back_up(prepared, tmp_path / "copy.db"),
        lambda: put_back(prepared, tmp_path / LOG),
    ):
        with pytest.raises(RecorderError, match="no Tilecast log has"):
            attempt()
    assert tilecast.main(["log", "verify", str(prepared)]) == 1
    assert not (tmp_path / LOG).exists()
    _written(tmp_path / "sound.db")
    with SqliteEventLog.open_reader(tmp_path / "sound.db") as log:
        written = [*log.read_from(1)]
    assert tilecast.main(["log", "repair", str(prepared)]) == 0
    assert tilecast.main(["log", "verify", str(prepared)]) == 0
    with SqliteEventLog.open_reader(prepared) as log:
        kept = [*log.read_from(1)]
    assert kept == written[: 1 if "ON CONFLICT" in sql else 20]


@pytest.mark.parametrize(
    "sql",
    [
        FOREIGN["rows dropped"],
        REPLACED,
        "DROP TRIGGER event_no_update; UPDATE event SET kind = 'ruled' WHERE seq = 7",
    ],
    ids=["a trigger", "a row replaced", "a row changed"],
)
def test_a_log_changed_below_a_running_recorder_stores_nothing_more(
    tmp_path: Path, sql: str
) -> None:
    """Before the next acknowledgement; what a harmless visitor does, ends nothing."""
    _written(tmp_path / LOG)
    with SqliteEventLog(tmp_path / LOG) as log:
        with closing(sqlite3.connect(tmp_path / LOG)) as visitor:
            visitor.execute("CREATE TABLE notes (text)")
            assert log.append([_row(50)])[0] is not None
            visitor.executescript(sql)
        for _ in range(2):
            with pytest.raises(LogGoneError, match="nothing is acknowledged"):
                log.append([_row(51)])
    with closing(sqlite3.connect(tmp_path / LOG)) as file:
        assert file.execute("SELECT max(seq) FROM event").fetchone() == (21,)


def test_a_copy_is_not_written_through_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    _written(tmp_path / LOG)
    (tmp_path / "copy.db").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RecorderError, match="does not replace files"):
        back_up(tmp_path / LOG, tmp_path / "copy.db")
    assert not (tmp_path / "elsewhere").exists()
