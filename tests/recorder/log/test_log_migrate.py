"""Logs of earlier releases become logs of this one: every row as it was written."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tilecast
from recorder.domain.errors import RecorderError
from recorder.log.copies import head_of
from recorder.log.migrating import migrate_log
from recorder.log.schema import STEPS, bring_up_to_date, form_of
from recorder.log.sqlite import SqliteEventLog

LOGS = sorted((Path(__file__).parents[2] / "golden" / "logs").glob("*.db"))


def _indexed(db: Any) -> None:
    db.execute("CREATE INDEX by_game ON event (game)")


LATER = {**STEPS, "games_by_name": _indexed}
"""The steps of a release to come."""


@pytest.fixture(params=LOGS, ids=lambda log: log.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> SimpleNamespace:
    """A copy of a log of an earlier release, and its head."""
    log = Path(shutil.copy(request.param, tmp_path / "tilecast.db"))
    with SqliteEventLog.open_reader(log) as reader:
        return SimpleNamespace(log=log, head=head_of(reader))


def test_an_old_log_is_taken_over_with_its_hashes(
    old: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code of its head, on slips and elsewhere, is what it was."""
    assert tilecast.main(["log", "migrate", str(old.log)]) == 0
    said = capsys.readouterr().out
    assert old.head.code in said
    assert "), all as they were written" in said
    assert tilecast.main(["log", "verify", str(old.log), "--code", old.head.code]) == 0


def test_a_later_step_leaves_every_row_and_a_copy(old: SimpleNamespace) -> None:
    """Every step is taken once; what is written then goes on from the same head."""
    with closing(sqlite3.connect(old.log)) as file:
        missing = form_of(file, LATER).missing
    done = migrate_log(old.log, LATER)
    assert done.steps == missing
    assert missing[-1] == "games_by_name"
    assert done.head == old.head
    assert done.copy is not None
    with SqliteEventLog.open_reader(done.copy) as copy:
        assert (copy.verify(), head_of(copy)) == (None, old.head)
    again = migrate_log(old.log, LATER)
    assert (again.steps, again.copy, again.head) == ((), None, old.head)


def test_a_log_of_a_later_release_is_named_and_left_alone(
    old: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the command and by anyone who would write it; its bytes stay."""
    with closing(sqlite3.connect(old.log, isolation_level=None)) as file:
        bring_up_to_date(file, LATER)
    before = old.log.read_bytes()
    assert tilecast.main(["log", "migrate", str(old.log)]) == 1
    assert "was written by a later version of Tilecast (games_by_name)" in capsys.readouterr().err
    with pytest.raises(RecorderError, match="was written by a later version of Tilecast"):
        SqliteEventLog(old.log)
    assert old.log.read_bytes()[100:] == before[100:]  # SQLite's own counters stand before


def test_what_is_no_log_or_not_whole_is_refused(
    old: SimpleNamespace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is done to it, and the message says what to look at."""
    (tmp_path / "letter.db").write_text("no log at all, but a letter of some length", "utf-8")
    with closing(sqlite3.connect(old.log)) as file, file:
        file.execute("DROP TRIGGER event_no_update")
        file.execute("UPDATE event SET at = at + 1 WHERE seq = 7")
    for log, words in (
        (tmp_path / "letter.db", "not a Tilecast log"),
        (tmp_path / "none.db", "no such file"),
        (old.log, "row 7 was changed"),
    ):
        assert tilecast.main(["log", "migrate", str(log)]) == 1
        assert words in capsys.readouterr().err
