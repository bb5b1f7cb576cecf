"""The table as the public sees it: names, scores, clocks, board, last play, unseen tiles.

The frame holds facts of the game only: no racks, no evidence, and of a doubt only that it is about
a score. It is safe to publish.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from recorder.domain.board import name_across
from recorder.domain.errors import NotationError, RecorderError
from recorder.domain.game import (
    Conceded,
    GameEvent,
    GameState,
    IllegallyPlayed,
    Laid,
    bag_count,
    new_game,
)
from recorder.domain.observations import Acted, ClockChanged, ClockPressed, Side
from recorder.domain.record import (
    Corrected,
    GameStarted,
    Observed,
    OrderCarriedOut,
    ProcedureOver,
    ProcedureStands,
    Recorded,
    Unreadable,
)
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.domain.rules.challenge.penalties import System, system_of, wrong_challenge_costs
from recorder.domain.rules.core.parameters import NO_RULE_SET, Rules
from recorder.domain.rules.ending.overtime import Prices, overtime_prices
from recorder.domain.tile_text import label_text
from recorder.domain.tiles import BLANK, TileSet
from recorder.domain.turns import Turn
from recorder.frames import public
from recorder.frames.public import Frame
from recorder.log.port import Row
from recorder.projections.calls import Calls
from recorder.projections.forming import FormingPlay
from recorder.projections.racks import Racks
from recorder.projections.rulings import PublicRulings
from recorder.projections.sheet import SheetLine, next_line
from recorder.projections.unfolded_rows import unmended
from recorder.rulesets import rules_of_game
from recorder.texts import names_shown
from recorder.tilesets import tile_set_of

_PLAY_KINDS = frozenset({"play", "illegal", "unseen", "exchange", "pass", "no_play", "withdraw"})
_END_KINDS = frozenset({"end_rack", "end_rack_penalty", "time", "conceded"})
_POINTS_KINDS = frozenset({"end_rack", "end_rack_penalty", "time", "penalty"})
_EPOCH_CHARACTERS = 12
MOST_LEFT = 3
"""So many games of a table that are over are remembered; all that may go on, as adjourned ones."""
_TABLE_TYPES = frozenset({"clock.press", "clock.change", "table.acted"})


@dataclass(frozen=True, slots=True)
class _LeftGame:
    """A game while another is on at its table, and what is recorded of it meanwhile."""

    turns: RecordedTurns
    state: GameState
    lines: list[SheetLine]
    later: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Both times left as of ``at`` (milliseconds since 1970), and whose time runs since then.

    ``heard``: a clock has said so; else they are those that the game begins with.
    """

    remaining_ms: tuple[int, int]
    running: int | None
    at: int
    heard: bool = False

    def turned(self) -> "ClockReading":
        """The same with the players on the other sides of the clock."""
        first, second = self.remaining_ms
        running = None if self.running is None else 1 - self.running
        return replace(self, remaining_ms=(second, first), running=running)

    def stopped(self, at: int) -> "ClockReading":
        """The same, stopped by word of mouth at a later moment, whatever the clock itself does."""
        times = list(self.remaining_ms)
        if self.running is not None:
            times[self.running] -= max(0, at - self.at)
        return replace(self, remaining_ms=(times[0], times[1]), running=None, at=max(at, self.at))


