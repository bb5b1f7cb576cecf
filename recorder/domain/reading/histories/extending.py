"""Every explanation of one more look that starts from a history of the game so far.

What may have happened is in ``hypotheses`` with its cost, what the standing tiles say in
``standing``, which squares a turn may have filled in ``candidates``.
"""

from dataclasses import replace

from recorder.domain.board import Square
from recorder.domain.laying_faults import loose_squares
from recorder.domain.reading.histories.candidates import (
    MOST_PLAYS,
    Candidate,
    illegal_laying,
    plays,
)
from recorder.domain.reading.histories.clearing import MOST_KNOCKED
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence
from recorder.domain.reading.histories.hypotheses import (
    ILLEGAL,
    PRIOR,
    STEPS,
    WITHDRAWALS,
    BoardChange,
    Hypothesis,
    LookContext,
    TurnReading,
)
from recorder.domain.reading.histories.standing import PLAIN, Ground, SeenTiles, grounds, likeliest
from recorder.domain.reading.histories.sums import TileCosts

SAME_LETTER_COST = 2.7
"""Nats for each letter that comes back to its square in another player's play: one in fifteen."""
MORE_THAN_RACK_COST = 4.0
"""Nats for each tile played beyond what the player can hold by the tile account."""
KNOWN_MISSING = 2.0
"""The prior of two plays in one look when a turn is known to have been missed."""
MOST_FIRSTS = 12
"""So many plays are tried as the first of two where a turn is known to have been missed: which
tile belongs to which is open then, and the short play may be the first."""
WORTH_A_SECOND = 3.0
"""Nats that the squares outside a play must promise before a second play is tried."""
SURELY_ILLEGAL = 6.0
"""What an illegal laying costs less where the board lies as it was pressed: then a single square
that was surely seen outweighs it, and nothing less does. Eyes that are wrong are wrong by up to
four nats; such a square must not."""


class WeighedLook:
    """A look, what is known of it, and what the tiles on the board have cost before it.

    Histories share most of their tiles and many their board: what follows for these is worked out
    once, whichever history asks.
    """

    def __init__(
        self, evidence: Evidence, context: LookContext, tiles_in_set: int, costs: TileCosts
    ) -> None:
        self.evidence, self.context, self.tiles_in_set = evidence, context, tiles_in_set
        self.tiles = SeenTiles(evidence, costs)
        self._plays: dict[tuple[object, ...], list[Candidate]] = {}

    def plays(
        self,
        occupied: frozenset[Square],
        *,
        taken: tuple[Square, ...] = (),
        blocked: frozenset[Square] = frozenset(),
        keep: int = MOST_PLAYS,
    ) -> list[Candidate]:
        """``candidates.plays``; fewer are the first of those that are sought in any case."""
        asked = max(keep, MOST_PLAYS)
        key = (occupied, taken, blocked, asked)
        if key not in self._plays:
            found = plays(self.evidence, occupied, taken=taken, blocked=blocked, keep=asked)
            self._plays[key] = found
        return self._plays[key][:keep]


def extend(hypothesis: Hypothesis, seen: WeighedLook) -> list[Hypothesis]:
    """Every explanation of one more look that starts from ``hypothesis``.

    What each standing tile has cost so far as each face counts too: a tile that turns into another
    letter speaks for a play taken back and replaced.
    """
    if seen.context.player is not None:
        hypothesis = replace(hypothesis, on_turn=seen.context.player)
    last = hypothesis.last_play
    stand = grounds(hypothesis, seen.tiles, ())
    back = [] if last is None else _taken_back(hypothesis, seen.tiles, last.placed)
    return [
        new
        for step in STEPS[seen.context.kind]
        for ground in (back if step in WITHDRAWALS else stand)
        for new in _explained(hypothesis, ground, step, seen)
    ]


def _taken_back(
    hypothesis: Hypothesis, tiles: SeenTiles, placed: tuple[Square, ...]
) -> list[Ground]:
    """The board without the last play, unless so many other tiles went that it is cleared."""
    return [
        ground
        for ground in grounds(hypothesis, tiles, placed)
        if sum(now is None for _, now in ground.astray) <= MOST_KNOCKED
    ]


def _explained(
    hypothesis: Hypothesis, ground: Ground, step: BoardChange, seen: WeighedLook
) -> list[Hypothesis]:
    """What one kind of change makes of a look, on what it says of the tiles that stood."""
    match step:
        case BoardChange.PLAY | BoardChange.WITHDRAW_PLAY:
            return _plays(hypothesis, ground, step, seen)
        case BoardChange.ILLEGAL | BoardChange.WITHDRAW_ILLEGAL:
            return _illegal(hypothesis, ground, step, seen)
        case BoardChange.TWO_PLAYS:
            return _two_plays(hypothesis, ground, seen)
        case BoardChange.LIFT:
            return _lifted(hypothesis, seen)
        case _:
            return [_after(hypothesis, ground, _turn(hypothesis, step, ground), PRIOR[step])]


