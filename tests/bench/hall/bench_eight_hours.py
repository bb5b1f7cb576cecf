"""Eight hours of play in minutes: eight rounds at 16 tables, and what they cost a recorder.

Every hour a round is published, the recorder's own game is played at all tables, a little apart,
and each gets its result. The time of the recorder's process is that of the play: it stands still
until all that was said by then is acknowledged, and then jumps to when a device speaks next.
So nothing waits for the hours, and no look, timer or rest is shorter than in a hall. Mosquitto, the
log in a file and the process are real; devices send no heartbeats. ``make bench ONLY=eight_hours``;
with ``TABLES=64`` at so many tables. A ValueError where an event is lost or doubled,
a game was not read as the first, or the log does not hold.
"""

import heapq
import mmap
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from recorder.bus.broker import start_broker
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Message
from recorder.domain.event.orders import EnterPlayer, EventAct, EventOrder, PublishRound, TableGame
from recorder.domain.row_kind import Kind
from recorder.lab.scenario.play import BEGAN_MS
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.wire.control import decode_ack
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.event_orders import encode_event_order
from recorder.wire.topics import Down, Up, UpChannel, parse_topic
from tests.bench.figures import Figure, Figures
from tests.bench.hall.hall_log import DIVISION, hall_plan, named, played_game, result
from tests.eventually import eventually

ROUNDS, HOUR_MS, TURN_MS = 8, 3_600_000, 51_000
EPOCH_MS = 1_900_000_000_000
BOOT, VENUE = "5ce0a710", "scenario"
_AGAIN_S = 5.0
_Said = tuple[int, int, str, str, Any]
"""When (milliseconds of play), a number that settles ties, device, type, data."""


def run() -> Figures:
    tables = int(os.environ.get("TABLES", "16"))
    _, rows = played_game()
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        url = running.enter_context(start_broker("mosquitto", workdir=Path(place) / "broker")).url
        clock = PlayClock(Path(place) / "clock")
        words = [
            sys.executable,
            "-m",
            "tests.bench.hall.bench_eight_hours",
            url,
            place,
            str(tables),
        ]
        recording = running.enter_context(subprocess.Popen(words, stdin=subprocess.PIPE))
        assert recording.stdin is not None
        hall = Speaker(running.enter_context(MqttBus(url, "hall")), clock)
        hall.says([(0, 0, "console", *said) for said in _players(tables)])
        memory: list[float] = []
        began = time.monotonic()
        for round_ in range(1, ROUNDS + 1):
            hall.says(_round(round_, tables, rows))
            memory.append(_memory_mb(recording.pid))
            minutes = (time.monotonic() - began) / 60
            print(f"hour {round_}: {memory[-1]:.0f} MB, {minutes:.1f} min", file=sys.stderr)
        recording.stdin.close()
        recording.wait(60)
        with SqliteEventLog.open_reader(Path(place) / "log.db") as log:
            recorded = list(log.read_from(1))
            if log.verify() is not None:
                raise ValueError("the chain of the log is broken")
    _refuse_faults(recorded, hall.sent, rows, tables)
    games = ROUNDS * tables
    return {
        f"memory after 8 hours against 1, {games} games": Figure(
            "MB", memory[-1], baseline=memory[0]
        ),
        f"events of eight hours at {tables} tables": Figure("", hall.sent.total()),
        "lost": Figure("", 0),
        "doubled": Figure("", 0),
        "eight hours took": Figure("min", minutes),
    }


def _refuse_faults(
    recorded: Sequence[Row], sent: Counter[str], rows: Sequence[Row], tables: int
) -> None:
    keys = Counter(row.key[0] for row in recorded if row.key is not None)
    if keys != sent:
        raise ValueError(f"sent {sent - keys} that are not recorded, recorded {keys - sent} unsent")
    games = Counter(row.type for row in recorded if row.kind is Kind.RECORDED)
    for what in ("game.started", "game.played", "game.exchanged"):
        once = sum(row.type == what for row in rows)
        if games[what] != once * ROUNDS * tables:
            raise ValueError(f"{what}: {games[what]} rows, {once} in one game of each table")


def _players(tables: int) -> list[tuple[str, Any]]:
    acts = (
        EnterPlayer(division=DIVISION, name=f"Player {number}", number=number)
        for number in range(1, 2 * tables + 1)
    )
    return [_ordered(f"p{number}", act) for number, act in enumerate(acts)]


