"""Commands that take a log take the address of a database as well; the same rows come of it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.log.places import open_log, open_log_reader
from tests.recorder.order_game import played

pytestmark = pytest.mark.slow
MakeDatabase = Callable[[], str]


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> Any:
    """The document that a command prints, or what it says is wrong."""
    assert tilecast.main([*words, "--json"]) == status
    out, err = capsys.readouterr()
    return err if status else json.loads(out)


def test_a_log_in_a_database_is_corrected(
    empty_database: MakeDatabase, capsys: pytest.CaptureFixture[str]
) -> None:
    """Listed, previewed, corrected and undone as a file is; refused while a recorder writes it."""
    address = empty_database()
    assert "no such log" in said(capsys, "correct", address, status=1)
    with open_log(address, "recorder-1 on a") as store:
        store.append(played().drafts())
        refused = said(capsys, "correct", address, "accept", "6", "1", status=1)
        assert "another process writes this log (recorder-1 on a)" in refused
    before = said(capsys, "correct", address)
    assert said(capsys, "correct", address, "--preview", "accept", "6", "1")["recorded"] is False
    assert said(capsys, "correct", address) == before
    assert said(capsys, "correct", address, "accept", "6", "1")["recorded"] is True
    assert said(capsys, "correct", address)["totals"] == [25, 14]
    assert said(capsys, "correct", address, "undo", "c1")["recorded"] is True
    assert said(capsys, "correct", address)["totals"] == before["totals"]
    with open_log_reader(address) as log:
        assert log.verify() is None


def test_an_event_is_kept_in_a_database(
    empty_database: MakeDatabase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Begun in an empty one; standings, pairings and results go by the same address."""
    address = empty_database()
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        said(capsys, "event", "order", address, "player", "A", name)
    file = tmp_path / "tilecast.db"
    assert len(said(capsys, "event", "order", address)["orders"]) == 4
    assert said(capsys, "event", "pair", address, "--method", "koth", "--publish")
    said(capsys, "log", "copy", address, str(file))
    assert said(capsys, "event", "standings", address) == said(
        capsys, "event", "standings", str(file)
    )
    assert len(said(capsys, "event", "order", address)["orders"]) == 5


@pytest.mark.parametrize(
    "words",
    [
        ("log", "backup", "ADDRESS", "copy.db"),
        ("log", "restore", "copy.db", "ADDRESS"),
        ("log", "migrate", "ADDRESS"),
    ],
)
def test_what_is_for_files_says_what_to_do_instead(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, without the password."""
    address = "postgresql://u:s3c-ret@127.0.0.1:1/hall"
    wrong = said(capsys, *(address if word == "ADDRESS" else word for word in words), status=1)
    assert "tilecast log copy" in wrong
    assert "s3c" not in wrong
