"""A game from looks that no clock divides into turns: a video, or a camera by itself.

How they are divided says ``turn_splitter``; which edge of the picture is whose is found out from
the whole game. What tiles mean is then weighed as for any table. Pure: no pictures here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from recorder.domain.board import SQUARES, Direction, Square, name_across, row_of
from recorder.domain.errors import NotationError
from recorder.domain.game import Played
from recorder.domain.instruments import PictureEdge
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import STANDARD_ORDER, BoardNotSeen, BoardSeen, SquareCosts
from recorder.domain.pictured import Photo, WatchedLook
from recorder.domain.plays import Placement
from recorder.domain.reading.histories.evidence import Evidence, weigh
from recorder.domain.reading.looks import STOOD_MS
from recorder.domain.reading.reconstruct import DOUBTFUL_LETTER, begin, step
from recorder.domain.reading.turn_ends.begun_midgame import begin_midgame
from recorder.domain.reading.turn_ends.play_next_to_misread import doubts_next_to_misread
from recorder.domain.reading.turn_ends.split_looks import SplitLook
from recorder.domain.reading.turn_ends.turn_splitter import TurnSplitter, divide
from recorder.domain.reading.turn_ends.unseen_turn_pairs import doubts_of_pairs
from recorder.domain.tiles import BLANK, EMPTY, RACK_SIZE, Tile, TileSet, face
from recorder.gcg import GcgGame
from recorder.photo_replay import Series, Unused, first_turn, series_json
from recorder.texts.telling import coded_text
from recorder.tilesets import load_tile_set, tile_set_names

NO_TURN = -1
"""Names the look with which a game begins in its middle; others by the place of their turn."""
MOST_AT_FIRST = 2 * RACK_SIZE
"""So many tiles may be two plays; of more, the source begins in the middle of a game."""
_SURELY_BARE = 3.0
"""Nats by which a square that is surely bare looks so rather than like a blank, about .95."""
_FEWEST_LOOKS = 3
ANOTHER_PICTURE = "does not go on from the board so far: another picture"


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """The game that looks show.

    ``looks``, and ``series.photos``, are those of its turns, in order; ``doubts`` go by the place
    of the turn. ``sides`` are the edges from which the first and the second player reach in; none
    where these could not be told apart, and players are taken to alternate.
    """

    series: Series
    looks: tuple[WatchedLook, ...]
    doubts: Mapping[int, tuple[CodedText, ...]]
    sides: tuple[str, ...]

    def game(self, players: tuple[str, str]) -> GcgGame:
        """The game to be written as GCG, each event with a note of when it was seen.

        NotationError of half a game: GCG begins with the empty board.
        """
        if lay := len(self.series.known.best.lay_before):
            raise NotationError(
                f"no GCG of a game in progress: {lay} tiles were on the board in the first picture"
            )
        plain = self.series.game(players)
        seen = [self.looks[turn.ref].at_ms for turn, _ in self.series.events()]
        timed = [
            replace(move, notes=(*move.notes, f"seen at {clock_of(at_ms)}"))
            for move, at_ms in zip(plain.moves, seen, strict=False)
            if at_ms is not None
        ]
        if len(timed) < len(seen):
            return plain
        return replace(plain, moves=(*timed, *plain.moves[len(timed) :]))


def watched_json(watched: WatchedGame) -> dict[str, Any]:
    """As ``series_json``; each turn with when and on which frames it was seen, beside the look."""
    document = series_json(watched.series)
    refs = [turn.ref for turn, _ in watched.series.events()]
    for turn, ref in zip(document["turns"], refs, strict=True):
        look = watched.looks[ref]
        turn.update(look=turn.pop("photo"), at_ms=look.at_ms, frames=list(look.frames))
        ours = [coded_text(doubt, "doubt") for doubt in watched.doubts.get(ref, ())]
        turn["doubts"] = [*turn["doubts"], *ours]
        turn["doubtful"] = bool(turn["doubts"])
    document["sides"] = list(watched.sides)
    document["began_with"] = list(watched.series.known.board_before.rows())
    document["unused"] = [
        {"look": unused.name, "reason": unused.reason} for unused in watched.series.unused
    ]
    return document


def read_watched(
    looks: Sequence[WatchedLook], tile_set: TileSet, first_from: PictureEdge | None = None
) -> WatchedGame:
    """Read the looks in their order.

    ``first_from`` is the edge from which the first player reaches in: where the first tiles come
    from another one, a turn without a play went before. Without it the player who places first is
    first.

    NotationError when they show no board, none that lasts, or one on which nothing is ever laid.

    Where they begin in the middle of a game its turns are told from there, scores from 0, the first
    turn as doubtful: a part of it may have lain there already.
    """
    shown = tuple(look for look in looks if isinstance(look.seen, BoardSeen))
    if not shown:
        reasons = Counter(look.seen.reason for look in looks if isinstance(look.seen, BoardNotSeen))
        why = f": {reasons.most_common(1)[0][0]}" if reasons else ""
        raise NotationError(f"no picture shows a board{why}")
    evidence = [weigh(_costs(look), tile_set, ref=index) for index, look in enumerate(shown)]
    seen = [
        SplitLook.of(
            evidence[index],
            ref=index,
            at_ms=_at_ms(look, index),
            reached=look.reached,
            arms=look.arms,
        )
        for index, look in enumerate(shown)
    ]
    seats = _seats(shown, evidence, first_from)
    division = TurnSplitter(seats=seats, first_known=first_from is not None)
    known = begin(tile_set)
    start, before = first_turn(evidence), list[SplitLook]()
    if start == len(seen):
        raise NotationError("the board stays empty: no tile is ever placed")
    if len(seen[start].tiles) > MOST_AT_FIRST:
        lasting = _lasting(seen, start)
        if lying := seen[lasting].tiles:
            division = replace(division, board=lying, left_out=tuple(range(lasting)))
            known = begin_midgame(tile_set, _costs(shown[lasting]), lying, ref=NO_TURN)
            start = lasting + 1
        else:
            # Another table was shown before the first tiles.
            start = next(at for at, look in enumerate(seen) if not look.tiles)
            division = replace(division, left_out=tuple(range(start)))
    elif start:
        # The first tiles may have come one by one: the turns begin with the empty board.
        before = [look for look in seen[:start] if not look.tiles] or [seen[start - 1]]
    for look in (*before, *seen[start:]):
        division = divide(division, look)
    division = division.ended()
    for number, turn in enumerate(division.turns):
        known = step(known, _costs(shown[turn.look]), turn.context, ref=number)
    of_turns = tuple(shown[turn.look] for turn in division.turns)
    photos = tuple(Photo(look.name, look.name, look.seen, look.notes) for look in of_turns)
    unseen = [
        Unused(look.name, look.seen.reason) for look in looks if isinstance(look.seen, BoardNotSeen)
    ]
    others = [Unused(shown[index].name, ANOTHER_PICTURE) for index in division.left_out]
    series = Series(photos, (), (*unseen, *others), known, {})
    return WatchedGame(series, of_turns, _doubts(division, series, evidence), tuple(division.seats))


def _doubts(
    division: TurnSplitter, series: Series, looks: Sequence[Evidence]
) -> dict[int, tuple[CodedText, ...]]:
    """What the whole game says against its turns, by the place of the turn."""
    pairs = doubts_of_pairs([turn.pause for turn in division.turns], is_whole=True)
    doubts = {
        place: (*turn.doubts, *pair)
        for place, (turn, pair) in enumerate(zip(division.turns, pairs, strict=True))
    }
    since = [looks[turn.look :] for turn in division.turns]
    whole = (
        *_nowhere_plain(series, since),
        *_maybe_blanks(series, since),
    )
    for place, doubt in (*whole, *doubts_next_to_misread(series.known)):
        doubts[place] = (*doubts[place], doubt)
    if series.known.best.lay_before and division.turns:
        begun = coded("begun_already", tiles=len(series.known.best.lay_before))
        doubts[0] = (begun, *doubts[0])
    return doubts


def _nowhere_plain(
    series: Series, since: Sequence[Sequence[Evidence]]
) -> Iterator[tuple[int, CodedText]]:
    """A doubt for each letter that no look by itself reads without one.

    ``since`` are the looks from that of each turn on.
    A blurred letter looks like the same other one in look after look: together they would seem
    sure.
    """
    for turn, event in series.events():
        if not isinstance(event, Played) or turn.doubts:
            continue
        for square, tile in event.laid.items():
            shown = [look for look in since[turn.ref] if not look.looks_bare(square, 0.0)]
            lead, other = max(_lead(look, square, face(tile)) for look in shown)
            if lead < DOUBTFUL_LETTER:
                name = name_across(square)
                doubt = coded("weak_letter", square=name, letter=str(face(tile)), other=str(other))
                yield turn.ref, doubt


def _maybe_blanks(
    series: Series, since: Sequence[Sequence[Evidence]]
) -> Iterator[tuple[int, CodedText]]:
    """A doubt for each play that a blank may have begun or ended where a bare square is read.

    Where most looks from then on are not sure that it is bare: one that is looks so in most. Not
    where the blanks of the set have moved.
    """
    board, tile_set = series.known.board, series.known.tile_set
    if sum(tile.is_blank for tile in board.cells) >= tile_set.count(BLANK):
        return
    named = set[Square]()
    for turn, event in series.events():
        if not isinstance(event, Played):
            continue
        for square in _beyond(event.placement):
            looks = [look for look in since[turn.ref] if look.reading[square] is EMPTY]
            maybe = sum(_may_hide_a_blank(look, square) for look in looks)
            is_unsure = len(looks) >= _FEWEST_LOOKS and 2 * maybe > len(looks)
            if is_unsure and not board.has_tile(square) and square not in named:
                named.add(square)
                yield turn.ref, coded("maybe_a_blank", square=name_across(square))


def _beyond(placement: Placement) -> list[Square]:
    """The squares before the first and behind the last letter of a word that are on the board."""
    squares, step = placement.squares(), placement.direction.step
    pairs = ((squares[0], squares[0] - step), (squares[-1], squares[-1] + step))
    is_across = placement.direction is Direction.ACROSS
    return [
        Square(end)
        for tile, end in pairs
        if 0 <= end < SQUARES and (not is_across or row_of(tile) == row_of(Square(end)))
    ]


def _may_hide_a_blank(look: Evidence, square: Square) -> bool:
    likeliest = look.faces[look.tiles[square].index(look.best_tile[square])]
    return likeliest is BLANK and not look.looks_bare(square, _SURELY_BARE)


def _lead(look: Evidence, square: Square, letter: Tile) -> tuple[float, Tile]:
    """By how many nats a look reads a letter there rather than any other, and which other."""
    costs = dict(zip(look.faces, look.tiles[square], strict=True))
    own = costs.pop(letter)
    other = min(costs, key=costs.__getitem__)
    return costs[other] - own, other


def _at_ms(look: WatchedLook, index: int) -> int:
    """When a look was; those without times are photographs, each worth taking: long apart."""
    return index * STOOD_MS if look.at_ms is None else look.at_ms


def _lasting(looks: Sequence[SplitLook], start: int) -> int:
    """The first look whose board lasts to the next: another table's is shown for a moment."""
    pairs = pairwise(range(start, len(looks)))
    lasting = (at for at, after in pairs if len(looks[at].tiles & looks[after].bare) <= 1)
    found = next(lasting, None)
    if found is None:
        raise NotationError(
            "no two pictures in a row show the same board: the source must show the table"
            " from before a play to after the next"
        )
    return found


