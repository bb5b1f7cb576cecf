"""Games begin and end by themselves: a table goes from pairing to pairing without a restart."""

import json
from pathlib import Path
from typing import Any

import pytest

import tilecast
from recorder.domain.game import Played
from recorder.domain.observations import ClockAct, ClockChanged, Side
from recorder.domain.orders import Absent, EntryName, Remove
from recorder.domain.record import Corrected, OrderRefused, Recorded
from recorder.domain.tile_text import write_tiles
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.event_record import event_register
from tests.event.event_hall import EventHall
from tests.recorder.session_table import START_MS

pytestmark = pytest.mark.slow

FOUR = ("Vera Ashdown", "Ilse Brok", "Mateo Caro", "Thandi Dube")


@pytest.fixture
def hall(tmp_path: Path) -> EventHall:
    """Two tables, four players in division A, no round yet."""
    return begun_hall(EventHall(tmp_path, MemoryEventLog(), tables=2))


def begun_hall(hall: EventHall) -> EventHall:
    for name in FOUR:
        hall.orders(f"player A {name}")
    return hall


def words(hall: EventHall, game: str) -> list[str]:
    """The words played in a game, as they were recorded first."""
    return [
        write_tiles(row.says.event.placement.word)
        for row in hall.rows()
        if row.game == game and isinstance(row.says, Recorded)
        if isinstance(row.says.event, Played)
    ]


def test_a_table_waits_until_its_pairing_is_there(hall: EventHall) -> None:
    """A bare board begins nothing; the published round does, with the names, by itself."""
    hall.show(1)
    assert hall.begun() == []
    hall.orders("round A 1 1:1-3 2:4-2")
    (game,) = hall.begun()
    assert (game.game, game.players) == ("A-round-1-table-1", (FOUR[0], FOUR[2]))
    hall.start(2)
    assert hall.now_at(2).players == (FOUR[3], FOUR[1])


def test_a_signed_result_goes_to_the_standings_and_the_table_goes_on(hall: EventHall) -> None:
    """Two rounds at one table; clearing the board is no withdrawal, and the next names come."""
    hall.orders("round A 1 1:1-3 2:4-2")
    hall.show(1)
    hall.play(1, "8G HAND", "9F CAT")
    assert hall.scores(1)[1, 3] is None
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (16, 14)
    hall.orders("result A 1 4 400 2 380")
    hall.orders("round A 2 1:4-1 2:3-2")
    assert hall.now_at(1).pairing is not None
    assert hall.now_at(1).game == "A-round-1-table-1"
    hall.show(1)
    assert (hall.now_at(1).game, hall.now_at(1).players) == (
        "A-round-2-table-1",
        (FOUR[3], FOUR[0]),
    )
    hall.play(1, "8G QUIZ")
    hall.sign(1)
    assert hall.scores(2)[1, 4] == (0, 44)
    assert words(hall, "A-round-1-table-1") == ["HAND", "CAT"]
    assert words(hall, "A-round-2-table-1") == ["QUIZ"]
    assert not [row for row in hall.rows() if row.type == "game.withdrawn"]
    assert (hall.folder / "A-round-1-table-1.gcg").exists()
    assert (hall.folder / "A-round-2-table-1.gcg").exists()


