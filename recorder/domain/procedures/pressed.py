"""Procedures about presses that may be no turn: by accident, or at the start (TURN-5, START-3)."""

from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.notices import Notice, coded
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import Procedure, Step, TimeChange
from recorder.domain.rules.turn.press import stray_press


def find_stray_presses(facts: TableFacts) -> Iterator[Found]:
    """A press with half a play on the board that was sent back at once (TURN-5)."""
    for notice in facts.noticed(Notice.ACCIDENTAL_PRESS):
        remedy = stray_press(facts.rules, opponent_drew=bool(notice.numbers.get("drawn")))
        steps = (*remedy.procedure.steps, *map(_time, remedy.times))
        yield Found(
            code="accidental_press",
            procedure=replace(remedy.procedure, steps=steps),
            group=notice.ref,
            player=notice.player,
            facts=notice.numbers,
            since=max(notice.refs),
        )


def _time(change: TimeChange) -> Step:
    return Step(
        code="add_time",
        who=change.who,
        act=coded("add_clock_if_director_grants", seconds=change.seconds),
        rule=change.rule,
        seconds=change.seconds,
    )


def find_wrong_starts(facts: TableFacts) -> Iterator[Found]:
    """Who moves first has set the opponent's clock going (START-3): was that a turn?"""
    if facts.last_press is not None:
        return
    for notice in facts.noticed(Notice.CLOCK_WRONG_WAY):
        yield Found(
            code="accidental_press",
            procedure=Procedure(
                rule="START-3",
                title=coded("clock_player_who_moves_second"),
                open_questions=(coded("whether_player_who_moves_first"),),
            ),
            group=notice.ref,
            player=notice.player,
            since=notice.ref,
        )


PRESSED = (find_stray_presses, find_wrong_starts)
