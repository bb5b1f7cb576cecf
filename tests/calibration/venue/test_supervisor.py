"""How the programs of a venue end: together, but for those that others need to the last."""

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.venue.supervisor import MOST_LOG_BYTES, Phase, ProgramPlan, Supervisor
from tests.eventually import eventually

_WAITS_FOR_THE_OTHER = """
trap 'touch {own}; while [ ! -e {other} ]; do sleep 0.01; done; touch {own}-done; exit' TERM
touch {own}-up
while :; do sleep 0.01; done
"""

_SAYS_TOO_MUCH = f"""
yes a stranger has come | head -c {MOST_LOG_BYTES + 1}
while :; do echo here; sleep 0.01; done
"""


def _plan(folder: Path, script: str) -> ProgramPlan:
    command = ["/bin/sh", "-c", script]
    return ProgramPlan(name="program", command=command, folder=folder, log=folder / "program.log")


def test_what_a_program_says_without_end_fills_no_disk(tmp_path: Path) -> None:
    """Its log begins again, the lines before are kept beside it, and its words still arrive."""
    supervisor = Supervisor([_plan(tmp_path, _SAYS_TOO_MUCH)], lambda *_: None)
    log, old = tmp_path / "program.log", tmp_path / "program.log.old"

    def goes_on() -> bool:
        supervisor.step()
        return old.exists() and log.read_bytes().startswith(b"here\n")

    eventually(goes_on, "its log is short again")
    supervisor.stop()
    assert MOST_LOG_BYTES < old.stat().st_size < MOST_LOG_BYTES + 10_000
    assert old.stat().st_mode == log.stat().st_mode


@pytest.mark.parametrize("put", [os.mkfifo, Path.mkdir])
def test_a_program_runs_whatever_is_in_the_place_of_its_log(
    tmp_path: Path, put: Callable[[Path], object]
) -> None:
    """A pipe that nobody reads keeps nobody waiting; and its end is seen."""
    put(tmp_path / "program.log")
    said: list[Phase] = []
    plan = _plan(tmp_path, "touch ran; exit 3")
    supervisor = Supervisor([plan], lambda _, phase, __: said.append(phase))

    def has_ended() -> bool:
        supervisor.step()
        return Phase.DIED in said

    eventually(has_ended)
    supervisor.stop()
    assert (tmp_path / "ran").exists()


def test_a_program_may_open_as_many_files_as_the_system_allows(tmp_path: Path) -> None:
    """A login allows 1,024 by itself: as many connections keep every clock out of the broker."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 256), hard))
    try:
        supervisor = Supervisor([_plan(tmp_path, "ulimit -n; sleep 600")], lambda *_: None)
        supervisor.step()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    said = tmp_path / "program.log"
    eventually(lambda: said.read_text("ascii").strip(), "it says how many")
    supervisor.stop()
    assert int(said.read_text("ascii")) >= min(hard, 200_000)


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


@pytest.mark.parametrize(
    ("script", "said"), [("echo old; kill -9 $$", "killed"), ("echo no room; exit 3", "no room")]
)
def test_a_program_that_was_killed_gave_no_cause(tmp_path: Path, script: str, said: str) -> None:
    """What it wrote last, however long ago, is none; what one says that ends by itself is."""
    told: list[str] = []
    supervisor = Supervisor([_plan(tmp_path, script)], lambda *news: told.append(" ".join(news)))

    def died() -> list[str]:
        supervisor.step()
        return [text for text in told if f" {Phase.DIED} " in text]

    eventually(lambda: bool(died()), "it has died")
    assert said in died()[0]
    assert "old" not in died()[0]
    supervisor.stop()
