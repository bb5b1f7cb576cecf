"""Every explanation of one more look that starts from a history of the game so far.

What may have happened is in ``hypotheses`` with its cost, what the standing tiles say in
``standing``, which squares a turn may have filled in ``candidates``.
"""

from dataclasses import replace
from typing import NamedTuple

from recorder.domain.board import Square
from recorder.domain.laying_faults import loose_squares
from recorder.domain.reading.histories.candidates import (
    MOST_PLAYS,
    Candidate,
    TileGains,
    all_laid,
    illegal_laying,
    plays,
)
from recorder.domain.reading.histories.clearing import MOST_KNOCKED
from recorder.domain.reading.histories.evidence import Evidence
from recorder.domain.reading.histories.hypotheses import (
    ILLEGAL,
    NOT_PLACED,
    PASSES_NO_TURN,
    PRIOR,
    STEPS,
    WITHDRAWALS,
    BoardChange,
    Hypothesis,
    LookContext,
    TurnReading,
)
from recorder.domain.reading.histories.standing import (
    PLAIN,
    SeenTiles,
    StandingTiles,
    likeliest,
    standing_tiles,
)
from recorder.domain.reading.histories.sums import TileCosts

SAME_LETTER_COST = 2.7
"""Nats for each letter that comes back to its square in another player's play: one in fifteen."""
MORE_THAN_RACK_COST = 4.0
"""Nats for each tile played beyond what the player can hold by the tile account."""
KNOWN_MISSING = 2.0
"""The prior of two plays in one look when a turn is known to have been missed."""
LAID_AGAIN = 6.0
"""Nats for a tile of the last play that reads as another where turns went unseen, or where it was
seen gone: it was taken back and the square laid again, for no eye that is wrong is wrong just then.
"""
_FEW_TURNS = (BoardChange.PLAY, BoardChange.WITHDRAW_PLAY, BoardChange.TWO_PLAYS)
"""What says how few turns made a board: nothing of it holds where three or more may have."""
MOST_FIRSTS = 12
"""So many plays are tried as the first of two where a turn is known to have been missed: which
tile belongs to which is open then, and the short play may be the first."""
WORTH_A_SECOND = 3.0
"""Nats that the squares outside a play must promise before a second play is tried."""
SURELY_ILLEGAL = 6.0
"""What an illegal laying costs less where the board lies as it was pressed: then a single square
that was surely seen outweighs it, and nothing less does. Eyes that are wrong are wrong by up to
four nats; such a square must not."""


class Growth(NamedTuple):
    """A history with one more turn, not made yet: most are never asked for.

    ``cost`` is that of all of it in nats.
    """

    cost: float
    before: Hypothesis
    ground: StandingTiles
    step: BoardChange
    player: int
    placed: tuple[Square, ...] = ()
    missed: tuple[Square, ...] = ()

    def history(self) -> Hypothesis:
        """The history."""
        turns, ground = self.before.turns, self.ground
        turn = TurnReading(
            look=turns[-1].look + 1 if turns else 0,
            step=self.step,
            player=self.player,
            placed=self.placed,
            taken=ground.taken,
            missed=self.missed,
            astray=ground.astray,
            changed=ground.changed,
        )
        since = ground.since
        if new := (*turn.placed, *turn.missed, *turn.changed):
            changed = list(since)
            for square in new:
                changed[square] = turn.look
            since = tuple(changed)
        on_turn = 1 - turn.player if self.step not in PASSES_NO_TURN else self.before.on_turn
        return Hypothesis(self.cost, since, (*turns, turn), on_turn, ground.away)


