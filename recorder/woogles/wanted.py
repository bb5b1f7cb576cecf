"""What a game of ours should be there: the events that a game of theirs has when it says the same.

One event of ours may be several of theirs: points for the tiles left come after a final pass that
nobody records here. Scores are those agreed at the table; theirs are compared with them elsewhere.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Direction, col_of, row_of
from recorder.domain.errors import NotationError
from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
    Withdrawn,
    apply,
    new_game,
)
from recorder.domain.scoring import FormedWord, score, words_formed
from recorder.domain.tiles import BLANK, RACK_SIZE, Tiles, TileSet
from recorder.gcg.model import GcgGame, GcgMove, GcgPlayer
from recorder.gcg.plain_moves import plain_moves
from recorder.woogles import shapes
from recorder.woogles.letters import AS_BLANK, Distribution, distribution_of
from recorder.woogles.shapes import TheirEvent

_NO_SIZES = (RACK_SIZE, RACK_SIZE)
_TURN_KINDS = frozenset({shapes.PLAY, shapes.PASS, shapes.EXCHANGE, shapes.RESIGNED})


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedEvent:
    """An event that their game should have.

    ``computed`` are the points of a play by our own count, None of others. ``sent``: a call of its
    own brings it; else it follows there from the one before. ``sizes`` and ``bag`` are how many
    tiles both racks and the bag hold after it, every rack drawn as full as it can be. ``words`` are
    those that a play forms, blanks as plain letters.
    """

    event: TheirEvent
    computed: int | None = None
    sent: bool = True
    sizes: tuple[int, int] = _NO_SIZES
    bag: int = 0
    about: str = ""
    words: tuple[bytes, ...] = ()

    @property
    def is_turn(self) -> bool:
        """Whether the other player is on turn after it."""
        return self.event.kind in _TURN_KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedGame:
    """All events that their game should have, as far as they can be written.

    ``waits`` says why no more can be written for now; empty where all is. ``bag`` is how many
    tiles the bag holds before the first turn.
    """

    distribution: Distribution
    events: tuple[WantedEvent, ...]
    waits: str = ""
    bag: int = 86
    names: tuple[str, str] = ("player 1", "player 2")

    def before(self, index: int) -> tuple[tuple[int, int], int]:
        """The sizes of both racks, and of the bag, before an event."""
        if not index:
            return _NO_SIZES, self.bag
        return self.events[index - 1].sizes, self.events[index - 1].bag


def wanted_game(
    tile_set: TileSet,
    events: Sequence[GameEvent],
    *,
    names: tuple[str, str] = ("player 1", "player 2"),
    with_racks: bool = False,
) -> WantedGame:
    """What a game of ours should be there.

    ``with_racks``: the racks that the record knows may be seen by everybody. NotationError where
    their tiles are not those of the set.
    """
    written = _Writer(distribution_of(tile_set), tile_set, with_racks=with_racks).write(events)
    return replace(written, names=names)


class _Writer:
    """Goes through a game once, with what is needed to write the next event."""

    def __init__(self, distribution: Distribution, tile_set: TileSet, *, with_racks: bool) -> None:
        self._letters, self._tile_set, self._with_racks = distribution, tile_set, with_racks
        self._state = new_game(tile_set)
        self._bag = tile_set.total - 2 * RACK_SIZE
        self._sizes = _NO_SIZES
        self._found: list[WantedEvent] = []
        self._undo: list[tuple[TheirEvent, tuple[int, int], int]] = []

    def write(self, events: Sequence[GameEvent]) -> WantedGame:
        bag = self._bag
        nobody = GcgPlayer("a", "a"), GcgPlayer("b", "b")
        game = GcgGame(players=nobody, tile_set=self._tile_set, moves=tuple(map(GcgMove, events)))
        moves = [move.event for _, move in plain_moves(game)]
        waits = ""
        for event in moves:
            try:
                self._write(event)
            except _WaitsError as why:
                waits = str(why)
                break
            self._state = apply(self._state, event)
        return WantedGame(
            distribution=self._letters,
            events=tuple(_in_their_order(self._found)),
            waits=waits,
            bag=bag,
        )

    def _write(self, event: GameEvent) -> None:
        player = event.player
        match event:
            case Played():
                self._play(event)
            case Exchanged(tiles=tiles, rack=rack):
                shown = self._letters.rack(tiles) if self._with_racks else b""
                self._turn(shapes.EXCHANGE, player, tiles=shown, rack=self._rack(rack))
            case Passed(rack=rack):
                self._turn(shapes.PASS, player, rack=self._rack(rack))
            case NoPlay():
                self._turn(shapes.PASS, player, about="a pass or an exchange, not known which")
            case Withdrawn(score=points):
                self._withdraw(player, points)
            case Conceded(how=how):
                self._turn(shapes.RESIGNED, player, about=how)
            case IllegallyPlayed() | Unseen():  # ``plain_moves`` leaves none
                raise _WaitsError("an illegal laying has no place in a game there")
            case _:
                self._count(event)

    def _count(
        self, event: ChallengeBonus | EndRackPoints | EndRackPenalty | TimePenalty | Penalty
    ) -> None:
        """Points that are no turn."""
        player, points = event.player, event.points
        match event:
            case ChallengeBonus():
                self._add(shapes.BONUS, player, points)
            case EndRackPoints(tiles=tiles):
                if self._state.on_turn != player and not self._ended_by_challenge():
                    self._turn(shapes.PASS, 1 - player, about="the final pass")
                rack = self._letters.rack(tiles)
                self._add(shapes.END_POINTS, player, points, sent=False, rack=rack)
            case EndRackPenalty(tiles=tiles):
                rack = self._letters.rack(tiles)
                self._add(shapes.END_PENALTY, player, -points, sent=False, rack=rack)
            case TimePenalty():
                self._add(shapes.TIME_PENALTY, player, -points, sent=False, about="overtime")
            case Penalty(reason=reason):
                about = f"a penalty: {reason}" if reason else "a penalty"
                self._add(shapes.TIME_PENALTY, player, -points, sent=False, about=about)

    def _play(self, event: Played) -> None:
        placement = event.placement
        if BLANK in placement.word:
            raise _WaitsError(
                f"{placement}: the letter of a blank is not known. Name it on the director's page"
            )
        formed = words_formed(self._state.board, placement)
        after_sizes, after_bag = self._drawn(event.player, len(placement.new_tiles()))
        played = TheirEvent(
            kind=shapes.PLAY,
            player=event.player,
            row=row_of(placement.start),
            column=col_of(placement.start),
            across=placement.direction is Direction.ACROSS,
            position=placement.position,
            tiles=self._letters.played(placement.word),
            rack=self._rack(event.rack),
            points=event.score,
            words=len(formed),
        )
        self._undo.append((played, self._sizes, self._bag))
        self._sizes, self._bag = after_sizes, after_bag
        computed = score(self._state.board, placement, self._tile_set)
        self._found.append(
            WantedEvent(
                event=played,
                computed=computed,
                sizes=self._sizes,
                bag=self._bag,
                words=tuple(map(self._plain, formed)),
            )
        )

    def _plain(self, word: FormedWord) -> bytes:
        """A word on the board; blanks as plain letters."""
        return bytes(tile & ~AS_BLANK for tile in self._letters.played(word.tiles))

    def _drawn(self, player: int, count: int) -> tuple[tuple[int, int], int]:
        """Sizes of racks and bag after a player has laid so many tiles and drawn."""
        sizes = list(self._sizes)
        sizes[player] = max(0, sizes[player] - count)
        drawn = min(RACK_SIZE - sizes[player], self._bag)
        sizes[player] += drawn
        return (sizes[0], sizes[1]), self._bag - drawn

    def _withdraw(self, player: int, points: int) -> None:
        tiles = rack = b""
        place = TheirEvent(kind=shapes.RETURNED, player=player)
        if self._undo:
            play, self._sizes, self._bag = self._undo.pop()
            tiles, rack = play.tiles, play.rack
            place = replace(play, kind=shapes.RETURNED, words=0)
        event = replace(place, player=player, tiles=tiles, rack=rack, points=-points)
        self._found.append(WantedEvent(event=event, sizes=self._sizes, bag=self._bag))

    def _turn(
        self, kind: str, player: int, *, tiles: bytes = b"", rack: bytes = b"", about: str = ""
    ) -> None:
        event = TheirEvent(kind=kind, player=player, tiles=tiles, rack=rack)
        self._found.append(WantedEvent(event=event, sizes=self._sizes, bag=self._bag, about=about))

    def _add(
        self,
        kind: str,
        player: int,
        points: int,
        *,
        sent: bool = True,
        rack: bytes = b"",
        about: str = "",
    ) -> None:
        event = TheirEvent(kind=kind, player=player, points=points, rack=rack)
        self._found.append(
            WantedEvent(event=event, sent=sent, sizes=self._sizes, bag=self._bag, about=about)
        )

    def _ended_by_challenge(self) -> bool:
        """Whether the game has ended by a challenge of the last play that failed."""
        kinds = [wanted.event.kind for wanted in self._found]
        if kinds[-1:] == [shapes.BONUS]:
            return True
        return kinds[-2:] == [shapes.PLAY, shapes.PASS]

    def _rack(self, tiles: Tiles) -> bytes:
        return self._letters.rack(tiles) if self._with_racks else b""


class _WaitsError(NotationError):
    """The next event cannot be written there before something is known."""


def _in_their_order(found: Sequence[WantedEvent]) -> list[WantedEvent]:
    """Points off after the last turn come last there; of six zeros, the last to move first."""
    turns = [
        at for at, wanted in enumerate(found) if wanted.is_turn or wanted.event.kind in _OVER_BOARD
    ]
    last = turns[-1] + 1 if turns else 0
    mover = next((wanted.event.player for wanted in reversed(found) if wanted.is_turn), 0)

    def rank(wanted: WantedEvent) -> tuple[int, int]:
        order = {shapes.BONUS: 0, shapes.END_POINTS: 1, shapes.END_PENALTY: 2}
        return order.get(wanted.event.kind, 3), int(wanted.event.player != mover)

    return [*found[:last], *sorted(found[last:], key=rank)]


_OVER_BOARD = frozenset({shapes.RETURNED})


def faces(tiles: bytes) -> Counter[int]:
    """The tiles of a play as they lie on a rack: every blank 0."""
    return Counter(0 if tile & AS_BLANK else tile for tile in tiles if tile)


def played_faces(event: TheirEvent) -> bytes:
    """The tiles that a play takes from the rack."""
    return bytes(sorted(faces(event.tiles).elements()))
