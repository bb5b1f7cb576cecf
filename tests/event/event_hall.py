"""A hall whose tables wait for pairings: devices and a console on the memory bus, one recorder."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from recorder.declared.codec import Json
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import EventOrder
from recorder.domain.event.placing import placings
from recorder.domain.notices import CodedText
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Observation, Side
from recorder.domain.orders import Act, EndGame, Order, Sign, TableOrder
from recorder.domain.record import GameStarted, OrderRefused
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.log.port import EventLog, Row
from recorder.orders.event_record import event_register
from recorder.orders.event_syntax import parse_event_order
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.wire.coded_text import CODED, encode_coded
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.event_orders import encode_event_order
from recorder.wire.observations import encode_observation
from recorder.wire.orders import OrderReply, encode_order, encode_question
from recorder.wire.topics import Down, DownChannel, Up, UpChannel
from tests.dashboard.table_writer import look
from tests.recorder.session_table import START_MS, VENUE, board, plan

OTHER = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}


class EventHall:
    """So many tables with a camera and a clock each; nobody is named in the recorder's plan."""

    def __init__(self, folder: Path, log: EventLog, tables: int = 3) -> None:
        self.folder, self.log, self.tables = folder, log, tables
        self.broker = MemoryBroker()
        self.devices = MemoryBus(self.broker)
        self.devices.start()
        self.now_ms = 1_000_000
        self.left: dict[int, dict[Side, int]] = {}
        self._sent: dict[str, Iterator[int]] = {}
        self._orders = count(1)
        self.recorder = self._started()

    def _started(self) -> Recorder:
        one = plan(self.folder / "table.gcg", rules="wespa1").tables[0]
        waiting = tuple(
            replace(
                one,
                started=replace(one.started, table=number, game=f"t{number}", players=("", "")),
                devices={f"cam-{number}": "board-camera", f"clock-{number}": "serial-clock"},
                waits=True,
            )
            for number in range(1, self.tables + 1)
        )
        made = RecorderPlan(venue=VENUE, recorder="r1", tables=waiting, lists=self.folder)
        bus = MemoryBus(self.broker)
        recorder = Recorder(made, bus, self.log, lambda: self.now_ms)
        recorder.open()
        return recorder

    def restart(self) -> None:
        """The recorder is stopped, and started again on the same log."""
        self.recorder.stop()
        self.recorder = self._started()

    def orders(self, words: str) -> None:
        """A director's order about the event, in words, whatever else it changes."""
        act = parse_event_order(words.split(), event_register(self.rows()).event)
        self.gives(EventOrder(id=f"e{next(self._orders)}", who="dir", act=act, agreed=True))

    def gives(self, order: EventOrder) -> None:
        self._send("console", *encode_event_order(order))

    def rules(self, table: int, act: Act, game: str = "") -> None:
        """A director's order about a game, or a signature; the one that is on unless named."""
        order = Order(id=f"o{next(self._orders)}", who="dir", act=act)
        self._send("console", *encode_order(TableOrder(table=table, order=order, game=game)))

    def say(self, device: str, observation: Observation, *, at_ms: int = 0) -> None:
        self._send(device, *encode_observation(observation), at_ms=at_ms)

    def changes(self, words: str) -> list[CodedText]:
        """What the recorder says, asked by the console, that an order in words changes."""
        act = parse_event_order(words.split(), event_register(self.rows()).event)
        answers: list[bytes] = []
        topic = str(Down(VENUE, "console", DownChannel.ANSWER))
        self.devices.subscribe(topic, lambda message: answers.append(message.payload))
        question = encode_question("q", EventOrder(id="asked", who="dir", act=act))
        self.devices.publish(str(Up(VENUE, "console", UpChannel.ASK)), question)
        deadline = time.monotonic() + 20
        while not answers:
            assert time.monotonic() < deadline, "the question was not answered"
            self._catch_up()
        found = json.loads(answers[-1])
        return [CODED.read(change) for change in found["changes"]]

    def _send(self, device: str, type_name: str, data: Json, at_ms: int = 0) -> None:
        number = next(self._sent.setdefault(device, count(1)))
        t_ms = at_ms or self.now_ms
        event = Envelope(
            dev=device, boot="0000abcd", seq=number, t_ms=t_ms, type=type_name, data=data
        )
        deadline, stored = time.monotonic() + 20, self._stored()
        self.devices.publish(str(Up(VENUE, device, UpChannel.EVENT)), encode_envelope(event))
        while self._stored() == stored:
            assert time.monotonic() < deadline, f"{type_name} of {device} was not stored"
            self._catch_up()
        self.now_ms += 1000
        self._catch_up()

    def _stored(self) -> int:
        return self.recorder.counters.stored

    def _catch_up(self) -> None:
        """Take in what has come."""
        self.recorder.catch_up()

    def show(self, table: int, *words: str) -> None:
        """The table's camera sees a board with these words on it."""
        self.say(f"cam-{table}", look(board(*words)))

    def start(
        self, table: int, side: Side = Side.LEFT, left: dict[Side, int] | None = None
    ) -> None:
        """The clocks are set back, or to other times left, and one of them is started."""
        self.left[table] = dict(left or {Side.LEFT: START_MS, Side.RIGHT: START_MS})
        self._press(table, OTHER[side])

    def press(self, table: int, side: Side) -> None:
        """A player's turn ends, after twenty seconds of theirs."""
        self.left[table][side] -= 20_000
        self._press(table, side)

    def _press(self, table: int, side: Side) -> None:
        left = self.left[table]
        pressed = ClockPressed(
            side=side, left_ms=left[Side.LEFT], right_ms=left[Side.RIGHT], running=OTHER[side]
        )
        self.say(f"clock-{table}", pressed)

    def stop(self, table: int) -> None:
        left = self.left[table]
        act = ClockChanged(
            act=ClockAct.PAUSE,
            left_ms=left[Side.LEFT],
            right_ms=left[Side.RIGHT],
            running=Side.NONE,
        )
        self.say(f"clock-{table}", act)

    def play(
        self,
        table: int,
        *words: str,
        side: Side = Side.LEFT,
        left: dict[Side, int] | None = None,
    ) -> None:
        """A whole short game, until the clocks are stopped and a director says that it is over."""
        self.start(table, side, left)
        for number in range(1, len(words) + 1):
            self.show(table, *words[:number])
            self.press(table, side)
            self.show(table, *words[:number])
            side = OTHER[side]
        self.stop(table)
        self.rules(table, EndGame())

    def sign(self, table: int, game: str = "") -> None:
        self.rules(table, Sign(player=0), game)
        self.rules(table, Sign(player=1), game)

    def rows(self) -> list[Row]:
        return list(self.log.read_from(1))

    def begun(self) -> list[GameStarted]:
        """Every beginning of a game in the log."""
        return [row.says for row in self.rows() if isinstance(row.says, GameStarted)]

    def now_at(self, table: int) -> GameStarted:
        """What was last said of who plays at a table."""
        return next(game for game in reversed(self.begun()) if game.table == table)

    def division(self) -> EventDivision:
        (division,) = event_register(self.rows()).event.divisions
        return division

    def scores(self, round_: int) -> dict[tuple[int, int], tuple[int, int] | None]:
        """The results of a round by pair, the lower number first."""
        return {game.players: game.scores for game in self.division().games if game.round == round_}

    def standings(self) -> Sequence[tuple[Any, ...]]:
        """Rank, number, wins and spread of everybody after all rounds."""
        division = self.division()
        places = placings(NO_RULE_SET, division, division.scored_rounds)
        return [
            (None if row.left else row.rank, row.number, float(row.wins), row.spread)
            for row in places
        ]


class HallLine:
    """Orders go to the hall's recorder at once, without a network between."""

    def __init__(self, hall: EventHall) -> None:
        self._hall = hall

    def give(self, order: TableOrder) -> OrderReply:
        self._hall.rules(order.table, order.order.act)
        return OrderReply(id=order.order.id, ok=True, row=1)

    def give_event(self, order: EventOrder) -> Json:
        """What a player or a feed says, and what the recorder makes of it."""
        self._hall.gives(order)
        says = [row.says for row in self._hall.rows()]
        refusals = [said for said in says if isinstance(said, OrderRefused) and said.id == order.id]
        reason = encode_coded(refusals[-1].reason) if refusals else None
        return {"ok": not refusals, "row": 1, "reason": reason}
