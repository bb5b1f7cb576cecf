"""One explanation of a whole game so far: which squares were filled at which look, and by whom.

A hypothesis knows squares, not letters: letters follow from the looks (``letters``). It is
extended by one look at a time; nothing in it is ever changed in place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import add

from recorder.domain.board import SQUARES, Square
from recorder.domain.reading.histories.candidates import plays
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence
from recorder.domain.tiles import RACK_SIZE

NOT_PLACED = -1
ANOTHER_LETTER_COST = 3.0
"""Nats for a standing tile that suddenly reads as another letter."""
SAME_LETTER_COST = 2.7
"""Nats for each letter that comes back to its square in another player's play: one in fifteen."""
MORE_THAN_RACK_COST = 4.0
"""Nats for each tile played beyond what the player can hold by the tile account."""


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

    ``player`` is who pressed, where that is known; otherwise players alternate. ``turn_missed``:
    a turn before this look is known to have gone unseen.
    """

    kind: LookKind = LookKind.PRESS
    player: int | None = None
    turn_missed: bool = False


class BoardChange(StrEnum):
    """What happened between two looks, as far as the board shows."""

    PLAY = "play"
    NO_PLAY = "no_play"
    WITHDRAW = "withdraw"
    WITHDRAW_PLAY = "withdraw_play"
    WITHDRAW_NO_PLAY = "withdraw_no_play"
    TWO_PLAYS = "two_plays"
    IDLE = "idle"


PRIOR: dict[BoardChange, float] = {
    BoardChange.PLAY: 0.0,
    BoardChange.NO_PLAY: 2.5,
    BoardChange.WITHDRAW: 3.5,
    BoardChange.WITHDRAW_PLAY: 4.0,
    BoardChange.WITHDRAW_NO_PLAY: 6.5,
    BoardChange.TWO_PLAYS: 9.0,
    BoardChange.IDLE: 0.0,
}
"""Nats before any evidence: about one turn in twelve leaves the board as it was, and less than
one play in twenty is taken back (0.8 challenges a game, most of them fail or cost nothing). Two
plays in one look mean a press or a look that went missing."""
KNOWN_MISSING = 2.0
"""The prior of two plays in one look when a turn is known to have been missed."""
WORTH_A_SECOND = 3.0
"""Nats that the squares outside a play must promise before a second play is tried."""

STEPS: dict[LookKind, tuple[BoardChange, ...]] = {
    LookKind.PRESS: (
        BoardChange.NO_PLAY,
        BoardChange.PLAY,
        BoardChange.WITHDRAW_PLAY,
        BoardChange.WITHDRAW_NO_PLAY,
        BoardChange.TWO_PLAYS,
    ),
    LookKind.PHOTO: (
        BoardChange.NO_PLAY,
        BoardChange.PLAY,
        BoardChange.WITHDRAW_PLAY,
        BoardChange.WITHDRAW,
        BoardChange.TWO_PLAYS,
    ),
    LookKind.BETWEEN: (BoardChange.IDLE, BoardChange.WITHDRAW),
}


@dataclass(frozen=True, slots=True)
class TurnReading:
    """The reading of one look under one hypothesis.

    ``placed`` and ``taken`` are squares; ``missed`` are those of a play that the other player
    made before this one and that no look shows by itself.
    """

    look: int
    step: BoardChange
    player: int
    placed: tuple[Square, ...] = ()
    taken: tuple[Square, ...] = ()
    missed: tuple[Square, ...] = ()


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A history of turns and what it costs in nats. ``since[square]`` is the look of its tile."""

    cost: float
    since: tuple[int, ...]
    turns: tuple[TurnReading, ...]
    on_turn: int

    @property
    def occupied(self) -> frozenset[Square]:
        """The squares with a tile."""
        return frozenset(Square(s) for s in ALL_SQUARES if self.since[s] != NOT_PLACED)

    @property
    def last_play(self) -> TurnReading | None:
        """The play that could still be taken back: the last one, if nobody moved after it."""
        if not self.turns or not self.turns[-1].placed:
            return None
        return self.turns[-1]

    def rack_sizes(self, tiles_in_set: int) -> tuple[int, int, int]:
        """Tiles on both racks and in the bag, when everybody draws what they should."""
        racks, bag = [RACK_SIZE, RACK_SIZE], tiles_in_set - 2 * RACK_SIZE
        before = (tuple(racks), bag)
        for turn in self.turns:
            if turn.taken:
                racks, bag = list(before[0]), before[1]
            for player, tiles in ((1 - turn.player, turn.missed), (turn.player, turn.placed)):
                if tiles:
                    before = (tuple(racks), bag)
                    drawn = min(len(tiles), bag)
                    racks[player] += drawn - len(tiles)
                    bag -= drawn
        return racks[0], racks[1], bag


def beginning(first_player: int = 0) -> Hypothesis:
    """The empty board with ``first_player`` on turn."""
    return Hypothesis(0.0, (NOT_PLACED,) * SQUARES, (), first_player)


