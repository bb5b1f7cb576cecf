"""A table's game as text goes through the recorder as it runs, and is read back from its log."""

import json
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import BEGAN_MS, Failure, Playthrough, play_through
from recorder.lab.scenario.text.grammar import parse_scenario

pytestmark = pytest.mark.slow

TWO_TURNS = """
rules wespa1
players Anna Ben
start
+25
lay 8F CATER
+2
say 1 score 14
press 1
expect turn 1 1 play 8F CATER 14
+24
lay J8 .OAM
+2
press 2
expect turns 2
expect totals 14 8
"""


def played(text: str, **more: Any) -> Playthrough:
    return play_through(parse_scenario(text, "a.scn"), **more)


def test_what_does_not_hold_is_named_with_its_line_and_what_stood_there():
    """Expectations fail one by one; the others are judged all the same."""
    found = played(TWO_TURNS + "expect turn 2 2 play J8 .OAM 9\nexpect told overdraw players\n")
    assert found.failed == [
        Failure(17, "turn 2 2 play J8 .OAM 9", "2 play J8 .OAM 8"),
        Failure(18, "told overdraw players", "nothing was reported"),
    ]


def test_what_no_line_says_is_unknown_to_the_recorder():
    """Without sensors of tiles nothing is observed of racks or bag; without a box nothing said."""
    store = MemoryEventLog()
    text = TWO_TURNS.replace("players", "sensors clock camera\nplayers")
    text = text.replace("start\n", "draw 1 7\ndraw 2 7\nstart\n")
    assert played(text, store=store).failed == []
    types = {str(row.body.get("type")).split(".")[0] for row in store.read_from(1)}
    assert types == {"board", "clock", "game"}


def test_who_moves_first_may_be_player_two():
    """Players keep their numbers; the record has them in the order of moving."""
    text = """
    first 2
    start
    +9
    lay 8F CATER
    +1
    press 2
    +9
    lay J8 .OAM
    +1
    press 1
    expect turn 1 2 play 8F CATER 14
    expect turn 2 1 play J8 .OAM 8
    expect totals 8 14
    """
    assert played(text).failed == []


def test_a_verdict_that_was_undone_is_none_that_another_replaces():
    """Off, undone, and then it stands with five points."""
    text = (
        TWO_TURNS
        + """
    stop
    director challenge {"turn": 2, "outcome": "off", "id": "first"}
    expect totals 14 0
    director undo {"order": "first"}
    director challenge {"turn": 2, "outcome": "stands", "bonus": 5}
    expect totals 14 13
    """
    )
    assert played(text).failed == []


def test_a_camera_is_asked_once_while_the_clocks_stand():
    """One look shows whether the stop ended a turn; what changes after it the camera shows."""
    store = MemoryEventLog()
    found = played(TWO_TURNS + "+5\nstop\n+60\ngo 1\n", store=store)
    assert found.failed == []
    looks = [row.at for row in store.read_from(1) if row.body.get("type") == "board.seen"]
    assert len([at for at in looks if at > BEGAN_MS + 55_000]) == 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "two.scn"
    path.write_text(TWO_TURNS, encoding="utf-8")
    return path


def test_the_command_prints_the_document(file: Path, capsys: pytest.CaptureFixture[str]):
    """One object for one file, by the rule set that is asked for."""
    assert tilecast.main(["scenario", str(file), "--rules", "naspa", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {
        "rules", "turns", "totals", "told", "open", "ending", "board", "bag", "failed",
    }  # fmt: skip
    assert (told["rules"], told["totals"], told["bag"]) == ("naspa", [14, 8], 78)
    assert told["turns"][1] == {
        "n": 2, "player": 2, "kind": "play", "position": "J8", "word": ".OAM", "score": 8,
        "doubtful": False, "readings": [],
    }  # fmt: skip
    assert told["board"][7] == ".....CATER....."


def test_the_command_says_which_file_and_line_is_at_fault(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A line for each file that could be played, a sum, and exit status 1."""
    bad, wrong = tmp_path / "bad.scn", tmp_path / "wrong.scn"
    bad.write_text("start\npress 3\n", encoding="utf-8")
    wrong.write_text(f"{TWO_TURNS}expect turns 5\n", encoding="utf-8")
    none = tmp_path / "none.scn"
    assert tilecast.main(["scenario", str(file), str(bad), str(wrong), str(none)]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{file}: 3 hold",
        f"{wrong}:17: expected turns 5; got 2",
        f"{wrong}: 3 hold, 1 does not",
        "1 of 4 files hold",
    ]
    assert f"{bad}:2: '3' is not a player; it can be 1, 2" in err
    assert f"{none}: cannot be read" in err
    assert tilecast.main(["scenario", str(file), str(bad), "--json"]) == 1
    documents = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in documents] == [str(file), str(bad)]
    assert ("fault" in documents[0], "fault" in documents[1]) == (False, True)


LATE = """
rules wespa1
players Anna Ben
start
+25
lay 8F CATER
+2
press 1
+20
press 2
+{late}
lay 9F BOY
+{lies}
press 1
expect turn 2 2 no_play
expect doubt 2
expect turn 3 1 play 9F BOY 23
"""


def test_a_play_that_may_have_been_laid_late_is_not_silently_the_opponents():
    """Ben presses and lays a moment later what Anna could have laid as well: the director is asked.

    Tiles that come long after his press are hers, and so are those that she presses for at once.
    """
    found = played(LATE.format(late=2, lies=20))
    assert found.failed == []
    assert found.as_json()["turns"][2]["doubtful"] is True
    for late, lies in ((30, 20), (2, 2)):
        found = played(LATE.format(late=late, lies=lies))
        assert found.failed == []
        assert found.as_json()["turns"][2]["doubtful"] is False


def test_a_third_blank_may_be_a_letter_that_lies_face_down():
    """The notice names both; a back looks like a blank."""
    lines = (Path(__file__).parent / "017_third_blank_face_down.scn").read_text(encoding="utf-8")
    told = {said.code: said.text for said in played(lines).record.told}
    assert "face-down" in told["foreign_tile"].lower()
    assert "another set" in told["foreign_tile"]


def test_a_play_taken_off_after_an_objection_is_withdrawn_whether_its_score_was_said_or_not():
    """One rule: only what the set never lets count stays the illegal play that it was."""
    text = """
    {rules}
    start
    +25
    lay 8F CATER
    +2
    press 1
    +26
    lay B2=G D4=O
    +2
    press 2
    +4
    stop
    +10
    verdict bad
    +5
    take B2 D4
    +3
    go 1
    +10
    expect turn 2 2 {kind}
    expect totals 14 0
    """
    for rules, kind in (("rules wespa1", "withdraw"), ("rules naspa", "illegal")):
        assert played(text.format(rules=rules, kind=kind)).failed == []


def test_the_recorders_own_log_says_in_words_what_a_clock_cannot_be_right_about(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """As the director's page does."""
    lost = (
        "lose clock\n+16\nlay 9F BOY\n+2\npress 2\n+10\nback clock\n+12\nlay J8 .OD\npress 1\n+3\n"
    )
    played("start\n+25\nlay 8F CATER\n+2\npress 1\n+4\n" + lost)
    doubts = [record.getMessage() for record in caplog.records if "clock-1" in record.getMessage()]
    assert any(doubt.startswith("clock-1 cannot be right: the left clock") for doubt in doubts)
    assert not any("ClockDoubted" in doubt for doubt in doubts)
