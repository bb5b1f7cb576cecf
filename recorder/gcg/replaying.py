"""The events of a GCG file, played again on a board: do squares, scores and sums agree?

What the file records is kept even where it is wrong: the score that was agreed at the table is
the score of the game. A score that the squares do not give is therefore a warning; a running
total that is not the sum of the file's own scores is an error. Racks that contradict each other
or the supply are warnings, because annotators guess racks. After a play that cannot lie on the
board the position is unknown, and only the sums are followed from there.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from recorder.domain.board import Square, col_of, parse_square, row_of, square
from recorder.domain.errors import NotationError, RecorderError
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.plays import Fault, Placement, placement_faults
from recorder.domain.scoring import score
from recorder.domain.tile_text import read_tile, tile_parts, write_tiles
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, Tile, Tiles, TileSet, unnamed
from recorder.gcg.lines import EventLine, Form
from recorder.gcg.model import (
    EXCESS_NOTE,
    UNDECIDED_NOTE,
    GcgFault,
    GcgGame,
    GcgMove,
    GcgPlayer,
    Severity,
    is_agreed_note,
)
from recorder.gcg.plain_moves import illegal_as_noted, squares_noted
from recorder.gcg.racks import RackWatch

_BRACKETS = re.compile(r"\(([^()]*)\)")
_UNPLAYABLE = Fault.NO_TILES | Fault.OCCUPIED | Fault.OFF_BOARD
_WRONG = {
    Fault.GAP: ("play_has_gap", "a '.' or a gap where no tile lies", Severity.ERROR),
    Fault.NOT_CONNECTED: ("play_not_connected", "touches no tile on the board", Severity.ERROR),
    Fault.TOO_MANY_TILES: ("too_many_tiles", "more than seven new tiles", Severity.ERROR),
    Fault.NOT_IN_SUPPLY: ("not_in_supply", "more such tiles than the set has", Severity.ERROR),
    Fault.OCCUPIED: ("square_occupied", "another tile lies there already", Severity.ERROR),
    Fault.OFF_BOARD: ("play_off_board", "runs off the board", Severity.ERROR),
    Fault.NO_TILES: ("no_new_tile", "lays no new tile", Severity.ERROR),
    Fault.NOT_THROUGH_CENTRE: ("off_centre", "misses the centre square", Severity.WARNING),
    Fault.ONE_TILE_FIRST: ("one_tile_first", "opens with a single tile", Severity.WARNING),
}


class GameReplay:
    """A game while its file is read, and the faults found in it so far."""

    def __init__(self, tile_set: TileSet, faults: list[GcgFault]) -> None:
        self.state = new_game(tile_set)
        self.moves: list[GcgMove] = []
        self.totals = [0, 0]
        self._faults = faults
        self._cumulative = [0, 0]
        self._tracking = True
        self._laid_illegally: frozenset[Square] = frozenset()
        self._unsure: set[int] = set()
        self._resuming: set[int] = set()
        self._racks = RackWatch(tile_set, self.warn)
        self._score_faults: dict[int, GcgFault] = {}

    @property
    def on_turn(self) -> int:
        """Who is to move."""
        return self.state.on_turn

    def fault(
        self, line: int, fault: str, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Note something wrong."""
        self._faults.append(GcgFault(line, fault, message, severity))

    def warn(self, line: int, fault: str, message: str) -> None:
        """Note something doubtful."""
        self.fault(line, fault, message, Severity.WARNING)

    def lose_track(self) -> None:
        """A line could not be read: from here on the position is not known any more.

        The next running total of each player is taken as it is.
        """
        self._tracking = False
        self._unsure = {0, 1}

    def add_note(self, text: str, *, opens: bool = False) -> None:
        """A note, or a further line of one, to the last event."""
        if not self.moves:
            return
        last = self.moves[-1]
        notes = last.notes
        notes = (*notes, text) if opens or not notes else (*notes[:-1], f"{notes[-1]} {text}")
        self.moves[-1] = replace(last, notes=notes)
        known = self._score_faults.get(len(self.moves) - 1)
        if known is not None and known in self._faults and is_agreed_note(text):
            self._faults.remove(known)
        if text == EXCESS_NOTE:
            self._soften(last.line, "not_in_supply")
        if text == UNDECIDED_NOTE and isinstance(last.event, Passed):
            self._become(NoPlay(last.event.player))
        self._laid_illegally = squares_noted(text) or self._laid_illegally
        if squares_noted(text):
            self._forgive(last.line)
        illegal = illegal_as_noted(text, last)
        if illegal is not None:
            self._become_illegal(last, illegal)

    def _become(self, event: GameEvent) -> None:
        """The last event is another one, with the same effect on the position."""
        self.moves[-1] = replace(self.moves[-1], event=event, rack=())
        if self._tracking:
            self.state = replace(self.state, events=(*self.state.events[:-1], event))

    def _become_illegal(self, move: GcgMove, event: IllegallyPlayed) -> None:
        """The last play was a laying against the rules, and known as one."""
        self._become(event)
        if self._tracking:
            standing = self.state.standing
            kept = standing[:-1] if isinstance(move.event, Played) else standing
            self.state = replace(self.state, standing=(*kept, event))

    def _forgive(self, line: int) -> None:
        """What is noted as a laying against the rules, or as a part of one, is no fault."""
        names = {name for name, _, _ in _WRONG.values()}
        self._faults[:] = [
            known for known in self._faults if known.line != line or known.fault not in names
        ]

    def _soften(self, line: int, fault: str) -> None:
        """What the file itself notes of a line is a warning."""
        self._faults[:] = [
            replace(known, severity=Severity.WARNING)
            if (known.line, known.fault) == (line, fault)
            else known
            for known in self._faults
        ]

    def take(self, line: int, player: int, event: EventLine, *, transposed: bool) -> None:
        """Follow one event of the file."""
        if event.form is Form.WITHDRAWN:
            event = replace(event, score=self._withdrawn_points(line, player, event))
        self.totals[player] += event.score
        self._check_cumulative(line, player, event.cumulative)
        if event.trailing.startswith(">") or " >" in event.trailing:
            self.fault(line, "event_in_line", "another event is in this line: begin a line with it")
        elif event.trailing and event.form is not Form.PLAY:
            self.warn(line, "trailing_text", f"ignored: {event.trailing[:60]!r}")
        rack = self.rack_of(line, event.rack)
        turn = event.form in (Form.PLAY, Form.EXCHANGE, Form.PASS)
        if turn and self._tracking and player != self.state.on_turn:
            self.fault(line, "out_of_turn", "the other player is on turn")
        try:
            move = self._event_of(line, player, event, rack, transposed=transposed)
        except NotationError as err:
            self.fault(line, "event_malformed", str(err))
            self.lose_track()
            return
        if move is None or not self._tracking:
            return
        self._racks.take(line, player, rack, move, self.state)
        try:
            self.state = apply(self.state, move)
        except RecorderError as err:
            self.fault(line, "impossible", str(err))
            self.lose_track()
            return
        self.moves.append(GcgMove(move, rack, (), line))

    def _withdrawn_points(self, line: int, player: int, event: EventLine) -> int:
        """What a withdrawal takes off; some files show the loss in the running total only."""
        if event.score != 0 or event.cumulative is None:
            return event.score
        if event.cumulative != self.totals[player]:
            self.warn(line, "loss_not_written", "the loss shows only in the running total")
        return event.cumulative - self.totals[player]

    def _check_cumulative(self, line: int, player: int, cumulative: int | None) -> None:
        """Report a total that is wrong once, not again on every later line that builds on it.

        A file that has been lost already gets one such report for each player.
        """
        if cumulative is None:
            self.warn(line, "cumulative_missing", "the running total is missing")
            return
        if player in self._unsure | self._resuming:
            self._unsure.discard(player)
            self.totals[player] = cumulative
        if cumulative - self.totals[player] not in {0, self._cumulative[player]}:
            message = f"running total {cumulative}, the scores add up to {self.totals[player]}"
            self.fault(line, "cumulative_differs", message)
            if not self._tracking:
                self._resuming.add(player)
        self._cumulative[player] = cumulative - self.totals[player]

    def rack_of(self, line: int, rack: str) -> Tiles:
        """The tiles of a rack; empty, with a fault, where one of them is not of the set."""
        tiles, alien = self._held(rack)
        if alien:
            self.fault(line, "rack_malformed", f"no such tile in {rack!r}: {' '.join(alien)}")
        return () if alien else tiles

    def _held(self, text: str) -> tuple[Tiles, list[str]]:
        """The tiles that somebody holds, and what is none of the set."""
        return self._read(text, lambda tile: self.state.tile_set.count(tile) > 0)

    def _read(self, text: str, fits: Callable[[Tile], bool]) -> tuple[Tiles, list[str]]:
        """The tiles of a text that fit, and all parts that do not, sorted."""
        tiles: list[Tile] = []
        alien = set[str]()
        for part in tile_parts(text, self.state.tile_set):
            try:
                tile = read_tile(part)
            except NotationError:
                alien.add(part)
            else:
                tiles.append(tile)
                alien |= set() if fits(tile) else {part}
        return tuple(tiles), sorted(alien)

    def _event_of(
        self, line: int, player: int, event: EventLine, rack: Tiles, *, transposed: bool
    ) -> GameEvent | None:
        """The event of the domain; None when it cannot be given one."""
        made: GameEvent | None
        match event.form:
            case Form.PLAY:
                made = self._play(line, player, event, rack, transposed=transposed)
            case Form.EXCHANGE:
                made = self._exchange(line, player, event, rack)
            case Form.PASS:
                made = Passed(player, rack)
            case Form.WITHDRAWN:
                made = self._withdrawal(line, player, event, rack)
            case Form.CHALLENGE:
                made = self._bonus(line, player, event)
            case Form.TIME:
                if event.score > 0:
                    self.fault(line, "time_not_negative", f"overtime gives {event.score:+d}")
                made = TimePenalty(player, -event.score)
            case Form.END_RACK:
                made = self._end_rack(line, player, event, rack)
        return made

    def _play(
        self, line: int, player: int, event: EventLine, rack: Tiles, *, transposed: bool
    ) -> Played | None:
        placement = self._placement(line, event, transposed=transposed)
        if not self._tracking:
            return None
        board, tile_set = self.state.board, self.state.tile_set
        faults = placement_faults(board, placement, tile_set)
        for flag, (name, words, severity) in _WRONG.items():
            if flag & faults:
                self.fault(line, name, f"{event.position} {event.word}: {words}", severity)
        if faults & _UNPLAYABLE:
            self._tracking = False
            return None
        if set(placement.new_tiles()) <= self._laid_illegally:
            self._forgive(line)
        else:
            self._laid_illegally = frozenset()
        if BLANK in placement.word:
            self.warn(line, "blank_without_letter", f"{event.word}: a blank's letter is not known")
        computed = score(board, placement, tile_set)
        if computed != event.score:
            message = f"{event.position} {event.word}: recorded {event.score}, computed {computed}"
            self.warn(line, "score_differs", message)
            self._score_faults[len(self.moves)] = self._faults[-1]
        return Played(player, placement, event.score, rack)

    def _placement(self, line: int, event: EventLine, *, transposed: bool) -> Placement:
        """The placement with ``EMPTY`` for every tile that lies there already."""
        if not event.position.isupper():
            self.warn(line, "square_lower_case", f"{event.position}: others want capital letters")
        start, direction = parse_square(event.position.upper())
        if transposed:
            start, direction = square(col_of(start), row_of(start)), direction.other
        word = event.word
        if "(" in word:
            word = self._without_brackets(line, word)
        tile_set = self.state.tile_set
        tiles, alien = self._read(word, lambda tile: tile is EMPTY or tile_set.has(tile))
        if alien:
            raise NotationError(f"no such tile in {word!r}: {' '.join(alien)}")
        placement = Placement(start, direction, tiles)
        if not self._tracking:
            return placement
        pairs = zip(placement.squares(), tiles, strict=False)
        there = tuple(self._tile_there(self.state.board[sq], tile) for sq, tile in pairs)
        return replace(placement, word=there + tiles[len(there) :])

    def _without_brackets(self, line: int, word: str) -> str:
        """The word of a play whose letters played through stand in brackets, as in notes."""
        tile_set = self.state.tile_set
        bare = _BRACKETS.sub(
            lambda match: "." * sum(1 for _ in tile_parts(match[1], tile_set)), word
        )
        self.warn(line, "letters_in_brackets", f"{word}: others want {bare}")
        return bare

    @staticmethod
    def _tile_there(on_board: Tile, written: Tile) -> Tile:
        """``EMPTY`` when the written letter is that of the tile on the square already."""
        same = on_board is not EMPTY and unnamed(on_board) is unnamed(written)
        return EMPTY if same else written

    def _exchange(self, line: int, player: int, event: EventLine, rack: Tiles) -> Exchanged:
        tiles: Tiles = ()
        if event.tiles.isdecimal():
            count = int(event.tiles)
        else:
            tiles, alien = self._held(event.tiles)
            count = len(tiles)
            if alien:
                raise NotationError(f"no such tile in exchange -{event.tiles}: {' '.join(alien)}")
        if not 1 <= count <= RACK_SIZE:
            raise NotationError(f"exchange of {count} tiles; 1 to {RACK_SIZE} can be exchanged")
        if event.score:
            self.fault(line, "exchange_scores", f"an exchange scores {event.score:+d}")
        return Exchanged(player, count, tiles, rack)

    def _withdrawal(
        self, line: int, player: int, event: EventLine, rack: Tiles
    ) -> Withdrawn | None:
        if not self._tracking:
            return None
        last = self.moves[-1].event if self.moves else None
        if not isinstance(last, Laid) or last.player != player:
            message = "nothing to take back: the line before is not a play of this player"
            self.fault(line, "withdrawn_without_play", message)
            return None
        if -event.score != last.score:
            message = f"the play scored {last.score}, taken back are {-event.score}"
            self.fault(line, "withdrawn_score_differs", message)
        before = self.moves[-1].rack
        if rack and before and sorted(rack) != sorted(before):
            message = f"{event.rack} here, {write_tiles(before)} at the play"
            self.warn(line, "withdrawn_rack_differs", message)
        return Withdrawn(player, -event.score)

    def _bonus(self, line: int, player: int, event: EventLine) -> ChallengeBonus | None:
        last = self.moves[-1].event if self.moves else None
        follows = isinstance(last, Laid | ChallengeBonus) and last.player == player
        if self._tracking and not follows:
            message = "a challenge bonus follows the play that was challenged, of the same player"
            self.fault(line, "bonus_without_play", message)
        return ChallengeBonus(player, event.score)

    def _end_rack(self, line: int, player: int, event: EventLine, rack: Tiles) -> GameEvent:
        tiles, alien = self._held(event.tiles)
        if alien or not tiles:
            raise NotationError(f"no rack in brackets: ({event.tiles})")
        value = self.state.tile_set.points(tiles)
        if abs(event.score) not in {value, 2 * value}:
            message = f"({event.tiles}) counts {value}, recorded {event.score:+d}"
            self.warn(line, "end_rack_points_differ", message)
        if rack and sorted(rack) != sorted(tiles):
            self.warn(line, "end_rack_differs", f"rack {event.rack}, in brackets {event.tiles}")
        if rack or event.score < 0:
            return EndRackPenalty(player, -event.score, tiles)
        return EndRackPoints(player, event.score, tiles)

    def check_last_racks(self, line: int, racks: tuple[Tiles, Tiles]) -> None:
        """Compare the racks at the end of an unfinished game with what can be there."""
        if self._tracking and any(racks):
            self._racks.check_supply(line, racks[0] + racks[1], self.state)

    def game(self, players: tuple[GcgPlayer, GcgPlayer]) -> GcgGame:
        """The game as far as it could be followed; ``final`` sums up every line that was read."""
        final = (self.totals[0], self.totals[1])
        return GcgGame(
            players=players, tile_set=self.state.tile_set, moves=tuple(self.moves), final=final
        )
