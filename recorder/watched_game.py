"""A game from looks that no clock divides into turns: a video, or a camera by itself.

Tiles that come while the same player reaches are one turn, as long as they are one play; tiles that
the other player brings begin the next. Tiles that came off before the other player's came were a
play taken back; if the same player lays others, they were only moved. Which edge of the picture is
whose is found out from the game. Looks that cannot go on from the board so far (replays, other
tables) are left out. What tiles mean is then weighed as for any table. Pure: no pictures here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from recorder.domain.board import Square
from recorder.domain.errors import NotationError
from recorder.domain.laying_faults import shape_faults
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import BoardNotSeen, BoardSeen, SquareCosts
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence, weigh
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.reconstruct import begin, step
from recorder.domain.tiles import RACK_SIZE, TileSet
from recorder.gcg import GcgGame
from recorder.photo_replay import Photo, Series, Unused, first_turn, series_json
from recorder.texts.telling import coded_text
from recorder.tilesets import load_tile_set, tile_set_names

CLEARLY = 1.0
"""Nats by which a square must look like a tile or bare to count as either."""
MOST_MISSING = 1
"""More tiles missing than this, and the look is not of this board as it stands."""
STOOD_MS = 10_000
"""A play that lay so long was made; one that is taken off sooner may have been tried out."""

Squares = frozenset[Square]


@dataclass(frozen=True, slots=True)
class WatchedLook:
    """A look at a board that lay still, as ``devices.watching.settled_looks`` gives it.

    ``at_ms`` counts from the start, None where nobody knows; ``frames`` are the first and the last
    of its rest; ``reached`` the edges from which somebody reached in since the look before.
    """

    name: str
    at_ms: int | None
    frames: tuple[int, int]
    reached: tuple[str, ...]
    seen: BoardSeen | BoardNotSeen


@dataclass(frozen=True, slots=True)
class _Moment:
    """What is weighed: the look with this index, as a turn of a player or as a withdrawal."""

    look: int
    kind: LookKind
    player: int | None
    doubts: tuple[CodedText, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """The game that looks show. ``series.photos`` are the looks with a board, in order.

    ``sides`` are the edges from which the first and the second player reach in; none where these
    could not be told apart, and players are taken to alternate.
    """

    series: Series
    looks: tuple[WatchedLook, ...]
    doubts: Mapping[int, tuple[CodedText, ...]]
    sides: tuple[str, ...]

    def game(self, players: tuple[str, str]) -> GcgGame:
        """The game to be written as GCG, each event with a note of when it was seen."""
        plain = self.series.game(players)
        seen = [self.looks[proposal.ref].at_ms for proposal, _ in self.series.events()]
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
    refs = [proposal.ref for proposal, _ in watched.series.events()]
    for turn, ref in zip(document["turns"], refs, strict=True):
        look = watched.looks[ref]
        turn.update(look=turn.pop("photo"), at_ms=look.at_ms, frames=list(look.frames))
        ours = [coded_text(doubt, "doubt") for doubt in watched.doubts.get(ref, ())]
        turn["doubts"] = [*turn["doubts"], *ours]
        turn["doubtful"] = bool(turn["doubts"])
    document["sides"] = list(watched.sides)
    document["unused"] = [
        {"look": unused.name, "reason": unused.reason} for unused in watched.series.unused
    ]
    return document


def read_watched(looks: Sequence[WatchedLook], tile_set: TileSet) -> WatchedGame:
    """Read the looks in their order. NotationError when they show no game from its beginning."""
    shown = tuple(look for look in looks if isinstance(look.seen, BoardSeen))
    if not shown:
        reasons = Counter(look.seen.reason for look in looks if isinstance(look.seen, BoardNotSeen))
        why = f": {reasons.most_common(1)[0][0]}" if reasons else ""
        raise NotationError(f"no board is seen at any time{why}")
    evidence = [weigh(_costs(look), tile_set, ref=index) for index, look in enumerate(shown)]
    dividing = _Dividing(shown, evidence)
    for index in range(first_turn(evidence), len(shown)):
        dividing.take(index)
    dividing.end()
    known = begin(tile_set)
    for moment in dividing.moments:
        context = LookContext(moment.kind, player=moment.player)
        known = step(known, _costs(shown[moment.look]), context, ref=moment.look)
    photos = tuple(Photo(look.name, look.name, look.seen) for look in shown)
    unseen = [
        Unused(look.name, look.seen.reason) for look in looks if isinstance(look.seen, BoardNotSeen)
    ]
    series = Series(photos, (), (*unseen, *dividing.unused), known, {})
    doubts: dict[int, tuple[CodedText, ...]] = {}
    for moment in dividing.moments:
        doubts[moment.look] = (*doubts.get(moment.look, ()), *moment.doubts)
    return WatchedGame(series, shown, doubts, tuple(dividing.seats))


def read_in_fitting_set(looks: Sequence[WatchedLook], tiles: str | None) -> WatchedGame:
    """The game in the tile set of this name; None takes the one that explains the looks better."""
    sets = map(load_tile_set, [tiles] if tiles else tile_set_names())
    read = [read_watched(looks, tile_set) for tile_set in sets]
    return min(read, key=lambda watched: watched.series.known.costs[0])


def _costs(look: WatchedLook) -> SquareCosts:
    assert isinstance(look.seen, BoardSeen)
    return look.seen.squares


def clock_of(at_ms: int) -> str:
    """A time in a video for people: hours, minutes, seconds."""
    minutes, seconds = divmod(at_ms // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


@dataclass(slots=True)
class _Laid:
    """Tiles that are on the board since the last turn: whose, and the last look that shows them."""

    squares: Squares
    player: int | None
    look: int
    since_ms: int
    doubts: list[CodedText] = field(default_factory=list)
    interrupted: bool = False
    """Whether the other player reached in since."""


class _Dividing:
    """Divides looks into turns, one look after the other."""

    def __init__(self, looks: Sequence[WatchedLook], evidence: Sequence[Evidence]) -> None:
        self._looks, self._evidence = looks, evidence
        self.seats = _seats(looks, evidence)
        self._board: Squares = frozenset()
        self._laid: _Laid | None = None
        self._lifted: tuple[_Laid, int] | None = None
        self._last: int | None = None
        self.moments: list[_Moment] = []
        self.unused: list[Unused] = []

    def take(self, index: int) -> None:
        """One more look."""
        tiles, bare = _tiles_and_bare(self._evidence[index])
        before = self._laid.squares if self._laid is not None else frozenset()
        new = (tiles - self._board) | (before - bare)
        if len(self._board & bare) > MOST_MISSING or len(new) > 2 * RACK_SIZE:
            self._leave_out(index, tiles)
            return
        player = self._player(index)
        self._hear(index)
        if new == before:
            self._stays(index, player)
        elif not new:
            assert self._laid is not None
            self._lifted, self._laid = (self._laid, index), None
        elif self._laid is None:
            self._first(index, new, player)
        elif new < before:
            self._laid.squares, self._laid.look = new, index
        elif new > before:
            self._more(index, new, player)
        else:
            self._others(index, new, player)

    def end(self) -> None:
        """No look comes after."""
        self._commit()
        if self._lifted is not None:
            self._withdraw()

    def _leave_out(self, index: int, tiles: Squares) -> None:
        name = self._looks[index].name
        if not self._board and not self.moments and self._laid is None:
            raise NotationError(
                f"{name}, the first look at the board, shows {len(tiles)} tiles: the source must"
                " begin before the first play"
            )
        self.unused.append(Unused(name, "does not go on from the board so far: another picture"))

    def _player(self, index: int) -> int | None:
        clear = [self.seats[edge] for edge in self._looks[index].reached if edge in self.seats]
        return clear[-1] if clear else None

    def _hear(self, index: int) -> None:
        """Note whether the other player reached in while tiles lay there."""
        seats = [self.seats.get(edge) for edge in self._looks[index].reached[:-1]]
        if self._laid is not None and self._laid.player is not None:
            self._laid.interrupted |= 1 - self._laid.player in seats

    def _stays(self, index: int, player: int | None) -> None:
        laid = self._laid
        if laid is None:
            return
        if None not in (player, laid.player) and player != laid.player:
            laid.interrupted = True
        if self._evidence[index].covered_count <= self._evidence[laid.look].covered_count:
            laid.look = index

    def _first(self, index: int, new: Squares, player: int | None) -> None:
        """Tiles where there were none of this turn: a new play, or after one that came off."""
        doubts: list[CodedText] = []
        if self._lifted is not None:
            lifted, _ = self._lifted
            stood_ms = self._at(self._lifted[1]) - lifted.since_ms
            if new == lifted.squares and player in (None, lifted.player):
                self._laid, self._lifted = replace(lifted, look=index), None
                return
            is_same = player == lifted.player if None not in (player, lifted.player) else None
            if is_same is False or (is_same is None and stood_ms >= STOOD_MS):
                self._withdraw()
            self._lifted = None
            if is_same is not False and stood_ms >= STOOD_MS:
                doubts.append(coded("taken_back_or_moved", seconds=stood_ms // 1000))
        self._lay(index, new, player, doubts)

    def _more(self, index: int, new: Squares, player: int | None) -> None:
        """More tiles than before: the same play goes on, or the next has begun."""
        laid = self._laid
        assert laid is not None
        is_same = player == laid.player if None not in (player, laid.player) else None
        is_one_play = not shape_faults(self._board, new)
        if is_same is None:
            is_same = is_one_play and self._at(index) - self._at(laid.look) < STOOD_MS
            if is_one_play:
                laid.doubts.append(coded("one_turn_or_two"))
        elif is_same and is_one_play and laid.interrupted:
            laid.doubts.append(coded("one_turn_or_two"))
        if is_same and is_one_play:
            laid.squares, laid.look = new, index
            return
        added = new - laid.squares
        self._commit()
        self._lay(index, added, player, [])

    def _others(self, index: int, new: Squares, player: int | None) -> None:
        """Some tiles went and others came: moved by the same player, or a reply to a withdrawal."""
        laid = self._laid
        assert laid is not None
        if player is not None and laid.player is not None and player != laid.player:
            self._commit(stays=False)
            self._lay(index, new, player, [])
            return
        if self._at(index) - laid.since_ms >= STOOD_MS:
            seconds = (self._at(index) - laid.since_ms) // 1000
            laid.doubts.append(coded("taken_back_or_moved", seconds=seconds))
        laid.squares, laid.look = new, index

    def _lay(self, index: int, new: Squares, player: int | None, doubts: list[CodedText]) -> None:
        if player is None and self._last is not None:
            player = 1 - self._last
            if self.seats:
                doubts.append(coded("nobody_reached_in"))
        elif player is None:
            player = 0
        elif player == self._last:
            doubts.append(coded("turn_between_unseen"))
            self.moments.append(_Moment(self.moments[-1].look, LookKind.PRESS, 1 - player))
        self._laid = _Laid(new, player, index, self._at(index), doubts)

    def _commit(self, *, stays: bool = True) -> None:
        """The tiles laid are a turn."""
        laid, self._laid = self._laid, None
        if laid is None:
            return
        self.moments.append(_Moment(laid.look, LookKind.PRESS, laid.player, tuple(laid.doubts)))
        self._last = laid.player
        if stays:
            self._board |= laid.squares

    def _withdraw(self) -> None:
        """The tiles that came off were a turn, and were taken back."""
        assert self._lifted is not None
        (self._laid, index), self._lifted = self._lifted, None
        self._commit(stays=False)
        self.moments.append(_Moment(index, LookKind.BETWEEN, None))

    def _at(self, index: int) -> int:
        """When it was; looks without times are photographs, each worth taking: long apart."""
        at_ms = self._looks[index].at_ms
        return index * STOOD_MS if at_ms is None else at_ms


def _tiles_and_bare(look: Evidence) -> tuple[Squares, Squares]:
    """The squares that surely have a tile, and those that are surely bare."""
    lead = {Square(sq): look.now_empty[sq] - look.now_tile[sq] for sq in ALL_SQUARES}
    tiles = frozenset(sq for sq, nats in lead.items() if nats > CLEARLY)
    return tiles, frozenset(sq for sq, nats in lead.items() if nats < -CLEARLY)


def _seats(looks: Sequence[WatchedLook], evidence: Sequence[Evidence]) -> dict[str, int]:
    """Whose the edges of the picture are: the first player's is where the first tiles came from.

    Empty where one edge is everybody's, or nobody was seen.
    """
    bringing: Counter[str] = Counter()
    first = ""
    fullest = 0
    for look, seen in zip(looks, evidence, strict=True):
        count = seen.letter_count
        edge = next((edge for edge in reversed(look.reached) if edge), "")
        if edge and fullest < count <= fullest + RACK_SIZE:
            bringing[edge] += 1
            first = first or edge
        fullest = max(fullest, count) if count <= fullest + RACK_SIZE else fullest
    others = [edge for edge, _ in bringing.most_common() if edge != first]
    return {first: 0, others[0]: 1} if others else {}
