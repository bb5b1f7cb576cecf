"""``tilecast users`` as it is typed."""

import io
from pathlib import Path

import pytest

import tilecast
from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts


def typed(*words: str) -> int:
    """Run a command line of the sub-command."""
    return tilecast.main(["users", *words])


def test_somebody_is_added_listed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A password can come from a script; it opens what its role opens."""
    path = str(tmp_path / "log.access")
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse\n"))
    assert typed("set", path, "Ann", "--role", "scorer", "--table", "3", "--password-stdin") == 0
    assert Accounts(Path(path)).role_of("Ann", "correct horse") is Role.SCORER
    assert typed("list", path) == 0
    assert "scorer       Ann, table 3" in capsys.readouterr().out
    assert typed("remove", path, "Ann") == 0
    assert typed("remove", path, "Ann") == 1
    assert "no user is called 'Ann'" in capsys.readouterr().err


def test_a_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Listing does not make an empty one."""
    assert typed("list", str(tmp_path / "no.access")) == 1
    assert "no such file" in capsys.readouterr().err
