"""The commands ``gcg check`` and ``gcg show`` as an operator runs them."""

import json
from pathlib import Path

import pytest

from recorder.cli import register
from recorder.commands.command_line import CommandParser

GOLDEN = Path(__file__).parents[2] / "golden"
SOUND = GOLDEN / "phony_withdrawn_after_a_challenge_bonus.gcg"


def run(*words: str | Path) -> int:
    parser = CommandParser()
    register(parser.add_subparsers(required=True))
    args = parser.parse_args([str(word) for word in words])
    status: int = args.run(args)
    return status


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A record with a wrong running total on line 5."""
    path = tmp_path / "broken.gcg"
    text = SOUND.read_text(encoding="utf-8").replace("+23 23", "+23 24")
    path.write_text(text, encoding="utf-8")
    return path


def test_check_prints_one_json_document_in_the_order_of_the_files(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One object per file, whatever is wrong with the others; exit 1 for any error."""
    assert run("gcg", "check", "--json", SOUND, broken, SOUND) == 1
    first, second, third = json.loads(capsys.readouterr().out)
    assert (
        first
        == third
        == {
            "file": str(SOUND),
            "ok": True,
            "faults": [],
            "final": [52, 48],
            "plays": 4,
        }
    )
    assert not second["ok"]
    assert second["faults"][0]["line"] == 5
    assert second["faults"][0]["fault"] == "cumulative_differs"
    assert second["faults"][0]["severity"] == "error"


def test_check_names_file_and_line_for_a_person(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``file:line`` so that an editor can jump there."""
    assert run("gcg", "check", broken) == 1
    out = capsys.readouterr().out
    assert f"{broken}:5: error: running total 24, the scores add up to 23" in out
    assert f"{broken}: has errors, 4 plays, 52-48" in out
    assert run("gcg", "check", SOUND) == 0


def test_a_missing_file_is_named_and_the_others_are_checked_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On stderr and in the document; exit 1."""
    missing = tmp_path / "no.gcg"
    assert run("gcg", "check", "--json", missing, SOUND) == 1
    captured = capsys.readouterr()
    report, sound = json.loads(captured.out)
    assert str(missing) in captured.err
    assert (report["file"], report["ok"], sound["ok"]) == (str(missing), False, True)
    assert run("gcg", "show", missing) == 1


def test_warnings_alone_leave_the_exit_status_at_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """A doubtful record is not a wrong one."""
    assert run("gcg", "check", GOLDEN / "loss_only_in_the_running_total.gcg") == 0
    assert "warning" in capsys.readouterr().out


def test_an_event_behind_another_one_is_not_left_out_unsaid(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a line end was lost; words that old programs write there are no event."""
    path, heads = tmp_path / "a.gcg", "#player1 A A\n#player2 B B\n"
    path.write_text(f"{heads}>A: ZU 8G ZU +22 22 >B: QI H7 Q. +21 21\n", encoding="utf-8")
    assert run("gcg", "check", path) == 1
    assert ":3: error: another event is in this line" in capsys.readouterr().out
    path.write_text(f"{heads}>A: ZU 8G ZU +22 22 ZU, OX\n", encoding="utf-8")
    assert run("gcg", "check", path) == 0


def test_the_tile_set_can_be_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same squares count differently with German tiles."""
    path = tmp_path / "zu.gcg"
    path.write_text("#player1 A A\n#player2 B B\n>A: ZU 8G ZU +8 8\n", encoding="utf-8")
    run("gcg", "check", path, "--json", "--tiles", "german")
    assert json.loads(capsys.readouterr().out)[0]["faults"] == []


def test_show_prints_the_score_sheet_and_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("gcg", "show", SOUND) == 0
    out = capsys.readouterr().out
    assert " 8 . . . Q U A L M Y ." in out
    assert "Ada Example 52, Ben Example 48" in out
    assert run("gcg", "show", "--json", SOUND) == 0
    sheet = json.loads(capsys.readouterr().out)
    assert sheet["board"][7] == "...QUALMY......"
    assert [turn["total"] for turn in sheet["turns"]] == [52, 23, 28, 77, 52, 48]
