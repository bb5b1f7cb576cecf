"""What procedures are worked out from: the game as it holds, what sensors said, what was ordered.

Pure. ``TableFacts`` answers what a form would ask a director for, from the rows that know it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from recorder.domain.game import GameEvent, GameState, standing_plays
from recorder.domain.lexicon import WordList
from recorder.domain.notices import Notice, PlainValue, TableNotice
from recorder.domain.procedures.moments import Moment, moments
from recorder.domain.procedures.named import named_notices
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.closing import racks_after
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.rulings.procedures import ProcedureRun, procedure_runs
from recorder.domain.tile_account.sensor_reports import Sensed, SensorReports, count_of, in_order
from recorder.domain.turns import Press, Turn

NO_ROW = 1 << 62
"""Later than every row, and than every moment."""


@dataclass(frozen=True, slots=True)
class PastNotice:
    """A notice that holds no longer: its code, the row that gave it, the row that took it back.

    ``over`` is None where that row is only being written; ``player``, ``ref`` and ``squares`` are
    whom, which turn and where it was about.
    """

    code: str
    given: int
    over: int | None
    player: int | None = None
    ref: int = 0
    squares: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableFacts:
    """A table as it is.

    ``rulings`` are those in force, ``given`` all of them, ``notices`` those that hold,
    ``past`` those that do no longer; ``opened_ms`` is when the game was opened at its table.
    ``listed`` is the event's word list where it is loaded, ``lexicon`` the name that the game has
    for its list, empty without one.
    """

    game: RuledGame
    table: TableState
    rules: Rules
    rulings: Sequence[Ruling] = ()
    given: Sequence[Ruling] = ()
    notices: Sequence[TableNotice] = ()
    past: Sequence[PastNotice] = ()
    sensed: Sequence[Sensed] = ()
    now_ms: int = 0
    opened_ms: int | None = None
    listed: WordList | None = None
    lexicon: str = ""

    @cached_property
    def moments(self) -> Sequence[Moment]:
        """The events in order, each with what lay where before it."""
        return tuple(moments(self.game))

    @cached_property
    def runs(self) -> Sequence[ProcedureRun]:
        """The procedures that directors have begun."""
        return procedure_runs(self.rulings)

    @cached_property
    def named(self) -> Sequence[TableNotice]:
        """The notices that the open procedures are about."""
        open_runs = [run for run in self.runs if run.is_open and not self.is_put_right(run)]
        return tuple(named_notices(open_runs, self.notices, self.moments, self.last_press))

    @property
    def state(self) -> GameState:
        """The position after all that is recorded."""
        return self.game.state

    @property
    def scores_played(self) -> tuple[int, int]:
        """The scores without what the end of the game adds or takes off."""
        return self.game.replayed.state.scores

    def recorded(self, *kinds: type[GameEvent]) -> bool:
        """Whether the record has an event of these kinds."""
        return any(isinstance(event, kinds) for event in self.state.events)

    @property
    def held(self) -> tuple[tuple[int, int], int]:
        """Tiles on both racks and in the bag: as sensors tell, else as the record counts."""
        *racks, bag = racks_after(self.state.events, self.state.tile_set.total)
        counted = [self.rack(player) for player in (0, 1)]
        first, second = (
            racks[player] if count is None else count for player, count in enumerate(counted)
        )
        weighed = self.bag_weighed
        return (first, second), bag if weighed is None else weighed

    # Turns.

    @property
    def last_press(self) -> Press | None:
        """The press that ended the newest turn."""
        return self.table.turns.presses[-1] if self.table.turns.presses else None

    def press_of(self, group: int) -> Press | None:
        """The press that ended a turn."""
        return next((press for press in self.table.turns.presses if press.seq == group), None)

    def at_ms(self, row: int) -> int | None:
        """When an order in force was given, by its row."""
        return next((ruling.at_ms for ruling in self.rulings if ruling.seq == row), None)

    def group(self, ref: int) -> Turn | None:
        """The turn of that row."""
        return next((group for group in self.game.groups if group.ref == ref), None)

    def last_use(self, player: int, group: int | None = None) -> Moment | None:
        """The newest event, of a turn or any before it, by which a player used tiles."""
        found = None
        for moment in self.moments:
            if group is not None and moment.group.ref > group:
                break
            if moment.used and moment.event.player == player:
                found = moment
        return found

    def last_play(self) -> Moment | None:
        """The newest play that lies on the board."""
        standing = standing_plays(moment.event for moment in self.moments)
        return self.moments[standing[-1]] if standing else None

    def pressed_since(self, group: int, player: int) -> int:
        """How many turns a player has completed after the turn of a row."""
        return sum(
            press.player == player and press.seq > group for press in self.table.turns.presses
        )

    @property
    def on_turn(self) -> int | None:
        """Who is to move by the newest press, None before the first."""
        press = self.last_press
        return None if press is None else 1 - press.player

    # Clocks.

    @property
    def stands(self) -> bool:
        """Whether both clocks stand."""
        return self.table.clock.now.running is None

    # Sensors.

    def rack(
        self,
        player: int,
        *,
        since: int = 0,
        until: int = 0,
        by_ms: int = NO_ROW,
        among: Sequence[int] = (),
    ) -> int | None:
        """Tiles on a rack by its newest count between two rows, or among some; None without one.

        ``by_ms``: as it was counted by that moment.
        """
        if among:
            found = [self._told.row(row) for row in among]
            of_it = [report for report in found if report is not None and report.player == player]
            counted = iter(sorted(of_it, key=lambda report: (-report.at_ms, -report.seq)))
        else:
            counted = self._told.rack_since(player, since)
        until = until or NO_ROW
        between = (report for report in counted if since < report.seq < until)
        return next((count_of(report) for report in between if report.at_ms <= by_ms), None)

    def sensed_at(self, rows: Sequence[int]) -> list[int]:
        """When those of some rows were said that are about tiles."""
        found = (self._told.row(row) for row in rows)
        return [report.at_ms for report in found if report is not None]

    def put_back(self, since: int, until: int = 0, *, by_ms: int = NO_ROW) -> int:
        """Tiles that went into the bag between two rows, whatever was drawn beside them.

        ``by_ms``: by hands that were in it by that moment.
        """
        return sum(max(0, -taken) for taken in self._taken(since, until, by_ms))

    def drawn_since(self, since: int, until: int = 0, *, by_ms: int = NO_ROW) -> int:
        """Tiles that left the bag between two rows, whatever went back beside them; likewise."""
        return sum(max(0, taken) for taken in self._taken(since, until, by_ms))

    def _taken(self, since: int, until: int, by_ms: int) -> Iterator[int]:
        """How many tiles left the bag from one weighing to the next; below 0 went into it."""
        until = until or NO_ROW
        for report in self._told.weights_since(since):
            lifts = self._told.lifts(0, report.at_ms)
            began_ms = lifts[-1].at_ms if lifts else report.at_ms
            if report.seq < until and began_ms <= by_ms:
                yield report.out

    def lifted_after(self, press: Press) -> int | None:
        """When the bag was first lifted after a press, None where it was not."""
        lift = self._told.lift_after(press.at_ms)
        return None if lift is None else lift.at_ms

    @property
    def bag_weighed(self) -> int | None:
        """Tiles in the bag as weighed last, None where no scale has reported."""
        report = self._told.weight(NO_ROW)
        return None if report is None or report.reading is None else report.reading.best

    @property
    def is_weighed(self) -> bool:
        """Whether a scale is below the bag."""
        return self._told.weight(NO_ROW) is not None

    @property
    def _told(self) -> SensorReports:
        return in_order(self.sensed)

    # Notices and orders.

    def noticed(self, *codes: Notice) -> Iterator[TableNotice]:
        """The notices of these codes that hold, the oldest turn first; then a director's."""
        return (notice for notice in (*self.notices, *self.named) if notice.code in codes)

    def run(self, code: str, player: int | None = None) -> ProcedureRun | None:
        """The newest procedure of that code that a director has begun about that player."""
        fits = [run for run in self.runs if run.act.code == code and _about(run, player)]
        return fits[-1] if fits else None

    def is_put_right(self, run: ProcedureRun) -> bool:
        """Whether what stood noticed when a procedure was begun about it holds no longer."""
        return any(
            past.code == run.act.code
            and past.given < run.row
            and (past.over is None or run.row < past.over)
            for past in self.past
        )

    def open_run(self, code: str, player: int | None = None) -> ProcedureRun | None:
        """The newest one, as long as it is open."""
        run = self.run(code, player)
        return run if run is not None and run.is_open else None

    def begun(self, code: str, player: int | None = None) -> bool:
        """Whether a director has begun it, and it is open."""
        return self.open_run(code, player) is not None

    def said(self, code: str, player: int | None = None) -> Mapping[str, PlainValue]:
        """What a director has said of a procedure that stands open."""
        run = self.open_run(code, player)
        return {} if run is None else run.act.facts


def _about(run: ProcedureRun, player: int | None) -> bool:
    said = run.act.facts.get("player")
    return player is None or said is None or said == player
