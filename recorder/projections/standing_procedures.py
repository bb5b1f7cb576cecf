"""The procedures of a table for the director's page: those that stand open, and those begun."""

from collections.abc import Sequence

from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.domain.procedures.found import ON_QUESTIONS
from recorder.domain.record import GameStarted, ProcedureOver, ProcedureStands
from recorder.domain.rulings.procedures import ProcedureRun
from recorder.domain.standing_procedures import StandingProcedure, StandingStep, is_timed
from recorder.frames import desk
from recorder.log.port import Row
from recorder.projections.framed import framed
from recorder.texts import Catalogue, load_catalogue
from recorder.texts.telling import RULE_TEXTS, coded_text, facts_in_words


class StandingProcedures:
    """Fold the rows of one table; what is known newest of a procedure counts."""

    def __init__(self) -> None:
        self._open: dict[str, desk.StandingProcedure] = {}

    def took(self, row: Row, texts: Catalogue) -> bool:
        """Account for a row; whether it was about a procedure and about nothing else."""
        match row.says:
            case GameStarted():
                self._open.clear()
            case ProcedureStands(procedure=procedure):
                before = self._open.get(procedure.key)
                begun = (row.seq, row.at) if before is None else (before["row"], before["at"])
                self._open[procedure.key] = _as_json(procedure, texts, *begun)
                return True
            case ProcedureOver(key=key):
                self._open.pop(key, None)
                return True
        return False

    def as_json(self) -> list[desk.StandingProcedure]:
        """What stands open, the oldest first."""
        return list(self._open.values())


def _act(step: StandingStep, questions: Sequence[str], texts: Catalogue) -> str:
    """What is to be done; what is open is what the director is to settle."""
    act = coded_text(step.act, RULE_TEXTS, texts)
    return "; ".join(questions) if step.act.code == ON_QUESTIONS else act


def _as_json(
    procedure: StandingProcedure, texts: Catalogue, row: int, at: int
) -> desk.StandingProcedure:
    questions = [coded_text(asked, RULE_TEXTS, texts) for asked in procedure.questions]
    steps = [
        framed(
            desk.StandingStep,
            step,
            actor=texts.text("actor", step.who),
            act=_act(step, questions, texts),
            is_timed=is_timed(step.code, step.seconds),
        )
        for step in procedure.steps
    ]
    return framed(
        desk.StandingProcedure,
        procedure,
        title=coded_text(procedure.title, RULE_TEXTS, texts),
        facts=dict(procedure.facts),
        facts_said=facts_in_words("procedure_fact", procedure.facts, texts),
        steps=steps,
        says=bool(WORKED_OUT.get(procedure.code)),
        questions=questions,
        row=row,
        at=at,
    )


def begun_as_json(run: ProcedureRun) -> desk.OpenProcedure:
    """A procedure that a director has begun, as the page gets it."""
    act, title = run.act, run.act.facts.get("title")
    return framed(
        desk.OpenProcedure,
        act,
        title=str(title) if title else load_catalogue().text("procedure", act.code),
        notice=act.notice or None,
        facts={name: value for name, value in act.facts.items() if name != "title"},
        done=sorted(run.done),
        row=run.row,
        at=run.at_ms,
        who=run.who,
    )