def test_a_result_that_the_record_has_otherwise_is_said_before_it_counts(hall: EventHall) -> None:
    """With the record's totals in the order of the result; the right ones are not asked about."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.play(1, "8G HAND", "9F CAT")
    own = {c.code: dict(c.values) for c in hall.changes("result A 1 3 140 1 160")}
    assert own["table_recorded"] == {"table": 1, "first": 14, "second": 16}
    assert "table_recorded" not in {c.code for c in hall.changes("result A 1 3 14 1 16")}
    assert "table_recorded" not in {c.code for c in hall.changes("result A 1 1 16 3 14")}


def test_turns_that_wait_for_a_picture_are_named_before_the_round_goes_on(hall: EventHall) -> None:
    """With a result that is entered, for no look is read after it, and with the next round."""
    hall.orders("round A 1 1:1-3 2:2-4")
    hall.show(1)
    hall.start(1)
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    (found,) = hall.changes("result A 1 1 400 3 380")
    assert (found.code, dict(found.values)) == ("turns_unread", {"table": 1, "turns": 1})
    hall.orders("result A 1 2 400 4 380")
    assert found in hall.changes("round A 2 1:1-2 2:3-4")
    hall.show(1, "8G HAND")
    assert found not in hall.changes("round A 2 1:1-2 2:3-4")


def test_whose_clock_runs_first_sits_there(hall: EventHall) -> None:
    """Who moves first is paired; their half runs first, and the turns are theirs."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    assert hall.now_at(1).left_player == 0
    hall.play(1, "8G HAND", side=Side.RIGHT)
    assert hall.now_at(1).left_player == 1
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (16, 0)


def test_whose_clock_runs_first_sits_there_though_it_was_not_reset(hall: EventHall) -> None:
    """It goes on from the game before; the director hears of it, and the turns are right."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    left = {Side.LEFT: START_MS - 94_000, Side.RIGHT: START_MS - 50_000}
    hall.play(1, "8G HAND", side=Side.RIGHT, left=left)
    assert hall.now_at(1).left_player == 1
    doubt = next(row.says.what for row in hall.rows() if row.type == "clock.doubt")
    assert (doubt.fault, doubt.left_by_ms, doubt.right_by_ms) == ("not_reset", 94_000, 50_000)
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (16, 0)


def test_a_clock_that_is_tried_before_it_is_reset_seats_nobody(hall: EventHall) -> None:
    """What runs first after the reset does."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.start(1, left={Side.LEFT: START_MS - 94_000, Side.RIGHT: START_MS})
    act = ClockAct.RESET
    reset = ClockChanged(act=act, left_ms=START_MS, right_ms=START_MS, running=Side.NONE)
    hall.say("clock-1", reset)
    hall.play(1, "8G HAND", side=Side.RIGHT)
    assert hall.now_at(1).left_player == 1
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (16, 0)


def test_the_clock_of_an_absent_player_runs_on_their_side(hall: EventHall) -> None:
    """A director starts it before the game: it does not make its owner the one who moves first."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.rules(1, Absent(player=1))
    hall.start(1, Side.LEFT)
    assert (hall.now_at(1).players, hall.now_at(1).left_player) == ((FOUR[0], FOUR[2]), 1)


def test_clocks_at_full_time_begin_the_next_game_though_nobody_has_signed(
    hall: EventHall,
) -> None:
    """The round goes on; the game before stays in reach, and its late signatures count."""
    hall.orders("round A 1 1:1-3")
    hall.orders("round A 2 1:3-1")
    hall.show(1)
    hall.play(1, "8G HAND", "9F CAT")
    hall.show(1)
    assert hall.now_at(1).game == "A-round-1-table-1"
    hall.play(1, "8G CAT")
    assert hall.now_at(1).game == "A-round-2-table-1"
    hall.sign(1, "A-round-1-table-1")
    assert (hall.scores(1)[1, 3], hall.scores(2)[1, 3]) == ((16, 14), None)
    hall.sign(1)
    assert hall.scores(2)[1, 3] == (0, 10)


def test_a_start_that_is_stopped_at_once_is_the_same_game(hall: EventHall) -> None:
    """Clocks started, stopped to be put right, and started again."""
    hall.orders("round A 1 1:1-3")
    hall.orders("round A 2 1:3-1")
    hall.show(1)
    hall.start(1)
    hall.stop(1)
    hall.start(1)
    assert {game.game for game in hall.begun()} == {"A-round-1-table-1"}


def test_a_correction_of_an_earlier_game_changes_its_result(hall: EventHall) -> None:
    """By name, after the next game has begun; the present one is not touched by it."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.play(1, "8G HAND", "9F CAT")
    hall.sign(1)
    hall.orders("round A 2 1:3-1")
    hall.show(1)
    hall.start(1)
    *_, cat = (row.seq for row in hall.rows() if isinstance(row.says, Recorded | Corrected))
    hall.rules(1, Remove(entry=EntryName(cat)), "A-round-1-table-1")
    assert not [row for row in hall.rows() if isinstance(row.says, OrderRefused)]
    assert hall.scores(1)[1, 3] == (16, 0)
    assert {row.game for row in hall.rows() if row.type == "correction"} == {"A-round-1-table-1"}


