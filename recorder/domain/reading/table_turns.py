"""The turns of a table so far: what ended them, how they read, what was said of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from recorder.domain.board import Square
from recorder.domain.game import EndRackPoints
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import TurnAct
from recorder.domain.reading.announcements import (
    Heard,
    Spoken,
    tell,
    weigh_said,
)
from recorder.domain.reading.blank_letters import NO_SLIP, Slip
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.looks import Look
from recorder.domain.reading.reconstruct import (
    Reconstruction,
    step,
    stray_squares,
    weigh_ruled,
)
from recorder.domain.reading.turn_acts import Acts, Done
from recorder.domain.tiles import TileSet, unseen
from recorder.domain.turns import Press, Turn


@dataclass(frozen=True, slots=True)
class WrongHalf:
    """A turn of ``player`` through which the other half of the clock ran (CLOCK-4).

    - ``since_ms``, ``until_ms``: from when to when; ``until_ms`` is 0 while the turn goes on
    - ``tiles``: how many came onto the board, as ``look`` shows, from that player's rack
    - ``row``: the row that counted the rack, 0 where no rack was counted
    - ``after``: the row of the turn before, or of the start; ``turn``: the row that ended this one
    """

    player: int
    after: int
    since_ms: int
    tiles: int
    row: int
    look: Look
    turn: int = 0
    until_ms: int = 0

    @property
    def ran_s(self) -> int | None:
        """How long that half ran through the turn, in whole seconds; None while it goes on."""
        return max(0, self.until_ms - self.since_ms) // 1000 if self.until_ms else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOff:
    """The last play, seen gone between presses.

    ``at_ms`` is when that was last seen, ``before`` what was known before it, for the play may be
    put back; ``unchallenged`` the same where nobody challenged it, for the players may be clearing
    the board. ``is_bare``: nobody had a right to take it off, but a look showed all of it gone, and
    none since shows it lying there as it was.
    """

    at_ms: int = 0
    before: Reconstruction | None = None
    unchallenged: Reconstruction | None = None
    is_bare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTalk:
    """What people said of the turns: by buttons, by what they did, and on the slip of blanks.

    ``by_sheets``: the players' sheets are the record of the blanks, not the slip.
    """

    announcements: tuple[Heard, ...] = ()
    acts: tuple[Done, ...] = ()
    slip: Slip = NO_SLIP
    by_sheets: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """The turns of a table so far.

    - ``reconstruction``: how all looks that showed turns are explained
    - ``presses``: all that ended a turn; ``unread``: those that still wait for a look
    - ``look_of``: by press, the look that it was read from
    - ``missed``: presses that no look shows by itself, after the press they were read with
    - ``lost``: by press, how many before it the clock did not report, at least
    - ``layers``: by press that shows turns not seen apart, the squares with tiles of looks before
    - ``unpressed``: turns that ended without a press; ``wrong_halves``: those on the wrong clock
    - ``doubts``: by the row of a turn, why it may not be a turn of its own, or not all of it
    """

    reconstruction: Reconstruction
    presses: tuple[Press, ...] = ()
    unread: tuple[Press, ...] = ()
    look_of: tuple[tuple[int, int], ...] = ()
    missed: tuple[tuple[int, Press], ...] = ()
    lost: tuple[tuple[int, int], ...] = ()
    layers: tuple[tuple[int, tuple[frozenset[Square], ...]], ...] = ()
    unpressed: tuple[int, ...] = ()
    wrong_halves: tuple[WrongHalf, ...] = ()
    doubts: tuple[tuple[int, tuple[CodedText, ...]], ...] = ()
    taken_off: TakenOff = TakenOff()
    said: TableTalk = TableTalk()

    @property
    def last(self) -> Press | None:
        """The press that ended the newest turn, None before the first."""
        return self.presses[-1] if self.presses else None

    @property
    def tile_set(self) -> TileSet:
        """The tiles of the game."""
        return self.reconstruction.tile_set

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares with a tile by the record."""
        return self.reconstruction.best.occupied

    @property
    def read_with(self) -> Mapping[int, int]:
        """By press that a look has shown, the press of its group: its own as a rule."""
        found = {press: press for press, _ in self.look_of}
        found.update((lost.seq, press) for press, lost in self.missed)
        return found

    @property
    def acts(self) -> Acts:
        """What was done around the ends of turns."""
        said = self.said
        return Acts(said.acts, said.slip, self.presses, self.read_with, said.by_sheets)

    @property
    def spoken(self) -> Spoken:
        """What was said of the turns."""
        return Spoken(self.said.announcements, self.presses, self.read_with)

    def with_press(self, press: Press, *, lost: int = 0) -> "Turns":
        """The same with one more turn ended, which no look shows yet.

        ``lost`` presses before it, at least, were not heard.
        """
        unheard = (*self.lost, (press.seq, lost)) if lost else self.lost
        presses, unread = (*self.presses, press), (*self.unread, press)
        return replace(self, presses=presses, unread=unread, lost=unheard)

    def hides(self, press: Press) -> int:
        """How many turns before that of a press no look shows by itself, at least."""
        lost, group = dict(self.lost), self._group_of(press)
        return len(group) - 1 + sum(lost.get(seq, 0) for seq in group)

    def _group_of(self, press: Press) -> list[int]:
        """The press and those before it that no look shows by itself."""
        return [press.seq, *(other.seq for with_, other in self.missed if with_ == press.seq)]

    def with_turn(self, known: Reconstruction, press: Press, look: Look) -> "Turns":
        """The same with the turn of a press read from a look; what was taken off stays off."""
        at_ms = self.taken_off.at_ms
        look_of = (*self.look_of, (press.seq, look.seq))
        unread = tuple(other for other in self.unread if other != press)
        off = TakenOff(at_ms=at_ms)
        return replace(self, reconstruction=known, look_of=look_of, unread=unread, taken_off=off)

    def with_doubt(self, ref: int, doubt: CodedText) -> "Turns":
        """The same with one more doubt of the turn whose row is ``ref``."""
        return replace(self, doubts=(*self.doubts, (ref, (doubt,))))

    def with_missed(self, press: Press, read_with: Press) -> "Turns":
        """The same with a turn that no look shows by itself."""
        missed = (*self.missed, (read_with.seq, press))
        return replace(self, missed=missed, unread=self.unread[1:])

    def read(self, press: Press, look: Look, *, as_pressed: bool = False) -> Reconstruction:
        """How a look reads as the end of a turn; ``as_pressed``: it shows the board then."""
        lost, hidden = dict(self.lost), self.hides(press)
        is_open = any(seq in lost for seq in self._group_of(press))  # nobody knows how many
        is_open = is_open or (hidden > 0 and look.is_late(press.at_ms))
        context = LookContext(
            LookKind.PRESS,
            press.player,
            missed=hidden + is_open,
            as_pressed=as_pressed,
            came_off=self.taken_off.is_bare,
            keeps_splits=bool(self.missed or self.lost),
        )
        known = step(self.reconstruction, look.squares, context, ref=press.seq)
        if hidden and not is_open and stray_squares(known):  # more than two plays lie there
            context = replace(context, missed=hidden + 1)
            known = step(self.reconstruction, look.squares, context, ref=press.seq)
        return known

    def is_challenged(self, since: Press | None = None) -> bool:
        """Whether a challenge was called since a press, the last one where none is given."""
        since = since or self.last
        since_ms = 0 if since is None else since.at_ms
        acts = self.said.acts
        return any(done.act is TurnAct.CHALLENGE and done.at_ms >= since_ms for done in acts)

    def story(
        self,
        ruled: Mapping[int, frozenset[Square]] = MappingProxyType({}),
        *,
        stop_row: int | None = None,
    ) -> tuple[Turn, ...]:
        """What happened so far, in order.

        ``ruled`` gives by turn the squares that its plays filled by order of a director: histories
        that say so are preferred, wherever any is left. ``stop_row`` stopped the clock for good.
        """
        acts, spoken = self.acts, self.spoken
        known = self.reconstruction
        known = weigh_ruled(known, ruled) if ruled else known
        groups = self._groups(known)
        if quiet := spoken.turns_without_play(groups):
            known = weigh_said(known, quiet)
            groups = self._groups(known)
        return acts.tell(tell(spoken, groups, self._ending(stop_row)))

    def _groups(self, known: Reconstruction) -> list[Turn]:
        look_of, doubts = dict(self.look_of), self._doubts_beside_looks()
        return [
            _group(turn, look_of.get(turn.ref), doubts.get(turn.ref, ())) for turn in known.turns
        ]

    def _doubts_beside_looks(self) -> dict[int, tuple[CodedText, ...]]:
        """By turn, the doubts that do not come from weighing its look."""
        missed = ((ref, (coded("turn_not_seen", player=lost.player),)) for ref, lost in self.missed)
        doubts: dict[int, tuple[CodedText, ...]] = dict(missed)
        for ref, said in self.doubts:
            doubts[ref] = (*doubts.get(ref, ()), *said)
        return doubts

    def _ending(self, stop_row: int | None) -> Turn | None:
        """The end-rack points once the clock was stopped after a play-out (END-2, END-3)."""
        played_out = play_out_points(self.reconstruction)
        if stop_row is None or played_out is None or self.unread:
            return None
        return Turn(ref=stop_row, refs=(stop_row,), events=(played_out,), log_odds=0.0)


def _group(turn: Turn, look: int | None, doubts: tuple[CodedText, ...]) -> Turn:
    """The turn with the row of its look, and with doubts that do not come from weighing it."""
    refs = turn.refs if look in (None, turn.ref) else (*turn.refs, look)
    return replace(turn, refs=refs, look=look or 0, doubts=(*turn.doubts, *doubts))


def play_out_points(known: Reconstruction) -> EndRackPoints | None:
    """Twice the opponent's tiles, when the last play emptied its player's rack and the bag.

    By the tile account alone: everybody drew what they should. ``None`` when nobody is out.
    """
    best = known.best
    last = best.last_play
    if last is None:
        return None
    racks = best.rack_sizes(known.tile_set.total)
    left = unseen(known.tile_set, known.board.cells)
    tiles = tuple(face for face in sorted(left) for _ in range(left[face]))
    if racks[last.player] != 0 or racks[2] != 0 or len(tiles) != racks[1 - last.player]:
        return None
    return EndRackPoints(last.player, 2 * known.tile_set.points(tiles), tiles)
