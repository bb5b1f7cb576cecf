"""What arrives late or not at all: presses, looks, and turns that must not get mixed up."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from recorder.domain.observations import ClockAct, ClockChanged, RackCounted, Side
from recorder.lab.comparison import event_text, recorded_events
from tests.recorder.session_table import Table, board, game_types, recorded, run

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "sends", [lambda *all_: all_, lambda *all_: all_[::-1]], ids=["in order", "turned round"]
)
def test_a_clock_that_was_cut_off_sends_its_presses_late_and_nothing_is_mixed_up(
    tmp_path: Path, table: Table, sends: Callable[..., tuple[Callable[[], None], ...]]
) -> None:
    """The camera has seen three boards before the two presses arrive, with their own times."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.think(Side.LEFT, 2)
    first = table.later(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 40)
    table.show(board("8G HAND", "9F CAT"))
    table.think(Side.RIGHT, 2)
    second = table.later(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 20)
    table.show(board("8G HANDY", "9F CAT"))
    for send in sends(first, second):
        send()
    recorder.stop()
    store.close()
    events = recorded_events(recorded(tmp_path))
    assert [event_text(event) for event in events] == ["1 8G HAND +16", "2 9F CAT +14"]


def change(table: Table, act: ClockAct, running: Side) -> Callable[[], None]:
    """Stop the clock or set it going now; the call given sends it, with the time of it."""
    left, right = table.left[Side.LEFT], table.left[Side.RIGHT]
    changed = ClockChanged(act=act, left_ms=left, right_ms=right, running=running)
    return partial(table.say, "clock", changed, at_ms=table.now_ms)


def test_a_word_that_followed_one_taken_off_is_no_change_while_presses_come_late(
    tmp_path: Path, table: Table
) -> None:
    """The first press comes late, and after it the second, which explains the board."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.think(Side.LEFT, 2)
    table.press(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 30)
    table.show(board("8G HAND", "9F CAT"))
    table.think(Side.RIGHT, 2)
    first = table.later(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 5)
    stop = change(table, ClockAct.PAUSE, Side.NONE)
    table.show(board("8G HAND"))
    go_on = change(table, ClockAct.RESUME, Side.LEFT)
    table.think(Side.LEFT, 20)
    table.show(board("8G HAND", "9F COT"))
    table.think(Side.LEFT, 1)
    second = table.later(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 10)
    for send in (first, stop, go_on, second):
        send()
    table.think(Side.RIGHT, 30)
    table.show(board("8G HAND", "9F COT"))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert [row.type for row in rows if row.type.startswith("table.")] == []
    plays = ["game.played"] * 2
    assert game_types(rows)[1:] == [*plays, "game.withdrawn", "game.played"]


def test_a_play_taken_back_before_the_first_look_is_still_a_play(
    tmp_path: Path, table: Table
) -> None:
    """The look before the press shows it, the look after the press shows it gone."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.think(Side.LEFT, 1)
    table.press(Side.LEFT, Side.RIGHT)
    table.stop_clock()
    table.show(board())
    recorder.stop()
    store.close()
    assert game_types(recorded(tmp_path))[1:] == ["game.played", "game.withdrawn"]


def test_one_look_at_a_board_that_lay_still_shows_two_presses(tmp_path: Path, table: Table) -> None:
    """The camera answers late: a play, an exchange after it, one look at the untouched board."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.press(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 2)
    table.turn(Side.RIGHT, board("8G HAND"), still_ms=5000)
    recorder.stop()
    store.close()
    told = game_types(recorded(tmp_path))[1:]
    assert [name for name in told if name.startswith("game.")] == ["game.played", "game.no_play"]


def test_a_press_without_a_look_of_its_own_is_read_from_the_look_before_it(
    tmp_path: Path, table: Table
) -> None:
    """Two presses, then a look at both words: the look before the first press tells them apart."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 2)
    table.turn(Side.RIGHT, board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    events = recorded_events(recorded(tmp_path))
    assert [event_text(event) for event in events] == ["1 8G HAND +16", "2 9F CAT +14"]


@pytest.mark.parametrize(
    ("lays", "doubted"),
    [(Side.RIGHT, ["tiles_of_other_rack"]), (Side.LEFT, [])],
    ids=["whoever pressed before", "whoever is on turn"],
)
def test_tiles_laid_long_after_a_press_without_any_are_doubted_by_the_racks(
    tmp_path: Path, table: Table, lays: Side, doubted: list[str]
) -> None:
    """Twenty seconds after it, on the other's time.

    Whose rack lost them is reported with the doubt.
    """
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    for side in (Side.LEFT, Side.RIGHT):
        table.say("racks", RackCounted(side=side, places="#######", confidence=1.0))
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.think(Side.RIGHT, 20)
    table.turn(Side.RIGHT, board("8G HAND"))
    table.think(Side.LEFT, 20)
    table.say("racks", RackCounted(side=lays, places="####...", confidence=1.0))
    table.show(board("8G HAND", "9F CAT"))
    table.think(Side.LEFT, 8)
    table.turn(Side.LEFT, board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    (late,) = [row for row in recorded(tmp_path) if row.body.get("data", {}).get("word") == "CAT"]
    reasons = (late.body.get("doubt") or {"reasons": []})["reasons"]
    assert [reason["code"] for reason in reasons] == doubted
