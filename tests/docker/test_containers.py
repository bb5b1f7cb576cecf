"""The containers of ``docker/``, built and started by Docker: minutes, and only when asked for.

``TILECAST_CONTAINERS=1`` and a Docker engine with Compose; images and packages are fetched. They
run as a project of their own, on ports of their own, and are gone with their volumes at the end.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.bus.broker import free_port
from tests.eventually import eventually

pytestmark = pytest.mark.slow

COMPOSE = Path(__file__).parents[2] / "docker" / "compose.yaml"
FAST = 'services:\n  table:\n    command: ["60"]\n'
WELL_WITHIN_S = 120
STAYING = {"broker", "recorder", "dashboard", "table"}
KILLED = 137


class Containers:
    """``docker compose`` on the shipped file, with a table that plays fast."""

    def __init__(self, folder: Path) -> None:
        override = folder / "fast.yaml"
        override.write_text(FAST, "utf-8")
        files = ["-f", str(COMPOSE), "-f", str(override), "--profile", "simulated"]
        self._compose = ["docker", "compose", "-p", "tilecast-tried", *files]
        self._env = {
            **os.environ,
            "TILECAST_DIRECTOR_TOKEN": "choose-a-long-key",
            "TILECAST_DASHBOARD_PORT": f"127.0.0.1:{free_port()}",
            "TILECAST_BROKER_PORT": f"127.0.0.1:{free_port()}",
        }

    def ask(self, *words: str) -> str:
        """What a command says; it must not fail."""
        done = subprocess.run(
            [*self._compose, *words], env=self._env, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def state(self) -> dict[str, dict[str, object]]:
        lines = self.ask("ps", "--all", "--format", "json").splitlines()
        return {said["Service"]: said for said in map(json.loads, lines)}

    def are_well(self) -> None:
        """Wait until each that stays up says that it is."""

        def well() -> bool:
            state = self.state()
            return all(state[name]["Health"] == "healthy" for name in STAYING)

        eventually(well, "the containers are well", WELL_WITHIN_S)

    def end(self) -> set[object]:
        """The exit statuses of those that are stopped."""
        self.ask("stop", "--timeout", "40")
        state = self.state()
        return {state[name]["ExitCode"] for name in STAYING}

    def plays(self) -> list[str]:
        listed = self.ask("exec", "-T", "recorder", "ls", "/record")
        if "demo.gcg" not in listed.split():
            return []
        text = self.ask("exec", "-T", "recorder", "cat", "/record/demo.gcg")
        return [line for line in text.splitlines() if line.startswith(">")]


@pytest.fixture
def containers(tmp_path: Path) -> Iterator[Containers]:
    """Built and started; ended with all that they kept."""
    if not os.environ.get("TILECAST_CONTAINERS"):
        pytest.skip("builds images and fetches what is in them: TILECAST_CONTAINERS=1")
    has = (
        shutil.which("docker")
        and not subprocess.run(
            ["docker", "compose", "ls"], check=False, capture_output=True
        ).returncode
    )
    if not has:
        pytest.skip("needs a Docker engine that we may use, and its Compose")
    containers = Containers(tmp_path)
    try:
        containers.ask("up", "--build", "--detach")
        yield containers
    finally:
        containers.ask("down", "--volumes", "--timeout", "5")


def test_a_game_is_recorded_in_containers_that_end_and_start_again(containers: Containers):
    """All say that they are well, end in good order, at any time, and keep the record."""
    containers.are_well()
    eventually(lambda: len(containers.plays()) > 1, "turns are recorded", WELL_WITHIN_S)
    answer = containers.ask("exec", "-T", "dashboard", "python", "healthy.py", "pages", "8015")
    assert answer == "8015: ready\n"
    before = containers.plays()[:2]
    assert containers.end() == {0}
    containers.ask("start")
    containers.are_well()
    assert containers.plays()[:2] == before
    containers.ask("restart", "recorder", "dashboard", "table")
    assert KILLED not in containers.end(), "what is stopped while it starts was killed"
    assert "rror" not in containers.ask("logs", "broker")
