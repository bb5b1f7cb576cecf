"""Which procedures stand open at a table, and how far they are: a fold of the orders in force.

What a procedure consists of is for ``recorder.domain.rules``; here is only what a director has
begun, ticked and closed. An order that is undone was not given.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from recorder.domain.orders import BeginProcedure, CloseProcedure, TickStep, TimeStep
from recorder.domain.rulings.corrections import OrderRefusedError
from recorder.domain.rulings.in_force import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureRun:
    """One procedure since it was begun.

    ``act`` is what the order says that began or last restated it; ``row``, ``at_ms`` and ``who``
    are of the first one. ``done`` are the steps that are done, by place, ``timed_ms`` when the time
    of a step began to run; ``is_dropped``: it was closed, and nothing came of it.
    """

    act: BeginProcedure
    row: int
    at_ms: int
    who: str
    done: frozenset[int]
    timed_ms: Mapping[int, int] = field(default_factory=dict)
    is_open: bool = True
    is_dropped: bool = False

    @property
    def key(self) -> str:
        """The name of the run."""
        return self.act.key


def procedure_runs(in_force: Iterable[Ruling]) -> tuple[ProcedureRun, ...]:
    """All procedures that were begun, the oldest first, as the orders in force leave them."""
    runs: dict[str, ProcedureRun] = {}
    for ruling in in_force:
        match ruling.order.act:
            case BeginProcedure() as act:
                runs[act.key] = _begun(runs.get(act.key), ruling, act)
            case TickStep(key=key, step=step, done=done) if key in runs:
                run = runs[key]
                steps = run.done | {step} if done else run.done - {step}
                runs[key] = replace(run, done=steps)
            case TimeStep(key=key, step=step) if key in runs:
                run = runs[key]
                timed_ms = {**run.timed_ms, step: ruling.at_ms}
                runs[key] = replace(run, timed_ms=timed_ms)
            case CloseProcedure(key=key, carried_out=well) if key in runs:
                runs[key] = replace(runs[key], is_open=False, is_dropped=not well)
    return tuple(runs.values())


def open_procedures(in_force: Iterable[Ruling]) -> tuple[ProcedureRun, ...]:
    """Those that are not closed."""
    return tuple(run for run in procedure_runs(in_force) if run.is_open)


def _begun(before: ProcedureRun | None, ruling: Ruling, act: BeginProcedure) -> ProcedureRun:
    now = ProcedureRun(
        act=act,
        row=ruling.seq,
        at_ms=ruling.at_ms,
        who=ruling.order.who,
        done=frozenset(act.done),
    )
    if before is None:
        return now
    if replace(act, done=before.act.done) == before.act:  # two directors at once
        now = replace(now, done=before.done | now.done)
    return replace(
        now, row=before.row, at_ms=before.at_ms, who=before.who, timed_ms=before.timed_ms
    )


def check_procedure(
    act: BeginProcedure | TickStep | TimeStep | CloseProcedure, runs: Iterable[ProcedureRun]
) -> None:
    """OrderRefusedError for an order about a procedure that is not open, or a step it has not."""
    run = next((known for known in runs if known.key == act.key), None)
    if run is None and isinstance(act, BeginProcedure):
        return
    if run is None:
        raise OrderRefusedError("no_procedure", key=act.key)
    if not run.is_open:
        raise OrderRefusedError("procedure_closed", key=act.key)
    if isinstance(act, TickStep | TimeStep) and run.act.steps and act.step >= run.act.steps:
        raise OrderRefusedError(
            "no_such_step", key=act.key, number=act.step + 1, steps=run.act.steps
        )