class WeighedLook:
    """A look, what is known of it, and what the tiles on the board have cost before it.

    Histories share most of their tiles and many their board: what follows for these is worked out
    once, whichever history asks. ``occupied``, ``taken`` and ``blocked`` as for ``candidates``.
    """

    def __init__(
        self, evidence: Evidence, context: LookContext, tiles_in_set: int, costs: TileCosts
    ) -> None:
        self.evidence, self.context, self.tiles_in_set = evidence, context, tiles_in_set
        self.tiles = SeenTiles(evidence, costs)
        self.gains = TileGains(evidence)
        self._plays: dict[tuple[object, ...], list[Candidate]] = {}
        self._illegal: dict[tuple[object, ...], Candidate | None] = {}
        self._pairs: dict[tuple[object, ...], list[tuple[Candidate, Candidate]]] = {}

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
            found = plays(self.gains, occupied, taken=taken, blocked=blocked, keep=asked)
            self._plays[key] = found
        return self._plays[key][:keep]

    def illegal(self, ground: StandingTiles) -> Candidate | None:
        """``candidates.illegal_laying``."""
        occupied, taken, blocked = ground.occupied, ground.taken, ground.blocked
        key = (occupied, taken, blocked)
        if key not in self._illegal:
            found = illegal_laying(self.gains, occupied, taken=taken, blocked=blocked)
            self._illegal[key] = found
        return self._illegal[key]

    def unseen(self, ground: StandingTiles) -> Candidate | None:
        """The tiles of turns that went unseen: of two, only what can be no play by itself."""
        if self.context.missed == 1 and not (ground.taken and self.context.came_off):
            return self.illegal(ground)
        taken, blocked = ground.taken, ground.blocked
        return all_laid(self.gains, ground.occupied, taken=taken, blocked=blocked)

    def pairs(
        self, occupied: frozenset[Square], blocked: frozenset[Square]
    ) -> list[tuple[Candidate, Candidate]]:
        """Two plays that the look could show, one after the other."""
        key = (occupied, blocked)
        if key not in self._pairs:
            self._pairs[key] = self._found_pairs(occupied, blocked)
        return self._pairs[key]

    def _found_pairs(
        self, occupied: frozenset[Square], blocked: frozenset[Square]
    ) -> list[tuple[Candidate, Candidate]]:
        likely = self.gains.likely - occupied - blocked
        promise = sum(max(0.0, self.gains.of(square, ())) for square in sorted(likely))
        firsts = MOST_FIRSTS if self.context.missed else 3
        return [
            (first, second)
            for first in self.plays(occupied, blocked=blocked, keep=firsts)
            if promise - first.gain >= WORTH_A_SECOND
            for second in self.plays(occupied | set(first.squares), blocked=blocked, keep=2)
        ]


def extend(hypothesis: Hypothesis, seen: WeighedLook) -> list[Growth]:
    """Every explanation of one more look that starts from ``hypothesis``.

    What each standing tile has cost so far as each face counts too: a tile that turns into another
    letter speaks for a play taken back and replaced.
    """
    if seen.context.player is not None:
        hypothesis = replace(hypothesis, on_turn=seen.context.player)
    hypothesis = _without_taken_off(hypothesis, seen.evidence)
    last = hypothesis.last_play
    held = hypothesis.most_held(seen.tiles_in_set)
    stand = _standing(hypothesis, seen)
    back = [] if last is None else _taken_back(hypothesis, seen.tiles, last.placed)
    steps = STEPS[seen.context.kind]
    if seen.context.missed > 1:
        steps = tuple(step for step in steps if step not in _FEW_TURNS)
    return [
        new
        for step in steps
        for ground in (back if step in WITHDRAWALS else stand)
        for new in _explained(hypothesis, ground, step, seen, held)
    ]


def _standing(hypothesis: Hypothesis, seen: WeighedLook) -> list[StandingTiles]:
    """The board with the last play on it."""
    stand, last = standing_tiles(hypothesis, seen.tiles, ()), hypothesis.last_play
    if last is None or not (seen.context.missed or seen.context.came_off):
        return stand
    return [
        ground
        if set(last.placed).isdisjoint(ground.changed)
        else replace(ground, cost=ground.cost + LAID_AGAIN)
        for ground in stand
    ]


def _without_taken_off(hypothesis: Hypothesis, look: Evidence) -> Hypothesis:
    """The history without tiles of the newest turns that nobody saw, where they are gone again.

    No look shows which of those turns was taken back: what is left of their tiles is theirs.
    """
    last = hypothesis.turns[-1] if hypothesis.turns else None
    if last is None or last.step is not BoardChange.UNSEEN:
        return hypothesis
    off = frozenset(sq for sq in last.placed if look.looks_bare(sq, PLAIN))
    if not off:
        return hypothesis
    since = tuple(NOT_PLACED if sq in off else look for sq, look in enumerate(hypothesis.since))
    left = replace(last, placed=tuple(sq for sq in last.placed if sq not in off))
    return replace(hypothesis, since=since, turns=(*hypothesis.turns[:-1], left))


def _taken_back(
    hypothesis: Hypothesis, tiles: SeenTiles, placed: tuple[Square, ...]
) -> list[StandingTiles]:
    """The board without the last play, unless so many other tiles went that it is cleared."""
    return [
        ground
        for ground in standing_tiles(hypothesis, tiles, placed)
        if sum(now is None for _, now in ground.astray) <= MOST_KNOCKED
    ]


