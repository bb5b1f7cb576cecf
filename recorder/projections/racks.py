"""What sensors and people said of both racks, now and at each press, and what each turn took.

One fold for all who see racks: commentators, and those who may put them on air. They are no part of
the public frame. A rack that no sensor has seen is unknown, and so is one that is no longer seen:
nothing here is worked out from the tiles on the board. A turn is matched with the press that ended
it, so that it carries the time that it took and what its player held.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from recorder.domain.game import TURNS, GameEvent, Unseen
from recorder.domain.observations import (
    COVERED,
    ClockAct,
    ClockChanged,
    ClockPressed,
    DeviceLost,
    Observation,
    RackCounted,
    RackSeen,
    RackTyped,
    Side,
)
from recorder.domain.record import GameStarted, Observed
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, Tiles
from recorder.domain.turns import KnownRack, Turn, TurnEnd
from recorder.frames import booth
from recorder.log.port import Row
from recorder.projections.framed import framed

BACK: Final = COVERED
"""A tile of which only the back is shown."""
_NEW_TIMES = frozenset({ClockAct.ADJUST, ClockAct.RESET, ClockAct.RESUME})
"""Times after these were set, or stood: nothing ran since the times before."""
_NOT_HEARD = frozenset(
    {"board.seen", "board.not_seen", "board.stirred", "board.still", "board.reached"}
)
"""Looks at the board say nothing of racks; reading them takes time."""


@dataclass(frozen=True, slots=True)
class CountedRack:
    """How many tiles a rack's sensor counts, how sure, when and which device."""

    count: int
    confidence: float
    at: int
    device: str


def rack_as_json(rack: KnownRack | None) -> booth.KnownRack | None:
    """A rack as commentators get it."""
    if rack is None:
        return None
    letters, slots = write_tiles(rack.letters), write_tiles(rack.slots)
    return framed(booth.KnownRack, rack, letters=letters, slots=slots)


