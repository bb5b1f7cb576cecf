"""Points for a lost challenge that were both said at the table and ruled: they count once (CHAL-4).

The verdict has the last word: other points that were said beside it are a doubt.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.game import TURNS, ChallengeBonus, GameEvent
from recorder.domain.notices import CodedText, coded
from recorder.domain.turns import Turn


def without_said_again(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns as ruled, without a bonus that was said for a play whose verdict has one."""
    done: list[Turn] = []
    ruled: ChallengeBonus | None = None
    for turn in turns:
        kept, doubts = (turn.events, ()) if turn.rulings else unsaid(turn.events, ruled)
        is_same = kept == turn.events
        done.append(turn if is_same else replace(turn, events=kept, firm=(*turn.firm, *doubts)))
        if turn.rulings or any(isinstance(event, TURNS) for event in turn.events):
            ruled = bonus_ruled(turn)
    return tuple(done)


def bonus_ruled(turn: Turn) -> ChallengeBonus | None:
    """The bonus that a verdict on the play of a turn has given, if it has."""
    bonuses = [event for event in turn.events if isinstance(event, ChallengeBonus)]
    return bonuses[-1] if turn.rulings and bonuses else None


def unsaid(
    events: Sequence[GameEvent], ruled: ChallengeBonus | None
) -> tuple[tuple[GameEvent, ...], tuple[CodedText, ...]]:
    """The events without bonuses to the player who has one by verdict, and doubts about others."""
    if ruled is None:
        return tuple(events), ()
    said = [
        event
        for event in events
        if isinstance(event, ChallengeBonus) and event.player == ruled.player
    ]
    kept = tuple(event for event in events if event not in said)
    other = any(event.points != ruled.points for event in said)
    return kept, (coded("second_bonus", player=ruled.player),) if other else ()
