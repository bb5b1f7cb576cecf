"""Procedures about presses that may be no turn (TURN-5, START-3), and small mistakes (INFR-1)."""

from collections.abc import Iterator
from dataclasses import replace

from recorder.domain.notices import Notice, coded
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import Procedure, Step, TimeChange
from recorder.domain.rules.turn.infractions import Infraction, RemedyTaken, minor_infractions
from recorder.domain.rules.turn.press import stray_press
from recorder.domain.rulings.procedures import ProcedureRun


def find_stray_presses(facts: TableFacts) -> Iterator[Found]:
    """A press with half a play on the board that was sent back at once (TURN-5)."""
    for notice in facts.noticed(Notice.ACCIDENTAL_PRESS):
        drawn = notice.numbers.get("drawn", facts.drawn_since(notice.ref))
        remedy = stray_press(facts.rules, opponent_drew=bool(drawn))
        steps = (*remedy.procedure.steps, *map(_time, remedy.times))
        yield Found(
            code="accidental_press",
            procedure=replace(remedy.procedure, steps=steps),
            group=notice.ref,
            player=notice.player,
            facts={"drawn": drawn} if isinstance(drawn, int) else {},
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


def find_infractions(facts: TableFacts) -> Iterator[Found]:
    """Small mistakes that were pointed out: each is begun once, and they are counted (INFR-1)."""
    run = facts.run("infractions")
    player = None if run is None else begun_about(run.act)
    if run is None or not run.is_open or player is None:
        return
    found = minor_infractions(facts.rules, tuple(_pointed_out(facts, player)))
    note = Step(
        code="note_infraction", who=Who.DIRECTOR, act=coded("carried_out_counts_it"), rule="INFR-1"
    )
    procedure = Procedure(
        rule="INFR-1",
        title=coded("minor_infractions"),
        steps=() if found.open_questions else (note,),
        open_questions=found.open_questions,
    )
    yield Found(
        code="infractions",
        procedure=procedure if found.remedy is None else found.remedy.procedure,
        player=player,
        facts={"number": found.number},
        since=run.row - 1,
    )


def _pointed_out(facts: TableFacts, player: int) -> Iterator[Infraction | RemedyTaken]:
    """The mistakes of a player, each with its turn; those that were dropped do not count."""
    so_far: list[Infraction | RemedyTaken] = []
    runs = [run for run in facts.runs if run.act.code == "infractions" and not run.is_dropped]
    for run in runs:
        if begun_about(run.act) == player:
            turn = _turns_before(facts, run)
            so_far.append(Infraction(turn, "infractions", pointed_out=True))
            yield so_far[-1]
            if not run.is_open and minor_infractions(facts.rules, so_far).remedy is not None:
                so_far.append(RemedyTaken(turn))
                yield so_far[-1]


def _turns_before(facts: TableFacts, run: ProcedureRun) -> int:
    return sum(press.seq < run.row for press in facts.table.presses)


PRESSED = (find_stray_presses, find_wrong_starts, find_infractions)