def _ordered(name: str, act: EventAct) -> tuple[str, Any]:
    return encode_event_order(EventOrder(id=name, who="director", act=act))


def _round(round_: int, tables: int, rows: Sequence[Row]) -> list[_Said]:
    hour = (round_ - 1) * HOUR_MS + 1_000
    games = tuple(
        TableGame(table=table, first=2 * table - 1, second=2 * table)
        for table in range(1, tables + 1)
    )
    published = PublishRound(division=DIVISION, round=round_, games=games)
    begin: _Said = (hour, 0, "console", *_ordered(f"r{round_}", published))
    end = hour + HOUR_MS // 2
    ends: list[_Said] = [
        (end, game.table, "console", *_ordered(f"r{round_}t{game.table}", result(round_, game)))
        for game in games
    ]
    heard = [row for row in rows if row.key is not None]
    tables_say = (
        _table(table, heard, hour + 60_000 + TURN_MS * table // tables)
        for table in range(1, tables + 1)
    )
    return [begin, *heapq.merge(*tables_say), *ends]


def _table(table: int, heard: Sequence[Row], from_ms: int) -> Iterator[_Said]:
    for number, row in enumerate(heard):
        at_ms = from_ms + row.at - BEGAN_MS
        yield at_ms, 1000 * table + number, named(row.device, table), row.type, row.body["data"]


class PlayClock:
    """The time of play, which another process sees too."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._shared = mmap.mmap(file.fileno(), 8)

    def now_ms(self) -> int:
        """Milliseconds since 1970, as a recorder wants them."""
        return EPOCH_MS + int.from_bytes(self._shared[:8], "little")

    def set(self, ms: int) -> None:
        """So many milliseconds of play are over."""
        self._shared[:8] = ms.to_bytes(8, "little")


class Speaker:
    """All devices of the hall and its console: they say on until they are acknowledged."""

    def __init__(self, bus: MqttBus, clock: PlayClock) -> None:
        self._bus, self._clock = bus, clock
        self.sent: Counter[str] = Counter()
        self._acked: dict[str, int] = {}
        self._heard_one = threading.Condition()
        bus.subscribe(f"tc/v1/{VENUE}/down/+/ack", self._heard)
        eventually(lambda: bus.is_connected, "the broker is there")

    def _heard(self, message: Message) -> None:
        topic = parse_topic(message.topic)
        assert isinstance(topic, Down)
        with self._heard_one:
            self._acked[topic.device] = decode_ack(message.payload).upto
            self._heard_one.notify()
        message.ack()

    def says(self, said: Sequence[_Said]) -> None:
        """Say everything at its time, and go on once it is acknowledged."""
        for at_ms, together in groupby(said, itemgetter(0)):
            self._clock.set(max(at_ms, 1))
            messages = [self._message(*rest) for _, _, *rest in together]
            self._say(messages)

    def _message(self, device: str, type_name: str, data: Any) -> Envelope:
        self.sent[device] += 1
        return Envelope(
            dev=device, boot=BOOT, seq=self.sent[device], t_ms=self._clock.now_ms() - EPOCH_MS,
            type=type_name, data=data,
        )  # fmt: skip

    def _say(self, messages: Sequence[Envelope]) -> None:
        def left() -> list[Envelope]:
            return [event for event in messages if event.seq > self._acked.get(event.dev, 0)]

        with self._heard_one:
            while unheard := left():
                for event in unheard:
                    topic = str(Up(VENUE, event.dev, UpChannel.EVENT))
                    self._bus.publish(topic, encode_envelope(event))
                self._heard_one.wait_for(lambda: not left(), _AGAIN_S)


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)


def record(url: str, place: Path, tables: int) -> None:
    """Record by the time of play until standard input ends."""
    one, _ = played_game(0)
    with closing(SqliteEventLog(place / "log.db")) as log:
        bus = MqttBus(url, "recorder-1")
        clock = PlayClock(place / "clock")
        recorder = Recorder(hall_plan(one, tables), bus, log, clock.now_ms)
        recorder.start()
        sys.stdin.read()
        recorder.stop()


if __name__ == "__main__":
    record(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
