"""What the recorder notices beside the turns: rows of their own, alerts for the director only."""

import json
from pathlib import Path
from typing import Any

import pytest

from recorder.bus.port import Message
from recorder.domain.instruments import BagLifted, BagReturned, BagWeighed, CountEstimate
from recorder.domain.observations import Acted, Announced, RackCounted, Say, Side, TurnAct
from recorder.domain.record import NoticeGiven
from recorder.lab.memory_bus import MemoryBus
from recorder.texts.telling import notice_text
from tests.folded import broadcast_frame
from tests.recorder.session_table import Table, board, play_two_turns, recorded, run

pytestmark = pytest.mark.slow


def notices(tmp_path: Path) -> list[dict[str, Any]]:
    """The notices in the log."""
    rows = [row for row in recorded(tmp_path) if row.body.get("type") == "table.notice"]
    return [dict(row.body["data"]) for row in rows]


def rack(table: Table, side: Side, count: int) -> None:
    """A rack counter says how many tiles stand on it."""
    table.say("racks", RackCounted(side=side, places="#" * count, confidence=0.99))


def weigh(table: Table, tiles: int) -> None:
    """The bag lies on its scale again."""
    estimate = CountEstimate(tiles, 0.97, ((tiles + 1, 0.02), (tiles - 1, 0.01)))
    table.say("scale", BagReturned(away_ms=4000))
    table.say("scale", BagWeighed(grams=1.5 * tiles, spread_g=0.1, settled=True, tiles=estimate))


def draw(table: Table, side: Side, *, held: int, bag: int, kept: int) -> None:
    """Lift the bag, draw, put it back: ``held`` before, ``kept`` after, ``bag`` left."""
    rack(table, side, held)
    table.now_ms += 2000
    table.say("scale", BagLifted(grams=None))
    table.now_ms += 3000
    rack(table, side, kept)
    table.now_ms += 500
    weigh(table, bag)


def settle(table: Table) -> None:
    """A few seconds in which nothing happens, and something that wakes the recorder."""
    table.now_ms += 4000
    table.show(board("8G HAND"))


def first_turn(table: Table, *, kept: int, bag: int) -> None:
    """HAND by the left player, and the draw after it."""
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board())
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND"))
    draw(table, Side.LEFT, held=3, bag=bag, kept=kept)


def until_noticed(table: Table, tmp_path: Path, count: int = 1) -> list[dict[str, Any]]:
    """Let the recorder conclude."""
    for _ in range(200):
        found = notices(tmp_path)
        if len(found) >= count:
            return found
        settle(table)
    pytest.fail(f"{notices(tmp_path)} is all that was noticed")


def test_an_overdraw_that_two_sources_see_alerts_the_director(tmp_path: Path, table: Table) -> None:
    """Eight on the rack, one too few in the bag: a notice with its evidence, on no public page."""
    told: list[str] = []
    listener = MemoryBus(table.broker)

    def hear(message: Message) -> None:
        told.append(json.loads(message.payload).get("data", {}).get("code", ""))
        message.ack()

    listener.subscribe("tc/v1/hall/int/table/+/alert", hear)
    listener.start()
    recorder, store = run(tmp_path, table)
    first_turn(table, kept=8, bag=81)
    (found,) = until_noticed(table, tmp_path)
    recorder.stop()
    listener.stop()
    store.close()
    assert (found["code"], found["player"]) == ("overdraw", 0)
    assert (found["numbers"]["tiles"], found["numbers"]["level"]) == (1, "alert")
    sources = {one["values"]["source"] for one in found["evidence"]}
    assert {"rack_counter_1", "bag_scale"} <= sources
    assert "overdraw" in told
    assert "overdraw" not in json.dumps(broadcast_frame(recorded(tmp_path)))


def test_a_score_announced_wrongly_is_noticed_and_goes_when_it_is_put_right(
    tmp_path: Path, table: Table
) -> None:
    """The routing of the rule set goes with it; a second announcement takes it back."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    table.say("clock", Acted(side=Side.RIGHT, act=TurnAct.SCORE, count=99))
    found = until_noticed(table, tmp_path)
    assert (found[0]["code"], found[0]["player"]) == ("score_announced", 1)
    assert found[0]["numbers"]["announced"] == 99
    plays = [row for row in recorded(tmp_path) if row.body.get("type") == "game.played"]
    score = plays[-1].body["data"]["score"]
    table.say("clock", Acted(side=Side.RIGHT, act=TurnAct.SCORE, count=score))
    settle(table)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    over = [row.body["data"]["row"] for row in rows if row.body.get("type") == "table.notice_over"]
    told = [row for row in rows if row.body.get("type") == "table.notice"]
    wrong = [row.seq for row in told if row.body["data"]["code"] == "score_announced"]
    assert wrong
    assert over == wrong


@pytest.mark.parametrize("is_paid", [True, False], ids=["bonus announced", "nothing said"])
def test_the_points_for_a_lost_challenge_settle_it(
    tmp_path: Path, table: Table, *, is_paid: bool
) -> None:
    """Who is awarded the bonus may draw; before anything is said nobody may (CHAL-12)."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board())
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND"))
    rack(table, Side.LEFT, 3)
    table.say("clock", Acted(side=Side.RIGHT, act=TurnAct.CHALLENGE))
    table.now_ms += 4000
    if is_paid:
        table.say("clock", Announced(side=Side.LEFT, say=Say.BONUS, count=5))
    draw(table, Side.LEFT, held=3, bag=82, kept=7)
    table.say("clock", Acted(side=Side.LEFT, act=TurnAct.SCORE, count=99))
    codes = [found["code"] for found in until_noticed(table, tmp_path, 1 if is_paid else 2)]
    recorder.stop()
    store.close()
    assert "score_announced" in codes
    assert ("drawn_while_waiting" in codes) is not is_paid


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
