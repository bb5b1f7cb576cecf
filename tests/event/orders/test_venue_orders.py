"""Settings that change while the recorder runs: rules and words of a division, devices of tables.

Orders like all others: nothing is edited or restarted, and a game in play goes on as it began.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.auth.access import Role
from dashboard.live.hub import Hub
from dashboard.live.log_follower import Batch
from recorder.domain.observations import ClockPressed, ClockSynced, Side
from recorder.domain.record import Observed, OrderRefused
from recorder.domain.rules.ending.overtime import overtime_points
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.orders.event_rules import rule_set_of
from recorder.rulesets import rules_of_game
from recorder.wire.control import DeviceConfig, DeviceState, Presence, decode_control, encode
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.dashboard.table_writer import look
from tests.event.event_hall import OTHER, EventHall
from tests.eventually import eventually
from tests.recorder.session_table import START_MS, VENUE, board

pytestmark = pytest.mark.slow


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[EventHall]:
    """Four players in two rounds at two tables; the third table has no game."""
    with SqliteEventLog(tmp_path / "log.db") as log:
        hall = EventHall(tmp_path, log)
        for name in ("One", "Two", "Three", "Four"):
            hall.orders(f"player A {name}")
        yield hall
        hall.recorder.stop()


def refusals(hall: EventHall) -> list[str]:
    return [row.says.reason.code for row in hall.rows() if isinstance(row.says, OrderRefused)]


def test_rules_hold_from_the_next_game_on(hall: EventHall) -> None:
    """A game keeps the rules under which it began, over a restart too; the next has the others."""
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.show(1)
    hall.start(1)
    hall.orders("rules A psa minutes 20 challenge.default=double")
    hall.orders("rules A chess")
    hall.show(1, "8G HANDY")
    hall.press(1, Side.LEFT)
    hall.restart()
    assert hall.now_at(1).rules == "wespa1"
    hall.show(2)
    begun = hall.now_at(2)
    assert (begun.rules, begun.starts_ms) == ("psa", (1_200_000, 1_200_000))
    assert begun.overrides == {"challenge.default": "double"}
    assert refusals(hall) == ["event_no_rules"]


def test_a_clubs_own_rules_are_recorded_with_their_values(hall: EventHall) -> None:
    """From beside the recorder's settings; the file may change or go, over a restart too."""
    club = hall.folder / "collins-club.toml"
    club.write_text('extends = "wespa1"\n[settings]\novertime.points = 5\n', encoding="utf-8")
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.orders("rules A collins-club overtime.period_s=30")
    for missing in ("other.toml", "../table", "/etc/hostname"):
        hall.orders(f"rules A {missing}")
    assert refusals(hall) == ["event_no_rules"] * 3
    hall.show(1)
    club.write_text('extends = "wespa1"\n[settings]\novertime.points = 50\n', encoding="utf-8")
    hall.show(2)
    club.unlink()
    hall.restart()
    for table in (1, 2):
        begun = hall.now_at(table)
        assert begun.rules == "collins-club"
        assert begun.overrides == {"overtime.period_s": 30}
        assert overtime_points(rules_of_game(begun), 31) == 10
        assert hall.recorder._games.on(table).rules["overtime.points"] == 5
    assert rule_set_of(hall.division()).values == rules_of_game(hall.now_at(1)).values


def test_divisions_play_by_sets_of_their_own(hall: EventHall) -> None:
    """Two divisions in one event: each game begins, and is charged, by its own."""
    for name in ("Five", "Six"):
        hall.orders(f"player B {name}")
    hall.orders("rules A naspa")
    hall.orders("rules B psa overtime.points=5 overtime.period_s=30")
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.orders("round B 1 3:1-2")
    for table in (1, 2, 3):
        hall.show(table)
    assert [hall.now_at(table).rules for table in (1, 2, 3)] == ["naspa", "naspa", "psa"]
    charged = [overtime_points(hall.recorder._games.on(table).rules, 61) for table in (1, 2, 3)]
    assert charged == [20, 20, 15]


