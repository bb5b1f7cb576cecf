"""A turn: what stands of it, what it rests on, its doubts; and the press that ended it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from recorder.domain.board import Square
from recorder.domain.game import GameEvent, Laid, standing_plays
from recorder.domain.notices import CodedText
from recorder.domain.orders import EntryName
from recorder.domain.record import Alternative
from recorder.domain.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Press:
    """A press that ended a turn; ``is_set``: none, the other half was set going in its place."""

    seq: int
    at_ms: int
    player: int
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class KnownRack:
    """Letters as a camera read them (``RackSeen``), when (milliseconds since 1970), by whom.

    ``typed``: by a person, in the player's order. Nobody sees when such a rack changes: it is known
    until the player's own turn is over.
    """

    letters: Tiles
    slots: Tiles
    doubtful: tuple[int, ...]
    confidence: float
    at: int
    device: str
    typed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """How the table was when a player's turn ended; None is not known.

    ``clocks`` are both clocks at the press (ms, player 0 first). ``spent_ms`` is how long the
    player's clock ran since the turn before: None where it was set to more in between, or nobody
    pressed. ``rack`` is the fullest look since the player's turn before, for tiles leave the rack
    while a play forms; ``other`` is the opponent's rack.
    """

    player: int
    clocks: tuple[int, int] | None = None
    spent_ms: int | None = None
    rack: KnownRack | None = None
    other: KnownRack | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What stands of a turn: its events, the rows that they rest on, and the doubts about them.

    ``ref`` is the row that ended it, its press as a rule: it names the turn through all
    corrections. Once it is recorded, ``rows`` recorded its events first, and ``entries`` are the
    names under which an order finds them now, event by event. ``ended`` is how its player's press
    found the table, where a page asks.
    ``facts`` is what else is known of the turn, such as how long it was held, as plain values.
    ``agreed`` are the places of events whose points were agreed at the table or ruled: they are
    not computed again; ``lost_turns`` those of passes that a failed challenge cost. ``rulings`` are
    the rows of the orders that shaped the group. ``firm`` are doubts that must reach the director
    even where the events have been recorded before. ``refitted``: an order about an earlier turn
    has changed what this one reads or scores. ``accepted``: the last that was ruled about it is
    that it stands, so nothing more is asked. ``look`` is the row of the look that it was read from,
    one of ``refs``; 0 when there is none. ``astray`` are earlier tiles that this look is the first
    to show elsewhere, or nowhere. ``overfull`` is how many tiles the rack held before the play,
    where that was counted and is more than it may hold; else 0.
    """

    ref: int
    refs: tuple[int, ...]
    events: tuple[GameEvent, ...]
    log_odds: float
    doubts: tuple[CodedText, ...] = ()
    squares: tuple[str, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    facts: Mapping[str, int | str | bool] = field(default_factory=dict)
    agreed: frozenset[int] = frozenset()
    lost_turns: frozenset[int] = frozenset()
    rulings: tuple[int, ...] = ()
    firm: tuple[CodedText, ...] = ()
    refitted: bool = False
    accepted: bool = False
    look: int = 0
    astray: tuple[tuple[Square, Square | None], ...] = ()
    overfull: int = 0
    rows: tuple[int, ...] = ()
    entries: tuple[EntryName, ...] = ()
    ended: TurnEnd | None = None


def taken_off(groups: Iterable[Turn]) -> frozenset[int]:
    """The turns whose tiles came off again."""
    placed = [(group.ref, event) for group in groups for event in group.events]
    standing = standing_plays(event for _, event in placed)
    return frozenset(
        ref
        for at, (ref, event) in enumerate(placed)
        if isinstance(event, Laid) and at not in standing
    )