def _plays(
    hypothesis: Hypothesis, ground: Ground, step: BoardChange, seen: WeighedLook
) -> list[Hypothesis]:
    occupied, taken = ground.base.occupied, ground.taken
    found: list[Hypothesis] = []
    held = ground.base.rack_sizes(seen.tiles_in_set)[hypothesis.on_turn]
    for play in seen.plays(occupied, taken=taken, blocked=ground.blocked):
        odd = max(0, len(play.squares) - held) * MORE_THAN_RACK_COST
        odd += _same_again(seen.tiles, set(taken) & set(play.squares), hypothesis)
        turn = _turn(hypothesis, step, ground, play.squares)
        found.append(_after(hypothesis, ground, turn, PRIOR[step] - play.gain + odd))
    return found


def _illegal(
    hypothesis: Hypothesis, ground: Ground, step: BoardChange, seen: WeighedLook
) -> list[Hypothesis]:
    """The one laying against the rules: what the look shows, square by square."""
    laying = illegal_laying(
        seen.evidence, ground.base.occupied, taken=ground.taken, blocked=ground.blocked
    )
    if laying is None:
        return []
    sure = SURELY_ILLEGAL if seen.context.as_pressed else 0.0
    turn = _turn(hypothesis, step, ground, laying.squares)
    return [_after(hypothesis, ground, turn, PRIOR[step] - sure - laying.gain)]


def _same_again(tiles: SeenTiles, squares: set[Square], hypothesis: Hypothesis) -> float:
    """What it costs that the other player lays the same letters where tiles were just taken."""
    letters = tiles.letters(hypothesis) if squares else {}
    same = [
        square
        for square in squares
        if likeliest(letters[square]) == likeliest(tiles.evidence.tiles[square])
    ]
    return len(same) * SAME_LETTER_COST


def _two_plays(hypothesis: Hypothesis, ground: Ground, seen: WeighedLook) -> list[Hypothesis]:
    """Two plays in one look, the presser's last; without a press, the player on turn is first."""
    evidence, occupied, blocked = seen.evidence, ground.base.occupied, ground.blocked
    player_known = seen.context.player is not None
    second_player = hypothesis.on_turn if player_known else 1 - hypothesis.on_turn
    prior = KNOWN_MISSING if seen.context.turn_missed else PRIOR[BoardChange.TWO_PLAYS]
    promise = sum(
        max(0.0, evidence.empty[square] - evidence.now_tile[square])
        for square in ALL_SQUARES
        if square not in occupied and square not in blocked
    )
    found: list[Hypothesis] = []
    firsts = MOST_FIRSTS if seen.context.turn_missed else 3
    for first in seen.plays(occupied, blocked=blocked, keep=firsts):
        if promise - first.gain < WORTH_A_SECOND:
            continue
        both = occupied | frozenset(first.squares)
        for second in seen.plays(both, blocked=blocked, keep=2):
            turn = replace(
                _turn(hypothesis, BoardChange.TWO_PLAYS, ground, second.squares),
                player=second_player,
                missed=first.squares,
            )
            found.append(_after(hypothesis, ground, turn, prior - first.gain - second.gain))
    return found


def may_come_off(hypothesis: Hypothesis) -> list[tuple[Square, ...]]:
    """The tiles that can come off together: the last play, loose ones of an illegal laying."""
    last = hypothesis.last_play
    return [*([last.placed] if last is not None else []), *_loose(hypothesis)]


def _loose(hypothesis: Hypothesis) -> list[tuple[Square, ...]]:
    """The loose tiles of each illegal laying that was replied to."""
    illegal = [turn for turn in hypothesis.turns if turn.step in ILLEGAL]
    loose = loose_squares(hypothesis.occupied) if illegal else frozenset()
    found = [
        tuple(sq for sq in turn.placed if sq in loose)
        for turn in illegal
        if turn is not hypothesis.last_play
    ]
    return [squares for squares in found if squares]


def _lifted(hypothesis: Hypothesis, seen: WeighedLook) -> list[Hypothesis]:
    """Loose tiles of an illegal laying came off, all of them."""
    found: list[Hypothesis] = []
    for squares in _loose(hypothesis):
        if all(seen.evidence.looks_bare(sq, PLAIN) for sq in squares):
            for ground in grounds(hypothesis, seen.tiles, squares):
                now = _turn(hypothesis, BoardChange.LIFT, ground)
                found.append(_after(hypothesis, ground, now, PRIOR[BoardChange.LIFT]))
    return found


def _turn(
    hypothesis: Hypothesis, step: BoardChange, ground: Ground, placed: tuple[Square, ...] = ()
) -> TurnReading:
    look = hypothesis.turns[-1].look + 1 if hypothesis.turns else 0
    return TurnReading(
        look=look,
        step=step,
        player=hypothesis.on_turn,
        placed=placed,
        taken=ground.taken,
        astray=ground.astray,
        changed=ground.changed,
    )


def _after(before: Hypothesis, ground: Ground, turn: TurnReading, cost: float) -> Hypothesis:
    """The history with one more turn, which costs ``cost`` beside what the ground does."""
    since = ground.base.since
    if new := (*turn.placed, *turn.missed, *turn.changed):
        changed = list(since)
        for square in new:
            changed[square] = turn.look
        since = tuple(changed)
    ends_turn = turn.step not in (BoardChange.WITHDRAW, BoardChange.IDLE, BoardChange.LIFT)
    on_turn = 1 - turn.player if ends_turn else before.on_turn
    return Hypothesis(
        cost=before.cost + ground.cost + cost,
        since=since,
        turns=(*before.turns, turn),
        on_turn=on_turn,
        astray=ground.base.astray,
    )
