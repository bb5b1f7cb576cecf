"""From looks at the board to proposals of what was played: a search for the best explanation.

Several histories are carried side by side and every look is weighed against all of them, so a
later look can settle an earlier doubt. ``Reconstruction.proposals`` reads the best history as
game events, each with its margin over the best history that differs there, and with the reasons
to doubt it. It decides nothing: the session compares proposals with what it has recorded.

Known limits: squares that look like tiles and that no history explains are doubts; there is no
word list, phonies stand until taken back.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType

from recorder.domain.board import EMPTY_BOARD, Board, Square, name_across
from recorder.domain.game import GameEvent, Laid, NoPlay, Unseen, Withdrawn
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import SquareCosts
from recorder.domain.reading.histories.evidence import Evidence, weigh
from recorder.domain.reading.histories.extending import WeighedLook, extend
from recorder.domain.reading.histories.hypotheses import (
    ILLEGAL,
    PASSES_NO_TURN,
    Astray,
    BoardChange,
    Hypothesis,
    LookContext,
    TurnReading,
    beginning,
)
from recorder.domain.reading.histories.laid_tiles import illegal_laying_of, play_of, without_lifted
from recorder.domain.reading.histories.letters import (
    Assignment,
    LetterReading,
    assign,
    supply_penalty,
)
from recorder.domain.reading.histories.sums import (
    TileCosts,
    Totals,
    added,
    between,
    trim_old_totals,
)
from recorder.domain.reading.histories.unexplained import stray_by_look, unexplained
from recorder.domain.record import Alternative
from recorder.domain.tiles import Tile, Tiles, TileSet
from recorder.domain.turns import Turn

BEAM = 12
WIDEST = 25.0
"""Histories that are this many nats worse than the best are dropped; also the largest margin."""
DOUBTFUL_TURN = 3.0
DOUBTFUL_LETTER = 1.5
MOST_LETTERS_SHOWN = 2
TWO_IN_ONE_LOOK = coded("two_plays_in_one_look")
OUT_OF_TURN = coded("pressed_out_of_turn")


@dataclass(frozen=True)
class Reconstruction:
    """All looks so far and the histories that may explain them, best first.

    ``totals`` are the costs of every face on every square, summed up to each look; of earlier looks
    only where somebody asks (``_trimmed``).
    """

    tile_set: TileSet
    looks: tuple[Evidence, ...]
    totals: tuple[Totals, ...]
    hypotheses: tuple[Hypothesis, ...]
    costs: tuple[float, ...]

    @property
    def best(self) -> Hypothesis:
        """The history in force."""
        return self.hypotheses[0]

    @property
    def board(self) -> Board:
        """The board as the best history has it."""
        readings = self.standing.readings
        return EMPTY_BOARD.place({square: reading.face for square, reading in readings.items()})

    @property
    def board_before(self) -> Board:
        """The board as the first look showed it, where the looks begin amid a game; else empty."""
        return _before(self.best, self.standing)

    @cached_property
    def standing(self) -> Assignment:
        """The letters of the tiles on the board of the best history; worked out once."""
        return _standing(self, self.best)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The best history as turns, one per look that carried any; worked out once.

        Each is named by its look, as given to ``step``; its odds are the margin over the best other
        reading of this look, in nats, at most ``WIDEST``.
        """
        standing = self.standing
        events, stray = _events(self, self.best, standing), stray_by_look(self.looks, self.best)
        return tuple(
            self._turn(index, events[index], standing, stray.get(turn.look, []))
            for index, turn in enumerate(self.best.turns)
            if _says(turn)
        )

    def _turn(
        self,
        index: int,
        events: tuple[GameEvent, ...],
        standing: Assignment,
        stray: Sequence[Square],
    ) -> Turn:
        turn = self.best.turns[index]
        margin, others = _rivals(self, index)
        reasons: list[CodedText] = []
        squares: list[Square] = []
        if margin < DOUBTFUL_TURN:
            reasons.append(coded("another_reading"))
            squares += [s for rival in others for s in rival.turns[index].placed]
        weak = _weak_letters(self, index, standing)
        for square, reading in weak:
            name = name_across(square)
            reasons.append(
                coded(
                    "weak_letter", square=name, letter=str(reading.face), other=str(reading.second)
                )
            )
            squares.append(square)
        if turn.missed:
            reasons.append(TWO_IN_ONE_LOOK)
        if _out_of_turn(self.best.turns, index):
            reasons.append(OUT_OF_TURN)
        if stray:
            squares += stray
            names = " ".join(name_across(square) for square in stray)
            reasons.append(coded("unexplained_tiles", squares=names))
        ref = self.looks[turn.look].ref
        return Turn(
            ref=ref,
            refs=(ref,),
            events=events,
            log_odds=margin,
            doubts=tuple(reasons),
            squares=tuple(map(name_across, sorted(set(squares)))),
            alternatives=(
                *(self._as_rival(index, rival) for rival in others),
                *self._with_other_letters(index, standing, weak),
            ),
            astray=_astray_by(self.best.turns, index),
        )

    def _as_rival(self, index: int, rival: Hypothesis) -> Alternative:
        events = _events(self, rival, _standing(self, rival))
        return Alternative(events[index], self.costs[self.hypotheses.index(rival)] - self.costs[0])

    def _with_other_letters(
        self, index: int, standing: Assignment, weak: Sequence[tuple[Square, LetterReading]]
    ) -> Iterator[Alternative]:
        """The same turn with the runner-up of each letter that is weak, the closest first."""
        for square, reading in sorted(weak, key=lambda pair: pair[1].margin)[:MOST_LETTERS_SHOWN]:
            swapped = _events(self, self.best, standing, {square: reading.second})
            yield Alternative(swapped[index], reading.margin)


