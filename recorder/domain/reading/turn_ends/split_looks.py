"""What goes into dividing looks into turns without a clock, and what comes out."""

from dataclasses import dataclass

from recorder.domain.board import Square
from recorder.domain.instruments import PictureEdge
from recorder.domain.notices import CodedText
from recorder.domain.reading.histories.evidence import ALL_SQUARES, Evidence
from recorder.domain.reading.histories.hypotheses import LookContext, LookKind
from recorder.domain.reading.turn_ends.unseen_turn_pairs import Pause

CLEARLY = 1.0
"""Nats by which a square must look like a tile or bare to count as either."""

Squares = frozenset[Square]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitLook:
    """What the division needs of a look at a board that lay still.

    ``ref`` names it, ``earlier_ref`` what was said just before it and names nothing else;
    ``reached`` are the edges from which somebody reached in since the look before, in order;
    ``arms`` those from which an arm came at all, beside the board too.
    """

    ref: int
    earlier_ref: int
    at_ms: int
    reached: tuple[PictureEdge, ...]
    tiles: Squares
    bare: Squares
    covered: int
    arms: tuple[PictureEdge, ...] = ()

    @classmethod
    def of(
        cls,
        seen: Evidence,
        *,
        ref: int,
        at_ms: int,
        reached: tuple[PictureEdge, ...],
        arms: tuple[PictureEdge, ...] = (),
        earlier_ref: int = 0,
    ) -> "SplitLook":
        """The same of what a look says of every square."""
        lead = {Square(sq): seen.now_empty[sq] - seen.now_tile[sq] for sq in ALL_SQUARES}
        return cls(
            ref=ref,
            earlier_ref=earlier_ref,
            at_ms=at_ms,
            reached=reached,
            tiles=frozenset(sq for sq, nats in lead.items() if nats > CLEARLY),
            bare=frozenset(sq for sq, nats in lead.items() if nats < -CLEARLY),
            covered=seen.covered_count,
            arms=arms or reached,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitTurn:
    """What is weighed: the look named, as a turn of a player or (``BETWEEN``) as a withdrawal.

    ``ref`` is what first showed it: it stays the same while the turn goes on. ``pause`` lay before
    its first tiles, where nothing else lay between them and the last ones of the other player.
    ``squares`` are those of its tiles. ``turn_missed``: some of them must be a play of the other
    player that no look showed alone.
    """

    ref: int
    look: int
    at_ms: int
    kind: LookKind
    player: int | None
    doubts: tuple[CodedText, ...] = ()
    pause: Pause | None = None
    turn_missed: bool = False
    squares: Squares = frozenset()

    @property
    def context(self) -> LookContext:
        """What the look is weighed as."""
        return LookContext(self.kind, player=self.player, missed=int(self.turn_missed))


@dataclass(frozen=True, slots=True, kw_only=True)
class TilesLaid:
    """Tiles that are on the board since the last turn: whose, and the last look that shows them.

    ``interrupted``: the other player has reached in since. ``pause`` lay before the first of them,
    where they are the next player's. ``unseen`` is the other player's turn before them that showed
    on no board, if there must be one. ``whole`` is what lay there before some of them came off.
    """

    squares: Squares
    player: int
    ref: int
    since_ms: int
    look: SplitLook
    doubts: tuple[CodedText, ...] = ()
    interrupted: bool = False
    pause: Pause | None = None
    unseen: SplitTurn | None = None
    whole: "TilesLaid | None" = None