def _explained(
    hypothesis: Hypothesis, ground: StandingTiles, step: BoardChange, seen: WeighedLook, held: int
) -> list[Growth]:
    """What one kind of change makes of a look, on what it says of the tiles that stood.

    ``held`` is how many tiles the player on turn has by the tile account.
    """
    cost = hypothesis.cost + ground.cost
    match step:
        case BoardChange.PLAY | BoardChange.WITHDRAW_PLAY:
            return _plays(hypothesis, ground, step, seen, held)
        case BoardChange.ILLEGAL | BoardChange.WITHDRAW_ILLEGAL if seen.context.missed:
            return _unseen(hypothesis, ground, seen)
        case BoardChange.ILLEGAL | BoardChange.WITHDRAW_ILLEGAL:
            return _illegal(hypothesis, ground, step, seen)
        case BoardChange.TWO_PLAYS:
            return _two_plays(hypothesis, ground, seen)
        case BoardChange.LIFT:
            return _lifted(hypothesis, seen)
        case _:
            return [Growth(cost + PRIOR[step], hypothesis, ground, step, hypothesis.on_turn)]


def _illegal(
    hypothesis: Hypothesis, ground: StandingTiles, step: BoardChange, seen: WeighedLook
) -> list[Growth]:
    laying = seen.illegal(ground)
    if laying is None:
        return []
    sure = SURELY_ILLEGAL if seen.context.as_pressed else 0.0
    cost = hypothesis.cost + ground.cost + PRIOR[step] - sure - laying.gain
    return [Growth(cost, hypothesis, ground, step, hypothesis.on_turn, laying.squares)]


def _unseen(hypothesis: Hypothesis, ground: StandingTiles, seen: WeighedLook) -> list[Growth]:
    """All that came, where turns are known to have gone unseen: the look shows no two plays."""
    if (laying := seen.unseen(ground)) is None:
        return []
    was_seen = bool(ground.taken) and seen.context.came_off
    few = seen.context.missed == 1 and not was_seen
    prior = PRIOR[BoardChange.UNSEEN] if few else KNOWN_MISSING
    prior += PRIOR[BoardChange.WITHDRAW] if ground.taken and not was_seen else 0.0
    cost = hypothesis.cost + ground.cost + prior - laying.gain
    player = hypothesis.on_turn
    return [Growth(cost, hypothesis, ground, BoardChange.UNSEEN, player, laying.squares)]


def _plays(
    hypothesis: Hypothesis, ground: StandingTiles, step: BoardChange, seen: WeighedLook, held: int
) -> list[Growth]:
    taken, before = ground.taken, hypothesis.cost + ground.cost
    found: list[Growth] = []
    for play in seen.plays(ground.occupied, taken=taken, blocked=ground.blocked):
        odd = max(0, len(play.squares) - held) * MORE_THAN_RACK_COST
        odd += _same_again(seen.tiles, set(taken) & set(play.squares), hypothesis)
        cost = before + (PRIOR[step] - play.gain + odd)
        player = hypothesis.on_turn
        found.append(Growth(cost, hypothesis, ground, step, player, play.squares))
    return found


def _same_again(tiles: SeenTiles, squares: set[Square], hypothesis: Hypothesis) -> float:
    """What it costs that the other player lays the same letters where tiles were just taken."""
    letters = tiles.letters(hypothesis) if squares else {}
    same = [
        square
        for square in squares
        if likeliest(letters[square]) == likeliest(tiles.evidence.tiles[square])
    ]
    return len(same) * SAME_LETTER_COST


def _two_plays(hypothesis: Hypothesis, ground: StandingTiles, seen: WeighedLook) -> list[Growth]:
    """Two plays in one look, the presser's last; without a press, the player on turn is first."""
    player_known = seen.context.player is not None
    second_player = hypothesis.on_turn if player_known else 1 - hypothesis.on_turn
    step = BoardChange.TWO_PLAYS
    prior = KNOWN_MISSING if seen.context.missed else PRIOR[step]
    before = hypothesis.cost + ground.cost
    return [
        Growth(
            cost=before + (prior - first.gain - second.gain),
            before=hypothesis,
            ground=ground,
            step=step,
            player=second_player,
            placed=second.squares,
            missed=first.squares,
        )
        for first, second in seen.pairs(ground.occupied, ground.blocked)
    ]


def may_come_off(hypothesis: Hypothesis) -> list[tuple[Square, ...]]:
    """The tiles that can be removed together: the last play, loose ones of an illegal laying."""
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


def _lifted(hypothesis: Hypothesis, seen: WeighedLook) -> list[Growth]:
    """Loose tiles of an illegal laying came off, all of them."""
    step = BoardChange.LIFT
    return [
        Growth(
            hypothesis.cost + ground.cost + PRIOR[step],
            hypothesis,
            ground,
            step,
            hypothesis.on_turn,
        )
        for squares in _loose(hypothesis)
        if all(seen.evidence.looks_bare(sq, PLAIN) for sq in squares)
        for ground in standing_tiles(hypothesis, seen.tiles, squares)
    ]