class Projection:
    """One table, folded row by row; rows of other tables and of earlier games do not matter.

    ``faults`` are the rows of this game that could not be folded (damaged, or impossible on this
    board): the last good position stands until a correction makes sense of them.
    """

    def __init__(self, table: int) -> None:
        self.table = table
        self.seq = 0
        self.epoch = ""
        self.faults: list[Row] = []
        self.started: GameStarted | None = None
        self.overtime: Prices | None = None
        """What overtime costs in this game; None where its rules leave that open."""
        self._challenge: list[public.WrongChallenge] = []
        self.challenge_system: System | None = None
        """How a wrong challenge is paid for; None where the rules leave that open."""
        self.clock = ClockReading((0, 0), None, 0)
        self._clock_ran = False
        self._has_clock = True
        self._turns = RecordedTurns()
        self.state: GameState | None = None
        """The position as recorded and corrected; None while no game has begun at this table."""
        self._lines: list[SheetLine] = []
        self._left: dict[str, _LeftGame] = {}
        self._over: list[str] = []
        self.racks = Racks(table)
        self._forming = FormingPlay()
        self._rulings = PublicRulings()
        self._calls = Calls()
        self._open: dict[str, int] = {}

    def advance(self, row: Row, *, as_of: int | None = None) -> None:
        """One more row of the log.

        ``as_of`` numbers the frame when a correction is folded ahead of its turn: a delayed
        channel repairs what it has not shown yet.
        """
        if not self.epoch:
            self.epoch = row.hash[:_EPOCH_CHARACTERS]
        if row.table != self.table:
            return
        self.seq = max(self.seq, row.seq if as_of is None else as_of)
        self.racks.advance(row)
        self._take(row)

    def _take(self, row: Row) -> None:
        try:
            self._fold(row)
        except RecorderError:
            self.faults.append(row)

    def _fold(self, row: Row) -> None:
        if row.kind is Kind.OBSERVED:
            self._observe(row)
            return
        present = self.started.game if self.started else None
        match row.says:
            case Unreadable(known=True):
                self.faults.append(row)
            case GameStarted() as started:
                self._start(started, row.at)
            case Recorded() | Corrected() if row.game in self._left:
                self._left[row.game].later.append(row)
            case _ if row.game != present:
                pass
            case Recorded() as recorded:
                self._record(row, recorded)
            case Corrected():
                self._correct(row)
            case OrderCarriedOut():
                self._rulings.advance(row)
            case ProcedureStands() | ProcedureOver() as procedure:
                self._procedure(procedure, row.at)
            case _:
                pass  # notices and refused orders are never public; the director's page has them

    def _start(self, started: GameStarted, at: int) -> None:
        if self.started is not None and self.started.game == started.game:
            if self.started.left_player != started.left_player:
                self._calls.sit(started.left_player)
                self.clock = self.clock.turned() if self.clock.heard else self.clock
            self.started = replace(
                started, tile_set=self.started.tile_set, own_tiles=self.started.own_tiles
            )
            return
        if self.started is not None and self.state is not None:
            # It may have been adjourned, and go on after this one.
            left = _LeftGame(self._turns, self.state, self._lines)
            self._left[self.started.game] = left
            self._over = [*self._over, self.started.game] if self.is_over else self._over
            for over in self._over[:-MOST_LEFT]:
                self._left.pop(over, None)
            self._over = self._over[-MOST_LEFT:]
        opened = new_game(tile_set_of(started))
        game = self._left.pop(started.game, _LeftGame(RecordedTurns(), opened, []))
        self._over = [over for over in self._over if over != started.game]
        self._turns, self.state, self._lines = game.turns, game.state, game.lines
        self.started = started
        self.faults.clear()
        for row in game.later:
            self._take(row)
        rules = _rules(started)
        self.overtime = overtime_prices(rules)
        lexicon = next(iter(started.words), "")
        self._challenge = _challenge_costs(rules, lexicon)
        self.challenge_system = system_of(rules, lexicon=lexicon)
        self._calls.begin(started.left_player, rules.get_whole("hold.max_s"))
        self._open.clear()
        self.clock = ClockReading(started.starts_ms, None, at)
        self._clock_ran, self._has_clock = False, True
        self._forming.clear()
        self._rulings.clear()

    def _procedure(self, stated: ProcedureStands | ProcedureOver, at: int) -> None:
        self._calls.procedure(stated, at)
        if isinstance(stated, ProcedureOver):
            self._open.pop(stated.key, None)
        else:
            self._open[stated.procedure.key] = stated.procedure.group

    def _observe(self, row: Row) -> None:
        if self.started is not None and row.game != self.started.game:
            return  # between two games, or of an earlier one that came late
        if row.type == "board.seen":
            self._forming.see(row)
            return
        if row.type == "board.reached" and not self.clock.heard:
            self._has_clock = False
            return
        if row.type not in _TABLE_TYPES or self.started is None:
            return
        match row.says:
            case Observed(what=Acted() as acted):
                self._calls.act(acted, row.at)
            case Observed(what=ClockPressed() | ClockChanged() as reading):
                if isinstance(reading, ClockPressed):
                    self._calls.pressed()
                self._read_clock(reading, self.started.left_player, row)
            case _:
                self.faults.append(row)

    def _read_clock(self, reading: ClockPressed | ClockChanged, left: int, row: Row) -> None:
        times, at = (reading.left_ms, reading.right_ms), row.at
        clocks = (times[left], times[1 - left])
        running = {Side.LEFT: left, Side.RIGHT: 1 - left, Side.NONE: None}[reading.running]
        self.clock = ClockReading(clocks, running, at, heard=True)
        self._has_clock = True
        self._clock_ran = self._clock_ran or running is not None

    def _record(self, row: Row, recorded: Recorded) -> None:
        event = recorded.event
        turn = self._turns.take(row)
        assert self.state is not None
        assert turn is not None
        self._turns.end(turn.ref, self.racks.end_of(turn, event.player))
        board = self.state.board
        number = self._lines[-1].n if self._lines else 0
        self.state, line = next_line(self.state, event, number)
        turn = self._turns.by_ref[turn.ref]
        self._lines.append(line)
        self._end_lines(turn)
        self._calls.recorded(line.kind)
        if self.state.board != board:
            self._forming.clear()

    def _end_lines(self, turn: Turn) -> None:
        """What was the last of a turn's lines, and is not any more, has an end of its own."""
        ends = self.racks.ends(self._turns.turns)[turn.ref]
        count = len(ends) if turn.ref == next(reversed(self._turns.by_ref)) else 1
        tail = zip(self._lines[-count:], ends[-count:], strict=True)
        self._lines[-count:] = [replace(line, ended=end) for line, end in tail]

    def _correct(self, row: Row) -> None:
        """History is folded again as a whole, so that every screen has it as corrected."""
        assert self.state is not None
        self._turns.take(row)
        state, lines = new_game(self.state.tile_set), list[SheetLine]()
        ends = self.racks.ends(self._turns.turns)
        for turn in self._turns.turns:
            for event, end in zip(turn.events, ends[turn.ref], strict=True):
                state, line = next_line(state, event, lines[-1].n if lines else 0)
                lines.append(replace(line, ended=end))
        self.state, self._lines = state, lines
        self.faults = unmended(self.faults, self._turns)
        if lines:
            self._calls.recorded(lines[-1].kind)
        self._forming.clear()

    @property
    def turns(self) -> Iterable[Turn]:
        """The turns of the present game."""
        return self._turns.turns

    @property
    def lines(self) -> Sequence[SheetLine]:
        """The score sheet of the present game."""
        return tuple(self._lines)

    @property
    def is_over(self) -> bool:
        """Whether the present game is, by its sheet or by a ruling."""
        return self._phase() == "over"

    def frame(self) -> Frame | None:
        """The public frame; None while no game has begun."""
        started, state = self.started, self.state
        if started is None or state is None:
            return None
        phase = self._phase()
        ended_ms = self._rulings.ended_ms
        clock = self.clock if ended_ms is None else self.clock.stopped(ended_ms)
        return {
            "epoch": self.epoch,
            "seq": self.seq,
            "game": started.game,
            "table": self.table,
            "phase": phase,
            "tile_set": _tile_set(state.tile_set),
            "players": self._players(started, state, phase),
            "clock": self._clock_json(clock) if self._has_clock else None,
            "board": list(state.board.rows()),
            "last_play": self._last_play(),
            "adjustments": [
                _adjustment(line) for line in self._lines if line.kind in _POINTS_KINDS
            ],
            "banner": self._rulings.banner,
            "call": None if phase == "over" else self._calls.as_json(),
            "challenge": self._challenge,
            "scores": _totals(self._lines),
            "result": self.result(),
            "forming": None if phase == "over" else self._forming_json(state),
            "unseen": _unseen_json(state),
            "turns": self._lines[-1].n if self._lines else 0,
        }

    def _clock_json(self, clock: ClockReading) -> public.Clocks:
        return {
            "remaining_ms": list(clock.remaining_ms),
            "running": clock.running,
            "at": clock.at,
            "overtime": None if self.overtime is None else [list(step) for step in self.overtime],
        }

    def _phase(self) -> public.Phase:
        if self._rulings.ended_ms is not None or any(
            line.kind in _END_KINDS for line in self._lines
        ):
            return "over"
        return "playing" if self._lines or self._clock_ran else "before"

    def result(self) -> public.Result | None:
        """How the game was decided, where the scores do not decide it."""
        for event in reversed(self.state.events if self.state is not None else ()):
            if isinstance(event, Conceded):
                return {"loser": event.player, "margin": event.margin, "how": event.how}
        return None

    def _players(
        self, started: GameStarted, state: GameState, phase: public.Phase
    ) -> list[public.Named]:
        # A clock that runs is right about the turn: it flips at the press, the record later.
        running = self.clock.running
        on_turn = state.on_turn if running is None else running
        reviewed = self._reviewed()
        named: list[public.Named] = []
        for number, name in enumerate(names_shown(started.players)):
            seat: Literal["left", "right"] = "left" if number == started.left_player else "right"
            turn = phase != "over" and number == on_turn
            player: public.Named = {
                "name": name, "score": state.scores[number], "seat": seat, "on_turn": turn
            }  # fmt: skip
            named.append({**player, "under_review": True} if number in reviewed else player)
        return named

    def _reviewed(self) -> set[int]:
        """The players of whose total a turn is in doubt, or an illegal play not ruled on yet."""
        otherwise = {
            player
            for turn in self._turns.turns
            for other in turn.alternatives
            for player, _ in _points(turn.events).items() ^ _points(other.events).items()
        }
        ruled_later = set(self._open.values())
        illegal = {
            event.player
            for turn in self._turns.turns
            if turn.ref in ruled_later
            for event in turn.events
            if isinstance(event, IllegallyPlayed)
        }
        return otherwise | illegal

    def _last_play(self) -> public.LastPlay | None:
        plays = [at for at, line in enumerate(self._lines) if line.kind in _PLAY_KINDS]
        if not plays:
            return None
        after = self._lines[plays[-1] + 1 :]
        play = self._lines[plays[-1]].in_public()
        return {
            **play.laid(),
            "total": play.totals[play.player],
            "bonus": sum(line.score for line in after if line.kind == "challenge"),
        }

    def _forming_json(self, state: GameState) -> public.Forming | None:
        tiles = self._forming.tiles(state.board)
        if not tiles:
            return None
        return {"squares": {name_across(sq): str(tile) for sq, tile in sorted(tiles.items())}}