def test_players_who_sat_down_elsewhere_get_their_names(hall: EventHall) -> None:
    """Two pairs at each other's tables: one order puts names and results right in mid-game."""
    hall.orders("round A 1 1:1-3 2:4-2")
    for table in (1, 2):
        hall.show(table)
        hall.start(table)
    hall.orders("table A 1 4 1")
    assert (hall.now_at(1).players, hall.now_at(2).players) == (
        (FOUR[3], FOUR[1]),
        (FOUR[0], FOUR[2]),
    )
    assert len({game.game for game in hall.begun()}) == 2


def test_who_moves_first_can_be_drawn_at_the_table(hall: EventHall) -> None:
    """The names change places; the half that runs first is still the first player's."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.orders("first A 1 3")
    assert hall.now_at(1).players == (FOUR[2], FOUR[0])
    hall.play(1, "8G HAND", side=Side.RIGHT)
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (0, 16)


def test_a_game_is_played_again(hall: EventHall) -> None:
    """Its result goes, the table waits for the same two, and the new game counts."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.play(1, "8G HAND")
    hall.sign(1)
    hall.orders("replay A 1 3")
    assert hall.scores(1)[1, 3] is None
    hall.show(1)
    assert hall.now_at(1).game == "A-round-1-table-1-again-2"
    hall.play(1, "8G CAT", side=Side.RIGHT)
    hall.sign(1)
    assert hall.scores(1)[1, 3] == (10, 0)


def test_an_abandoned_game_frees_its_table_with_the_result_by_hand(hall: EventHall) -> None:
    """Nobody signs; the director's result holds and the next pairing begins."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.start(1)
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    hall.orders("result A 1 1 50 3 0")
    hall.orders("round A 2 1:3-1")
    hall.show(1)
    assert hall.now_at(1).game == "A-round-2-table-1"
    assert hall.scores(1)[1, 3] == (50, 0)


def test_an_adjourned_game_is_resumed_at_its_table(hall: EventHall) -> None:
    """Another game is played in between; then the first goes on where it stood."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.start(1)
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    hall.show(1, "8G HAND")
    hall.stop(1)
    hall.orders("adjourn A 1 1")
    hall.orders("round A 2 1:4-2")
    hall.show(1)
    hall.play(1, "8G CAT")
    hall.sign(1)
    hall.orders("resume A 1 1")
    hall.show(1)
    assert hall.now_at(1).players == (FOUR[0], FOUR[2])
    assert hall.now_at(1).game == "A-round-1-table-1"
    left = ClockChanged(
        act=ClockAct.RESUME, left_ms=START_MS - 20_000, right_ms=START_MS, running=Side.RIGHT
    )
    hall.show(1, "8G HAND")
    hall.say("clock-1", left)
    hall.left[1] = {Side.LEFT: START_MS - 20_000, Side.RIGHT: START_MS}
    hall.show(1, "8G HAND", "9F CAT")
    hall.press(1, Side.RIGHT)
    hall.show(1, "8G HAND", "9F CAT")
    assert words(hall, "A-round-1-table-1") == ["HAND", "CAT"]


