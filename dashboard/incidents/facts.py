"""What a form is filled in from, and a plan made of: the game as recorded.

What the recorder has worked out for a procedure that stands is taken as it is; the rest is read
off the game. Pure: it comes from the rows of one table.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dashboard.live.sensor_state import SensorState
from recorder.domain.game import GameState, replay
from recorder.domain.notices import PlainValue, TableNotice
from recorder.domain.procedures.settling import HeldEntry
from recorder.domain.record import GameStarted, NoticeGiven, ProcedureOver, ProcedureStands
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.ending.overtime import over_s
from recorder.domain.standing_procedures import StandingProcedure
from recorder.frames.desk import Senses
from recorder.frames.public import Frame, Line
from recorder.log.port import Row
from recorder.projections.broadcast import Projection
from recorder.rulesets import rules_of_game
from recorder.texts import TextError, names_shown
from recorder.tilesets import tile_set_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A table as its record stands. ``frame`` is the live one, ``held`` and ``lines`` its events.

    ``notice`` and ``standing``, a procedure that stands open, are what the incident was opened
    from, None where a director begins it unasked.
    """

    started: GameStarted
    rules: Rules
    frame: Frame
    senses: Senses
    held: Sequence[HeldEntry]
    lines: Sequence[Line]
    notice: TableNotice | None = None
    standing: StandingProcedure | None = None

    @property
    def state(self) -> GameState:
        """The position after all that is recorded."""
        tile_set = tile_set_of(self.started)
        return replay(tile_set, [entry.event for entry in self.held])

    def rack_count(self, player: int) -> int | None:
        """Tiles on a rack as a sensor last reported, None where none has."""
        rack = self.senses["racks"][player]
        return None if rack is None else int(rack["count"])

    @property
    def is_weighed(self) -> bool:
        """Whether a scale below the bag has reported how many tiles are in it."""
        return self.senses["bag"] is not None

    def rack_letters(self, player: int) -> str:
        """Letters on a rack as a camera last reported, where it is sure of all; else empty."""
        rack = self.senses["racks"][player]
        return "" if rack is None or rack["doubtful"] else str(rack["letters"])

    def over_s(self, player: int) -> int:
        """Whole seconds of overtime by the newest word of the clock."""
        clock = self.frame["clock"]
        return 0 if clock is None else over_s(int(clock["remaining_ms"][player]))

    @property
    def known(self) -> Mapping[str, PlainValue]:
        """What the record has of the incident: the notice's values, the facts of its procedure."""
        noticed = {} if self.notice is None else self.notice.numbers
        return {**noticed, **({} if self.standing is None else self.standing.facts)}

    @property
    def about_player(self) -> int:
        """Whom the incident is about; without a word the player who made the newest turn."""
        return self.player_or(self.last_player)

    def player_or(self, otherwise: int) -> int:
        """Whom the procedure or the notice names."""
        named = [about.player for about in (self.standing, self.notice) if about is not None]
        return next((player for player in named if player is not None), otherwise)

    @property
    def last_player(self) -> int:
        """Who made the newest turn; the one who moves first before any."""
        return self.held[-1].event.player if self.held else 0

    def name(self, player: int) -> str:
        """A player's name."""
        return names_shown(self.started.players)[player]


@dataclass(slots=True)
class _Opened:
    """What an incident is opened from, followed through the rows: a notice, a procedure."""

    row: int
    key: str
    notice: TableNotice | None = None
    _notices: list[TableNotice] = field(default_factory=list)
    _open: dict[str, StandingProcedure] = field(default_factory=dict)

    def take(self, row: Row) -> None:
        match row.says:
            case NoticeGiven(notice=notice):
                self._notices.append(notice)
                if row.seq == self.row:
                    self.notice = notice
            case ProcedureStands(procedure=procedure):
                self._open[procedure.key] = procedure
            case ProcedureOver(key=key):
                self._open.pop(key, None)

    def standing(self) -> StandingProcedure | None:
        """The procedure of that key; NotationError where none is open any more."""
        if not self.key:
            return None
        if self.key not in self._open:
            raise TextError("procedure_over")
        found = self._open[self.key]
        about = (found.group, found.player)
        same = [notice for notice in self._notices if (notice.ref, notice.player) == about]
        by_code = [notice for notice in same if notice.code.value == found.code]
        self.notice = next(reversed(by_code or same), None)
        return found


def situation(rows: Iterable[Row], table: int, notice: int = 0, procedure: str = "") -> Situation:
    """A table after all rows.

    ``notice`` is the row of the notice that it is asked for, 0 for none; ``procedure`` the key of
    a procedure that stands open, empty for none. NotationError while no game has begun there, for
    a row that is no notice, and for a key under which nothing is open.
    """
    opened = _Opened(notice, procedure)
    projection, senses = Projection(table), SensorState(table)
    for row in rows:
        projection.advance(row)
        senses.advance(row)
        if row.table == table:
            opened.take(row)
    started, frame = projection.started, projection.frame()
    if started is None or frame is None:
        raise TextError("no_game_at", table=table)
    standing = opened.standing()
    if notice and opened.notice is None:
        raise TextError("no_notice", row=notice, table=table)
    held = [
        HeldEntry(name, turn.ref, event)
        for turn in projection.turns
        for name, event in zip(turn.entries, turn.events, strict=True)
    ]
    return Situation(
        started=started,
        rules=rules_of_game(started),
        frame=frame,
        senses=senses.as_json(),
        held=held,
        lines=[line.as_json() for line in projection.lines],
        notice=opened.notice,
        standing=standing,
    )