def _points(events: Iterable[GameEvent]) -> Counter[int]:
    """What events add to the scores, by player."""
    points = Counter[int]()
    for event in events:
        points[event.player] += event.score if isinstance(event, Laid) else 0
    return points


def _rules(started: GameStarted) -> Rules:
    """The rules of a game; none where they cannot be loaded, so that all of them are open."""
    try:
        return rules_of_game(started)
    except NotationError:
        return NO_RULE_SET


def _challenge_costs(rules: Rules, lexicon: str) -> list[public.WrongChallenge]:
    costs, is_per_word = wrong_challenge_costs(rules, lexicon=lexicon)
    return [
        {
            "points": cost.points,
            "per_word": is_per_word,
            "turn_lost": cost.turn_lost,
            "seconds": None if cost.seconds is None else list(cost.seconds),
        }
        for cost in costs
    ]


def _totals(lines: Sequence[SheetLine]) -> list[list[int]]:
    """By turn: who made it, and both totals after it with all that followed from it."""
    turns: dict[int, list[int]] = {}
    for line in lines:
        player = turns[line.n][0] if line.n in turns else line.player
        turns[line.n] = [player, *line.totals]
    return list(turns.values())


def _adjustment(line: SheetLine) -> public.Adjustment:
    return {
        "player": line.player,
        "kind": cast("public.PointsKind", line.kind),
        "points": line.score,
        "tiles": line.tiles,
    }


def _tile_set(tiles: TileSet) -> public.TileSet:
    """What the set has, in the order of the alphabet, the blank at the end of ``counts``."""
    return {
        "name": tiles.name,
        "values": {label_text(letter): tiles.value(letter) for letter in tiles.letters},
        "counts": {label_text(face): tiles.count(face) for face in (*tiles.letters, BLANK)},
        "vowels": [*map(label_text, tiles.vowels)],
        "total": tiles.total,
    }


def _unseen_json(state: GameState) -> public.Unseen:
    """Unseen tiles by face; a tile that the set has too few of counts as none left."""
    tiles = {letter: max(0, count) for letter, count in state.unseen.items()}
    vowels = sum(tiles[letter] for letter in state.tile_set.vowels)
    blanks = tiles[BLANK]
    count = sum(tiles.values())
    return {
        "tiles": {label_text(tile): left for tile, left in tiles.items()},
        "count": count,
        "vowels": vowels,
        "consonants": count - vowels - blanks,
        "blanks": blanks,
        "bag": bag_count(state.tile_set, state.board),
    }