def test_an_adjourned_game_is_finished_at_another_table(hall: EventHall) -> None:
    """Its record stays as it was, the other table waits, and the result is the players' word."""
    hall.orders("round A 1 1:1-3 2:2-4")
    hall.show(1)
    hall.start(1)
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    hall.show(1, "8G HAND")
    hall.stop(1)
    hall.show(2)
    hall.play(2, "8G CAT")
    hall.sign(2)
    for order in ("adjourn A 1 1", "round A 2 1:4-3 2:1-2", "table A 1 1 2", "resume A 1 1"):
        hall.orders(order)
    hall.show(1)
    assert hall.now_at(1).game == "A-round-2-table-1"
    hall.show(2)
    hall.show(2, "8G HAND")
    hall.start(2)
    hall.restart()
    hall.show(2, "8G HAND", "9F CAT")
    assert hall.now_at(2).game == "A-round-1-table-2"
    assert words(hall, "A-round-1-table-1") == ["HAND"]
    assert words(hall, "A-round-1-table-2") == ["CAT"]
    hall.orders("claim A 1 1 301 402")
    hall.orders("claim A 1 3 402 301")
    assert hall.scores(1) == {(1, 3): (301, 402), (2, 4): (10, 0)}
    hall.show(2)
    assert hall.now_at(2).game == "A-round-2-table-2"


def test_a_device_that_was_cut_off_says_late_what_belongs_to_the_game_before(
    hall: EventHall,
) -> None:
    """Its time shows, not its arrival: the look is not one of the next game."""
    hall.orders("round A 1 1:1-3")
    hall.show(1)
    hall.start(1)
    then = hall.now_ms
    hall.show(1, "8G HAND")
    hall.press(1, Side.LEFT)
    hall.orders("result A 1 1 50 3 0")
    hall.orders("round A 2 1:3-1")
    hall.show(1)
    hall.stop(1)
    before = len(hall.rows())
    hall.say(
        "clock-1",
        ClockChanged(act=ClockAct.FLAG, left_ms=0, right_ms=0, running=Side.NONE),
        at_ms=then,
    )
    assert {row.game for row in hall.rows()[before:] if row.key} == {"A-round-1-table-1"}


def test_a_restart_stands_where_it_stood(tmp_path: Path) -> None:
    """Between two rounds and in mid-game, nothing is begun or entered twice."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        hall = EventHall(tmp_path, log, tables=1)
        for name in FOUR[:2]:
            hall.orders(f"player A {name}")
        hall.orders("round A 1 1:1-2")
        hall.show(1)
        hall.play(1, "8G HAND")
        hall.sign(1)
        rows = len(hall.rows())
        hall.restart()
        assert len(hall.rows()) == rows
        hall.orders("round A 2 1:2-1")
        hall.show(1)
        hall.start(1)
        rows = len(hall.rows())
        hall.restart()
        assert len(hall.rows()) == rows
        hall.show(1, "8G CAT")
        hall.press(1, Side.LEFT)
        hall.show(1, "8G CAT")
        assert words(hall, "A-round-2-table-1") == ["CAT"]
        assert hall.scores(1)[1, 2] == (16, 0)


def test_tilecast_correct_reaches_every_game_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the event, without a recorder: the game reads otherwise, and so does its result."""
    path = tmp_path / "log.db"
    with SqliteEventLog(path) as log:
        hall = EventHall(tmp_path, log, tables=1)
        for name in FOUR[:2]:
            hall.orders(f"player A {name}")
        for words, round_ in ((("8G HAND", "9F CAT"), "1 1:1-2"), (("8G CAT",), "2 1:2-1")):
            hall.orders(f"round A {round_}")
            hall.show(1)
            hall.play(1, *words)
            hall.sign(1)
        hall.recorder.stop()
    game = "A-round-1-table-1"

    def correct(*words: str) -> dict[str, Any]:
        assert tilecast.main(["correct", str(path), *words, "--game", game, "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    listed = correct()
    assert (listed["game"], listed["totals"]) == (game, [16, 14])
    correct("remove", listed["entries"][-1]["name"])
    assert correct()["totals"] == [16, 0]
    with SqliteEventLog.open_reader(path) as reader:
        (division,) = event_register(reader.read_from(1)).event.divisions
    assert [found.scores for found in division.games] == [(16, 0), (0, 10)]
    assert tilecast.main(["correct", str(path), "--game", "other"]) == 1
    assert game in capsys.readouterr().err
