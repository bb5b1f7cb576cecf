"""Slots: set once, pointed at a table by hand or by a rule."""

from pathlib import Path
from typing import Any

import pytest

from dashboard.overlays.slots import CLOSER_BY, MOMENT_MS, STAYS_MS, Slot, Slots, slot_of
from recorder.domain.errors import NotationError


def frame(scores: tuple[int, int], names: tuple[str, str] = ("A", "B"), **rest: Any) -> Any:
    """As much of a public frame as a rule looks at."""
    players = [{"name": name, "score": score} for name, score in zip(names, scores, strict=True)]
    return {"phase": "playing", "seq": 1, "players": players, **rest}


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


def slots_of(path: Path | None = None, now: Clock | None = None) -> Slots:
    """The slots of a dashboard that shows table 3 by default."""
    return Slots(path, 3, now or Clock())


def test_featured_and_every_table_are_there_from_the_start() -> None:
    """Nothing needs to be set up; a name that nobody made is no slot."""
    slots = slots_of()
    assert (slots.table_of("featured"), slots.table_of("table-12")) == (3, 12)
    assert slots.table_of("table-0") is None
    assert slots.get("anything") is None


def test_a_slot_is_kept_over_a_restart(tmp_path: Path) -> None:
    """What the director set stands in a file, written whole or not at all."""
    path = tmp_path / "log.slots.json"
    slots_of(path).point(Slot(name="main", table=7, racks=True))
    again = slots_of(path)
    assert again.table_of("main") == 7
    assert again.get("main") == Slot(name="main", table=7, racks=True)
    assert again.remove("main")
    assert slots_of(path).get("main") is None
    assert not again.remove("featured")
    assert [file.name for file in tmp_path.iterdir()] == ["log.slots.json"]


def test_a_damaged_file_is_named_and_put_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is written over; overlays of ``featured`` and of tables stay on air."""
    path = tmp_path / "slots.json"
    path.write_text("{")
    slots = slots_of(path)
    assert slots.get("featured") is not None
    assert (tmp_path / "slots.json.damaged-1").read_text() == "{"
    assert "slots.json" in caplog.text
    slots.point(Slot(name="main", table=7))
    assert slots_of(path).get("main") == Slot(name="main", table=7)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"table": 0},
        {"table": "1"},
        {"table": True},
        {"table": 1, "follow": "A"},
        {"rule": "worst"},
        {"follow": "x" * 81},
        {"table": 1, "racks": "yes"},
        {"table": 1, "colour": "red"},
    ],
)
def test_what_is_no_slot_is_refused(told: dict[str, Any]) -> None:
    """With the slot's name in the message."""
    with pytest.raises(NotationError, match="main"):
        slot_of("main", told)


def test_a_slot_follows_its_player_to_another_table() -> None:
    """By name, whatever the capitals; a game that is on before one that is over."""
    slots = slots_of()
    slots.point(Slot(name="star", follow="  anna LINDQVIST"))
    assert slots.table_of("star") is None
    over = frame((1, 2), ("Anna Lindqvist", "B"), phase="over", seq=90)
    slots.settle({4: over, 5: frame((0, 0), ("C", "D"))})
    assert slots.table_of("star") == 4
    slots.settle({4: over, 9: frame((0, 0), ("B", "Anna Lindqvist"), phase="before", seq=95)})
    assert slots.table_of("star") == 9
    slots.settle({})
    assert slots.table_of("star") == 9


def test_the_top_table_is_the_lowest_that_plays() -> None:
    """When its game is over the slot goes on to the next one."""
    slots = slots_of()
    slots.point(Slot(name="top", rule="top"))
    slots.settle({1: frame((0, 0)), 2: frame((0, 0))})
    assert slots.table_of("top") == 1
    slots.settle({1: frame((400, 380), phase="over"), 2: frame((0, 0))})
    assert slots.table_of("top") == 2


def test_the_closest_game_is_not_left_for_a_point() -> None:
    """It stays a minute, and until another is closer by some points: no flicker on air."""
    now = Clock()
    slots = slots_of(now=now)
    slots.point(Slot(name="close", rule="closest"))
    slots.settle({1: frame((200, 180)), 2: frame((300, 100))})
    assert slots.table_of("close") == 1
    nearer = {1: frame((200, 180)), 2: frame((300, 300 - 20 + CLOSER_BY))}
    slots.settle(nearer)
    assert slots.table_of("close") == 1
    now.ms += STAYS_MS
    slots.settle({1: frame((200, 180)), 2: frame((300, 290))} | {2: frame((300, 281))})
    assert slots.table_of("close") == 1
    slots.settle(nearer)
    assert slots.table_of("close") == 2
    slots.settle({1: frame((200, 180)), 2: frame((300, 299), phase="over")})
    assert slots.table_of("close") == 1


def test_a_slot_cuts_to_a_moment_and_back() -> None:
    """A bingo, a challenge that is on, time trouble: there while it lasts, and then home again."""
    clock = Clock()
    slots = slots_of(now=clock)
    slots.point(Slot(name="show", table=1, rule="moment"))
    play = {"n": 3, "kind": "play", "word": "CAT", "squares": ["8D"] * 3, "bonus": 0}
    frames = {n: frame((10, 20), game=f"g{n}", last_play=play) for n in (1, 2, 3)}

    def shown() -> int | None:
        slots.settle(frames)
        return slots.table_of("show")

    def at(table: int, **change: Any) -> None:
        frames[table] = {**frames[table], **change}

    assert shown() == 1
    bingo = {**play, "n": 4, "word": "RELAXES", "squares": ["8D"] * 7}
    at(2, last_play=bingo)
    assert shown() == 2
    at(3, last_play=bingo)
    assert shown() == 2, "one moment is seen to its end"
    clock.ms += MOMENT_MS
    assert shown() == 1
    at(3, call={"player": 0, "kind": "challenge", "since": clock.ms, "ends": None})
    assert shown() == 3
    at(3, call=None, last_play={**bingo, "kind": "withdraw"})
    assert shown() == 3
    clock.ms += MOMENT_MS
    at(2, clock={"remaining_ms": [40_000, 900_000], "running": 0, "at": clock.ms})
    assert shown() == 2
    at(2, clock={"remaining_ms": [39_000, 900_000], "running": 1, "at": clock.ms})
    assert shown() == 1


def test_a_home_of_moments_is_one_table_or_one_player() -> None:
    assert slot_of("show", {"rule": "moment"}).rule == "moment"
    assert slot_of("show", {"rule": "moment", "follow": "Ben"}).follow == "Ben"
    with pytest.raises(NotationError, match="one of"):
        slot_of("show", {"rule": "moment", "follow": "Ben", "table": 1})
    with pytest.raises(NotationError, match="one of"):
        slot_of("show", {"rule": "top", "table": 1})
