"""Clear looks at the board, and what they say of its lying still: the table's looks so far."""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from recorder.domain.board import SQUARES, Square
from recorder.domain.instruments import TurnedTile
from recorder.domain.observations import (
    COVERED,
    BoardSeen,
    RackSeen,
    SquareCosts,
)
from recorder.domain.reading.histories.standing import PLAIN
from recorder.domain.tiles import EMPTY, Tile, Tiles

MOST_COVERED = 0.06
"""Share of the board that may be covered in a look that decides a turn."""
TRUSTED_POSE = 0.45
STOOD_MS = 10_000
"""A play that lay so long was made; one that is taken off sooner may have been tried out."""
_MOST_LAYERS = 40
_MOST_SETTLED = 4
"""So many newest states of the board are kept until a press says which were turns."""
NO_LOOK_MS = 15_000
"""So long the end of a turn may wait for a look: hands and heads are gone by then. Of a press that
waited longer before its camera said anything, nothing follows from its silence."""
AT_ONCE_MS = 1_500
"""Nobody lays tiles and stops the clock in so short a time after the opponent's press."""
HAND_TO_CLOCK_MS = 400
"""What began to move so shortly before a press is the hand on its way to the clock."""
HAND_MS = 2_000
"""No player starts a turn, places a tile and takes the hand away in so short a time."""


