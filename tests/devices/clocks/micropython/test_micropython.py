"""The networked clock's firmware on MicroPython itself: what it says there is what it says here.

MicroPython is fetched with what checks the scripts (``.ci/scripts``): its own build for Node, for
Debian has none. Sockets and pins are the board's; ``test_firmware.py`` has them on a broker.
"""

import io
import json
import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tests.cases import first_of

ROOT = Path(__file__).parents[4]
INTERPRETER = ROOT / "build" / "scripts" / "node_modules" / "@micropython"
HERE = Path(__file__).parent

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not INTERPRETER.exists() or shutil.which("node") is None,
        reason="no MicroPython: `.ci/scripts` fetches it, with Node and npm",
    ),
]


@pytest.mark.parametrize("seed", first_of(1, [1, 2, 3]))
def test_an_evening_is_the_same_in_both(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Presses, a network that comes and goes, late acks, commands, nonsense, the power failing."""
    program = HERE / "evening.py"
    command = ["node", str(HERE / "run.mjs"), str(ROOT), str(program), str(seed)]
    there = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert there.returncode == 0, there.stderr
    monkeypatch.chdir(tmp_path)
    heard = io.StringIO()
    with redirect_stdout(heard):
        exec(compile(program.read_text(), program, "exec"), {"SEED": seed, "__name__": "evening"})
    here, there_said = (_messages(text) for text in (heard.getvalue(), there.stdout))
    assert here == there_said
    types = {message.get("type") for _, message in here}
    assert {"clock.press", "clock.change"} <= types


def _messages(text: str) -> list[tuple[str, dict[str, object]]]:
    """Topics and contents; the two interpreters order the keys of an object differently."""
    return [tuple(json.loads(line)) for line in text.splitlines()]
