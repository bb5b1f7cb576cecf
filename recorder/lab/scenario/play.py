"""A scenario played through the recorder as it runs at a venue, in no time.

The table's agent publishes envelopes on a bus; the recorder admits, stores and folds them and
asks for looks; the director's console gives orders. What came of it is read from the log alone.
Simulated are the table and the time: the recorder's clock says what the scenario's says.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from recorder.bus.port import Message
from recorder.declared.codec import Json
from recorder.domain.errors import NotationError
from recorder.domain.observations import Observation
from recorder.domain.orders import BeginProcedure, CloseProcedure, Decide
from recorder.domain.tile_text import write_tiles
from recorder.lab.memory_bus import MemoryBroker, MemoryBus
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario import steps
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.player_numbers import renumbered
from recorder.lab.scenario.recorded_values import RecordedTurn
from recorder.lab.scenario.senses import PlainSenses, Senses
from recorder.lab.scenario.steps import Happening, ScenarioError, Setup, TableMishap
from recorder.lab.scenario.table_agent import ROLES, TableAgent
from recorder.lab.scenario.table_record import TableRecord
from recorder.lab.scenario.table_top import TableTop
from recorder.lab.scenario.text.grammar import Line, Scenario
from recorder.lab.scenario.text.order_grammar import BEGIN
from recorder.lab.scenario.venue_plan import CONSOLE, TABLE, VENUE, plan_of
from recorder.log.port import EventLog
from recorder.service.recorder import Recorder
from recorder.texts.telling import RULE_TEXTS, coded_text
from recorder.tilesets import load_tile_set
from recorder.wire.control import (
    DeviceInfo,
    DeviceState,
    Heartbeat,
    Presence,
    decode_command,
    encode,
)
from recorder.wire.envelope import Envelope, encode_envelope
from recorder.wire.observations import encode_observation
from recorder.wire.orders import encode_act
from recorder.wire.topics import Down, DownChannel, Up, UpChannel

BEGAN_MS = 1_800_000_000_000
"""When every scenario begins, in milliseconds since 1970: the same file gives the same log."""
TICK_MS, BEAT_MS = 3_000, 3_000
"""How often the recorder looks at the time, and the devices say that they are there."""
DIRECTOR = "director"
_BOOT = "5ce0a710"
_CHALLENGEABLE = ("play", "illegal", "withdraw")
"""Also a play that came off: a second verdict may put it back."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A line that does not hold: what it expected, and what stood there instead."""

    line: int
    expected: str
    got: str