def begin(tile_set: TileSet, *, first_player: int = 0) -> Reconstruction:
    """No looks yet: the empty board, ``first_player`` (0 or 1) on turn."""
    return Reconstruction(tile_set, (), (), (beginning(first_player),), (0.0,))


def step(
    known: Reconstruction, look: SquareCosts, context: LookContext, *, ref: int
) -> Reconstruction:
    """Weigh one more look against every history. The same arguments give the same result."""
    evidence = weigh(look, known.tile_set, ref=ref, before=next(reversed(known.looks), None))
    weighed = WeighedLook(evidence, context, known.tile_set.total, TileCosts(known.totals))
    growths = [new for history in known.hypotheses for new in extend(history, weighed)]
    growths.sort(key=attrgetter("cost"))
    grown: dict[tuple[object, ...], Hypothesis] = {}
    for growth in growths:
        if len(grown) == 2 * BEAM:
            break
        new = growth.history()
        apart = context.keeps_splits and tuple(turn.missed for turn in new.turns)
        key = (new.since, new.on_turn, new.last_play, new.turns[-1].step, new.astray, apart)
        grown.setdefault(key, new)  # the cheapest of those that come to the same
    ranked = _ranked(
        replace(
            known,
            looks=(*known.looks, evidence),
            totals=(*known.totals, added(known.totals[-1] if known.totals else None, evidence)),
        ),
        grown.values(),
    )
    return _trimmed(ranked)


def _trimmed(known: Reconstruction) -> Reconstruction:
    """The same without what no later look can ask of the look before the newest."""
    if len(known.looks) < 2:
        return known
    return replace(
        known,
        looks=(*known.looks[:-2], known.looks[-2].as_earlier(), known.looks[-1]),
        totals=(
            *known.totals[:-2],
            trim_old_totals(known.totals[-2], known.hypotheses),
            known.totals[-1],
        ),
    )