def test_a_word_list_holds_from_the_next_game_on(hall: EventHall) -> None:
    """It is read from beside the recorder's settings; what cannot be read is refused by name."""
    (hall.folder / "lists").mkdir()
    (hall.folder / "lists" / "mine.txt").write_text("HAND\nCAT\n", encoding="utf-8")
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.show(1)
    hall.orders("words A lists/mine.txt")
    for missing in ("lists/other.txt", "../table.gcg", "/etc/hostname"):
        hall.orders(f"words A {missing}")
    assert refusals(hall) == ["event_no_words"] * 3
    hall.show(2)
    assert hall.now_at(1).words == ()
    assert hall.now_at(2).words[0] == "mine"
    hall.orders("words A table")
    hall.restart()
    words = hall.recorder._games.on(2).plan.words
    assert "HAND" in words.words
    assert hall.recorder._games.on(1).plan.words is None


def test_a_device_is_given_to_another_table(hall: EventHall) -> None:
    """The clock of table 3 serves table 1 from then on, and is reported so; undone it is back.

    What it says late is of the table that it left, after a restart too: it has compared its time.
    """
    told: list[DeviceConfig | None] = []
    topic = str(Down(VENUE, "clock-3", DownChannel.CONFIG))
    hall.devices.subscribe(
        topic,
        lambda message: told.append(
            decode_control(DeviceConfig, message.payload) if message.payload else None
        ),
    )
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.show(1)
    before_ms = hall.now_ms - 500
    synced = ClockSynced(
        reference="recorder", offset_ms=0, error_ms=5, device_ms=hall.now_ms, drift_ppm=0.0
    )
    hall.say("clock-3", synced)
    hall.orders("device clock-1 none")
    hall.orders("device clock-3 1 serial-clock")
    hall.orders("device clock-3 9 serial-clock")
    assert refusals(hall) == ["event_no_table"]
    eventually(lambda: told[-1:] == [DeviceConfig(table=1, role="serial-clock")], "it is told so")
    full = {Side.LEFT: START_MS, Side.RIGHT: START_MS}
    press = ClockPressed(
        side=Side.LEFT, left_ms=full[Side.LEFT], right_ms=full[Side.RIGHT], running=Side.RIGHT
    )
    hall.say("clock-3", press)
    hall.say("clock-3", press, at_ms=before_ms)
    pressed = [
        row.table
        for row in hall.rows()
        if isinstance(row.says, Observed) and isinstance(row.says.what, ClockPressed)
    ]
    assert pressed == [1, 3]
    hall.restart()
    hall.say("clock-3", press, at_ms=before_ms)
    assert hall.rows()[-1].table == 3
    hall.say("clock-3", press)
    assert hall.rows()[-1].table == 1
    orders = {row.says.order.id for row in hall.rows() if row.type == "event.device"}  # type: ignore[union-attr]
    for order in sorted(orders):
        hall.orders(f"undo {order}")
    hall.say("cam-1", look(board()))
    hall.say("clock-3", press)
    assert hall.rows()[-1].table == 3


def test_a_moved_clock_that_never_compares_its_time_is_recorded_all_the_same(
    hall: EventHall,
) -> None:
    """Its heartbeats are waited for, by which its time were known; but not without end."""
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.show(1)
    hall.orders("device clock-1 none")
    hall.orders("device clock-3 1 serial-clock")
    kind, data = encode_observation(
        ClockPressed(side=Side.LEFT, left_ms=START_MS, right_ms=START_MS, running=Side.RIGHT)
    )
    press = Envelope(dev="clock-3", boot="0000abcd", seq=1, t_ms=5_000, type=kind, data=data)

    def pressed() -> list[int]:
        hall.devices.publish(str(Up(VENUE, "clock-3", UpChannel.EVENT)), encode_envelope(press))
        hall.say("cam-1", look(board()))  # of the same table, so it is taken in behind the press
        return [row.table for row in hall.rows() if row.key == press.key]

    assert pressed() == []
    hall.now_ms += 10_000
    assert pressed() == [1]


GAMES = {1: ("8G HAND", "10G CAT", "9K IT"), 2: ("8D ZEPHYR", "7H OYES", "12D ODE")}


