"""Procedures about the result: recount, result slip, a game given up (END-9 to END-12)."""

from collections.abc import Iterator

from recorder.domain.game import Conceded
from recorder.domain.notices import PlainValue, coded
from recorder.domain.orders import Sign
from recorder.domain.procedures.found import Found
from recorder.domain.procedures.named import begun_about
from recorder.domain.procedures.table_facts import TableFacts
from recorder.domain.rules.core.procedure import DIRECTOR, Procedure
from recorder.domain.rules.ending.conclusions import Conclusion, left_for_good, resignation
from recorder.domain.rules.ending.result_slip import (
    SlipFacts,
    recount,
    signed_result,
    slip_change,
)
from recorder.domain.rulings.in_force import game_ended_by
from recorder.domain.standing_procedures import Settlement


def find_recounts(facts: TableFacts) -> Iterator[Found]:
    """A recount that a player has asked for (END-10); the director's order says so."""
    run = facts.open_run("recount")
    if run is None:
        return
    first, second = facts.state.scores
    order = game_ended_by(facts.rulings)
    ended_ms = facts.table.clock.stop_ms or (run.at_ms if order is None else order.at_ms)
    overtime = any(
        isinstance(event, Conceded) and event.how == "overtime" for event in facts.state.events
    )
    found, granted = recount(
        facts.rules,
        margin=abs(first - second),
        asked_after_s=max(0, run.at_ms - ended_ms) // 1000,
        is_overtime_forfeit=overtime,
        is_director_convinced=run.act.facts.get("convinced") is True,
    )
    yield Found(
        code="recount",
        procedure=found,
        player=begun_about(run.act),
        facts={"margin": abs(first - second), "granted": "open" if granted is None else granted},
    )


def find_result_slips(facts: TableFacts) -> Iterator[Found]:
    """Signatures that no longer stand for the result, or a slip that is to be handed in (END-9)."""
    asked = facts.begun("result_slip")
    signed = {
        ruling.order.act.player: ruling.seq
        for ruling in facts.rulings
        if isinstance(ruling.order.act, Sign)
    }
    changes = [ruling.seq for ruling in facts.rulings if ruling.edits_turn or ruling.edits_end]
    stale = any(seq < max(changes, default=0) for seq in signed.values())
    if not (asked or (signed and stale)):
        return
    found, hands_in = signed_result(facts.rules, facts.state.scores, stale=stale)
    known: dict[str, PlainValue | None] = {"stale": stale, "hands_in": hands_in}
    changed = _handed_in(facts) if asked else None
    if changed is not None:
        procedure, answer = changed
        yield Found(code="result_slip", procedure=procedure, facts={**known, "changed": answer})
    else:
        yield Found(code="result_slip", procedure=found, facts=known)


def _handed_in(facts: TableFacts) -> tuple[Procedure, PlainValue] | None:
    """What becomes of a slip that says otherwise than it should once it is handed in (END-9).

    Of what was ``written`` and ``agreed`` only the director's order knows; None without it.
    """
    said = facts.said("result_slip")
    written, agreed = _scores(said.get("written")), _scores(said.get("agreed"))
    if written is None or agreed is None:
        return None
    ruling = slip_change(
        facts.rules,
        SlipFacts(
            handed_in=said.get("handed_in") is not False,
            written=written,
            agreed=agreed,
            computed=facts.state.scores,
            both_agree=said.get("both_agree") is True,
            refusal_unfair=said.get("refusal_unfair") is True,
        ),
    )
    first, second = ruling.scores
    correct = DIRECTOR("correct_slip", "write_result_slip", "END-9", first=first, second=second)
    procedure = Procedure(
        "END-9",
        coded("result_slip_handed", why=ruling.why),
        steps=(correct,) if ruling.changed else (),
        open_questions=ruling.open_questions,
    )
    return procedure, "open" if ruling.changed is None else ruling.changed


def _scores(said: PlainValue | None) -> tuple[int, int] | None:
    """Two totals from a text as ``431 380``; None where it is none."""
    figures = str(said or "").split()
    if len(figures) != len(("first", "second")) or not all(map(_is_whole, figures)):
        return None
    return int(figures[0]), int(figures[1])


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def find_resignations(facts: TableFacts) -> Iterator[Found]:
    """A game that a player gives up or leaves for good (END-11, END-12)."""
    run = facts.open_run("resignation")
    player = None if run is None else begun_about(run.act)
    if run is None or player is None:
        return
    said = run.act.facts
    if said.get("left") is True:
        found = left_for_good(facts.rules, facts.scores_played, player)
    else:
        found = resignation(
            facts.rules,
            facts.scores_played,
            player,
            emergency=said.get("emergency") is True,
            permitted=said.get("permitted") is True,
        )
    yield Found(
        code="resignation",
        procedure=Procedure(
            found.rule, coded("game_given_up", how=found.how), open_questions=found.open_questions
        ),
        player=player,
        facts={"margin": found.margin, "rated": found.rated},
        over=facts.recorded(Conceded),
        settlements=_given_up(found, player),
    )


def _given_up(found: Conclusion, player: int) -> tuple[Settlement, ...]:
    """How it ends: lost by that margin, and where something is open, or played on."""
    if found.events and not found.open_questions:
        return (Settlement(events=found.events),)
    goes_on = Settlement(code="game_goes_on")
    if found.margin is None:
        return (goes_on,)
    lost = Settlement(code="game_lost", events=(Conceded(player, found.margin, found.how),))
    return (lost, goes_on)


RESULTS = (find_recounts, find_result_slips, find_resignations)