def is_clear(seen: BoardSeen) -> bool:
    """Whether a look can decide anything: the board found for sure, and hardly covered."""
    return seen.pose_score >= TRUSTED_POSE and seen.covered <= MOST_COVERED


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A clear look at the board.

    - ``seq``: its row; ``at_ms``: when it was taken; ``frame``: the camera's name for the picture
    - ``still_since_ms``: since when nothing has moved; ``moving``: something moved meanwhile
    - ``same_since_ms``: since when every look has read the same on the recorded tiles
    - ``read_since_ms``: by square, since when every look has read it so; empty of a look alone
    - ``reread``: tiles that read as others than before without a hand on them, as far as is known,
      each with the last look that read the one before; 0 where nothing has moved at all
    - ``turned``: tiles that lie another way than the others, each with the time of the first look
    - ``bare_ms``: when the board last had no tile beside the recorded ones, as far as is known
    """

    seq: int
    at_ms: int
    still_since_ms: int
    squares: SquareCosts
    moving: bool = False
    letters_turned: int | None = None
    same_since_ms: int = 0
    read_since_ms: tuple[int, ...] = ()
    reread: tuple[tuple[Square, int], ...] = ()
    turned: tuple[tuple[TurnedTile, int], ...] = ()
    bare_ms: int = 0
    frame: str = ""

    @classmethod
    def of(cls, seen: BoardSeen, *, seq: int, at_ms: int) -> "Look":
        """The look that a camera took, by itself."""
        return cls(
            seq=seq,
            at_ms=at_ms,
            still_since_ms=at_ms - seen.still_ms,
            squares=seen.squares,
            moving=seen.moving,
            letters_turned=seen.letters_turned,
            turned=tuple((tile, at_ms) for tile in seen.turned_tiles),
            frame=seen.frame,
        )

    def is_late(self, press_ms: int) -> bool:
        """Whether it may show tiles that the next player has laid since a press."""
        return self.still_since_ms - press_ms > AT_ONCE_MS

    def since_ms(self, squares: Iterable[Square]) -> int:
        """Since when every look has read these squares as this one does."""
        return max(self.read_since_ms[sq] if self.read_since_ms else self.at_ms for sq in squares)

    def read_since(self, before: "Look | None") -> tuple[int, ...]:
        """By square, since when it has been read so, if ``before`` is the look before this one."""
        if before is None or not before.read_since_ms:
            return (self.at_ms,) * SQUARES
        pairs = zip(self.squares.symbols, before.squares.symbols, before.read_since_ms, strict=True)
        return tuple(since_ms if now == then else self.at_ms for now, then, since_ms in pairs)

    def reread_since(self, before: "Look | None", *, still: bool) -> tuple[tuple[Square, int], ...]:
        """The tiles read otherwise than before, though no hand exchanged them as far as is known.

        Either nothing has moved (``still``), or who reached in laid tiles on other squares.
        """
        if before is None:
            return ()
        here, there = self.squares.symbols, before.squares.symbols
        bare = (EMPTY, COVERED)
        changed = [Square(sq) for sq in range(SQUARES) if here[sq] is not there[sq]]
        kept = tuple(pair for pair in before.reread if pair[0] not in changed)
        others = tuple(sq for sq in changed if here[sq] not in bare and there[sq] not in bare)
        is_laid = any(there[sq] is EMPTY and here[sq] not in bare for sq in changed)
        if not (still or is_laid):
            return kept
        return (*kept, *((sq, 0 if still else before.seq) for sq in others))

    def shows_same(self, other: "Look", occupied: AbstractSet[Square]) -> bool:
        """Whether two looks show the same on every square that is free by the record."""
        here, there = self.squares.symbols, other.squares.symbols
        free = (sq for sq in map(Square, range(SQUARES)) if sq not in occupied)
        return all(here[sq] == there[sq] for sq in free)

    def unrecorded(self, occupied: AbstractSet[Square]) -> frozenset[Square]:
        """The squares that read as a tile and are free by the record."""
        symbols = enumerate(self.squares.symbols)
        bare = (EMPTY, COVERED)
        return frozenset(Square(sq) for sq, tile in symbols if tile not in bare) - occupied

    def is_bare_beside(self, occupied: AbstractSet[Square]) -> bool:
        """Whether every square is bare that is free by the record."""
        free = (sq for sq in map(Square, range(SQUARES)) if sq not in occupied)
        return all(self.squares.best(sq) is EMPTY for sq in free)

    def plainly(self) -> list[Tile | None]:
        """What each square shows beyond doubt, None where it does not."""
        best = [self.squares.best_and_margin(sq) for sq in range(SQUARES)]
        return [
            symbol if margin > PLAIN and symbol is not COVERED else None for symbol, margin in best
        ]

    def tiles_shown(self) -> frozenset[Square]:
        """The squares that show a tile beyond doubt."""
        shown = enumerate(self.plainly())
        return frozenset(Square(sq) for sq, tile in shown if tile not in (None, EMPTY))

    def tiles_beside(self, occupied: AbstractSet[Square]) -> int:
        """How many tiles it shows beyond doubt that are not recorded."""
        shown = enumerate(self.plainly())
        return sum(tile not in (None, EMPTY) for sq, tile in shown if sq not in occupied)

    def turned_since(self, before: "Look | None") -> tuple[tuple[TurnedTile, int], ...]:
        """The tiles that lie turned; one that is not surely read now lies as it lay before."""
        now = dict(self.turned)
        earlier = dict(before.turned) if before is not None else {}
        shown = {tile: self.squares.best_and_margin(tile.square) for tile in earlier}
        kept = {
            tile: since_ms
            for tile, since_ms in earlier.items()
            if tile in now or shown[tile][0] is COVERED or shown[tile][1] <= PLAIN
        }
        return tuple((now | kept).items())


@dataclass(frozen=True, slots=True)
class SettledLook:
    """A look at tiles that lay alone for ``lay_ms`` before more came."""

    look: Look
    lay_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion:
    """Movement over a board: since when, after the latest look, and whether the camera says it.

    ``is_gone``: the camera saw nothing since that look: what it shows is old.
    """

    since_ms: int | None = None
    is_reported: bool = False
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class RackLook:
    """The tiles that a camera saw on a rack, none where it was not sure, and the row of it."""

    tiles: Tiles = ()
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """What cameras have shown of a table.

    - ``latest``: the newest clear look; ``at_stop``: what that was when the clock was stopped
    - ``since_press``: the newest clear look since the last press
    - ``away_since_ms``: since when the board shows no more of the game, until its tiles are back
    - ``layers``: all squares with a tile, of each look since the last turn that shows others
    - ``settled``: those since the last turn whose tiles lay alone for a while before more came
    - ``still_until``: the row of a look, and until when the camera says the board lay as in it
    - ``motion``: what has moved after the latest look
    - ``laid_out``: the newest look before the start that shows the whole set laid out
    - ``before_presses``: by press, when the board was last bare and since when it lay still
    - ``letters_turned``: by press, how many degrees clockwise the letters lay then
    - ``racks``: the tiles last seen on each rack
    """

    latest: Look | None = None
    since_press: Look | None = None
    at_stop: Look | None = None
    away_since_ms: int | None = None
    layers: tuple[frozenset[Square], ...] = ()
    settled: tuple[SettledLook, ...] = ()
    still_until: tuple[int, int] = (0, 0)
    motion: Motion = Motion()
    laid_out: Look | None = None
    before_presses: tuple[tuple[int, int, int], ...] = ()
    letters_turned: tuple[tuple[int, int], ...] = ()
    racks: tuple[RackLook, RackLook] = (RackLook(), RackLook())

    @property
    def has_stirred(self) -> bool:
        """Whether something has moved after the latest look, which may no longer hold."""
        return self.motion.since_ms is not None

    @property
    def is_gone(self) -> bool:
        """Whether the camera saw nothing since the latest look."""
        return self.motion.is_gone

    def lay_as_in(self, look: Look, at_ms: int) -> bool:
        """Whether the camera has said that the board lay as in a look, until then at least."""
        row, until_ms = self.still_until
        return row == look.seq and until_ms >= at_ms

    def lies_as_in(self, look: Look, press_ms: int) -> bool:
        """Whether the board lay at a press as in a look before it, by a camera that would tell."""
        if self.is_gone:
            return False
        since_ms = self.motion.since_ms
        has_stirred = since_ms is not None and since_ms < press_ms - HAND_TO_CLOCK_MS
        return self.motion.is_reported and not has_stirred and not look.moving

    def at_press(self, press_ms: int) -> "Looks":
        """The same once a turn has ended: a board that has lain still is as it was seen last."""
        look = self.latest
        if self.since_press is not None or look is None or not self.lies_as_in(look, press_ms):
            return self
        return replace(self, since_press=look)

    def with_look(self, look: Look, occupied: AbstractSet[Square]) -> "Looks":
        """The same with a newer look, which has lain since when earlier ones read as it does."""
        if look.moving:
            return self
        before = self.latest
        same = before is not None and all(
            before.squares.best(sq) == look.squares.best(sq) for sq in occupied
        )
        since_ms = before.same_since_ms if before is not None and same else look.at_ms
        bare_ms = look.at_ms if look.is_bare_beside(occupied) else self.bare_until_ms(occupied)
        turned = look.turned_since(before)
        latest = replace(
            look,
            same_since_ms=since_ms,
            read_since_ms=look.read_since(before),
            reread=look.reread_since(before, still=self._lies_still()),
            turned=turned,
            bare_ms=bare_ms,
        )
        settled = self._settled_before(look, occupied)
        return replace(self, latest=latest, settled=settled, layers=self._layers_with(look))

    def _layers_with(self, look: Look) -> tuple[frozenset[Square], ...]:
        if COVERED in look.squares.symbols:
            return self.layers
        shown = look.tiles_shown()
        is_new = not self.layers or self.layers[-1] != shown
        return (*self.layers, shown)[-_MOST_LAYERS:] if is_new else self.layers

    def _settled_before(self, look: Look, occupied: AbstractSet[Square]) -> tuple[SettledLook, ...]:
        """What had settled before a look, which shows more tiles beside the recorded ones."""
        before = self.latest
        shown = () if before is None else before.unrecorded(occupied)
        if before is None or not shown or not look.unrecorded(occupied) > shown:
            return self.settled
        until_ms = look.at_ms if self.motion.since_ms is None else self.motion.since_ms
        lay_ms = until_ms - before.since_ms(shown)
        if lay_ms < STOOD_MS:
            return self.settled
        return (*self.settled, SettledLook(before, lay_ms))[-_MOST_SETTLED:]

    def _lies_still(self) -> bool:
        """Whether nothing has moved since the latest look, by a camera that would tell."""
        return self.motion.is_reported and not self.has_stirred

    def bare_until_ms(self, occupied: AbstractSet[Square]) -> int:
        """When the board last had no tile beside the recorded ones: until something moved."""
        look = self.latest
        if look is None or not look.is_bare_beside(occupied):
            return 0 if look is None else look.bare_ms
        return max(look.at_ms, (self.motion.since_ms or 0) if self.motion.is_reported else 0)

    def bare_since_ms(self, occupied: AbstractSet[Square]) -> int | None:
        """Since when it has had none; None where some lie there, or may by now."""
        look = self.latest
        if look is None or self.is_gone or not self._lies_still():
            return None
        free = [Square(sq) for sq in range(SQUARES) if sq not in occupied]
        return look.since_ms(free) if look.is_bare_beside(occupied) else None

    def gone(self) -> "Looks":
        """The same once the camera sees nothing: it reports no movement either."""
        motion = replace(self.motion, is_gone=True)
        return self if self.is_gone else replace(self, motion=motion)

    def came_unstirred(self, look: Look, occupied: AbstractSet[Square]) -> bool:
        """Whether a look shows others than the latest, of which a camera reported no movement.

        It would have; so it was gone meanwhile.
        """
        before = self.latest
        is_told = not self._lies_still() or look.moving
        return not is_told and before is not None and not before.shows_same(look, occupied)

    def stirred(self, at_ms: int) -> "Looks":
        """The same once something has moved: the latest look may no longer hold."""
        motion = replace(self.motion, since_ms=at_ms)
        return self if self.has_stirred else replace(self, motion=motion)

    def lying_still(self, frame: str, at_ms: int) -> "Looks":
        """The same once the camera says that the board still lies as in the picture it names."""
        look = self.latest
        if look is None or look.frame != frame or self.has_stirred:
            return self
        return replace(self, still_until=(look.seq, at_ms))

    def with_rack(self, player: int, seen: RackSeen, *, due: int, row: int) -> "Looks":
        """The same with what a camera is sure to see on a player's rack.

        Fewer than are ``due``, all of them known: some are in the hand, laid, or put away after
        the game. The player still answers for all.
        """
        known = Counter(self.racks[player].tiles)
        if len(seen.letters) < due and not Counter(seen.letters) - known:
            return self
        look = RackLook(() if seen.doubtful else seen.letters, row)
        first, second = (look if player == at else rack for at, rack in enumerate(self.racks))
        return replace(self, racks=(first, second))

    def turn_read(self, press: int, look: Look) -> "Looks":
        """The same once a press has its look: the next turn begins without one."""
        turned = self.letters_turned
        if look.letters_turned is not None:
            turned = (*turned, (press, look.letters_turned))
        shown = look.tiles_shown()
        layers = tuple(layer for layer in self.layers if layer > shown)
        return replace(self, letters_turned=turned, since_press=None, settled=(), layers=layers)
