"""The recorder on a real log, with devices that speak the wire over the memory bus."""

import json
import time
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path

import pytest

from recorder.bus import MemoryBroker, MemoryBus
from recorder.comparison import event_text, recorded_events
from recorder.desk import TablePlan
from recorder.domain.observations import (
    COST_PER_NAT,
    SYMBOLS,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareCosts,
)
from recorder.eventlog import Kind, Row
from recorder.eventlog_sqlite import SqliteEventLog
from recorder.gcg import read_gcg
from recorder.session import Counters, Plan, Recorder
from recorder.wire import (
    Envelope,
    GameStarted,
    Up,
    UpChannel,
    encode_envelope,
    encode_observation,
)

VENUE = "hall"
START_MS = 25 * 60_000


class Table:
    """A table's devices in one: numbers their events and hands them to the broker."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.bus = MemoryBus(self.broker)
        self.bus.start()
        self._numbers = {"cam": 0, "clock": 0}
        self.recorder: Recorder | None = None
        self.now_ms = 1000
        self.left = {Side.LEFT: START_MS, Side.RIGHT: START_MS}

    def say(
        self, device: str, observation: Observation, *, number: int = 0, at_ms: int = 0
    ) -> None:
        """Publish an observation as the next event of a device, and wait until it is stored."""
        self._numbers[device] += 1
        type_name, data = encode_observation(observation)
        envelope = Envelope(
            dev=device,
            boot="0000abcd",
            seq=number or self._numbers[device],
            t_ms=at_ms or self.now_ms,
            type=type_name,
            data=data,
        )
        payload = encode_envelope(envelope)
        before = self._handled()
        self.bus.publish(str(Up(VENUE, device, UpChannel.EVENT)), payload)
        deadline = time.monotonic() + 5
        # The recorder stamps what arrives with this table's clock, so the clock waits for it.
        while self.recorder is not None and self._handled() == before:
            assert time.monotonic() < deadline, "the recorder did not take an event within 5 s"
            time.sleep(0.002)

    def _handled(self) -> int:
        counters = self.recorder.counters if self.recorder is not None else Counters()
        return counters.stored + counters.doubled

    def think(self, side: Side, seconds: int) -> None:
        """Let a player's time run."""
        self.now_ms += seconds * 1000
        self.left[side] -= seconds * 1000

    def press(self, side: Side, running: Side) -> None:
        """Press a half of the clock."""
        left, right = self.left[Side.LEFT], self.left[Side.RIGHT]
        self.say("clock", ClockPressed(side=side, left_ms=left, right_ms=right, running=running))

    def later(self, side: Side, running: Side) -> Callable[[], None]:
        """Press now; the call given sends it, with the time of the press."""
        left, right, at_ms = self.left[Side.LEFT], self.left[Side.RIGHT], self.now_ms
        pressed = ClockPressed(side=side, left_ms=left, right_ms=right, running=running)
        return lambda: self.say("clock", pressed, at_ms=at_ms)

    def stop_clock(self) -> None:
        """Stop the clock for good."""
        left, right = self.left[Side.LEFT], self.left[Side.RIGHT]
        act = ClockChanged(act=ClockAct.PAUSE, left_ms=left, right_ms=right, running=Side.NONE)
        self.say("clock", act)

    def show(self, rows: list[str], *, covered: float = 0.0, still_ms: int = 50) -> None:
        """Let the camera see a board, a moment later."""
        self.now_ms += 100
        corners = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
        seen = BoardSeen(
            frame=f"f{self.now_ms}",
            squares=costs(rows),
            corners=corners,
            pose_score=0.9,
            turn_margin=20.0,
            covered=covered,
            still_ms=still_ms,
        )
        self.say("cam", seen)


def costs(rows: list[str]) -> SquareCosts:
    """A clear look at a board of 15 rows."""
    sure, rest = 0.97, 0.03 / (len(SYMBOLS) - 1)
    return SquareCosts(
        bytes(
            min(255, round(-COST_PER_NAT * log(sure if symbol == cell else rest)))
            for row in rows
            for cell in row
            for symbol in SYMBOLS
        )
    )


def board(*words: str) -> list[str]:
    """A board with words placed across: "8G HAND"."""
    rows = [["."] * 15 for _ in range(15)]
    for placed in words:
        position, word = placed.split()
        row, col = int(position[:-1]) - 1, "ABCDEFGHIJKLMNO".index(position[-1])
        for offset, letter in enumerate(word):
            rows[row][col + offset] = letter
    return ["".join(row) for row in rows]


@pytest.fixture
def table() -> Iterator[Table]:
    """The devices of table 1."""
    devices = Table()
    yield devices
    devices.bus.stop()


def plan(gcg: Path) -> Plan:
    """One English game at table 1."""
    started = GameStarted(
        game="g1",
        table=1,
        players=("Ada Example", "Ben"),
        tile_set="english",
        rules="wespa4",
        starts_ms=(START_MS, START_MS),
        left_player=0,
    )
    devices = {"cam": "board-camera", "clock": "serial-clock"}
    return Plan(
        venue=VENUE,
        recorder="r1",
        tables=(TablePlan(started=started, devices=devices, gcg=gcg),),
    )


def recorded(tmp_path: Path) -> list[Row]:
    """All rows of the log file."""
    with SqliteEventLog.open_reader(tmp_path / "log.db") as reader:
        return list(reader.read_from(1))


def run(tmp_path: Path, table: Table) -> tuple[Recorder, SqliteEventLog]:
    """A recorder on the log file of a folder, started."""
    store = SqliteEventLog(tmp_path / "log.db")
    bus = MemoryBus(table.broker)
    recorder = Recorder(plan(tmp_path / "live.gcg"), bus, store, lambda: 1_000_000 + table.now_ms)
    recorder.start()
    table.recorder = recorder
    return recorder, store


