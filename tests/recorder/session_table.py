"""A table whose devices speak the wire over the memory bus, and a recorder beside it."""

import time
from collections.abc import Callable
from pathlib import Path

from recorder.declared.codec import Json
from recorder.domain.observations import (
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Side,
    SquareCosts,
)
from recorder.domain.orders import Act, Order, TableOrder
from recorder.domain.record import GameStarted
from recorder.domain.row_kind import Kind
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import Counters, RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from recorder.tilesets import load_tile_set
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.orders import encode_order
from recorder.wire.symbols import with_code
from recorder.wire.topics import Up, UpChannel
from recorder.word_lists import load_word_list
from tests.looks import whole_look

VENUE = "hall"
START_MS = 25 * 60_000
DEVICES = {
    "cam": "board-camera",
    "clock": "serial-clock",
    "racks": "rack-counter",
    "scale": "bag-scale",
}


class Table:
    """A table's devices in one: numbers their events and hands them to the broker."""

    def __init__(self) -> None:
        self.broker = MemoryBroker()
        self.bus = MemoryBus(self.broker)
        self.bus.start()
        self._numbers = dict.fromkeys(DEVICES, 0)
        self._boots: dict[str, str] = {}
        self.recorder: Recorder | None = None
        self.now_ms = 1000
        self.left = {Side.LEFT: START_MS, Side.RIGHT: START_MS}

    def say(
        self, device: str, observation: Observation, *, number: int = 0, at_ms: int = 0
    ) -> None:
        """Publish an observation as the next event of a device, and wait until it is stored."""
        type_name, data = encode_observation(observation)
        self._send(device, type_name, with_code(type_name, data), number=number, at_ms=at_ms)

    def order(
        self, act: Act, *, id_: str = "", supersedes: str = "", table: int = 1, dev: str = "console"
    ) -> str:
        """Have the director's console give an order, and wait until it is stored; its id."""
        self._numbers.setdefault(dev, 0)
        name = id_ or f"o{self._numbers[dev] + 1}"
        order = Order(id=name, who="Dora", act=act, supersedes=supersedes)
        type_name, data = encode_order(TableOrder(table=table, order=order))
        self._send(dev, type_name, data)
        return name

    def _send(
        self, device: str, type_name: str, data: Json, *, number: int = 0, at_ms: int = 0
    ) -> None:
        self._numbers[device] = self._numbers.get(device, 0) + 1
        envelope = Envelope(
            dev=device,
            boot=self._boots.get(device, "0000abcd"),
            seq=number or self._numbers[device],
            t_ms=at_ms or self.now_ms,
            type=type_name,
            data=data,
        )
        payload = encode_envelope(envelope)
        before = self._handled()
        self.bus.publish(str(Up(VENUE, device, UpChannel.EVENT)), payload)
        deadline = time.monotonic() + 60
        # The recorder stamps what arrives with this table's clock, so the clock waits for it.
        while self.recorder is not None and self._handled() == before:
            assert time.monotonic() < deadline, "the recorder did not take an event within 5 s"
            time.sleep(0.002)

    def _handled(self) -> int:
        counters = self.recorder.counters if self.recorder is not None else Counters()
        return counters.stored + counters.doubled

    def restart(self, device: str) -> None:
        """The device starts again: it numbers its events from the beginning, under another boot."""
        self._boots[device] = f"{self.now_ms:08x}"
        self._numbers[device] = 0

    def think(self, side: Side, seconds: int) -> None:
        """Let a player's time run."""
        self.now_ms += seconds * 1000
        self.left[side] -= seconds * 1000

    def press(self, side: Side, running: Side) -> None:
        left, right = self.left[Side.LEFT], self.left[Side.RIGHT]
        self.say("clock", ClockPressed(side=side, left_ms=left, right_ms=right, running=running))

    def turn(self, side: Side, rows: list[str] | SquareCosts, **seen: float) -> None:
        """The half of a side is pressed, and then a board is seen."""
        self.press(side, Side.LEFT if side is Side.RIGHT else Side.RIGHT)
        self.show(rows, **seen)

    def later(self, side: Side, running: Side) -> Callable[[], None]:
        """Press now; the call given sends it, with the time of the press."""
        left, right, at_ms = self.left[Side.LEFT], self.left[Side.RIGHT], self.now_ms
        pressed = ClockPressed(side=side, left_ms=left, right_ms=right, running=running)
        return lambda: self.say("clock", pressed, at_ms=at_ms)

    def stop_clock(self) -> None:
        left, right = self.left[Side.LEFT], self.left[Side.RIGHT]
        act = ClockChanged(act=ClockAct.PAUSE, left_ms=left, right_ms=right, running=Side.NONE)
        self.say("clock", act)

    def resume(self, side: Side) -> None:
        """Start a player's time again."""
        left, right = self.left[Side.LEFT], self.left[Side.RIGHT]
        act = ClockChanged(act=ClockAct.RESUME, left_ms=left, right_ms=right, running=side)
        self.say("clock", act)

    def show(
        self, rows: list[str] | SquareCosts, *, covered: float = 0.0, still_ms: int = 50
    ) -> None:
        """Let the camera see a board, a moment later."""
        self.now_ms += 100
        corners = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
        seen = BoardSeen(
            frame=f"f{self.now_ms}",
            squares=rows if isinstance(rows, SquareCosts) else whole_look(rows),
            corners=corners,
            pose_score=0.9,
            turn_margin=20.0,
            covered=covered,
            still_ms=still_ms,
            picture="ab" * 32,
        )
        self.say("cam", seen)


