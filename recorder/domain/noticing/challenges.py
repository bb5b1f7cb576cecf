"""Challenges that failed, held against what was entered for them (CHAL-4, CHAL-6).

Nothing is reported before the game has gone on: until the next turn there is time to enter it.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from recorder.domain.game import TURNS, ChallengeBonus, GameEvent, Laid, Passed, Penalty
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.reading.challenge_verdicts import CHALLENGED
from recorder.domain.rules.challenge.penalties import System, system_of
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.turns import Turn


def challenge_notices(
    groups: Sequence[Turn],
    rules: Rules,
    *,
    judged: Collection[int],
    off: Collection[int],
    phase: Phase,
) -> Iterator[TableNotice]:
    """Plays that stand against a challenge, where points or the turn do not agree with the rules.

    ``judged`` and ``off`` are turns, by ``ref``: those that a director has given a verdict on, and
    those whose tiles came off.
    """
    for number, group in enumerate(groups):
        challenged = CHALLENGED in group.facts or group.ref in judged
        mover = next((event.player for event in group.events if isinstance(event, Laid)), None)
        if not challenged or group.ref in off or mover is None:
            continue
        between, follows = _until_next_turn(groups[number + 1 :])
        if follows is not None and not _is_settled(rules, group, between, follows, mover):
            code, ref = Notice.CHALLENGE_UNSETTLED, group.ref
            yield noticed(rules, code, group.refs, phase, ref=ref, player=1 - mover)


def _until_next_turn(
    later: Sequence[Turn],
) -> tuple[list[GameEvent], GameEvent | None]:
    """What was entered before the next turn, and the event that begins it."""
    events = [event for group in later for event in group.events]
    between = list(takewhile(lambda event: not isinstance(event, TURNS), events))
    return between, next(iter(events[len(between) :]), None)


def _is_settled(
    rules: Rules,
    group: Turn,
    between: Sequence[GameEvent],
    follows: GameEvent,
    mover: int,
) -> bool:
    """Whether what was entered is what the system of penalties asks for (CHAL-4)."""
    entered = (*group.events, *between)
    has_points = any(isinstance(event, ChallengeBonus | Penalty) for event in entered)
    passes = isinstance(follows, Passed) or follows.player == mover
    match system_of(rules):
        case None:
            return has_points or bool(group.lost_turns) or passes
        case System.SINGLE | System.VOID:
            return not has_points and not group.lost_turns
        case System.DOUBLE:
            return not has_points and (bool(group.lost_turns) or passes)
        case System.TIME:
            return True
        case _:
            return has_points