def play_two_turns(table: Table) -> None:
    """HAND by the left player, CAT by the right one."""
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board())
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND"))
    table.think(Side.RIGHT, 40)
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board("8G HAND", "9F CAT"))


def game_types(rows: list[Row]) -> list[str]:
    """The types of the recorded rows."""
    return [row.body["type"] for row in rows if row.kind is Kind.RECORDED]


def test_presses_and_looks_become_scored_turns(tmp_path: Path, table: Table) -> None:
    """Two presses, two plays; the rows rest on the press and the look; the GCG reads clean."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert game_types(rows) == ["game.started", "game.played", "game.played"]
    last = [row for row in rows if row.kind is Kind.RECORDED][-1]
    assert last.body["data"] == {
        "player": 1, "position": "9F", "word": "CAT", "score": 14, "rack": "",
    }  # fmt: skip
    assert [rows[ref - 1].body["type"] for ref in last.refs] == ["clock.press", "board.seen"]
    game = read_gcg((tmp_path / "live.gcg").read_bytes())
    assert game.ok
    assert game.final == (16, 14)


def test_the_start_of_the_clock_is_no_turn(tmp_path: Path, table: Table) -> None:
    """The opponent starts the first player's clock; nobody has played yet."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board())
    recorder.stop()
    store.close()
    assert game_types(recorded(tmp_path)) == ["game.started"]


def test_a_turn_waits_for_a_look_that_no_hand_covers(tmp_path: Path, table: Table) -> None:
    """A hand over the board after the press decides nothing; the next clear look does."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HA"), covered=0.3)
    table.show(board("8G HAND"))
    recorder.stop()
    store.close()
    played = [row for row in recorded(tmp_path) if row.body["type"] == "game.played"]
    assert [row.body["data"]["word"] for row in played] == ["HAND"]


def test_the_next_player_placing_before_the_first_look_is_not_mixed_in(
    tmp_path: Path, table: Table
) -> None:
    """The look after the press shows two words; the look before it tells them apart."""
    recorder, store = run(tmp_path, table)
    table.press(Side.RIGHT, Side.LEFT)
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.think(Side.LEFT, 1)
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND", "9F CAT"))
    table.think(Side.RIGHT, 5)
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    played = [row for row in recorded(tmp_path) if row.kind is Kind.RECORDED][1:]
    assert [row.body["data"]["word"] for row in played] == ["HAND", "CAT"]
    assert [row.body["doubt"] for row in played] == [None, None]


def test_a_press_without_change_is_no_play(tmp_path: Path, table: Table) -> None:
    """An exchange or pass leaves the board as it was and says so, without guessing which."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    table.think(Side.LEFT, 20)
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    assert game_types(recorded(tmp_path))[-1] == "game.no_play"


def test_tiles_taken_back_before_the_next_press_withdraw_the_play(
    tmp_path: Path, table: Table
) -> None:
    """The look alone shows it: no button, no word from anybody."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    table.show(board("8G HAND"))
    recorder.stop()
    store.close()
    last = recorded(tmp_path)[-1]
    assert (last.body["type"], last.body["data"]) == ("game.withdrawn", {"player": 1, "score": 14})


def test_a_restart_in_mid_game_records_nothing_twice(tmp_path: Path, table: Table) -> None:
    """A second recorder on the same log goes on where the first one stopped."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    recorder.stop()
    store.close()
    before = recorded(tmp_path)
    recorder, store = run(tmp_path, table)
    table.think(Side.LEFT, 20)
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HANDY", "9F CAT"))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert rows[: len(before)] == before
    assert game_types(rows) == ["game.started", "game.played", "game.played", "game.played"]
    assert rows[-1].body["data"]["word"] == "....Y"


def test_an_event_sent_again_is_stored_once(tmp_path: Path, table: Table) -> None:
    """A device that resends what it was not acknowledged doubles nothing."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    left, right = table.left[Side.LEFT], table.left[Side.RIGHT]
    press = ClockPressed(side=Side.RIGHT, left_ms=left, right_ms=right, running=Side.LEFT)
    table.say("clock", press, number=1)
    recorder.stop()
    store.close()
    assert recorder.counters.doubled == 1
    assert game_types(recorded(tmp_path)) == ["game.started", "game.played", "game.played"]


def test_a_forged_or_broken_message_is_kept_as_refused_and_stops_nothing(
    tmp_path: Path, table: Table
) -> None:
    """A payload under another device's name, and one that is no JSON: refused, with the reason."""
    recorder, store = run(tmp_path, table)
    topic = str(Up(VENUE, "cam", UpChannel.EVENT))
    forged = {
        "v": 1,
        "dev": "clock",
        "boot": "0000abcd",
        "seq": 9,
        "t": 1,
        "type": "a.b",
        "data": {},
    }
    table.bus.publish(topic, json.dumps(forged).encode())
    table.bus.publish(topic, b"\xff\x00 not json")
    play_two_turns(table)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    refused = [row for row in rows if row.body["type"] == "recorder.refused"]
    assert recorder.counters.refused == len(refused) == 2
    assert "clock" in refused[0].body["data"]["fault"]
    assert game_types(rows) == ["game.started", "game.played", "game.played"]


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
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board("8G HAND"), still_ms=5000)
    recorder.stop()
    store.close()
    assert game_types(recorded(tmp_path))[1:] == ["game.played", "game.no_play"]


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
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board("8G HAND", "9F CAT"))
    recorder.stop()
    store.close()
    events = recorded_events(recorded(tmp_path))
    assert [event_text(event) for event in events] == ["1 8G HAND +16", "2 9F CAT +14"]
