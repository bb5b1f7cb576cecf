"""A damaged file of a log: named, repaired from the rows that hold, and never read wrongly."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

import tilecast
from recorder.domain.record import RowLost
from recorder.log.anchors import AnchorFile
from recorder.log.copies import ANCHORS_NAME, head_of
from recorder.log.port import DamagedLogError, LogGoneError
from recorder.log.repair import damage_of, repair
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.log.damage import (
    LOGS_IN_A_RUN,
    PAGE,
    content_of,
    damaged_at_random,
    judged,
    numbers_at,
    repaired_well,
    row_of_three_tables,
)

pytestmark = pytest.mark.slow

Harm = Callable[[Path], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    path = tmp_path_factory.mktemp("whole") / "tilecast.db"
    with SqliteEventLog(path) as log:
        for first in range(0, 300, 20):
            log.append([row_of_three_tables(number) for number in range(first, first + 20)])
        rows, head = list(log.read_from(1)), head_of(log)
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
        roots = dict(file.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0"))
    return SimpleNamespace(path=path, rows=rows, head=head, roots=roots)


@pytest.fixture
def log(whole: SimpleNamespace, tmp_path: Path) -> Path:
    """A copy of it to be damaged, with its head noted beside."""
    path = Path(shutil.copy(whole.path, tmp_path / "tilecast.db"))
    AnchorFile(tmp_path / ANCHORS_NAME).note(whole.head)
    return path


def _bytes(at: int, new: bytes) -> Harm:
    def harm(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(at)
            file.write(new)

    return harm


def _page_of(part: str, at: int, new: bytes) -> Callable[[dict[str, int]], Harm]:
    return lambda roots: _bytes((roots[part] - 1) * PAGE + at, new)


def _misplaced(roots: dict[str, int]) -> Harm:
    """A disk writes a page to the wrong place: the index of games is that of keys."""

    def harm(path: Path) -> None:
        held, at = path.read_bytes(), (roots["sqlite_autoindex_event_1"] - 1) * PAGE
        _bytes((roots["event_of_game"] - 1) * PAGE, held[at : at + PAGE])(path)

    return harm


def _lying(_: dict[str, int]) -> Harm:
    """Somebody makes an index without directors' orders that claims to have all."""

    def harm(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            own = 'CREATE INDEX event_of_game ON event("table", game)'
            file.execute("DROP INDEX event_of_game")
            file.execute(f"{own} WHERE kind <> 'ruled'")
            file.execute("PRAGMA writable_schema = ON")
            file.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'event_of_game'", (own,))
            ((version,),) = file.execute("PRAGMA schema_version").fetchall()
            file.execute(f"PRAGMA schema_version = {version + 1}")

    return harm


def _undecodable(_: dict[str, int]) -> Harm:
    return lambda path: path.write_bytes(path.read_bytes().replace(b"clock-1", b"cl\x97ck-1"))


def _schema_text(_: dict[str, int]) -> Harm:
    return lambda path: path.write_bytes(
        path.read_bytes().replace(b"the record is append-only", b"\x97he record is append-only")
    )


INDEXES: dict[str, Callable[[dict[str, int]], Harm]] = {
    "keys": _page_of("sqlite_autoindex_event_1", 3, b"\xff\xff"),
    "games": _page_of("event_of_game", 3, b"\xff\xff"),
    "a misplaced page": _misplaced,
    "a lying index": _lying,
    "the header": lambda _: _bytes(0, b"\x97" * 40),
    "the schema's text": _schema_text,
}
ROWS: dict[str, Callable[[dict[str, int]], Harm]] = {
    "text that is not UTF-8": _undecodable,
    "a page in the middle": lambda _: _bytes(10 * PAGE, b"\x00" * PAGE),
    "the end": lambda _: lambda path: path.write_bytes(path.read_bytes()[: -9 * PAGE]),
}


def _typed(*words: object) -> int:
    return tilecast.main(["log", *map(str, words)])


@pytest.mark.parametrize("harm", [*INDEXES.values(), *ROWS.values()], ids=[*INDEXES, *ROWS])
def test_a_damaged_file_is_named_and_never_copied(
    log: Path,
    whole: SimpleNamespace,
    capsys: pytest.CaptureFixture[str],
    harm: Callable[[dict[str, int]], Harm],
) -> None:
    """By ``log verify`` with the file and the remedy; ``log backup`` leaves no copy."""
    harm(whole.roots)(log)
    assert _typed("verify", log) == 1
    said = capsys.readouterr().err
    assert str(log) in said
    assert "Traceback" not in said
    assert _typed("backup", log, log.with_name("copy.db")) == 1
    assert str(log) in capsys.readouterr().err
    assert not log.with_name("copy.db").exists()


@pytest.mark.parametrize("harm", INDEXES.values(), ids=INDEXES)
def test_indexes_are_made_again_where_every_row_holds(
    log: Path, whole: SimpleNamespace, harm: Callable[[dict[str, int]], Harm]
) -> None:
    """The same rows with the same hashes, said in one line, and the damaged file is kept."""
    harm(whole.roots)(log)
    before = log.read_bytes()
    assert damage_of(log)
    done = repair(log, AnchorFile(log.with_name(ANCHORS_NAME)))
    assert (done.kept, done.lost, done.head) == (300, 0, whole.head)
    assert done.warning.code == "log_rewritten"
    assert done.aside.read_bytes() == before
    with SqliteEventLog(log) as again:
        assert again.unsound() == ""
        assert list(again.read_from(1)) == whole.rows
        assert [row.seq for row in again.of_game(2, "g1")] == numbers_at(whole.rows, 2)
        assert again.append([row_of_three_tables(300)])[0] is not None
    assert _typed("verify", log) == 0


@pytest.mark.parametrize("harm", ROWS.values(), ids=ROWS)
def test_what_cannot_be_read_is_lost_and_says_so(
    log: Path, whole: SimpleNamespace, harm: Callable[[dict[str, int]], Harm]
) -> None:
    """Every other row keeps its number and what it says; the lost ones name the file."""
    harm(whole.roots)(log)
    assert _typed("repair", log) == 0
    with SqliteEventLog(log) as again:
        rows = list(again.read_from(1))
        assert (again.unsound(), again.verify()) == ("", None)
        assert again.append([row_of_three_tables(301)])[0] is not None
    lost = [row for row in rows if isinstance(row.says, RowLost)]
    kept = [row for row in rows if not isinstance(row.says, RowLost)]
    assert lost
    assert len(kept) > 100
    assert [content_of(row) for row in kept] == [
        content_of(whole.rows[row.seq - 1]) for row in kept
    ]
    assert lost[0].says == RowLost(file="tilecast.db.damaged-1", rows=300, head=whole.head.hash)
    first = lost[0].seq
    assert [row.hash for row in rows[: first - 1]] == [row.hash for row in whole.rows[: first - 1]]
    assert _typed("verify", log) == 0


def test_a_file_that_never_was_a_log_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is renamed for a wrong name on a command line."""
    letter = tmp_path / "letter.db"
    letter.write_text("no log at all, but a letter of some length\n" * 200, "utf-8")
    assert _typed("repair", letter) == 1
    assert "not a Tilecast log" in capsys.readouterr().err
    assert letter.read_text("utf-8").startswith("no log")
    assert not list(tmp_path.glob("letter.db.damaged*"))


def test_a_log_of_which_nothing_is_left_goes_on_after_its_noted_head(
    log: Path, whole: SimpleNamespace
) -> None:
    """Its first row names what was there."""
    log.write_bytes(b"\x00" * len(log.read_bytes()))
    done = repair(log, AnchorFile(log.with_name(ANCHORS_NAME)))
    assert (done.kept, done.lost) == (0, 1)
    with SqliteEventLog(log) as again:
        (row,) = again.read_from(1)
        assert row.says == RowLost(file=done.aside.name, rows=300, head=whole.head.hash)


def test_a_repair_that_was_cut_off_is_finished(log: Path, whole: SimpleNamespace) -> None:
    """The machine stops when the damaged file is renamed, and the repaired one is not."""
    shutil.copy(log, log.with_name("tilecast.db.repaired"))
    log.rename(log.with_name("tilecast.db.damaged-1"))
    assert damage_of(log) == ""
    with SqliteEventLog.open_reader(log) as again:
        assert head_of(again) == whole.head


def test_a_log_damaged_below_a_recorder_stores_nothing_more(log: Path) -> None:
    """What SQLite then says is no full disk: it is said as damage, with the remedy, at once."""
    with SqliteEventLog(log) as writer:
        with closing(sqlite3.connect(log)) as file:
            ((root,),) = file.execute(
                "SELECT rootpage FROM sqlite_master WHERE name LIKE 'sqlite_auto%'"
            ).fetchall()
        _bytes((root - 1) * PAGE, b"\xff" * 100)(log)
        writer._connection.execute("PRAGMA shrink_memory")
        with pytest.raises((DamagedLogError, LogGoneError), match="damaged"):
            writer.append([row_of_three_tables(301)])


@pytest.mark.further
def test_no_damage_is_read_as_another_game(whole: SimpleNamespace, tmp_path: Path) -> None:
    """A short run of tests/bench/damaged_logs.py: what verify calls whole is what is read."""
    held, chance = whole.path.read_bytes(), random.Random(37)
    for number in range(LOGS_IN_A_RUN):
        path = tmp_path / f"{number}.db"
        path.write_bytes(damaged_at_random(held, chance))
        assert judged(path, whole.rows) in {"named", "same"}, number
        assert repaired_well(path, whole.rows) == "", number
        for made in tmp_path.glob(f"{number}.db*"):
            made.unlink()
