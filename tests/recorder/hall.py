"""A hall of sixty-four tables in one process: their devices on the memory bus, and the recorder."""

import time
from dataclasses import replace
from pathlib import Path

from recorder.domain.observations import ClockPressed, Observation, Side
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import EventLog
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.topics import Up, UpChannel
from tests.dashboard.table_writer import look
from tests.recorder.session_table import START_MS, VENUE, plan

TABLES = range(1, 65)


class Hall:
    """Sixty-four tables with a camera and a clock each, and the recorder of them all."""

    def __init__(self, folder: Path, log: EventLog | None = None) -> None:
        broker = MemoryBroker()
        self.devices = MemoryBus(broker)
        self.devices.start()
        self.now_ms = 1_000_000
        self._sent: dict[str, int] = {}
        one = plan(folder / "live.gcg", rules="wespa1").tables[0].started
        tables = tuple(
            TablePlan(
                started=replace(one, table=number, game=f"g{number}"),
                devices={f"cam-{number}": "board-camera", f"clock-{number}": "serial-clock"},
            )
            for number in TABLES
        )
        self.log = log or MemoryEventLog()
        self.recorder = Recorder(
            RecorderPlan(venue=VENUE, recorder="r1", tables=tables),
            MemoryBus(broker),
            self.log,
            lambda: self.now_ms,
        )

    def say(self, device: str, observation: Observation) -> None:
        counters, deadline = self.recorder.counters, time.monotonic() + 60
        stored = counters.stored
        self.send(device, observation)
        while counters.stored == stored:
            assert time.monotonic() < deadline, "the recorder did not take an event within 5 s"
            self.recorder.catch_up()

    def send(self, device: str, observation: Observation) -> None:
        """Let a device say something; the recorder takes it in when it is told to."""
        self._sent[device] = number = self._sent.get(device, 0) + 1
        type_name, data = encode_observation(observation)
        event = Envelope(
            dev=device, boot="0000abcd", seq=number, t_ms=self.now_ms, type=type_name, data=data
        )
        self.devices.publish(str(Up(VENUE, device, UpChannel.EVENT)), encode_envelope(event))

    def press(self, table: int, side: Side, running: Side, *, left_ms: int = START_MS) -> None:
        pressed = ClockPressed(side=side, left_ms=left_ms, right_ms=START_MS, running=running)
        self.say(f"clock-{table}", pressed)

    def show(self, table: int, rows: list[str]) -> None:
        """Let a table's camera see a board."""
        self.say(f"cam-{table}", look(rows))

    def settle(self) -> None:
        """Let the recorder look again at what it has stored itself, until it is at rest."""
        for _ in range(3):
            self.recorder.catch_up()
