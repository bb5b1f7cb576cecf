"""What the recorder notices beside the turns: rows of their own, alerts for the director only."""

import json
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.observations import Acted, Side, TurnAct
from recorder.domain.record import NoticeGiven
from recorder.texts.telling import notice_text
from tests.folded import broadcast_frame
from tests.recorder.session_table import Table, board, play_two_turns, recorded, run

pytestmark = pytest.mark.slow


def notices(tmp_path: Path) -> list[dict[str, Any]]:
    rows = [row for row in recorded(tmp_path) if row.body.get("type") == "table.notice"]
    return [dict(row.body["data"]) for row in rows]


def settle(table: Table) -> None:
    """A few seconds in which nothing happens, and something that wakes the recorder."""
    table.now_ms += 4000
    table.show(board("8G HAND"))


@pytest.mark.parametrize(("words", "verdict"), [("HAND\nCAT\nHA\nAT\n", "good"), ("HAND\n", "bad")])
def test_a_challenged_play_gets_one_verdict_of_the_list(
    tmp_path: Path, table: Table, words: str, verdict: str
) -> None:
    """An opinion among the facts of the turn, for the director; on no public page."""
    (tmp_path / "list.txt").write_text(words)
    recorder, store = run(tmp_path, table, words=tmp_path / "list.txt")
    play_two_turns(table)
    table.say("clock", Acted(side=Side.LEFT, act=TurnAct.CHALLENGE))
    for _ in range(200):
        facts = [row.body["facts"] for row in recorded(tmp_path) if row.body.get("facts")]
        if facts:
            break
        settle(table)
    recorder.stop()
    store.close()
    assert facts[-1]["verdict"] == verdict
    assert "verdict" not in json.dumps(broadcast_frame(recorded(tmp_path)))


def test_a_cleared_board_asks_once_whether_a_new_game_is_to_begin(tmp_path: Path) -> None:
    """Half a minute after the tiles are gone; for the director alone, not with each look again."""
    table = Table()
    recorder, log = run(tmp_path, table)
    try:
        play_two_turns(table)
        table.show(board())
        table.now_ms += 20_000
        table.show(board())
        assert "board_cleared" not in [found["code"] for found in notices(tmp_path)]
        for _ in range(4):
            table.now_ms += 10_000
            table.show(board())
        cleared = [found for found in notices(tmp_path) if found["code"] == "board_cleared"]
        assert [found["director"] for found in cleared] == ["show"]
        assert not cleared[0]["players"]
        assert "If this is a new game" in said_of(tmp_path, "board_cleared")
    finally:
        recorder.stop()
        log.close()


def said_of(tmp_path: Path, code: str) -> str:
    """What a person reads of a notice."""
    for row in recorded(tmp_path):
        if isinstance(row.says, NoticeGiven) and row.says.notice.code == code:
            return notice_text(row.says.notice)
    return ""
