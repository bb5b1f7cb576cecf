"""What a table's recorder knows, and the story that it tells of the turns so far.

The state is made by ``table_fold``, an observation at a time; this module only looks at it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from recorder.domain.board import Board, Square, name_across
from recorder.domain.game import EndRackPoints
from recorder.domain.instruments import PictureEdge, TurnedTile
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import SquareCosts, TurnAct
from recorder.domain.reading.announcements import Heard, Spoken, tell, weigh_said, weigh_scores
from recorder.domain.reading.blank_letters import NO_SLIP, Slip
from recorder.domain.reading.clock import ClockState
from recorder.domain.reading.reconstruct import (
    TWO_IN_ONE_LOOK,
    Proposal,
    Reconstruction,
    weigh_ruled,
)
from recorder.domain.reading.turn_acts import Acts, Done
from recorder.domain.reading.turns import Press, ReadTurn
from recorder.domain.reading.without_press.turn_division import TurnDivision
from recorder.domain.tiles import BLANK, unseen


@dataclass(frozen=True, slots=True)
class Look:
    """A clear look: its row, when it was taken, and since when nothing had moved.

    ``moving``: something moved while it was taken. ``same_since_ms``: since when every look has
    read the same on the squares that have a tile by the record; ``turned`` are the tiles that lie
    another way than the others, each with the time since when every look has shown it so;
    ``bare_ms`` is when no tile lay beside the recorded ones for the last time that is known of.
    ``frame`` is the camera's name for the picture.
    """

    seq: int
    at_ms: int
    still_since_ms: int
    squares: SquareCosts
    moving: bool = False
    letters_turned: int | None = None
    same_since_ms: int = 0
    turned: tuple[tuple[TurnedTile, int], ...] = ()
    bare_ms: int = 0
    frame: str = ""


@dataclass(frozen=True, slots=True)
class ByHands:
    """What divides turns where no clock speaks, and what is known of those that are over.

    ``reached`` and ``arms`` are the edges told since the look divided last, in row ``reached_row``;
    ``looks`` those that the division may still name, by their rows.
    """

    division: TurnDivision
    closed: Reconstruction
    reached: tuple[PictureEdge, ...] = ()
    arms: tuple[PictureEdge, ...] = ()
    reached_row: int = 0
    looks: tuple[tuple[int, SquareCosts], ...] = ()


@dataclass(frozen=True, slots=True)
class OwnDraw:
    """What racks and bag have said of a draw by the player on turn, who has not pressed (TURN-4).

    ``counts`` is how many tiles each rack held last, None before a word of it; ``held`` those of
    the player on turn when the turn began, ``low`` after tiles were laid (``low_row`` counted
    them), None while none were;
    ``lifted_ms`` when the bag was lifted after that; ``drawn`` stands in for the press once the
    rack is full again, and ``look`` shows the board then; ``reply`` is the same of the other
    player, who may have gone on meanwhile. ``has_scale``: a scale has spoken of the bag; ``taken``
    tiles have left it since the last press.
    """

    counts: tuple[int | None, int | None] = (None, None)
    held: int = 0
    low: int | None = None
    lifted_ms: int | None = None
    drawn: Press | None = None
    look: Look | None = None
    reply: "OwnDraw | None" = None
    has_scale: bool = False
    taken: int = 0
    low_row: int = 0


NO_OWN_DRAW = OwnDraw()


@dataclass(frozen=True, slots=True)
class WrongHalf:
    """A turn of ``player`` through which the other half ran, since ``since_ms`` (CLOCK-4).

    It was that player's turn, and ``tiles`` came onto the board, as ``look`` shows: from that rack,
    by row ``row``, and none from the other one; 0 where no rack was counted. ``after`` is the row
    of the turn before, or of the start; ``turn`` the row that ended this one. It ran so until
    ``until_ms``. Both are 0 while the turn goes on.
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


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything a table's recorder knows.

    ``presses`` are all that ended a turn, ``waiting`` those that still lack a look; ``look_of``
    says which look a press was read from, ``turned`` by how many degrees clockwise the letters lay
    against the board's lettering then, where that is known; ``missed`` are presses that no look
    shows by itself, with the press they were read with; ``seen_late`` are
    those whose tiles nobody saw before the next player had time to lay some, with the milliseconds
    from the press to the look; ``lain`` are presses with the time of the last look before that
    showed no tile beside the recorded ones, and since when the board lay still; ``recent`` is the
    newest clear look since the last press; ``shown`` is the newest clear look at all, ``held``
    what was that when the clock was stopped; ``lay`` is the row of the look as in which the board
    lay by the camera's word, and until when;
    ``stirred_ms`` is when something began to move after it, ``watched`` whether the camera tells
    such things at all;
    ``over`` the row that stopped the clock, if it is stopped, or that shows that it was stopped
    after a play-out, ``over_ms`` when it was stopped; ``taken_back_ms`` when a play was last seen
    gone between presses, ``off`` what was known before that, for it may be put back, ``whole`` the
    same where nobody challenged it, for the players may be clearing the board;
    ``stopped`` that stop as a press of the player whose clock ran, until it is known whether it
    ended a turn; ``heard`` what was said by buttons, ``acted`` what players did around the ends of
    turns, ``slip`` the letters for the blanks, ``racks`` those that a camera
    last saw on each rack, empty where it is not sure; ``began_ms`` is when the clocks were started,
    ``began`` the row that says so;
    ``by_sheets``: the players' sheets are the record of the blanks, not the slip; ``at_once`` is
    the stop that ended a turn too soon after the press before it for either to be sure;
    ``back_for_blank``: whoever sends the clock back for a blank's letter has not passed;
    ``sent_back`` is the press of the play for which that was done; ``asked`` is a press that may
    have done so, though no slip is in sight, and what was known before it;
    ``waited`` is the clock at its opening and after each of its words before the first press;
    ``claimed`` is the table before a stop that ended a turn although the record has tiles left for
    that rack; ``laid_out`` is the newest look before the start that shows the set laid out;
    ``by_hands`` is there where no clock speaks and a camera tells who reaches in, ``hand_doubts``
    are those about the turns divided so, by their rows; ``own_draw`` is what is known of a draw
    before the own press, ``unpressed`` the turns that ended by such a draw, and not by a press;
    ``silence_ms`` is how long an opponent may let a play-out stand before it is accepted, None
    where silence accepts nothing; ``left_at_end`` are both times where the clock was left running;
    ``set_back`` are the rows that set the half of who pressed last going again, as if the opponent
    had pressed it back; ``falls`` are, as ``own_draw``, what each player has laid and drawn since
    the newest turn, whoever's half runs; ``wrong_half`` is there once they tell that the wrong one
    does, ``wrong_halves`` are the turns that were so; ``one_play`` is a look at one play, laid
    while the half of the player runs who is not to move by the order of turns.
    """

    clock: ClockState
    known: Reconstruction
    presses: tuple[Press, ...] = ()
    waiting: tuple[Press, ...] = ()
    look_of: tuple[tuple[int, int], ...] = ()
    turned: tuple[tuple[int, int], ...] = ()
    missed: tuple[tuple[int, Press], ...] = ()
    seen_late: tuple[tuple[int, int], ...] = ()
    lain: tuple[tuple[int, int, int], ...] = ()
    recent: Look | None = None
    shown: Look | None = None
    lay: tuple[int, int] = (0, 0)
    held: Look | None = None
    stirred_ms: int | None = None
    watched: bool = False
    over: int | None = None
    over_ms: int = 0
    taken_back_ms: int = 0
    whole: Reconstruction | None = None
    off: Reconstruction | None = None
    stopped: Press | None = None
    heard: tuple[Heard, ...] = ()
    acted: tuple[Done, ...] = ()
    slip: Slip = NO_SLIP
    racks: tuple[str, str] = ("", "")
    began_ms: int | None = None
    by_sheets: bool = False
    at_once: int | None = None
    waited: tuple[ClockState, ...] = ()
    claimed: "TableState | None" = None
    back_for_blank: bool = False
    sent_back: int = 0
    asked: tuple[Press, Reconstruction] | None = None
    began: int = 0
    laid_out: Look | None = None
    by_hands: ByHands | None = None
    hand_doubts: tuple[tuple[int, tuple[CodedText, ...]], ...] = ()
    own_draw: OwnDraw = NO_OWN_DRAW
    unpressed: tuple[int, ...] = ()
    silence_ms: int | None = None
    left_at_end: tuple[int, int] | None = None
    set_back: tuple[Press, ...] = ()
    falls: tuple[OwnDraw, OwnDraw] = (NO_OWN_DRAW, NO_OWN_DRAW)
    wrong_half: WrongHalf | None = None
    wrong_halves: tuple[WrongHalf, ...] = ()
    one_play: Look | None = None

    @property
    def witness(self) -> Look | None:
        """The look that says how the board lies: while the clock stands, the last one before."""
        return self.shown if self.clock.running is not None else self.held

    def lay_as_in(self, look: Look, at_ms: int) -> bool:
        """Whether the camera has said that the board lay as in a look, until then at least."""
        row, until_ms = self.lay
        return row == look.seq and until_ms >= at_ms

    @property
    def look_due(self) -> int | None:
        """The row that ended a turn, or may have, and that no look has shown yet."""
        if self.waiting:
            return self.waiting[-1].seq
        stop, look = self.stopped, self.recent
        is_shown = stop and look and look.at_ms >= stop.at_ms and not look.moving
        return None if stop is None or is_shown else stop.seq

    @property
    def racks_shown(self) -> tuple[str | None, str | None]:
        """The tiles on both racks; None where one may stand with its back to the camera."""
        blanks = unseen(self.known.tile_set, self.board.cells)[BLANK]
        first, second = (
            rack if rack and rack.count(BLANK) <= blanks else None for rack in self.racks
        )
        return first, second

    @property
    def remaining_at_end(self) -> tuple[int, int]:
        """Both times left when the game was over: what runs after the opponent has accepted it.

        Whoever shows the tiles, or says so, accepts a play-out; that counts as the stop where the
        clock was forgotten (END-2, END-8).
        """
        if self.over is not None and self.left_at_end is not None:
            return self.left_at_end
        left = list(self.clock.remaining_ms)
        if self.over is not None and self.presses:
            last = self.presses[-1]
            is_stop = last.at_ms == self.over_ms
            since_ms = self.presses[-2].at_ms if is_stop and len(self.presses) > 1 else last.at_ms
            accepted_ms = [
                done.at_ms
                for done in self.acted
                if done.act is TurnAct.ACCEPT
                and done.player != last.player
                and since_ms < done.at_ms < self.over_ms
            ]
            if accepted_ms:
                ran = last.player if is_stop else 1 - last.player
                left[ran] += self.over_ms - accepted_ms[0]
        return left[0], left[1]

    @property
    def acts(self) -> Acts:
        """What was done around the ends of turns."""
        read_with = {press: press for press, _ in self.look_of}
        read_with.update((lost.seq, press) for press, lost in self.missed)
        return Acts(self.acted, self.slip, self.presses, read_with, self.by_sheets)

    @property
    def board(self) -> Board:
        """The accepted board."""
        return self.known.board

    def story(
        self, ruled: Mapping[int, frozenset[Square]] = MappingProxyType({})
    ) -> tuple[ReadTurn, ...]:
        """What happened so far, in order, as this state sees it.

        ``ruled`` gives by turn the squares that its plays filled by order of a director: histories
        that say so are preferred, wherever any is left.
        """
        acts = self.acts
        spoken = Spoken(self.heard, self.presses, acts.read_with)
        known = weigh_ruled(self.known, ruled) if ruled else self.known
        groups = _groups(self, known)
        if quiet := spoken.turns_without_play(groups):
            known = weigh_said(known, quiet)
            groups = _groups(self, known)
        if self.missed and (scores := acts.scores_of_two()):
            groups = _groups(self, weigh_scores(known, scores))
        return acts.tell(tell(spoken, groups, _ending(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Ahead:
    """A look weighed before its press, as if ``player`` had pressed then; it saves time only."""

    known: Reconstruction
    look: Look
    player: int
    read: Reconstruction

    def fits(self, state: TableState, player: int | None) -> bool:
        """Whether this is what a press of ``player`` would be read from now."""
        look = state.recent
        same = self.known is state.known and look is not None and self.look.seq == look.seq
        return same and self.player == player

    def of_press(self, press: Press) -> Reconstruction:
        """What was weighed, as of this press."""
        *earlier, newest = self.read.looks
        return replace(self.read, looks=(*earlier, replace(newest, ref=press.seq)))


def _groups(state: TableState, known: Reconstruction) -> list[ReadTurn]:
    look_of = dict(state.look_of)
    doubts = {
        **dict(state.hand_doubts),
        **{ref: (coded("turn_not_seen", player=lost.player),) for ref, lost in state.missed},
    }
    if state.at_once is not None:
        doubts[state.at_once] = (*doubts.get(state.at_once, ()), TWO_IN_ONE_LOOK)
    for ref, late_ms in state.seen_late:
        late = coded("seen_late", seconds=f"{late_ms / 1000:.1f}")
        doubts[ref] = (*doubts.get(ref, ()), late)
    return [
        _group(proposal, look_of.get(proposal.ref), doubts.get(proposal.ref, ()))
        for proposal in known.proposals()
    ]


def _group(proposal: Proposal, look: int | None, doubts: tuple[CodedText, ...]) -> ReadTurn:
    return ReadTurn(
        ref=proposal.ref,
        refs=(proposal.ref,) if look in (None, proposal.ref) else (proposal.ref, look),
        events=proposal.events,
        log_odds=proposal.log_odds,
        doubts=(*proposal.doubts, *doubts),
        squares=tuple(name_across(square) for square in proposal.squares),
        alternatives=proposal.alternatives,
        look=look or 0,
        astray=proposal.astray,
        changed=proposal.changed,
    )


def _ending(state: TableState) -> ReadTurn | None:
    """The end-rack points once the clock was stopped after a play-out (rulebook END-2, END-3)."""
    played_out = play_out_points(state.known)
    if state.over is None or played_out is None or state.waiting:
        return None
    return ReadTurn(ref=state.over, refs=(state.over,), events=(played_out,), log_odds=0.0)


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
    tiles = "".join(face * count for face, count in sorted(left.items()) if count > 0)
    if racks[last.player] != 0 or racks[2] != 0 or len(tiles) != racks[1 - last.player]:
        return None
    return EndRackPoints(last.player, 2 * known.tile_set.points(tiles), tiles)
