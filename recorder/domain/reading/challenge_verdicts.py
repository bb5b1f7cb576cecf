"""Challenged turns with what the loaded list says of them: one verdict for the play (CHAL-2).

An opinion for the director, in the facts of the turn; it withdraws nothing and counts nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from recorder.domain.game import Laid, Lying
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
    lying = Lying()
    for group in groups:
        verdict: Verdict | None = None
        for event in group.events:
            if isinstance(event, Laid):
                verdict = adjudicate_play(lying.board, event.laid, listed)
            lying = lying.after([event])
        if CHALLENGED in group.facts and verdict is not None:
            group = replace(group, facts={**group.facts, VERDICT: verdict.value})  # noqa: PLW2901
        yield group
