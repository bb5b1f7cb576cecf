"""Procedures for tiles that lie, or lack, after a play was challenged off (CHAL-9)."""

from collections.abc import Iterator

from recorder.domain.board import name_across
from recorder.domain.game import Laid, Withdrawn
from recorder.domain.notices import Notice
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.challenge.verdict import Removal, wrong_removal


def find_wrong_removals(facts: TableFacts) -> Iterator[Found]:
    """Too few or too many tiles were taken off, and the challenger's clock has run."""
    for notice in facts.noticed(Notice.WRONG_REMOVAL):
        play, wrong = _last_off(facts), frozenset(notice.squares)
        if play is None:
            continue
        squares = frozenset(map(name_across, play.laid))
        mover = play.player
        remedy = wrong_removal(
            facts.rules,
            Removal(
                play=squares,
                taken=(squares - wrong) | (wrong - squares),
                clock_started=True,
                challenger_played=facts.pressed_since(notice.ref, 1 - mover) > 0,
                mover_played=facts.pressed_since(notice.ref, mover) > 0,
            ),
        )
        if remedy is not None:
            yield Found(
                code="wrong_removal",
                procedure=remedy.procedure,
                group=notice.ref,
                player=mover,
                facts={"tiles": len(wrong)},
                since=max(notice.refs),
            )


def _last_off(facts: TableFacts) -> Laid | None:
    """The play that was taken back last."""
    standing: list[Laid] = []
    off = None
    for event in facts.state.events:
        if isinstance(event, Laid):
            standing.append(event)
        elif isinstance(event, Withdrawn) and standing:
            off = standing.pop()
    return off


REMOVALS = (find_wrong_removals,)
