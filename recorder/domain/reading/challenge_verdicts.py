"""Challenged turns with what the loaded list says of them: one verdict for the play (CHAL-2).

An opinion for the director, in the facts of the turn; it withdraws nothing and counts nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recorder.domain.board import EMPTY_BOARD
from recorder.domain.game import IllegallyPlayed, Laid, Played, Unseen, Withdrawn
from recorder.domain.lexicon import Verdict, WordList, adjudicate_play
from recorder.domain.observations import TurnAct
from recorder.domain.turns import Turn

CHALLENGED = f"{TurnAct.CHALLENGE.value}_after_ms"
"""The fact that a turn has when its play was challenged."""
VERDICT = "verdict"


def with_verdicts(groups: Sequence[Turn], listed: WordList | None) -> tuple[Turn, ...]:
    """The turns, those that were challenged with a verdict where a list gives one."""
    if listed is None or not any(CHALLENGED in group.facts for group in groups):
        return tuple(groups)
    return tuple(_judged(groups, listed))


def _judged(groups: Sequence[Turn], listed: WordList) -> Iterator[Turn]:
    board = EMPTY_BOARD
    standing: list[Laid] = []
    for group in groups:
        verdict: Verdict | None = None
        for event in group.events:
            match event:
                case Played() | IllegallyPlayed() | Unseen():
                    verdict = adjudicate_play(board, event.laid, listed)
                    board = board.place(event.lying)
                    standing.append(event)
                case Withdrawn() if standing:
                    board = board.remove(event.off(standing.pop()))
        if CHALLENGED in group.facts and verdict is not None:
            group = replace(group, facts={**group.facts, VERDICT: verdict.value})  # noqa: PLW2901
        yield group
