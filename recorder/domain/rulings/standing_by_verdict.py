"""Plays that stand by a verdict, whatever was taken off before it (CHAL-5, CHAL-7).

Players take a play off that they take for bad, or by a verdict that was wrong. One that comes later
has the last word: the play lies, and its tiles are put back. What is taken off after a verdict that
the play stands is off, in doubt: who entered it may have meant the other.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.game import TURNS, Laid, Withdrawn
from recorder.domain.notices import coded
from recorder.domain.orders import Challenged, Outcome
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.turns import Turn


def with_standing_plays(turns: Sequence[Turn], rulings: Sequence[Ruling]) -> tuple[Turn, ...]:
    """The turns as ruled, without removals of a play that a later verdict lets stand.

    ``rulings`` are those in force.
    """
    verdicts = {
        ruling.group: ruling
        for ruling in rulings
        if isinstance(ruling.order.act, Challenged) and ruling.order.act.outcome is Outcome.STANDS
    }
    done: list[Turn] = []
    play: int | None = None
    verdict: Ruling | None = None
    for turn in turns:
        off = [event.player for event in turn.events if isinstance(event, Withdrawn)]
        is_removal = len(off) == len(turn.events) == 1 and not turn.rulings
        if verdict is not None and is_removal and off == [play]:
            done.append(_removed(turn, verdict))
            continue
        done.append(turn)
        if turn.ref in verdicts:
            laid = [event.player for event in turn.events if isinstance(event, Laid)]
            play, verdict = laid[-1] if laid else None, verdicts[turn.ref]
        elif any(isinstance(event, TURNS) for event in turn.events):
            play = verdict = None
    return tuple(done)


def _removed(turn: Turn, verdict: Ruling) -> Turn:
    if turn.ref < verdict.seq:
        return replace(turn, events=(), doubts=(), squares=(), alternatives=())
    doubt = coded("off_though_it_stands", who=verdict.order.who)
    return replace(turn, firm=(*turn.firm, doubt))
