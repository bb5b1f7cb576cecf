"""How the programs of a venue end: together, but for those that others need to the last."""

from pathlib import Path

from calibration.venue.supervisor import Phase, ProgramPlan, Supervisor
from tests.eventually import eventually

_WAITS_FOR_THE_OTHER = """
trap 'touch {own}; while [ ! -e {other} ]; do sleep 0.01; done; touch {own}-done; exit' TERM
touch {own}-up
while :; do sleep 0.01; done
"""


def test_programs_end_together_and_what_they_need_ends_last(tmp_path: Path) -> None:
    """Two that each end only once the other is told to, and a third that both come after."""

    def plan(name: str, script: str, after: str) -> ProgramPlan:
        command = ["/bin/sh", "-c", script]
        log = tmp_path / f"{name}.log"
        return ProgramPlan(name=name, command=command, folder=tmp_path, log=log, after=after)

    told: list[tuple[str, Phase]] = []
    programs = [
        plan("needed", "touch needed-up; sleep 600", ""),
        *(
            plan(own, _WAITS_FOR_THE_OTHER.format(own=own, other=other), "needed")
            for own, other in (("a", "b"), ("b", "a"))
        ),
    ]
    supervisor = Supervisor(programs, lambda name, phase, _why: told.append((name, phase)))

    def all_up() -> bool:
        supervisor.step()
        return all((tmp_path / f"{name}-up").exists() for name in ("needed", "a", "b"))

    eventually(all_up, "all run")
    supervisor.stop()
    assert (tmp_path / "a-done").exists()
    assert (tmp_path / "b-done").exists()
    assert told[-1] == ("needed", Phase.ENDED)
    assert {name for name, phase in told if phase is Phase.ENDED} == {"needed", "a", "b"}