def _ranked(known: Reconstruction, hypotheses: Iterable[Hypothesis]) -> Reconstruction:
    """Order by cost with the tile supply counted in, and drop the hopeless."""
    costs, faces = TileCosts(known.totals), _faces(known)
    scored = [(h.cost + supply_penalty(costs.of(h), faces, known.tile_set), h) for h in hypotheses]
    scored.sort(key=lambda pair: pair[0])
    best = scored[0][0]
    kept = [pair for pair in scored if pair[0] - best <= WIDEST][:BEAM]
    return replace(
        known, hypotheses=tuple(h for _, h in kept), costs=tuple(cost for cost, _ in kept)
    )


def _standing(known: Reconstruction, hypothesis: Hypothesis) -> Assignment:
    """The letters of the tiles on the board, kept to the tile supply."""
    return assign(TileCosts(known.totals).of(hypothesis), _faces(known), known.tile_set)


def _faces(known: Reconstruction) -> Tiles:
    return known.looks[0].faces if known.looks else ()


def _readings(
    known: Reconstruction, hypothesis: Hypothesis, index: int, standing: Assignment
) -> dict[Square, LetterReading]:
    """The letters of the tiles placed in a turn, whether they still stand or not.

    What came off or was exchanged later is read from the looks until then.
    """
    turn = hypothesis.turns[index]
    until = {
        square: later.look - 1
        for later in reversed(hypothesis.turns[index + 1 :])
        for square in (*later.taken, *later.changed)
    }
    laid = (*turn.missed, *turn.placed)
    rows = {sq: between(known.totals, sq, turn.look, until[sq]) for sq in laid if sq in until}
    readings = dict(assign(rows, _faces(known), known.tile_set).readings)
    return readings | {sq: standing.readings[sq] for sq in laid if sq not in readings}


def _before(hypothesis: Hypothesis, standing: Assignment) -> Board:
    return EMPTY_BOARD.place({sq: standing.readings[sq].face for sq in hypothesis.lay_before})


def _events(
    known: Reconstruction,
    hypothesis: Hypothesis,
    standing: Assignment,
    swapped: Mapping[Square, Tile] = MappingProxyType({}),
) -> list[tuple[GameEvent, ...]]:
    """The events of every turn of a history, in order; scores follow from the letters.

    ``standing`` are the letters of the tiles on its board, ``swapped`` tiles that shall be read
    otherwise.
    """
    board = earlier = _before(hypothesis, standing)
    last: Laid | None = None
    per_turn: list[tuple[GameEvent, ...]] = []
    for index, turn in enumerate(hypothesis.turns):
        events: list[GameEvent] = []
        if turn.step is BoardChange.LIFT:
            per_turn = [
                tuple(without_lifted(event, turn.taken) for event in so_far) for so_far in per_turn
            ]
            board, earlier = board.remove(turn.taken), earlier.remove(turn.taken)
        elif turn.taken and last is not None:
            events.append(Withdrawn(player=last.player, score=last.score))
            board = earlier
        if turn.placed:
            readings = _readings(known, hypothesis, index, standing)
            for player, squares in ((1 - turn.player, turn.missed), (turn.player, turn.placed)):
                if squares:
                    tiles = {sq: swapped.get(sq, readings[sq].face) for sq in sorted(squares)}
                    last = _lay(turn.step)(known.tile_set, board, tiles, player)
                    events.append(last)
                    earlier, board = board, board.place(tiles)
        elif turn.step in (BoardChange.NO_PLAY, BoardChange.WITHDRAW_NO_PLAY):
            events.append(NoPlay(player=turn.player))
        per_turn.append(tuple(events))
    return per_turn


def _lay(step: BoardChange) -> Callable[[TileSet, Board, Mapping[Square, Tile], int], Laid]:
    if step is BoardChange.UNSEEN:
        return lambda _set, _board, tiles, player: Unseen(player, tuple(tiles.items()))
    return illegal_laying_of if step in ILLEGAL else play_of


