"""The direction of a game as its turns and looks tell it: how the first play lies (ORIENT-1).

Which squares the tiles lie on does not depend on it: a board is read as its letters are. What the
rule set makes of it is asked of ``recorder.domain.rules.placement.orientation``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recorder.domain.game import (
    TURNS,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    Unseen,
    Withdrawn,
)
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.orientation import (
    Orientation,
    OrientationEvent,
    OrientationState,
    TurnedPlay,
    orient,
    turned_play,
)
from recorder.domain.turns import Turn


@dataclass(frozen=True, slots=True)
class DirectionOfPlay:
    """How the game lies, and the turn whose play made it so, None before one is seen."""

    frame: Orientation = field(default_factory=Orientation)
    first: Turn | None = None

    def after(self, group: Turn, turn: int | None, rules: Rules) -> "DirectionOfPlay":
        """After a turn; ``turn`` is how the letters lay then, in degrees, None if nobody knows."""
        now = self
        for event in group.events:
            now = now._after_event(group, event, turn, rules)
        return now

    def _after_event(
        self, group: Turn, event: GameEvent, turn: int | None, rules: Rules
    ) -> "DirectionOfPlay":
        frame, first = self.frame, self.first
        if isinstance(event, TURNS):  # who plays on has accepted what was played
            frame = orient(rules, frame, OrientationEvent.ACCEPTED)
        match event:
            case Played() | IllegallyPlayed() | Unseen() if frame.state is OrientationState.FREE:
                frame, first = orient(rules, frame, OrientationEvent.PLACED, turn=turn or 0), group
                frame = orient(rules, frame, OrientationEvent.PLAYED)
            case Played() | IllegallyPlayed() | Unseen():
                if turn is not None and turn != frame.turn:
                    frame = orient(rules, frame, OrientationEvent.TURNED, turn=turn)
                frame = orient(rules, frame, OrientationEvent.PLAYED)
            case Withdrawn():
                frame = orient(rules, frame, OrientationEvent.TAKEN_OFF)
            case Exchanged() | Passed() | NoPlay():
                frame = orient(rules, frame, OrientationEvent.OTHER_TURN)
        return DirectionOfPlay(frame, None if frame.state is OrientationState.FREE else first)


def direction_of(
    groups: Sequence[Turn], turned: Mapping[int, int], rules: Rules
) -> DirectionOfPlay:
    """How the game lies after these turns; ``turned`` as in ``misoriented``."""
    now = DirectionOfPlay()
    for group in groups:
        now = now.after(group, turned.get(group.ref), rules)
    return now


def misoriented(
    groups: Sequence[Turn], turned: Mapping[int, int], rules: Rules
) -> tuple[Turn, int, TurnedPlay] | None:
    """The turn whose first play lies turned, by how many degrees, and what can still be done.

    None where none does. ``turned`` is how the letters lay, by the ``ref`` of a turn, where a look
    could tell: without a mark on the board that names its top nothing is known, and nothing is
    said.
    """
    now = direction_of(groups, turned, rules)
    if now.first is None or now.frame.turn == 0:
        return None
    return now.first, now.frame.turn, turned_play(rules, now.frame)