def _play_both(hall: EventHall, cameras: dict[int, int]) -> None:
    """Two games at once; ``cameras``: the table that the camera of each table stands over."""
    for table in (1, 2):
        hall.start(table)
    side = Side.LEFT
    for turn in range(1, 4):
        for table, words in GAMES.items():
            hall.show(cameras[table], *words[:turn])
            hall.press(table, side)
            hall.show(cameras[table], *words[:turn])
        side = OTHER[side]


def _recorded(hall: EventHall) -> list[tuple[list[tuple[str, ...]], str]]:
    games = [hall.recorder._games.on(table) for table in (1, 2)]
    turns = [[tuple(map(repr, turn.events)) for turn in game.recorded.turns] for game in games]
    return [([*filter(None, told)], game.gcg()) for told, game in zip(turns, games, strict=True)]


def test_cameras_of_two_tables_that_were_exchanged(hall: EventHall, tmp_path: Path) -> None:
    """One order reads both games again from the other camera, and a restart reads them so.

    Given again it exchanges them back; it is not undone, for what it wrote stays in the log.
    """
    hall.orders("round A 1 1:1-2 2:3-4")
    _play_both(hall, {1: 2, 2: 1})
    wrong = _recorded(hall)
    with SqliteEventLog(tmp_path / "right.db") as log:
        right = EventHall(tmp_path, log)
        for name in ("One", "Two", "Three", "Four"):
            right.orders(f"player A {name}")
        right.orders("round A 1 1:1-2 2:3-4")
        _play_both(right, {1: 1, 2: 2})
        truth = _recorded(right)
        right.recorder.stop()
    assert wrong != truth
    hall.orders("cameras 1 3")
    hall.orders("cameras 1 1")
    assert refusals(hall) == ["event_no_looks", "event_cameras_two"]
    hall.orders("cameras 1 2")
    assert _recorded(hall) == truth
    hall.restart()
    assert _recorded(hall) == truth
    assert hall.recorder._devices.table("cam-2") == 1
    orders = {row.says.order.id for row in hall.rows() if row.type == "event.cameras"}  # type: ignore[union-attr]
    hall.orders(f"undo {orders.pop()}")
    assert refusals(hall)[2:] == ["event_cameras_again"]
    hall.orders("cameras 2 1")
    assert _recorded(hall) == wrong
    hall.say("cam-2", look(board(*GAMES[1])))
    assert hall.rows()[-1].table == 2
    assert hall.log.verify() is None


def caught_up(hall: EventHall) -> list[Row]:
    """The log, with what has come by now."""
    hall.recorder.catch_up()
    return hall.rows()


def devices_shown(hall: EventHall) -> list[set[str]]:
    hub = Hub(0, lambda: hall.now_ms)
    hub.take(Batch(rows=tuple(hall.rows()), anew=False, caught_up=True))
    models = [hub.channel(table, Role.DIRECTOR).model or {} for table in (1, 3)]
    return [set(model.get("devices", {})) for model in models]


def test_a_device_that_is_given_away_is_lost_nowhere(hall: EventHall) -> None:
    """The camera of table 3 was lost; given to table 1, it no longer stands at table 3 as lost."""
    hall.orders("round A 1 1:1-2 2:3-4")
    hall.show(3)
    for presence in (Presence.READY, Presence.LOST):
        state = encode(DeviceState(state=presence, boot="0000abcd"))
        hall.devices.publish(str(Up(VENUE, "cam-3", UpChannel.STATE)), state)
    eventually(lambda: "device.lost" in [row.type for row in caught_up(hall)])
    before_ms = hall.now_ms
    assert devices_shown(hall)[1] == {"cam-3"}
    hall.orders("device cam-3 1 board-camera")
    assert devices_shown(hall) == [set(), set()]
    hall.say("cam-3", look(board()))
    hall.say("cam-3", look(board()))
    hall.say("cam-3", look(board()), at_ms=before_ms - 500)
    assert devices_shown(hall) == [{"cam-3"}, set()]