def extend(
    hypothesis: Hypothesis,
    evidence: Evidence,
    context: LookContext,
    *,
    letters: Letters,
    tiles_in_set: int,
) -> list[Hypothesis]:
    """Every explanation of one more look that starts from ``hypothesis``.

    ``letters`` gives what each standing tile has cost so far as each of ``evidence.faces``: a
    tile that turns into another letter speaks for a play taken back and replaced.
    """
    if context.player is not None:
        hypothesis = replace(hypothesis, on_turn=context.player)
    found: list[Hypothesis] = []
    last = hypothesis.last_play
    for step in STEPS[context.kind]:
        withdraws = step in (
            BoardChange.WITHDRAW,
            BoardChange.WITHDRAW_PLAY,
            BoardChange.WITHDRAW_NO_PLAY,
        )
        if withdraws and last is None:
            continue
        taken = last.placed if withdraws and last is not None else ()
        base = _without(hypothesis, taken)
        standing = _standing_cost(base, evidence, letters, taken)
        cost = standing + PRIOR[step]
        if step in (BoardChange.PLAY, BoardChange.WITHDRAW_PLAY):
            for play in plays(evidence, base.occupied, taken=taken):
                odd = _short(base, hypothesis.on_turn, play.squares, tiles_in_set)
                odd += _same_again(evidence, letters, set(taken) & set(play.squares))
                turn = _turn(hypothesis, step, play.squares, taken)
                found.append(_after(hypothesis, base, cost - play.gain + odd, turn))
        elif step is BoardChange.TWO_PLAYS:
            cost = standing + (KNOWN_MISSING if context.turn_missed else PRIOR[step])
            found += _two_plays(hypothesis, evidence, cost, player_known=context.player is not None)
        else:
            found.append(_after(hypothesis, base, cost, _turn(hypothesis, step, (), taken)))
    return found


def _same_again(evidence: Evidence, letters: Letters, squares: set[Square]) -> float:
    """What it costs that the other player lays the same letters where tiles were just taken."""
    same = [
        square
        for square in squares
        if _likeliest(letters[square]) == _likeliest(evidence.tiles[square])
    ]
    return len(same) * SAME_LETTER_COST


def _likeliest(costs: Sequence[float]) -> int:
    return min(range(len(costs)), key=costs.__getitem__)


def _two_plays(
    hypothesis: Hypothesis, evidence: Evidence, cost: float, *, player_known: bool
) -> list[Hypothesis]:
    """Two plays in one look, the presser's last; without a press, the player on turn is first."""
    found: list[Hypothesis] = []
    occupied = hypothesis.occupied
    second_player = hypothesis.on_turn if player_known else 1 - hypothesis.on_turn
    promise = sum(
        max(0.0, evidence.empty[square] - evidence.now_tile[square])
        for square in ALL_SQUARES
        if square not in occupied
    )
    for first in plays(evidence, occupied, keep=3):
        if promise - first.gain < WORTH_A_SECOND:
            continue
        for second in plays(evidence, occupied | frozenset(first.squares), keep=2):
            turn = TurnReading(
                look=_next_look(hypothesis),
                step=BoardChange.TWO_PLAYS,
                player=second_player,
                placed=second.squares,
                missed=first.squares,
            )
            total = cost - first.gain - second.gain
            found.append(_after(hypothesis, hypothesis, total, turn))
    return found


def _short(base: Hypothesis, player: int, squares: tuple[Square, ...], tiles_in_set: int) -> float:
    """What a play costs that has more tiles than its player can hold."""
    held = base.rack_sizes(tiles_in_set)[player]
    return max(0, len(squares) - held) * MORE_THAN_RACK_COST


def _turn(
    hypothesis: Hypothesis, step: BoardChange, placed: tuple[Square, ...], taken: tuple[Square, ...]
) -> TurnReading:
    return TurnReading(_next_look(hypothesis), step, hypothesis.on_turn, placed, taken)


def _next_look(hypothesis: Hypothesis) -> int:
    return hypothesis.turns[-1].look + 1 if hypothesis.turns else 0


def _without(hypothesis: Hypothesis, taken: tuple[Square, ...]) -> Hypothesis:
    if not taken:
        return hypothesis
    since = tuple(NOT_PLACED if s in taken else hypothesis.since[s] for s in ALL_SQUARES)
    return replace(hypothesis, since=since)


def _standing_cost(
    base: Hypothesis,
    evidence: Evidence,
    letters: Letters,
    taken: tuple[Square, ...],
) -> float:
    """The look's cost if the board is as in ``base`` and nothing was added."""
    total = 0.0
    for square in ALL_SQUARES:
        if base.since[square] == NOT_PLACED:
            total += (evidence.now_empty if square in taken else evidence.empty)[square]
            continue
        before = letters[Square(square)]
        both = map(add, before, evidence.tiles[square])
        total += min(min(both) - min(before), evidence.best_tile[square] + ANOTHER_LETTER_COST)
    return total


def _after(before: Hypothesis, base: Hypothesis, cost: float, turn: TurnReading) -> Hypothesis:
    since = base.since
    if turn.placed:
        new = frozenset((*turn.placed, *turn.missed))
        since = tuple(turn.look if s in new else since[s] for s in ALL_SQUARES)
    ends_turn = turn.step not in (BoardChange.WITHDRAW, BoardChange.IDLE)
    on_turn = 1 - turn.player if ends_turn else before.on_turn
    return Hypothesis(
        cost=before.cost + cost,
        since=since,
        turns=(*before.turns, turn),
        on_turn=on_turn,
    )