def board(*words: str) -> list[str]:
    """A board with words placed across: "8G HAND"."""
    rows = [["."] * 15 for _ in range(15)]
    for placed in words:
        position, word = placed.split()
        row, col = int(position[:-1]) - 1, "ABCDEFGHIJKLMNO".index(position[-1])
        for offset, letter in enumerate(word):
            rows[row][col + offset] = letter
    return ["".join(row) for row in rows]


def plan(
    gcg: Path, words: Path | None = None, rules: str = "wespa4", left_player: int = 0
) -> RecorderPlan:
    """One English game at table 1, with a word list or without."""
    listed = None if words is None else load_word_list(words, load_tile_set("english"))
    started = GameStarted(
        game="g1",
        table=1,
        players=("Ada Example", "Ben"),
        tile_set="english",
        rules=rules,
        starts_ms=(START_MS, START_MS),
        left_player=left_player,
    )
    return RecorderPlan(
        venue=VENUE,
        recorder="r1",
        tables=(TablePlan(started=started, devices=DEVICES, gcg=gcg, words=listed),),
    )


def recorded(tmp_path: Path) -> list[Row]:
    with SqliteEventLog.open_reader(tmp_path / "log.db") as reader:
        return list(reader.read_from(1))


def run(
    tmp_path: Path,
    table: Table,
    words: Path | None = None,
    rules: str = "wespa4",
    left_player: int = 0,
) -> tuple[Recorder, SqliteEventLog]:
    store = SqliteEventLog(tmp_path / "log.db")
    bus = MemoryBus(table.broker)
    venue = plan(tmp_path / "live.gcg", words, rules, left_player)
    recorder = Recorder(venue, bus, store, lambda: 1_000_000 + table.now_ms)
    recorder.start()
    table.recorder = recorder
    return recorder, store


def play_two_turns(table: Table) -> None:
    table.turn(Side.RIGHT, board())
    table.think(Side.LEFT, 30)
    table.show(board("8G HAND"))
    table.turn(Side.LEFT, board("8G HAND"))
    table.think(Side.RIGHT, 40)
    table.turn(Side.RIGHT, board("8G HAND", "9F CAT"))


def game_types(rows: list[Row]) -> list[str]:
    return [row.body["type"] for row in rows if row.kind is Kind.RECORDED]