class Racks:
    """One table, folded row by row; a new game begins with nothing known."""

    def __init__(self, table: int) -> None:
        self.table = table
        self._game = ""
        self._left = 0
        self._clocks: dict[str, tuple[int, int]] = {}
        self._presses: dict[int, TurnEnd] = {}
        self._ran: dict[str, tuple[int, int]] = {}
        """How long both players' clocks ran in each game (ms), as far as they were heard."""
        self._ran_at: dict[int, tuple[int, int]] = {}
        """The same at each press, and where a game began or went on."""
        self._begin()

    def advance(self, row: Row) -> None:
        """One more row of the log; rows of other tables do not matter."""
        if row.table != self.table or row.type in _NOT_HEARD:
            return
        match row.says:
            case Observed(what=what):
                self._observe(row, what)
            case GameStarted() as started:
                self._start(started, row.seq)

    def seen(self, player: int) -> KnownRack | None:
        """The rack as it was last read; None when it is not known."""
        return self._seen[player]

    def counted(self, player: int) -> CountedRack | None:
        """What a sensor below the rack counts; None when there is none."""
        return self._counted[player]

    def to_play_from(self, player: int) -> KnownRack | None:
        """The rack before any tile of the play that is forming left it; None when not known."""
        return self._fullest[player]

    def on_air(self) -> list[str | None]:
        """Both racks for those who may see them: as reported last, without doubts.

        A tile that a camera is not sure of is a back (``BACK``), and so is every one of a rack that
        is only counted.
        """
        return [None if tiles is None else write_tiles(tiles[:RACK_SIZE]) for tiles in self._shown]

    def end_of(self, turn: Turn, player: int) -> TurnEnd | None:
        """How the table was when a turn of a player ended that is recorded now."""
        press = self._press_of(turn)
        if press is not None:
            end = self._presses[press]
            return end if end.player == player else None
        if self._is_pressed:
            return None
        # No clock at this table: the row itself is all that says when the turn was over.
        end = TurnEnd(player=player, rack=self._fullest[player], other=self._seen[1 - player])
        self._turn_over(player)
        return end

    def ends(self, turns: Iterable[Turn]) -> dict[int, list[TurnEnd | None]]:
        """How each event of a game's turns ended, by the name of its turn.

        The press of a turn that was taken out ended none: its time is the next turn's.
        """
        found: dict[int, list[TurnEnd | None]] = {}
        pressed: list[int] = []
        is_known = True
        for turn in turns:
            press = self._press_of(turn)
            since = max((seq for seq in pressed if seq < (press or 0)), default=self._since)
            found[turn.ref] = self._ends_of(turn, press, since, is_known=is_known)
            if any(isinstance(event, TURNS) for event in turn.events):
                is_known = press is not None
            if turn.events and press is not None:
                pressed.append(press)
        return found

    def _ends_of(
        self, turn: Turn, press: int | None, since: int, *, is_known: bool
    ) -> list[TurnEnd | None]:
        """Of several turns its player's last one ended by the press.

        Those before it have their own, where exactly so many presses lie between. ``since`` is the
        press of the turn before; ``is_known``: no other turn ended between them.
        """
        ended = turn.ended
        if ended is None:
            return [None for _ in turn.events]
        ends = [ended if event.player == ended.player else None for event in turn.events]
        turns = [at for at, event in enumerate(turn.events) if isinstance(event, TURNS)]
        own = max((at for at in turns if ends[at] is not None), default=None)
        if own is None:
            return ends
        before = [at for at in turns if at < own]
        presses: list[TurnEnd | None] = [None for _ in before]
        if press is not None and before:
            presses = self._presses_between(since, press, [turn.events[at].player for at in before])
        elif press is not None and is_known:
            ended = replace(ended, spent_ms=self._spent(ended.player, since, press))
        for at, end in zip((*before, own), (*presses, ended), strict=True):
            ends[at] = _alone(end, turn.events[at])
        return ends

    def _presses_between(
        self, since: int, press: int, players: Sequence[int]
    ) -> list[TurnEnd | None]:
        """The presses between that of the turn before and a turn's own, one for each player."""
        between = [
            end
            for seq, end in self._presses.items()
            if since < seq < press and end.clocks != self._starts
        ]
        if [end.player for end in between] == list(players):
            return [*between]
        return [None for _ in players]

    def _spent(self, player: int, since: int, press: int) -> int | None:
        """How long a player's clock ran between two presses; None where it was set to more."""
        before = self._ran_at.get(since, (0, 0)) if since < press else (0, 0)
        spent_ms = self._ran_at[press][player] - before[player]
        return spent_ms if spent_ms >= 0 else None

    def _press_of(self, turn: Turn) -> int | None:
        return next((seq for seq in (turn.ref, *turn.refs) if seq in self._presses), None)

    def _begin(self) -> None:
        self._seen: list[KnownRack | None] = [None, None]
        self._fullest: list[KnownRack | None] = [None, None]
        self._counted: list[CountedRack | None] = [None, None]
        self._shown: list[Tiles | None] = [None, None]
        self._is_pressed = False
        self._since, self._last, self._starts = 0, 0, (0, 0)

    def _start(self, started: GameStarted, seq: int) -> None:
        if started.game != self._game:
            self._begin()
            self._since, self._last, self._starts = seq, seq, started.starts_ms
            self._ran_at[seq] = self._ran.setdefault(started.game, (0, 0))
        elif started.left_player != self._left:
            for known in (self._seen, self._fullest, self._counted, self._shown):
                known.reverse()
            first, second = self._clocks[started.game]
            if (first, second) != started.starts_ms:
                self._clocks[started.game] = (second, first)
        self._game, self._left = started.game, started.left_player
        self._clocks.setdefault(started.game, started.starts_ms)

    def _observe(self, row: Row, what: Observation) -> None:
        match what:
            case DeviceLost(device=lost):
                self._lose(lost)
            case RackSeen(side=Side.LEFT | Side.RIGHT as side):
                player = self._player(side)
                self._see(player, _known(what, row.at, row.device))
                sure = (
                    BACK if at in what.doubtful else tile for at, tile in enumerate(what.letters, 1)
                )
                self._shown[player] = tuple(sure)
            case RackTyped(side=Side.LEFT | Side.RIGHT as side, letters=letters):
                player = self._player(side)
                self._type(player, _typed(letters, row.at, row.device))
                self._shown[player] = letters or None
            case RackCounted(side=Side.LEFT | Side.RIGHT as side, count=count) as counted:
                player = self._player(side)
                self._counted[player] = CountedRack(count, counted.confidence, row.at, row.device)
                self._shown[player] = (BACK,) * count
            case ClockPressed(side=side):
                self._set_clocks(row, what)
                self._press(row.seq, self._player(side), self._times(what))
            case ClockChanged():
                self._set_clocks(row, what)

    def _player(self, side: Side) -> int:
        return self._left if side is Side.LEFT else 1 - self._left

    def _times(self, said: ClockPressed | ClockChanged) -> tuple[int, int]:
        times = (said.left_ms, said.right_ms)
        return times[self._left], times[1 - self._left]

    def _set_clocks(self, row: Row, said: ClockPressed | ClockChanged) -> None:
        if row.game != self._game:
            return
        times = self._times(said)
        if not isinstance(said, ClockChanged) or said.act not in _NEW_TIMES:
            before, ran = self._clocks.get(self._game, times), self._ran.get(self._game, (0, 0))
            first, second = (ran[player] + before[player] - times[player] for player in (0, 1))
            self._ran[self._game] = first, second
        self._clocks[self._game] = times

    def _see(self, player: int, look: KnownRack | None) -> None:
        self._seen[player] = look
        if look is not None and _fuller(look, self._fullest[player]):
            self._fullest[player] = look

    def _type(self, player: int, rack: KnownRack | None) -> None:
        """What a person types replaces what was known, also what they typed wrongly before."""
        self._seen[player] = self._fullest[player] = rack

    def _lose(self, device: str) -> None:
        """A camera or sensor is gone: what it saw last may have changed since."""
        for player in (0, 1):
            seen, counted = self._seen[player], self._counted[player]
            if seen is not None and seen.device == device and not seen.typed:
                self._seen[player] = None
            if counted is not None and counted.device == device:
                self._counted[player] = None

    def _press(self, seq: int, player: int, clocks: tuple[int, int]) -> None:
        self._is_pressed = True
        self._ran_at[seq] = self._ran.get(self._game, (0, 0))
        self._presses[seq] = TurnEnd(
            player=player,
            clocks=clocks,
            spent_ms=self._spent(player, self._last, seq),
            rack=self._fullest[player],
            other=self._seen[1 - player],
        )
        self._last = seq
        self._turn_over(player)

    def _turn_over(self, player: int) -> None:
        """What is on the rack now is what the next play is made from, until more is drawn."""
        seen = self._seen[player]
        if seen is not None and seen.typed:
            self._seen[player] = self._shown[player] = None
        self._fullest[player] = self._seen[player]


def _alone(end: TurnEnd | None, event: GameEvent) -> TurnEnd | None:
    """The end of a turn; of several that nobody saw apart the clocks alone."""
    if end is None or not isinstance(event, Unseen) or event.turns == 1:
        return end
    return TurnEnd(player=end.player, clocks=end.clocks)


def _known(seen: RackSeen, at: int, device: str) -> KnownRack | None:
    """None when no tile was seen: whether the rack is empty or out of sight, nobody knows."""
    if not seen.letters:
        return None
    return KnownRack(seen.letters, seen.slots, seen.doubtful, seen.confidence, at, device)


def _typed(letters: Tiles, at: int, device: str) -> KnownRack | None:
    return KnownRack(letters, letters, (), 1.0, at, device, typed=True) if letters else None


def _fuller(look: KnownRack, before: KnownRack | None) -> bool:
    """Whether a look shows more of the rack than one before; tiles drawn too many go again."""
    if before is None or len(before.letters) > RACK_SIZE:
        return True
    return len(look.letters) >= len(before.letters)
