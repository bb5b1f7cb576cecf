"""``tilecast correct`` on real log files: listing, previewing, correcting, undoing."""

import json
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.gcg import read_gcg
from recorder.log.opening import only_writer
from recorder.log.sqlite import SqliteEventLog
from tests.recorder.order_game import played

pytestmark = pytest.mark.slow


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log with a short game: HAND, CAT, two turns without a play, a Y at the end of HAND."""
    path = tmp_path / "tilecast.db"
    with SqliteEventLog(path) as store:
        store.append(played().drafts())
    return path


def listed(log: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert tilecast.main(["correct", str(log), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def texts(document: dict[str, Any]) -> list[str]:
    return [f"{entry['name']} {entry['text']}" for entry in document["entries"]]


def test_without_an_order_the_entries_are_listed(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers to order with, doubts with candidates, totals."""
    document = listed(log, capsys)
    assert document["players"] == ["Ada", "Ben"]
    assert document["totals"] == [28, 14]
    assert texts(document)[:2] == ["6 8G HAND +16", "9 9F CAT +14"]
    candidates = document["entries"][0]["doubt"]["candidates"]
    assert [one["text"] for one in candidates] == ["8G HAND +16", "8G HANO +14"]
    assert tilecast.main(["correct", str(log)]) == 0
    assert "candidate 1: 8G HANO +14" in capsys.readouterr().out


def test_an_order_is_previewed_recorded_and_undone(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The preview records nothing and is what then happens; undone, the list is as before."""
    before = listed(log, capsys)
    gcg = tmp_path / "corrected.gcg"
    assert tilecast.main(["correct", str(log), "--preview", "accept", "6", "1", "--json"]) == 0
    preview = json.loads(capsys.readouterr().out)
    assert not preview["recorded"]
    assert listed(log, capsys) == before
    order = ["accept", "6", "1", "--who", "Dora", "--gcg", str(gcg), "--json"]
    assert tilecast.main(["correct", str(log), *order]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["recorded"], done["order"]) == (True, "c1")
    assert done["totals"] == preview["totals"] == {"before": [28, 14], "after": [25, 14]}
    after = listed(log, capsys)
    assert after["totals"] == [25, 14]
    assert after["entries"][0]["text"] == "8G HANO +14"
    assert [one["who"] for one in after["orders"]] == ["Dora"]
    assert read_gcg(gcg.read_bytes()).final == (25, 14)
    assert tilecast.main(["correct", str(log), "undo", "c1"]) == 0
    capsys.readouterr()
    undone = listed(log, capsys)
    assert [e["text"] for e in undone["entries"]] == [e["text"] for e in before["entries"]]
    assert [one["in_force"] for one in undone["orders"]] == [False, True]


REFUSED = [
    (["score", "999", "10"], "Entry 999 not found"),
    (["score", "6", "ten"], "write: score ENTRY POINTS"),
    (["dance"], "unknown order 'dance'"),
    (["letters", "6", "1A=B"], "placed no tile on 1A"),
    (["play", "9", "8G", "QUIZ"], "8G has H, not Q"),
    (["insert", "6", "3", "pass"], "'3' is not a player"),
    (["undo", "c9"], "There is no such order in this game"),
]


@pytest.mark.parametrize(("words", "named"), REFUSED, ids=[" ".join(w) for w, _ in REFUSED])
def test_what_cannot_be_carried_out_is_refused_by_name(
    log: Path, capsys: pytest.CaptureFixture[str], words: list[str], named: str
) -> None:
    """Status 1, a reason on standard error, and nothing in the log."""
    with SqliteEventLog.open_reader(log) as reader:
        head = reader.head()
    assert tilecast.main(["correct", str(log), *words]) == 1
    assert named in capsys.readouterr().err
    with SqliteEventLog.open_reader(log) as reader:
        assert reader.head() == head


def test_a_log_that_is_being_recorded_is_left_alone(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An order beside a running recorder would make two writers; listing is no harm."""
    with only_writer(log):
        assert tilecast.main(["correct", str(log), "score", "6", "10"]) == 1
        assert "another process writes it" in capsys.readouterr().err
        assert tilecast.main(["correct", str(log)]) == 0


def test_a_game_that_was_never_stopped_is_ended_days_later(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock counts as it reported last, not as if it had run until now."""
    assert tilecast.main(["correct", str(log), "clock", "1", "over", "0:30"]) == 0
    assert tilecast.main(["correct", str(log), "end", "--json"]) == 0
    capsys.readouterr()
    assert [entry["text"] for entry in listed(log, capsys)["entries"]][-1] == "overtime -10"
