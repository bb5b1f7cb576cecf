"""`tilecast record` as a process, on a log that somebody changed, cut or swapped meanwhile."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import tilecast
from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.wire.control import Ack, decode_ack
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.broker.test_recorder_at_work import press, running, venue_file
from tests.cases import first_of
from tests.eventually import PATIENCE_S, eventually

pytestmark = pytest.mark.broker
LOG = "tilecast.db"


def record(folder: Path, broker: BrokerHandle, presses: range) -> str:
    """Let a recorder run until those presses are acknowledged; what it said."""
    acks: list[Ack] = []
    file, said = venue_file(folder, broker.url), folder / "said"
    with MqttBus(broker.url, "clock-1") as bus, running("record", str(file), said=said) as on:
        bus.subscribe(
            str(Down("main", "clock-1", DownChannel.ACK)),
            lambda message: acks.append(decode_ack(message.payload)),
        )
        eventually(lambda: "broker connected" in said.read_text("utf-8"), "it records")
        for number in presses:
            bus.publish(str(Up("main", "clock-1", UpChannel.EVENT)), press(number))
        eventually(lambda: any(ack.upto == presses[-1] for ack in acks), "all are stored")
    assert on.returncode == 0
    return said.read_text("utf-8")


@dataclass(frozen=True)
class Honest:
    """The folder of a recorder that has ended, and of another with a longer log."""

    broker: BrokerHandle
    folder: Path
    other: Path


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Honest]:
    if find_mosquitto() is None:
        pytest.skip("needs mosquitto")
    folder, other = tmp_path_factory.mktemp("honest"), tmp_path_factory.mktemp("other")
    with start_broker("mosquitto", workdir=tmp_path_factory.mktemp("broker")) as broker:
        record(folder, broker, range(1, 9))
        record(other, broker, range(1, 15))
        assert tilecast.main(["log", "backup", str(folder / LOG), str(folder / "copy.db")]) == 0
        yield Honest(broker, folder, other)


def stored(path: Path) -> list[tuple[object, ...]]:
    """Every row of a log, as it lies in its file."""
    with closing(sqlite3.connect(path)) as file:
        return file.execute("SELECT * FROM event ORDER BY seq").fetchall()


def edited(statement: str) -> Callable[[Path, Honest], None]:
    """Somebody opens the file with a program for such files, and leaves no trace in its form."""

    def edit(path: Path, _: Honest) -> None:
        with closing(sqlite3.connect(path)) as file, file:
            triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
            found = file.execute(triggers).fetchall()
            for name, _sql in found:
                file.execute(f"DROP TRIGGER {name}")
            assert file.execute(statement).rowcount > 0
            for _name, sql in found:
                file.execute(sql)

    return edit


def swapped(path: Path, honest: Honest) -> None:
    """Another whole log, which has more rows, is laid in its place."""
    for beside in ("-wal", "-shm"):
        path.with_name(f"{LOG}{beside}").unlink(missing_ok=True)
    assert tilecast.main(["log", "backup", str(honest.other / LOG), str(path) + ".new"]) == 0
    Path(f"{path}.new").replace(path)


MISDEEDS: dict[str, tuple[Callable[[Path, Honest], None], str]] = {
    "a row changed": (
        edited("UPDATE event SET body = replace(body, '1499997', '1599997') WHERE number = 3"),
        "was changed, or one before it is missing",
    ),
    "its tail cut": (
        edited("DELETE FROM event WHERE seq > (SELECT max(seq) - 3 FROM event)"),
        "was there once (",
    ),
    "another in its place": (swapped, "is different: "),
}


@pytest.mark.parametrize(("misdeed", "named"), first_of(1, MISDEEDS.values()), ids=MISDEEDS)
def test_a_recorder_refuses_a_log_that_is_not_as_it_was_written(
    honest: Honest, tmp_path: Path, misdeed: Callable[[Path, Honest], None], named: str
) -> None:
    """Status 1, what is wrong and what helps; nothing is added. The copy put back, it goes on."""
    folder = tmp_path / "record"
    shutil.copytree(honest.folder, folder)
    log = folder / LOG
    as_recorded = stored(log)
    misdeed(log, honest)
    before, said = stored(log), folder / "said"
    assert before != as_recorded
    with running("record", str(venue_file(folder, honest.broker.url)), said=said) as on:
        assert on.wait(PATIENCE_S) == 1
    text = said.read_text("utf-8")
    assert "the log is not as it was written: " in text
    assert named in text
    assert "Nothing is recorded on top of that" in text
    assert "tilecast log verify" in text
    assert "put a copy back (tilecast log restore)" in text
    assert "Traceback" not in text
    assert stored(log) == before
    assert tilecast.main(["log", "restore", str(folder / "copy.db"), str(log)]) == 0
    assert "WARNING: the log" not in record(folder, honest.broker, range(9, 11))
    assert stored(log)[: len(as_recorded)] == as_recorded


def test_a_recorder_says_of_a_cut_log_that_its_heads_are_gone(
    honest: Honest, tmp_path: Path
) -> None:
    """Who cuts it puts the noted heads away too: it records, and says in red what it cannot know.

    The code that was noted elsewhere shows the cut.
    """
    folder = tmp_path / "record"
    shutil.copytree(honest.folder, folder)
    anchors = folder / "tilecast.anchors"
    seq, digits, _ = anchors.read_text("ascii").splitlines()[-1].split()
    code = f"{seq}-{digits[:4]}-{digits[4:8]}-{digits[8:12]}"
    anchors.unlink()
    MISDEEDS["its tail cut"][0](folder / LOG, honest)
    text = record(folder, honest.broker, range(1, 10))
    assert "\033[31mWARNING: the log has" in text
    assert "rows may have been cut off without a trace" in text
    assert "tilecast log verify --code" in text
    assert tilecast.main(["log", "verify", str(folder / LOG), "--code", code]) == 1


def _harm_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode = DELETE")
        ((root,),) = file.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_event_1'"
        ).fetchall()
    held = bytearray(path.read_bytes())
    held[(root - 1) * 4096 + 3 : (root - 1) * 4096 + 5] = b"\xff\xff"
    path.write_bytes(held)


@pytest.mark.further
def test_a_recorder_goes_on_with_a_log_whose_file_is_damaged(
    honest: Honest, tmp_path: Path
) -> None:
    """It writes the log again, says so once in red, and stores what comes; the damage is kept."""
    folder = tmp_path / "record"
    shutil.copytree(honest.folder, folder)
    log = folder / LOG
    as_recorded = stored(log)
    _harm_index(log)
    assert tilecast.main(["log", "verify", str(log)]) == 1
    text = record(folder, honest.broker, range(9, 11))
    assert f"all {len(as_recorded)} rows are as they were written" in text
    assert stored(log)[: len(as_recorded)] == as_recorded
    assert (folder / f"{LOG}.damaged-1").exists()
    assert tilecast.main(["log", "verify", str(log)]) == 0
    assert "was damaged" not in record(folder, honest.broker, range(11, 13))
