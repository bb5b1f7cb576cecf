"""Challenges that failed, held against what was entered for them (CHAL-4, CHAL-6).

Nothing is reported before the game has gone on: until the next turn there is time to enter it.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from recorder.domain.game import TURNS, ChallengeBonus, GameEvent, Laid, Passed, Penalty
from recorder.domain.notices import Notice, Phase, TableNotice
from recorder.domain.reading.challenge_verdicts import CHALLENGED
from recorder.domain.rules.challenge.penalties import (
    ChallengedPlay,
    cost,
    is_per_word,
    system_of,
)
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
    wrong_before: Counter[int] = Counter()
    for number, group in enumerate(groups):
        mover = next((event.player for event in group.events if isinstance(event, Laid)), None)
        if group.ref in off or mover is None:
            continue
        between, follows = _until_next_turn(groups[number + 1 :])
        entered = (*group.events, *between)
        price = ChallengedPlay(
            mover=mover, words=1, stands=True, score=0, wrong_before=wrong_before[mover]
        )
        challenged = CHALLENGED in group.facts or group.ref in judged
        if (
            challenged
            and follows is not None
            and not _is_settled(rules, group, entered, follows, price)
        ):
            code, ref = Notice.CHALLENGE_UNSETTLED, group.ref
            yield noticed(rules, code, group.refs, phase, ref=ref, player=1 - mover)
        is_cost = any(isinstance(event, ChallengeBonus) for event in entered)
        wrong_before[mover] += group.ref in judged or is_cost


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
    entered: Sequence[GameEvent],
    follows: GameEvent,
    play: ChallengedPlay,
) -> bool:
    """Whether what was entered is what the system of penalties asks for (CHAL-4)."""
    points = sum(event.points for event in entered if isinstance(event, ChallengeBonus | Penalty))
    passes = isinstance(follows, Passed) or follows.player == play.mover
    if system_of(rules) is None:
        return points > 0 or bool(group.lost_turns) or passes
    asked = cost(rules, play)
    if asked.seconds is not None:
        return True
    if asked.turn_lost:
        return not points and (bool(group.lost_turns) or passes)
    if is_per_word(rules):
        return points > 0 and points % asked.points == 0
    return points == asked.points and (points > 0 or not group.lost_turns)