def read_in_fitting_set(
    looks: Sequence[WatchedLook], tiles: str | None, first_from: PictureEdge | None = None
) -> WatchedGame:
    """The game in the tile set of this name; None takes the one that explains the looks better."""
    sets = [load_tile_set(tiles)] if tiles else _readable_sets()
    read = [read_watched(looks, tile_set, first_from) for tile_set in sets]
    return min(read, key=lambda watched: watched.series.known.costs[0])


def _readable_sets() -> list[TileSet]:
    """The shipped sets whose letters the looks can show, one for each alphabet, English first."""
    known = [*map(load_tile_set, ("english", *tile_set_names()))]
    by_letters = {frozenset(tiles.letters): tiles for tiles in reversed(known)}
    return [tiles for letters, tiles in by_letters.items() if letters <= set(STANDARD_ORDER)]


def _costs(look: WatchedLook) -> SquareCosts:
    assert isinstance(look.seen, BoardSeen)
    return look.seen.squares


def clock_of(at_ms: int) -> str:
    """A time in a video for people: hours, minutes, seconds."""
    minutes, seconds = divmod(at_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def _seats(
    looks: Sequence[WatchedLook], evidence: Sequence[Evidence], first: PictureEdge | None
) -> dict[PictureEdge, int]:
    """Whose the edges of the picture are: the first player's is ``first``, or the first tiles'.

    Empty where one edge is everybody's, or nobody was seen.
    """
    bringing: Counter[PictureEdge] = Counter()
    fullest = 0
    for look, seen in zip(looks, evidence, strict=True):
        count = seen.letter_count
        clear = [edge for edge in look.reached if edge is not PictureEdge.UNCLEAR]
        edge = clear[-1] if clear else None
        if edge is not None and fullest < count <= fullest + RACK_SIZE:
            bringing[edge] += 1
            first = first or edge
        fullest = max(fullest, count) if count <= fullest + RACK_SIZE else fullest
    others = [edge for edge, _ in bringing.most_common() if edge != first]
    return {first: 0, others[0]: 1} if first is not None and others else {}
