"""Procedures about the result: recount, result slip, a game given up (END-9 to END-12)."""

from collections.abc import Iterator

from recorder.domain.game import Conceded
from recorder.domain.orders import Sign
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.table_facts import TableFacts, begun_about
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.conclusions import left_for_good, resignation
from recorder.domain.rules.ending.result_slip import RecountFacts, recount
from recorder.domain.rules.ending.signing import signed_result
from recorder.domain.rulings.in_force import game_ended_by


def find_recounts(facts: TableFacts) -> Iterator[Found]:
    """A recount that a player has asked for (END-10); the director's order says so."""
    run = facts.run("recount")
    if run is None or not run.is_open:
        return
    first, second = facts.state.scores
    order = game_ended_by(facts.rulings)
    ended_ms = facts.table.over_ms or (run.at_ms if order is None else order.at_ms)
    overtime = any(
        isinstance(event, Conceded) and event.how == "overtime" for event in facts.state.events
    )
    found = recount(
        facts.rules,
        RecountFacts(
            margin=abs(first - second),
            asked_after_s=max(0, run.at_ms - ended_ms) // 1000,
            overtime_forfeit=overtime,
            director_convinced=run.act.facts.get("convinced") is True,
        ),
    )
    yield Found(
        code="recount",
        procedure=found.procedure,
        player=begun_about(run.act),
        facts={
            "margin": abs(first - second),
            "granted": "open" if found.granted is None else found.granted,
        },
    )


def find_result_slips(facts: TableFacts) -> Iterator[Found]:
    """Signatures that no longer stand for the result, or a slip that is to be handed in (END-9)."""
    run = facts.run("result_slip")
    asked = run is not None and run.is_open
    signed = {
        ruling.order.act.player: ruling.seq
        for ruling in facts.rulings
        if isinstance(ruling.order.act, Sign)
    }
    changes = [ruling.seq for ruling in facts.rulings if ruling.edits_turn or ruling.edits_end]
    stale = any(seq < max(changes, default=0) for seq in signed.values())
    if not signed or not (stale or asked):
        return
    found = signed_result(facts.rules, facts.state.scores, stale=stale)
    yield Found(
        code="result_slip",
        procedure=found.procedure,
        facts={"stale": stale, "hands_in": found.submission.player},
    )


def find_resignations(facts: TableFacts) -> Iterator[Found]:
    """A game that a player gives up or leaves for good (END-11, END-12)."""
    run = facts.run("resignation")
    player = None if run is None else begun_about(run.act)
    if run is None or not run.is_open or player is None:
        return
    said = run.act.facts
    if said.get("left") is True:
        found = left_for_good(facts.rules, facts.state.scores, player)
    else:
        found = resignation(
            facts.rules,
            facts.state.scores,
            player,
            emergency=said.get("emergency") is True,
            permitted=said.get("permitted") is True,
        )
    yield Found(
        code="resignation",
        procedure=Procedure(
            rule=found.rule, title=found.how.value, open_questions=found.open_questions
        ),
        player=player,
        facts={"margin": found.margin, "rated": found.rated},
        over=any(isinstance(event, Conceded) for event in facts.state.events),
    )


RESULTS = (find_recounts, find_result_slips, find_resignations)
