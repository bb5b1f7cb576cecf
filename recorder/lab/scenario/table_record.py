"""What a table's log says of its game: turns, totals, what was reported, what stands open.

Folds rows of the log, through the same projection as the screens, and asks nobody else: the
recorder that wrote the rows is not known here. Players are 1 and 2 as a scenario numbers them,
which need not be the order in which they move.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from recorder.declared.codec import Json
from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.errors import RecorderError
from recorder.domain.game import (
    TURNS,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    GameEvent,
    IllegallyPlayed,
    Laid,
    Withdrawn,
    new_game,
)
from recorder.domain.instruments import BagLifted, BagWeighed, CountEstimate
from recorder.domain.notices import PlainValue, TableNotice
from recorder.domain.observations import (
    ClockDoubted,
    DeviceLost,
    Observation,
)
from recorder.domain.orders import Act, BeginProcedure, EndGame, EntryName
from recorder.domain.procedures.settling import HeldEntry, settled_by
from recorder.domain.record import (
    Corrected,
    Doubt,
    NoticeGiven,
    Observed,
    OrderCarriedOut,
    OrderRefused,
    ProcedureOver,
    ProcedureStands,
    Recorded,
    TurnNote,
)
from recorder.domain.rules.placement.layings import score_until_ruled
from recorder.domain.rulings.in_force import Ruling, in_force
from recorder.domain.standing_procedures import (
    Settlement,
    StandingProcedure,
    StandingStep,
)
from recorder.lab.scenario.codes import DEVICE_CONTRADICTS, DEVICE_LOST, TO
from recorder.lab.scenario.player_numbers import renumbered
from recorder.lab.scenario.recorded_values import (
    Ended,
    EntryKey,
    OpenProcedure,
    OpenStep,
    RecordedTurn,
    Told,
)
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.projections.sheet import SheetLine, next_line
from recorder.rulesets import rules_of_game
from recorder.texts.record import events_in_words
from recorder.texts.telling import coded_text, notice_text
from recorder.wire.orders import encode_act

_PLAYERS = frozenset({"hands_in"})
"""Facts that name a player."""
_CONCEDED = {"lateness": "no_show"}


@dataclass(frozen=True, slots=True)
class _Held:
    """An event that holds, its name for orders, and the turn it belongs to."""

    event: GameEvent
    entry: EntryKey
    group: int


@dataclass(frozen=True, slots=True)
class _Heard:
    """Something that was reported, as its row has it."""

    row: int
    at_ms: int
    code: str
    to: str
    text: str
    group: int = 0
    player: int | None = None
    squares: tuple[str, ...] = ()
    numbers: Mapping[str, PlainValue] = field(default_factory=dict)


class TableRecord:
    """The log of one table, folded row by row; ``first`` is the player (1 or 2) who moves first.

    ``began_ms`` is when the scenario began, in milliseconds since 1970.
    """

    def __init__(self, table: int, *, first: int, began_ms: int) -> None:
        self._first, self._began_ms = first, began_ms
        self._public = Projection(table)
        self._root: dict[int, int] = {}
        self._holding: dict[int, tuple[_Held, ...]] = {}
        self._doubts: dict[int, Doubt | None] = {}
        self._heard: list[_Heard] = []
        self._weighed: int | None = None
        self._procedures: dict[str, StandingProcedure] = {}
        self._taken_up: set[str] = set()
        self._rulings: list[Ruling] = []
        self._refused: dict[str, str] = {}
        self._turns: tuple[RecordedTurn, ...] | None = None
        self.head = 0

    def read(self, rows: Iterable[Row]) -> None:
        """Account for the newest rows of the log."""
        for row in rows:
            self.head = row.seq
            self._public.advance(row)
            self._advance(row)
        self._turns = None

    def _advance(self, row: Row) -> None:
        match row.says:
            case Observed(what=what):
                self._observe(row, what)
            case Recorded(event=event, turn=note):
                self._hold(row.seq, row.seq, (event,), note)
            case Corrected(supersedes=supersedes, events=events, turn=note):
                self._hold(row.seq, supersedes, events, note)
            case NoticeGiven(notice=notice):
                self._heard.append(_of_notice(row, notice))
            case ProcedureStands(procedure=procedure):
                self._procedures[procedure.key] = procedure
            case ProcedureOver(key=key):
                self._procedures.pop(key, None)
            case OrderCarriedOut(order=carried_out) as says:
                self._rulings.append(Ruling.of(says, seq=row.seq, at_ms=row.at))
                if isinstance(carried_out.order.act, BeginProcedure):
                    self._taken_up.add(carried_out.order.act.key)
            case OrderRefused(id=name, reason=reason):
                self._refused[name] = coded_text(reason, "refusal")

    def _observe(self, row: Row, what: Observation) -> None:
        match what:
            case DeviceLost(device=device, reason=reason):
                text = f"{device}: {coded_text(reason, 'device_lost')}"
                self._heard.append(_Heard(row.seq, row.at, DEVICE_LOST, "director", text))
            case ClockDoubted(device=device, detail=detail):
                text = f"{device}: {coded_text(detail, 'clock_doubt')}"
                self._heard.append(_Heard(row.seq, row.at, DEVICE_CONTRADICTS, "director", text))
            case BagLifted():
                self._weighed = None
            case BagWeighed(settled=True, tiles=CountEstimate(count=count)):
                self._weighed = count

    def _hold(self, row: int, superseded: int, events: Sequence[GameEvent], note: TurnNote) -> None:
        """An event stands where the first row that reported it stood."""
        root = self._root[row] = self._root.get(superseded, superseded)
        self._holding[root] = tuple(
            _Held(event, (row, part), note.group) for part, event in enumerate(events)
        )
        if events:
            self._doubts[note.group] = note.doubt

    def _events(self) -> Iterator[_Held]:
        for held in self._holding.values():
            yield from held

    @property
    def refused(self) -> Mapping[str, str]:
        """Why orders were refused, by their ids."""
        return dict(self._refused)

    @property
    def turns(self) -> tuple[RecordedTurn, ...]:
        """All turns, in order; a play that was taken back is one of kind ``withdraw``."""
        if self._turns is None:
            self._turns = self._told_turns()
        return self._turns

    def _told_turns(self) -> tuple[RecordedTurn, ...]:
        state = self._public.state
        if state is None:
            return ()
        state = new_game(state.tile_set)
        turns: list[RecordedTurn] = []
        standing: list[tuple[int, Laid]] = []
        for held in self._events():
            try:
                state, line = next_line(state, held.event, len(turns))
            except RecorderError:
                continue  # impossible on this board; the record's own doubts say so
            if isinstance(held.event, Withdrawn):
                at, play = standing.pop()
                kind = "illegal" if self._never_counts(play) else line.kind
                turns[at] = replace(turns[at], kind=kind, score=0)
            elif isinstance(held.event, TURNS):
                if isinstance(held.event, Laid):
                    standing.append((len(turns), held.event))
                turns.append(self._turn(line, held))
        return tuple(turns)

    def _never_counts(self, play: Laid) -> bool:
        """Whether the rules give a play against the rules no score before anybody objects.

        Once its tiles are removed, it stays the illegal play that it was; any other is withdrawn.
        """
        started = self._public.started
        if started is None or not isinstance(play, IllegallyPlayed):
            return False
        return not score_until_ruled(rules_of_game(started), play.faults, 1)

    def _turn(self, line: SheetLine, held: _Held) -> RecordedTurn:
        doubt = self._doubts.get(held.group)
        return RecordedTurn(
            number=line.n,
            player=self._player(line.player),
            kind=line.kind,
            position=line.position,
            word=line.word,
            score=line.score,
            count=line.count,
            doubtful=doubt is not None,
            readings=() if doubt is None else self._readings(held.group, doubt),
            entry=held.entry,
            group=held.group,
        )

    def _readings(self, group: int, doubt: Doubt) -> tuple[str, ...]:
        stands = events_in_words(held.event for held in self._events() if held.group == group)
        return (stands, *(events_in_words(other.events) for other in doubt.alternatives))

    def turn(self, number: int) -> RecordedTurn | None:
        """The turn of that number, counted from 1; None where there is none."""
        return self.turns[number - 1] if 1 <= number <= len(self.turns) else None

    @property
    def totals(self) -> tuple[int, int]:
        """Both totals, player 1 first."""
        state = self._public.state
        first, second = state.scores if state is not None else (0, 0)
        return (first, second) if self._first == 1 else (second, first)

    @property
    def board(self) -> Board:
        """The board as recorded."""
        state = self._public.state
        return EMPTY_BOARD if state is None else state.board

    @property
    def bag(self) -> int | None:
        """The tiles in the bag: as weighed since it was lifted last, else as the record counts."""
        if self._weighed is not None:
            return self._weighed
        state = self._public.state
        return None if state is None else state.bag_count

    @property
    def told(self) -> tuple[Told, ...]:
        """Everything that was reported, in order, also what no longer holds."""
        return tuple(map(self._told, self._heard))

    def _told(self, heard: _Heard) -> Told:
        numbers = [turn.number for turn in self.turns if heard.group and turn.group == heard.group]
        return Told(
            row=heard.row,
            code=heard.code,
            to=heard.to,
            at_s=round((heard.at_ms - self._began_ms) / 1000, 3),
            turn=numbers[-1] if numbers else None,
            player=None if heard.player is None else self._player(heard.player),
            squares=heard.squares,
            numbers=heard.numbers,
            text=heard.text,
        )

    @property
    def open(self) -> tuple[OpenProcedure, ...]:
        """The procedures that stand open by the record."""
        return tuple(map(self._standing, self._procedures.values()))

    def _standing(self, procedure: StandingProcedure) -> OpenProcedure:
        return OpenProcedure(
            code=procedure.code,
            player=None if procedure.player is None else self._player(procedure.player),
            facts={name: self._fact(name, said) for name, said in procedure.facts.items()},
            steps=tuple(map(self._step, procedure.steps)),
            orders=tuple(map(self._order, self._orders(procedure, _ways(procedure)[0]))),
        )

    def settlement(self, code: str, way: str) -> tuple[StandingProcedure, tuple[Act, ...]] | None:
        """A procedure that stands open with the orders of one way to end it; None where none is.

        ``way`` may be empty: the likeliest.
        """
        for procedure in self._procedures.values():
            for settlement in _ways(procedure):
                if procedure.code == code and way in ("", settlement.code):
                    return procedure, self._orders(procedure, settlement)
        return None

    def stands(self, key: str) -> bool:
        """Whether a procedure of that key stands open."""
        return key in self._procedures

    def is_taken_up(self, key: str) -> bool:
        """Whether a director's order began it."""
        return key in self._taken_up

    def _orders(self, procedure: StandingProcedure, way: Settlement) -> tuple[Act, ...]:
        frame = self._public.frame()
        clock = None if frame is None else frame["clock"]
        first_ms, second_ms = (0, 0) if clock is None else clock["remaining_ms"]
        entries = [
            HeldEntry(EntryName(*held.entry), held.group, held.event) for held in self._events()
        ]
        return settled_by(procedure, way, entries, (first_ms, second_ms))

    def _order(self, act: Act) -> Json:
        type_name, data = encode_act(act)
        return {"type": type_name, "data": renumbered(data, self._player)}

    def _fact(self, name: str, said: PlainValue) -> PlainValue:
        return self._player(int(said)) if name in _PLAYERS else said

    def _step(self, step: StandingStep) -> OpenStep:
        return OpenStep(
            code=step.code,
            player=None if step.by is None else self._player(step.by),
            tiles=step.tiles,
            seconds=step.seconds,
            done=step.done,
        )

    @property
    def ending(self) -> Ended | None:
        """How the game ended, None while it goes on."""
        events = [held.event for held in self._events()]
        for event in reversed(events):
            if isinstance(event, Conceded):
                return Ended(_CONCEDED.get(event.how, event.how), event.margin)
        if out := [event for event in events if isinstance(event, EndRackPoints)]:
            return Ended("play_out", out[-1].points)
        if left := [event for event in events if isinstance(event, EndRackPenalty)]:
            return Ended("six_zero", sum(event.points for event in left))
        acts = (ruling.order.act for ruling in in_force(self._rulings))
        return Ended("ordered", 0) if any(isinstance(act, EndGame) for act in acts) else None

    def _player(self, number: int) -> int:
        """A player of the record (0 moves first) as the scenario numbers them."""
        return number + 1 if self._first == 1 else 2 - number

    def as_json(self) -> Json:
        """The record as plain JSON values."""
        end = self.ending
        return {
            "turns": [turn.as_json() for turn in self.turns],
            "totals": list(self.totals),
            "told": [said.as_json() for said in self.told],
            "open": [procedure.as_json() for procedure in self.open],
            "ending": None if end is None else {"kind": end.kind, "points": end.points},
            "board": list(self.board.rows()),
            "bag": self.bag,
        }


def _ways(procedure: StandingProcedure) -> tuple[Settlement, ...]:
    """The ways in which it can end; logs of earlier releases have none of them."""
    return procedure.settlements or (Settlement(),)


def _of_notice(row: Row, notice: TableNotice) -> _Heard:
    return _Heard(
        row=row.seq,
        at_ms=row.at,
        code=notice.code.value,
        to=TO[notice.routing.director.value],
        text=notice_text(notice),
        group=notice.ref,
        player=notice.player,
        squares=notice.squares,
        numbers=notice.numbers,
    )
