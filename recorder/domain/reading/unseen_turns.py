"""Turns that no look shows apart, told from each other: a search for as many plays as were pressed.

What is known of them: how many presses there were and whose, the tiles that lie there after the
last, the board before the first, the scores that were said, and the words of the list, if there is
one. A sequence of plays, each in one line, touching what lies there, of seven tiles at most, that
puts down just these tiles is an explanation; a turn without a play may be among them. The best one
is reported where no other comes near it. Else the turns stay one hole in the record, with the best
explanations beside it: nothing is invented, and nobody is blamed for what nobody saw.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from recorder.domain.board import EMPTY_BOARD, Board, Square, col_of, row_of
from recorder.domain.game import GameEvent, Laid, NoPlay, Played, Unseen, Withdrawn
from recorder.domain.laying_faults import shape_faults
from recorder.domain.lexicon import Verdict, WordList, adjudicate
from recorder.domain.notices import coded
from recorder.domain.plays import placement_of
from recorder.domain.reading.histories.hypotheses import PRIOR, BoardChange
from recorder.domain.reading.table_turns import Turns
from recorder.domain.reading.turn_acts import ANNOUNCED
from recorder.domain.record import Alternative
from recorder.domain.scoring import score, words_formed
from recorder.domain.tiles import RACK_SIZE, Tile, TileSet
from recorder.domain.turns import Press, Turn

NOT_A_WORD = 4.0
"""Nats for a play with a word that is not in the list: one in fifty."""
SAID_OTHERWISE = 3.0
"""Nats for a play that counts another score than was said: one in twenty is wrong."""
NO_PLAY = PRIOR[BoardChange.NO_PLAY]
CLEAR = 3.0
"""Nats by which an explanation must win to be reported."""
MOST_COST = 6.0
"""Explanations that cost more are none."""
MOST_BOARDS = 60
"""So many boards after one turn are looked at: where there are more, nobody can tell."""
_SAID_BY_GAP = ("pressed_out_of_turn", "two_plays_in_one_look", "turn_not_seen", "another_reading")
"""Doubts in whose place the gap's own stands."""
SHOWN = 4
"""So many explanations are shown beside a hole."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The turns in order, with what they cost in nats."""

    events: tuple[GameEvent, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Gap:
    """Tiles that came onto a board in the turns of ``players``; ``said`` are their scores."""

    board: Board
    tiles: tuple[tuple[Square, Tile], ...]
    players: tuple[int, ...]
    said: tuple[int | None, ...]
    tile_set: TileSet
    words: WordList | None = None


def told_apart(turns: Sequence[Turn], known: Turns, words: WordList | None) -> tuple[Turn, ...]:
    """The turns, those that no look shows by themselves told apart where that is clear."""
    if not known.missed:
        return tuple(turns)
    pressed: dict[int, list[Press]] = {}
    for ref, press in known.missed:
        pressed.setdefault(ref, []).append(press)
    by_seq = {press.seq: press for press in known.presses}
    scores = known.acts.scores_said()
    board, standing, divided = EMPTY_BOARD, list[Laid](), list[Turn]()
    for turn in turns:
        now = turn
        if turn.ref in pressed and turn.ref in by_seq:
            presses = (*pressed[turn.ref], by_seq[turn.ref])
            gap = Gap(
                board,
                tiles=_laid(turn),
                players=tuple(press.player for press in presses),
                said=tuple(scores.get(press.seq) for press in presses),
                tile_set=known.tile_set,
                words=words,
            )
            now = _told(turn, gap, presses) if gap.tiles else turn
        divided.append(now)
        for event in now.events:
            if isinstance(event, Laid):
                board = board.place(event.lying)
                standing.append(event)
            elif isinstance(event, Withdrawn) and standing:
                board = board.remove(event.off(standing.pop()))
    return tuple(divided)


def _laid(turn: Turn) -> tuple[tuple[Square, Tile], ...]:
    """The tiles that came, where nothing else is known of what was done."""
    laid = [event.laid for event in turn.events if isinstance(event, Laid)]
    if len(laid) < len(turn.events):
        return ()
    return tuple(sorted((sq, tile) for tiles in laid for sq, tile in tiles.items()))


def _told(turn: Turn, gap: Gap, presses: Sequence[Press]) -> Turn:
    """One group of turns: as the plays that explain it, or as a hole with what might."""
    found = explanations(gap)
    is_clear = bool(found) and (len(found) == 1 or found[1].cost - found[0].cost >= CLEAR)
    if not is_clear and not any(isinstance(event, Unseen) for event in turn.events):
        return turn
    times = {"turns": len(presses), "from_ms": presses[0].at_ms, "to_ms": presses[-1].at_ms}
    doubts = tuple(doubt for doubt in turn.doubts if doubt.code not in _SAID_BY_GAP)
    others = tuple(Alternative(way.events, way.cost - found[0].cost) for way in found)
    if is_clear:
        doubts = (*doubts, coded("unseen_told_apart", **times))
        events, others = found[0].events, others[1:]
        return replace(turn, events=events, doubts=doubts, alternatives=others)
    return replace(
        turn,
        events=(Unseen(presses[-1].player, gap.tiles, **times),),
        doubts=(*doubts, coded("unseen", **times)),
        alternatives=others,
        facts={name: fact for name, fact in turn.facts.items() if name != ANNOUNCED},
    )


@lru_cache(maxsize=64)
def explanations(gap: Gap) -> tuple[Explanation, ...]:
    """What may have been played in a gap, the best first, and all that come near it.

    Nothing where nothing explains it, or so much that it could not be reported.
    """
    limit = CLEAR
    while limit <= MOST_COST:
        found = _within(gap, limit)
        if found is None:
            return ()
        if found and found[0].cost + CLEAR <= limit:
            return found
        limit += CLEAR
    return ()


def _within(gap: Gap, limit: float) -> tuple[Explanation, ...] | None:
    """The best explanations that cost less than ``limit``; None where there may be too many."""
    tiles = dict(gap.tiles)
    boards: dict[frozenset[Square], list[Explanation]] = {frozenset(): [Explanation((), 0.0)]}
    for at in range(len(gap.players)):
        most_left = (len(gap.players) - at - 1) * RACK_SIZE
        after: dict[frozenset[Square], list[Explanation]] = {}
        for laid, ways in boards.items():
            for squares, event, cost in _turns(gap, laid, at):
                if len(tiles) - len(squares) > most_left or ways[0].cost + cost >= limit:
                    continue
                there = after.setdefault(squares, [])
                there += [Explanation((*way.events, event), way.cost + cost) for way in ways]
            if len(after) > MOST_BOARDS:
                return None
        boards = {squares: _best(there, limit) for squares, there in after.items()}
    return tuple(boards.get(frozenset(tiles), ()))


def _best(ways: Sequence[Explanation], limit: float) -> list[Explanation]:
    return sorted((way for way in ways if way.cost < limit), key=lambda way: way.cost)[:SHOWN]


def _turns(
    gap: Gap, laid: frozenset[Square], at: int
) -> Iterator[tuple[frozenset[Square], GameEvent, float]]:
    """Each turn that may come next: the squares laid after it, the event, and its cost."""
    tiles, player, said = dict(gap.tiles), gap.players[at], gap.said[at]
    board = gap.board.place({sq: tiles[sq] for sq in laid})
    yield laid, NoPlay(player), NO_PLAY + (SAID_OTHERWISE if said else 0.0)
    for squares in _plays(board, [sq for sq in tiles if sq not in laid]):
        placement = placement_of(board, {sq: tiles[sq] for sq in squares})
        points = score(board, placement, gap.tile_set)
        cost = 0.0 if said in (None, points) else SAID_OTHERWISE
        formed = (word.tiles for word in words_formed(board, placement))
        if gap.words is not None and adjudicate(formed, gap.words) is Verdict.BAD:
            cost += NOT_A_WORD
        yield laid | squares, Played(player, placement, points), cost


def _plays(board: Board, free: Sequence[Square]) -> Iterator[frozenset[Square]]:
    """The squares of every legal play with some of the tiles that are still to come."""
    occupied = board.occupied()
    found: set[frozenset[Square]] = set()
    for line_of in (row_of, col_of):
        lines: dict[int, list[Square]] = {}
        for sq in sorted(free):
            lines.setdefault(line_of(sq), []).append(sq)
        for line in lines.values():
            for start in range(len(line)):
                for end in range(start + 1, min(start + RACK_SIZE, len(line)) + 1):
                    squares = frozenset(line[start:end])
                    if squares not in found and not shape_faults(occupied, squares):
                        found.add(squares)
    return iter(sorted(found, key=sorted))
