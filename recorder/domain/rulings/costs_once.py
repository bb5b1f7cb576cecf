"""What a lost challenge costs, if the table shows it beside the verdict: it counts once (CHAL-4).

Points are said, and a lost turn is passed and pressed. The verdict has the last word: other points
that were said are a doubt.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.game import (
    TURNS,
    ChallengeBonus,
    GameEvent,
    NoPlay,
    Passed,
    Withdrawn,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.turns import Turn


def with_costs_once(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns as ruled, without what a verdict on the play before has said already."""
    done: list[Turn] = []
    verdict: Turn | None = None
    for turn in turns:
        now = turn if verdict is None or turn.rulings else _beside(verdict, turn)
        done.append(now)
        if turn.rulings or any(isinstance(event, TURNS) for event in turn.events):
            verdict = turn if turn.rulings else None
    return tuple(done)


def _beside(verdict: Turn, turn: Turn) -> Turn:
    """A turn, or points that were said, after one with a verdict."""
    if _is_lost_turn(verdict, turn):
        return replace(turn, events=(), doubts=(), squares=(), alternatives=())
    kept, doubts = unsaid(turn.events, verdict)
    if kept == turn.events:
        return turn
    return replace(turn, events=kept, firm=(*turn.firm, *doubts))


def _is_lost_turn(verdict: Turn, turn: Turn) -> bool:
    """Whether nothing was done in it by the player who has lost that very turn by the verdict."""
    last = len(verdict.events) - 1
    return (
        last in verdict.lost_turns
        and len(turn.events) == 1
        and isinstance(turn.events[0], NoPlay | Passed)
        and turn.events[0].player == verdict.events[last].player
    )


def unsaid(
    events: Sequence[GameEvent], verdict: Turn | None
) -> tuple[tuple[GameEvent, ...], tuple[CodedText, ...]]:
    """The events without points that the verdict on the play before them has given, or denied.

    Doubts are about points that were said and are not those of the verdict.
    """
    ruled = None if verdict is None or not verdict.rulings else _last_word(verdict.events)
    if ruled is None:
        return tuple(events), ()
    points = ruled.points if isinstance(ruled, ChallengeBonus) else None
    said = [
        event
        for event in events
        if isinstance(event, ChallengeBonus) and event.player == ruled.player
    ]
    kept = tuple(event for event in events if event not in said)
    if all(event.points == points for event in said):
        return kept, ()
    code = "bonus_of_play_off" if isinstance(ruled, Withdrawn) else "second_bonus"
    return kept, (coded(code, player=ruled.player),)


def _last_word(events: Sequence[GameEvent]) -> ChallengeBonus | Withdrawn | None:
    """The bonus that a verdict gave to the player of a play, or that the play came off."""
    found = [event for event in events if isinstance(event, ChallengeBonus | Withdrawn)]
    return found[-1] if found else None
