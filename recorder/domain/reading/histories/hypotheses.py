"""One explanation of a whole game so far: which squares were filled at which look, and by whom.

A hypothesis knows squares, not letters: letters follow from the looks (``letters``). It is
extended by one look at a time (``extending``); nothing in it is ever changed in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from recorder.domain.board import Square
from recorder.domain.reading.histories.evidence import ALL_SQUARES
from recorder.domain.tiles import RACK_SIZE

NOT_PLACED = -1


Letters = Mapping[Square, Sequence[float]]
"""Accumulated nats of every face on the squares with a tile."""


class LookKind(StrEnum):
    """What a look can mean for the turn."""

    PRESS = "press"
    """The board at a press of the clock: a turn has ended."""
    PHOTO = "photo"
    """A photograph taken at a press or at a withdrawal; nobody says which."""
    BETWEEN = "between"
    """A look without a press: only the withdrawal of the last play can be concluded."""


@dataclass(frozen=True, slots=True)
class LookContext:
    """What is known of a look besides the picture.

    ``player`` is who pressed, where that is known; otherwise players alternate. ``missed``: so many
    turns before this look are known to have gone unseen. ``as_pressed``: nothing on the board has
    moved since the press, so no tile can be the next player's. ``came_off``: a look since the last
    play showed all of it gone. ``keeps_splits``: some look of the
    game shows two turns, and what was said may yet tell which tile belongs to which.
    """

    kind: LookKind = LookKind.PRESS
    player: int | None = None
    missed: int = 0
    as_pressed: bool = False
    came_off: bool = False
    keeps_splits: bool = False


class BoardChange(StrEnum):
    """What happened between two looks, as far as the board shows.

    UNSEEN: tiles of turns of which at least one is known to have gone unseen, in any shape: nobody
    has laid them against the rules. LIFT: loose tiles of an illegal laying came off after the reply
    to it (PLACE-2).
    """

    PLAY = "play"
    ILLEGAL = "illegal"
    NO_PLAY = "no_play"
    WITHDRAW = "withdraw"
    WITHDRAW_PLAY = "withdraw_play"
    WITHDRAW_ILLEGAL = "withdraw_illegal"
    WITHDRAW_NO_PLAY = "withdraw_no_play"
    TWO_PLAYS = "two_plays"
    UNSEEN = "unseen"
    LIFT = "lift"
    IDLE = "idle"


PRIOR: dict[BoardChange, float] = {
    BoardChange.PLAY: 0.0,
    BoardChange.ILLEGAL: 10.5,
    BoardChange.NO_PLAY: 2.5,
    BoardChange.WITHDRAW: 3.5,
    BoardChange.WITHDRAW_PLAY: 4.0,
    BoardChange.WITHDRAW_ILLEGAL: 14.5,
    BoardChange.WITHDRAW_NO_PLAY: 6.5,
    BoardChange.TWO_PLAYS: 9.0,
    BoardChange.UNSEEN: 10.5,
    BoardChange.LIFT: 0.0,
    BoardChange.IDLE: 0.0,
}
"""Nats before any evidence: about one turn in twelve leaves the board as it was, and less than
one play in twenty is taken back (0.8 challenges a game, most of them fail or cost nothing). Two
plays in one look mean a press or a look that went missing. Tiles against the rules of placement
are a turn of one player in thousands; where the next player may have begun, they are the slowest
explanation."""

STEPS: dict[LookKind, tuple[BoardChange, ...]] = {
    LookKind.PRESS: (
        BoardChange.NO_PLAY,
        BoardChange.PLAY,
        BoardChange.ILLEGAL,
        BoardChange.WITHDRAW_PLAY,
        BoardChange.WITHDRAW_ILLEGAL,
        BoardChange.WITHDRAW_NO_PLAY,
        BoardChange.TWO_PLAYS,
    ),
    LookKind.PHOTO: (
        BoardChange.NO_PLAY,
        BoardChange.PLAY,
        BoardChange.ILLEGAL,
        BoardChange.WITHDRAW_PLAY,
        BoardChange.WITHDRAW,
        BoardChange.TWO_PLAYS,
    ),
    LookKind.BETWEEN: (BoardChange.IDLE, BoardChange.WITHDRAW, BoardChange.LIFT),
}
WITHDRAWALS = frozenset(
    {
        BoardChange.WITHDRAW,
        BoardChange.WITHDRAW_PLAY,
        BoardChange.WITHDRAW_ILLEGAL,
        BoardChange.WITHDRAW_NO_PLAY,
    }
)
PASSES_NO_TURN = frozenset({BoardChange.WITHDRAW, BoardChange.LIFT, BoardChange.IDLE})
ILLEGAL = frozenset({BoardChange.ILLEGAL, BoardChange.WITHDRAW_ILLEGAL})


Astray = tuple[tuple[Square, Square | None], ...]
"""Standing tiles that do not lie where they were laid, and the square where each lies now."""


@dataclass(frozen=True, slots=True)
class TurnReading:
    """The reading of one look under one hypothesis.

    ``placed`` and ``taken`` are squares; ``missed`` are those of a play that the other player
    made before this one and that no look shows by itself. ``astray`` are earlier tiles that this
    look is the first to show elsewhere or nowhere, ``changed`` squares of the last play on which
    another tile lies now.
    """

    look: int
    step: BoardChange
    player: int
    placed: tuple[Square, ...] = ()
    taken: tuple[Square, ...] = ()
    missed: tuple[Square, ...] = ()
    astray: Astray = ()
    changed: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A history of turns and what it costs in nats.

    ``since[square]`` is the look from which on the tile lies there that lies there now. A tile that
    was knocked off still stands in the history: ``astray`` says where such tiles lie.
    """

    cost: float
    since: tuple[int, ...]
    turns: tuple[TurnReading, ...]
    on_turn: int
    astray: Astray = ()

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares with a tile."""
        return squares_of(self.since)

    @property
    def lay_before(self) -> frozenset[Square]:
        """The squares whose tiles lay there when the first look was taken, by no turn of these."""
        by_turns = {sq for turn in self.turns for sq in (*turn.placed, *turn.missed)}
        return frozenset(Square(s) for s in ALL_SQUARES if self.since[s] == 0 and s not in by_turns)

    @property
    def lying(self) -> frozenset[Square]:
        """The squares whose tiles lie where they were laid."""
        return self.occupied - {sq for sq, _ in self.astray}

    @property
    def last_play(self) -> TurnReading | None:
        """The play that could still be taken back: the last one, if nobody moved after it."""
        no_turns = (BoardChange.LIFT, BoardChange.IDLE)
        turns = [turn for turn in self.turns if turn.step not in no_turns]
        last = turns[-1] if turns else None
        return last if last and last.placed and last.step is not BoardChange.UNSEEN else None

    def rack_sizes(self, tiles_in_set: int) -> tuple[int, int, int]:
        """Tiles on both racks and in the bag, when everybody draws what they should."""
        racks = [RACK_SIZE, RACK_SIZE]
        bag = max(0, tiles_in_set - 2 * RACK_SIZE - len(self.lay_before))
        before = (tuple(racks), bag)
        for turn in self.turns:
            if turn.step is BoardChange.LIFT:
                bag += len(turn.taken)
            elif turn.taken:
                racks, bag = list(before[0]), before[1]
            for player, tiles in ((1 - turn.player, turn.missed), (turn.player, turn.placed)):
                if tiles:
                    before = (tuple(racks), bag)
                    drawn = min(len(tiles), bag)
                    racks[player] += drawn - len(tiles)
                    bag -= drawn
            if turn.step is BoardChange.UNSEEN:  # both have laid: who is short is not known
                racks = [sum(racks) // 2, (sum(racks) + 1) // 2]
        return racks[0], racks[1], bag

    def most_held(self, tiles_in_set: int) -> int:
        """How many tiles the player on turn may have: after a hole nobody knows who is short."""
        *racks, _ = self.rack_sizes(tiles_in_set)
        if any(turn.step is BoardChange.UNSEEN for turn in self.turns):
            return min(RACK_SIZE, sum(racks))
        return racks[self.on_turn]


def laid_over(history: Hypothesis) -> tuple[Square, ...]:
    """Squares on which turns that nobody saw left a tile, and the newest look shows another.

    A play of theirs was taken back, and the next one laid there: no look tells their tiles apart.
    """
    *_, last, newest = (None, None, *history.turns)
    if last is None or newest is None or last.step is not BoardChange.UNSEEN:
        return ()
    return tuple(sq for sq in newest.changed if sq in last.placed)


@lru_cache(maxsize=256)
def squares_of(since: tuple[int, ...]) -> frozenset[Square]:
    """The squares with a tile, of a history that has ``since``."""
    return frozenset([Square(s) for s, look in enumerate(since) if look != NOT_PLACED])


def beginning(first_player: int = 0, lay_before: frozenset[Square] = frozenset()) -> Hypothesis:
    """The empty board with ``first_player`` on turn, or one with tiles in the first look."""
    since = tuple(0 if s in lay_before else NOT_PLACED for s in ALL_SQUARES)
    shown = (TurnReading(look=0, step=BoardChange.IDLE, player=first_player),)
    return Hypothesis(0.0, since, shown if lay_before else (), first_player)