def _out_of_turn(turns: Sequence[TurnReading], index: int) -> bool:
    """Whether the player of a turn also made the one before it (withdrawals pass no turn)."""
    passing = [turn for turn in turns[: index + 1] if turn.step not in PASSES_NO_TURN]
    return (
        turns[index].step not in (*PASSES_NO_TURN, BoardChange.TWO_PLAYS, BoardChange.UNSEEN)
        and len(passing) > 1
        and passing[-2].player == passing[-1].player
    )


def _says(turn: TurnReading) -> bool:
    return turn.step not in (BoardChange.IDLE, BoardChange.LIFT)


def _rivals(known: Reconstruction, index: int) -> tuple[float, list[Hypothesis]]:
    """The margin of one turn's reading, and the rivals close enough to be shown (at most two)."""
    mine = known.best.turns[index]
    rivals = [
        (cost - known.costs[0], other)
        for cost, other in zip(known.costs[1:], known.hypotheses[1:], strict=True)
        if _differs(mine, other.turns[index])
    ]
    if not rivals:
        return WIDEST, []
    close = [other for gap, other in rivals if gap < DOUBTFUL_TURN]
    return min(gap for gap, _ in rivals), close[:2]


def margin_of_turn(known: Reconstruction, index: int) -> float:
    """By how many nats the best history beats all that read a turn otherwise."""
    return _rivals(known, index)[0]


def _differs(mine: TurnReading, other: TurnReading) -> bool:
    """Whether two histories read one look otherwise, no matter who they take to be on turn then.

    Who is on turn follows from earlier turns wherever nobody says who pressed: a history that has
    one turn more or less gives all later turns to the other player. The doubt is the earlier
    turn's, and saying it again at each later one would hide the next real doubt.
    """
    return (
        mine.step is not other.step
        or mine.placed != other.placed
        or mine.taken != other.taken
        or mine.missed != other.missed
        or mine.astray != other.astray
        or mine.changed != other.changed
    )


def _weak_letters(
    known: Reconstruction, index: int, standing: Assignment
) -> Sequence[tuple[Square, LetterReading]]:
    readings = _readings(known, known.best, index, standing)
    return [(sq, reading) for sq, reading in readings.items() if reading.margin < DOUBTFUL_LETTER]


def weigh_ruled(known: Reconstruction, ruled: Mapping[int, frozenset[Square]]) -> Reconstruction:
    """The histories that agree with what was ruled, if any does; else all of them.

    ``ruled`` gives, by ``ref`` of a look, the squares that were filled in its turn.
    """
    wanted = {at: ruled[look.ref] for at, look in enumerate(known.looks) if look.ref in ruled}

    def agrees(history: Hypothesis) -> bool:
        return all(
            frozenset((*turn.placed, *turn.missed)) == wanted[turn.look]
            for turn in history.turns
            if turn.look in wanted
        )

    return only(known, agrees) or known


def only(known: Reconstruction, fits: Callable[[Hypothesis], bool]) -> Reconstruction | None:
    """The same with the histories that fit and no others; None where none does."""
    pairs = [pair for pair in zip(known.costs, known.hypotheses, strict=True) if fits(pair[1])]
    if not pairs:
        return None
    return replace(known, hypotheses=tuple(h for _, h in pairs), costs=tuple(c for c, _ in pairs))


def _astray_by(turns: Sequence[TurnReading], index: int) -> Astray:
    """The tiles that a turn first shows off their squares, with those noted since the last."""
    found = turns[index].astray
    for turn in reversed(turns[:index]):
        if turn.step is not BoardChange.IDLE:
            break
        found = (*turn.astray, *found)
    return tuple((sq, now) for sq, now in found if sq not in turns[index].taken)


def stray_squares(known: Reconstruction) -> list[Square]:
    """Squares that look like tiles in the newest look, and that the best history does not fill."""
    return unexplained(known.looks[-1], known.best)
