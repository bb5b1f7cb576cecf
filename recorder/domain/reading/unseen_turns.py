"""Turns that no look shows apart, told from each other: a search for as many plays as were pressed.

What is known of them: how many presses there were and whose, the tiles that lie there after the
last, the board before the first, the scores that were said, and the words of the list, if there is
one. A sequence of plays, each in one line, touching what lies there, of seven tiles at most, that
puts down just these tiles is an explanation; a turn without a play may be among them. The best one
is reported where no other comes near it. Else the turns stay one hole in the record, with the best
explanations beside it: nothing is invented, and nobody is blamed for what nobody saw.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from recorder.domain.board import Board, Square, col_of, row_of
from recorder.domain.game import (
    Exchanged,
    GameEvent,
    Laid,
    Lying,
    NoPlay,
    Passed,
    Played,
    Unseen,
    Withdrawn,
)
from recorder.domain.laying_faults import shape_faults
from recorder.domain.lexicon import Verdict, WordList, adjudicate
from recorder.domain.notices import coded
from recorder.domain.plays import placement_of
from recorder.domain.reading.announcements import said_instead_of_plays
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
"""Nats for a play that counts another score than was said, or where none was said to be made: one
in twenty is wrong."""
RACK_OTHERWISE = 4.0
"""Nats for a turn by which other tiles left the player's rack than were counted: one in fifty."""
NO_PLAY = PRIOR[BoardChange.NO_PLAY]
NO_PLAY_AGAIN = 0.5
"""Nats for a turn without a play of a player who passed with the bag empty: the same rack has no
play the next time either."""
CLEAR = 3.0
"""Nats by which an explanation must win to be reported."""
MOST_COST = 6.0
"""Explanations that cost more are none."""
MOST_BOARDS = 60
"""So many boards after one turn are looked at: where there are more, nobody can tell."""
_SAID_BY_GAP = ("pressed_out_of_turn", "two_plays_in_one_look", "turn_not_seen", "another_reading")
"""Doubts in whose place the gap's own stands."""
MOST_TURNS = 12
"""So many turns are sought where nobody knows how many were made."""
SHOWN = 4
"""So many explanations are shown beside a hole."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The turns in order, with what they cost in nats."""

    events: tuple[GameEvent, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class Gap:
    """Tiles that came onto a board in the turns of ``players``; ``said`` are their scores.

    ``quiet`` are the exchanges and passes that were said of them, ``gone`` how many tiles left the
    player's rack in each.

    ``open_at``: presses were lost there, and as many more turns as players take in turn may have
    been made; None where all were heard. ``layers`` are the squares that had a tile in looks
    meanwhile: a turn ended before a look or after it. ``stuck`` are players who passed with the
    bag empty.
    """

    board: Board
    tiles: tuple[tuple[Square, Tile], ...]
    players: tuple[int, ...]
    said: tuple[int | None, ...]
    tile_set: TileSet
    words: WordList | None = None
    open_at: int | None = None
    layers: tuple[frozenset[Square], ...] = ()
    stuck: frozenset[int] = frozenset()
    quiet: tuple[GameEvent | None, ...] = ()
    gone: tuple[int | None, ...] = ()

    @property
    def fits_looks(self) -> bool:
        """Whether no look meanwhile shows a tile that came off again."""
        after = {*self.board.occupied(), *(sq for sq, _ in self.tiles)}
        return all(layer <= after for layer in self.layers)

    def agrees(self, laid: frozenset[Square]) -> bool:
        """Whether a turn may have ended with these squares laid, by the looks meanwhile."""
        there = laid.union(self.board.occupied())
        return all(there <= layer or layer <= there for layer in self.layers)

    def longer(self) -> Iterator["Gap"]:
        """The same with every number of turns that may have been made."""
        yield self
        if self.open_at is None:
            return
        at, gap = self.open_at, self
        while len(gap.players) + 2 <= MOST_TURNS:
            player = gap.players[at]
            gap = replace(
                gap,
                players=(*gap.players[:at], player, 1 - player, *gap.players[at:]),
                said=(*gap.said[:at], None, None, *gap.said[at:]),
                quiet=(*gap.quiet[:at], None, None, *gap.quiet[at:]) if gap.quiet else (),
                gone=(),
            )
            yield gap


def told_apart(
    turns: Sequence[Turn],
    known: Turns,
    words: WordList | None,
    gone: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Turn, ...]:
    """The turns, those that no look shows by themselves told apart where that is clear.

    ``gone`` is by press how many tiles left its player's rack in the turn, where that was counted.
    """
    if not known.missed and not known.lost:
        return tuple(turns)
    pressed: dict[int, list[Press]] = {}
    for ref, press in known.missed:
        pressed.setdefault(ref, []).append(press)
    by_seq = {press.seq: press for press in known.presses}
    instead = said_instead_of_plays(known.spoken, turns)
    scores, lost, layers = known.acts.scores_said(), dict(known.lost), dict(known.layers)
    pressed_ms = [press.at_ms for press in known.presses]
    lying, divided = Lying(), list[Turn]()
    for turn in turns:
        now, ground = turn, lying.after(_withdrawn(turn)).board
        tiles = _laid(turn)
        is_group = turn.ref in by_seq and (turn.ref in pressed or turn.ref in lost)
        if is_group and tiles is not None:
            presses = (*pressed.get(turn.ref, ()), by_seq[turn.ref])
            players, said, quiet, open_at = _in_turn(presses, lost, scores, instead)
            gap = Gap(
                ground,
                tiles=tiles,
                players=players,
                said=said,
                quiet=quiet,
                gone=() if open_at is not None else tuple(gone.get(p.seq) for p in presses),
                tile_set=known.tile_set,
                words=words,
                open_at=open_at,
                layers=layers.get(turn.ref, ()),
                stuck=_stuck(divided, ground, known.tile_set),
            )
            since_ms = presses[0].at_ms
            if open_at is not None:
                since_ms = max((at for at in pressed_ms if at < since_ms), default=since_ms)
            now = _told(turn, gap, presses, since_ms)
        divided.append(now)
        lying = lying.after(now.events)
    return tuple(divided)


def _in_turn(
    presses: Sequence[Press],
    lost: Mapping[int, int],
    scores: Mapping[int, int],
    instead: Mapping[int, GameEvent],
) -> tuple[tuple[int, ...], tuple[int | None, ...], tuple[GameEvent | None, ...], int | None]:
    """Who played, what each said, and where presses were lost, with those put in that were."""
    players, said, open_at = list[int](), list[int | None](), None
    quiet: list[GameEvent | None] = []
    for press in presses:
        count = lost.get(press.seq, 0)
        if count and open_at is None:
            open_at = len(players)
        players += [press.player ^ (back % 2) for back in range(count, -1, -1)]
        said += [*[None] * count, scores.get(press.seq)]
        quiet += [*[None] * count, instead.get(press.seq)]
    return tuple(players), tuple(said), tuple(quiet), open_at


def _stuck(turns: Sequence[Turn], board: Board, tile_set: TileSet) -> frozenset[int]:
    """The players whose last turn was none, if by the tile account the bag is empty."""
    if len(board.occupied()) + 2 * RACK_SIZE < tile_set.total:
        return frozenset()
    last = {event.player: event for turn in turns for event in turn.events}
    return frozenset(player for player, event in last.items() if isinstance(event, NoPlay | Passed))


def _withdrawn(turn: Turn) -> tuple[Withdrawn, ...]:
    """That the play before it was taken back, where the turn says so first."""
    first = turn.events[:1]
    return tuple(event for event in first if isinstance(event, Withdrawn))


def _laid(turn: Turn) -> tuple[tuple[Square, Tile], ...] | None:
    """The tiles that came; None where more is known of what was done."""
    events = turn.events[len(_withdrawn(turn)) :]
    if not all(isinstance(event, Laid | NoPlay | Exchanged | Passed) for event in events):
        return None
    laid = [event.laid for event in events if isinstance(event, Laid)]
    return tuple(sorted((sq, tile) for tiles in laid for sq, tile in tiles.items()))


def _told(turn: Turn, gap: Gap, presses: Sequence[Press], since_ms: int) -> Turn:
    """One group of turns: as the plays that explain it, or as a hole with what might."""
    is_open = gap.open_at is not None
    found, is_all = _all_explanations(gap)
    is_clear = bool(found) and is_all
    is_clear = is_clear and (len(found) == 1 or found[1].cost - found[0].cost >= CLEAR)
    count = len(found[0].events) if is_clear else _fewest(gap)
    times = {"turns": count, "from_ms": since_ms, "to_ms": presses[-1].at_ms}
    is_as_said = is_clear and all(act in found[0].events for act in gap.quiet if act is not None)
    weighed = (*_SAID_BY_GAP, *(("announced_and_played",) if is_as_said else ()))
    doubts = tuple(doubt for doubt in turn.doubts if doubt.code not in weighed)
    others = tuple(
        Alternative((*_withdrawn(turn), *way.events), way.cost - found[0].cost) for way in found
    )
    if is_clear:
        doubts = (*doubts, coded("unseen_told_apart", **times))
        events, others = (*_withdrawn(turn), *found[0].events), others[1:]
        return replace(turn, events=events, doubts=doubts, alternatives=others)
    hole = Unseen(presses[-1].player, gap.tiles, **times, is_least=is_open)
    code = "unseen_at_least" if is_open else "unseen"
    return replace(
        turn,
        events=(*_withdrawn(turn), hole),
        doubts=(*doubts, coded(code, **times)),
        alternatives=others,
        facts={name: fact for name, fact in turn.facts.items() if name != ANNOUNCED},
    )


def _fewest(gap: Gap) -> int:
    """How many turns a hole has at least: nobody lays more tiles in one than a rack holds."""
    count = len(gap.players)
    while gap.open_at is not None and count * RACK_SIZE < len(gap.tiles):
        count += 2
    return count


@lru_cache(maxsize=64)
def _all_explanations(gap: Gap) -> tuple[tuple[Explanation, ...], bool]:
    """What may have been played in any number of turns, the best first; whether that is all."""
    found: list[Explanation] = []
    is_all = gap.fits_looks
    for longer in gap.longer() if is_all else ():
        ways = explanations(longer)
        is_all = is_all and ways is not None
        found += ways or ()
    found.sort(key=lambda way: way.cost)
    near = [way for way in found if way.cost < found[0].cost + CLEAR]
    return tuple(near[:SHOWN]), is_all


@lru_cache(maxsize=64)
def explanations(gap: Gap) -> tuple[Explanation, ...] | None:
    """What may have been played in the turns of a gap, the best first, and all that come near it.

    Nothing where nothing explains it; None where so much does that it could not be reported.
    """
    limit = CLEAR
    while limit <= MOST_COST:
        found = _within(gap, limit)
        if found is None:
            return None
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
                if not gap.agrees(squares):
                    continue
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
    none = NO_PLAY_AGAIN if player in gap.stuck else NO_PLAY
    quiet, against = gap.quiet[at] if gap.quiet else None, 0.0
    if quiet is not None:
        none, against = 0.0, SAID_OTHERWISE
    gone = gap.gone[at] if gap.gone else None
    none += RACK_OTHERWISE if gone and not isinstance(quiet, Exchanged) else 0.0
    yield laid, quiet or NoPlay(player), none + (SAID_OTHERWISE if said else 0.0)
    for squares in _plays(board, [sq for sq in tiles if sq not in laid]):
        placement = placement_of(board, {sq: tiles[sq] for sq in squares})
        points = score(board, placement, gap.tile_set)
        cost = against + (0.0 if said in (None, points) else SAID_OTHERWISE)
        cost += 0.0 if gone in (None, len(squares)) else RACK_OTHERWISE
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