@dataclass(slots=True)
class Playthrough:
    """What came of a scenario. ``remarks`` are orders that were refused, with their lines."""

    scenario: Scenario
    record: TableRecord
    held: int = 0
    failed: list[Failure] = field(default_factory=list)
    remarks: list[tuple[int, str]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The document of ``tilecast scenario --json``."""
        failed = [
            {"line": unmet.line, "expected": unmet.expected, "got": unmet.got}
            for unmet in self.failed
        ]
        rules = self.scenario.setup.rules
        return {"rules": rules, **self.record.as_json(), "failed": failed}


SensesOf = Callable[[Setup], Senses]


def plain_senses(setup: Setup) -> Senses:
    """Devices that need no pictures and no bytes."""
    return PlainSenses(round(setup.minutes * 60_000), load_tile_set(setup.tiles))


def play_through(
    scenario: Scenario,
    *,
    store: EventLog | None = None,
    senses: SensesOf = plain_senses,
    to_failure: bool = False,
) -> Playthrough:
    """Play a scenario; ``store`` is an empty log, one in memory where none is given.

    ``to_failure``: only as far as the first line that does not hold.
    ScenarioError when something cannot happen, before anything is played.
    """
    check(scenario)
    game = ScenarioRun(scenario, store if store is not None else MemoryEventLog(), senses)
    try:
        game.begin()
        return game.play(scenario.lines, to_failure=to_failure)
    finally:
        game.close()


def check(scenario: Scenario) -> None:
    """Go through what happens without a recorder. ScenarioError names a line that cannot be."""
    table = TableTop(scenario.setup, load_tile_set(scenario.setup.tiles))
    for line in scenario.lines:
        try:
            table.do(line.what)
        except NotationError as fault:
            raise ScenarioError(scenario.name, line.number, f"{line.text}: {fault}") from fault


class ScenarioRun:
    """One scenario being played: the table, its agent, the bus, the recorder, the console.

    ``begin`` it, then ``play`` its lines, in as many parts as you like.
    """

    def __init__(
        self, scenario: Scenario, store: EventLog, senses: SensesOf = plain_senses
    ) -> None:
        setup = scenario.setup
        self._scenario, self._store = scenario, store
        self._table = TableTop(setup, load_tile_set(setup.tiles))
        self._senses = senses(setup)
        self._agent = TableAgent(self._table, self._senses, self._observe)
        self._plan = plan_of(setup)
        self._broker = MemoryBroker()
        self._bus = MemoryBus(self._broker, at_once=True)
        self._asked = 0
        self._sent: dict[str, int] = {}
        self._challenges: dict[int, str] = {}
        self._played = Playthrough(
            scenario, TableRecord(TABLE, first=setup.first, began_ms=BEGAN_MS)
        )
        self._recorder = self._new_recorder()

    def _new_recorder(self) -> Recorder:
        bus = MemoryBus(self._broker, at_once=True)
        return Recorder(self._plan, bus, self._store, lambda: BEGAN_MS + self._agent.now_ms)

    def begin(self) -> None:
        """Switch everything on."""
        for name, role in self._devices():
            if role == "board-camera":
                self._bus.subscribe(str(Down(VENUE, name, DownChannel.COMMAND)), self._commanded)
        self._bus.start()
        self._recorder.open()
        for name, role in self._devices():
            self._say_info(name, role)
            self._say_state(name, Presence.READY)
        self._agent.begin()
        self._settle()

    def play(self, lines: Iterable[Line], *, to_failure: bool = False) -> Playthrough:
        """Play some more lines, or those up to the first that does not hold."""
        for line in lines:
            self._line(line)
            if to_failure and self._played.failed:
                break
        self._read()
        return self._played

    def close(self) -> None:
        """Stop the recorder and let go of the bus."""
        self._recorder.stop()
        self._bus.stop()
        self._senses.close()

    def _devices(self) -> list[tuple[str, str]]:
        return list(self._plan.tables[0].devices.items())

    def _line(self, line: Line) -> None:
        match line.what:
            case steps.TimePasses(seconds=seconds):
                self._pass(round(seconds * 1000))
            case steps.GiveVerdict() | steps.GiveOrder():
                self._order(line)
            case steps.SettleProcedure(code=code, way=way):
                self._settle_procedure(line, code, way)
            case Expectation():
                self._expect(line, line.what)
            case _:
                self._happens(line.what)
        self._settle()

    def _happens(self, what: Happening) -> None:
        self._table.do(what)
        match what:
            case steps.HaveMishap(what=TableMishap.RESTART):
                self._recorder.stop()
                self._recorder = self._new_recorder()
                self._recorder.open()
            case steps.LoseSensor(sensor=sensor):
                for name in ROLES[sensor]:
                    self._say_state(name, Presence.LOST)
            case steps.RegainSensor(sensor=sensor):
                for name in ROLES[sensor]:
                    self._say_state(name, Presence.READY)
                self._agent.notice(what)
            case _:
                self._agent.notice(what)

    def _pass(self, elapsed_ms: int) -> None:
        """Let time pass, from one thing that is due to the next."""
        end_ms = self._agent.now_ms + elapsed_ms
        while self._agent.now_ms < end_ms:
            now_ms = self._agent.now_ms
            due_ms = self._agent.next_ms()
            tick_ms = now_ms - now_ms % TICK_MS + TICK_MS
            next_ms = min(end_ms, tick_ms, end_ms if due_ms is None else due_ms)
            self._agent.pass_to(max(next_ms, now_ms))
            if now_ms // BEAT_MS != next_ms // BEAT_MS:
                self._beat()
            self._settle()

    def _settle(self) -> None:
        """Let the recorder take in what was said, and the camera answer what it is asked."""
        self._recorder.catch_up()
        while self._asked:
            self._asked = 0
            self._agent.asked_to_look()
            self._recorder.catch_up()

    # What devices say.

    def _observe(self, device: str, observation: Observation) -> None:
        self._send(device, *encode_observation(observation))

    def _send(self, device: str, type_name: str, data: Json) -> None:
        self._sent[device] = self._sent.get(device, 0) + 1
        event = Envelope(
            dev=device,
            boot=_BOOT,
            seq=self._sent[device],
            t_ms=self._agent.now_ms,
            type=type_name,
            data=data,
        )
        topic = str(Up(VENUE, device, UpChannel.EVENT))
        self._bus.publish(topic, encode_envelope(event))

    def _say_info(self, device: str, role: str) -> None:
        """What it is; its cameras can read every letter of the set."""
        letters = write_tiles(load_tile_set(self._scenario.setup.tiles).letters)
        named = letters if role in ("rack-camera", "slip-camera") else ""
        info = DeviceInfo(kind=role, model="scenario", firmware="0", symbols=named)
        topic = str(Up(VENUE, device, UpChannel.INFO))
        self._bus.publish(topic, encode(info), retain=True)

    def _say_state(self, device: str, presence: Presence) -> None:
        reason = "no answer" if presence is Presence.LOST else ""
        state = DeviceState(state=presence, boot=_BOOT, reason=reason)
        topic = str(Up(VENUE, device, UpChannel.STATE))
        self._bus.publish(topic, encode(state), retain=True)

    def _beat(self) -> None:
        lost = {name for sensor in self._table.lost for name in ROLES[sensor]}
        for name, _ in self._devices():
            if name not in lost:
                now_ms, seq_high = self._agent.now_ms, self._sent.get(name, 0)
                beat = Heartbeat(boot=_BOOT, t_ms=now_ms, seq_high=seq_high, outbox=0)
                topic = str(Up(VENUE, name, UpChannel.HEARTBEAT))
                self._bus.publish(topic, encode(beat), qos=0)

    def _commanded(self, message: Message) -> None:
        self._asked += decode_command(message.payload).cmd == "look"
        message.ack()

    # What the director says.

    def _order(self, line: Line) -> None:
        self._read()
        try:
            type_name, data = self._asked_of(line)
        except NotationError as fault:
            self._fail(line, str(fault))
            return
        if type_name == BEGIN:
            data = {"key": f"line-{line.number}", **data}
        self._give(line, f"line-{line.number}", type_name, data)

    def _give(self, line: Line, name: str, type_name: str, data: Json) -> None:
        head = {"id": name, "who": DIRECTOR, "table": TABLE}
        self._send(CONSOLE, type_name, {**head, **data})
        self._settle()
        self._read()
        refused = self._played.record.refused.get(str(data.get("id", name)))
        if refused is not None:
            self._played.remarks.append((line.number, f"{line.text}: refused: {refused}"))

    def _settle_procedure(self, line: Line, code: str, way: str) -> None:
        """Give the orders that the page gives when the result of a procedure is recorded."""
        self._read()
        record, name = self._played.record, f"line-{line.number}"
        found = record.settlement(code, way)
        if found is None:
            self._fail(line, "no such procedure stands")
            return
        procedure, acts = found
        ruling = Decide(text=coded_text(procedure.title, RULE_TEXTS), rule=procedure.rule)
        for at, act in enumerate((ruling, *acts)):
            self._give(line, f"{name}-{at}", *encode_act(act))
        key = procedure.key
        if record.stands(key) and not record.is_taken_up(key):
            begin = BeginProcedure(
                key=key,
                code=code,
                facts={} if procedure.player is None else {"player": procedure.player},
                steps=len(procedure.steps),
            )
            self._give(line, f"{name}-begin", *encode_act(begin))
        if record.stands(key):
            self._give(line, f"{name}-close", *encode_act(CloseProcedure(key=key)))
        refused = [known for known in record.refused if known.startswith(f"{name}-")]
        if refused or record.stands(key):
            self._fail(line, record.refused[refused[0]] if refused else "it still stands")

    def _fail(self, line: Line, got: str) -> None:
        self._played.failed.append(Failure(line.number, line.text, got))

    def _asked_of(self, line: Line) -> tuple[str, Json]:
        match line.what:
            case steps.GiveVerdict(is_good=is_good):
                turn = self._challenged()
                outcome = "stands" if is_good else "off"
                data = {"turn": turn.number, "outcome": outcome}
                return "order.challenge", self._with_entry("order.challenge", data, line)
            case steps.GiveOrder(type=type_name, data=data):
                if self._scenario.setup.first != 1:
                    data = renumbered(data, lambda player: 1 - player)
                return type_name, self._with_entry(type_name, dict(data), line)
            case _:
                raise AssertionError(line)

    def _challenged(self) -> RecordedTurn:
        plays = [turn for turn in self._played.record.turns if turn.kind in _CHALLENGEABLE]
        if not plays:
            raise NotationError("the record has no play that could have been challenged")
        return plays[-1]

    def _forget(self, undone: str) -> None:
        """A verdict that was undone is none that another could stand in place of."""
        self._challenges = {n: order for n, order in self._challenges.items() if order != undone}

    def _with_entry(self, type_name: str, data: Json, line: Line) -> Json:
        """The order with the entry of the turn that it names, and what it takes the place of."""
        if type_name == "order.undo":
            self._forget(str(data.get("order", "")))
        if "turn" not in data:
            return data
        number = data.pop("turn")
        turn = self._played.record.turn(number)
        if turn is None and number:
            raise NotationError(f"the record has no turn {number}")
        row, part = turn.entry if turn is not None else (0, 0)
        data.update(entry=row, **({"part": part} if part else {}))
        if type_name == "order.challenge":
            if number in self._challenges:
                data.setdefault("supersedes", self._challenges[number])
            self._challenges[number] = str(data.get("id", f"line-{line.number}"))
        return data

    # What is read.

    def _read(self) -> None:
        self._played.record.read(self._store.read_from(self._played.record.head + 1))

    def _expect(self, line: Line, wanted: Expectation) -> None:
        self._read()
        got = wanted.unmet(self._played.record)
        if got is None:
            self._played.held += 1
        else:
            expected = line.text.removeprefix("expect").strip()
            self._played.failed.append(Failure(line.number, expected, got))
