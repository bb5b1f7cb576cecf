"""What a person's shell expects of every command: completion, and colours that go away."""

import shutil
import subprocess
from pathlib import Path

import pytest

import tilecast
from recorder.service.venue_file import EXAMPLE


def test_bash_completes_commands_and_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed, read by a real bash, asked as a press of Tab asks."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    assert tilecast.main(["completion", "bash"]) == 0
    (tmp_path / "read").write_text(capsys.readouterr().out, "utf-8")
    asked = 'COMP_WORDS=({}); COMP_CWORD={}; _shtab_tilecast; echo "${{COMPREPLY[@]}}"'
    lines = [asked.format("tilecast stat", 1), asked.format("tilecast status --br", 2)]
    script = f"source {tmp_path / 'read'}; {'; '.join(lines)}"
    said = subprocess.run([bash, "-c", script], check=True, capture_output=True, text=True)
    assert said.stdout.split() == ["status", "--broker"]


@pytest.mark.parametrize("words", [["--no-color", "status"], ["status", "--no-colour"]])
def test_colours_go_away(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On what takes itself for a terminal, before and behind the command."""
    file = tmp_path / "venue.toml"
    file.write_text(EXAMPLE.replace('"auto"', '"mqtt://127.0.0.1:9"'), "utf-8")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "")
    asked = [str(file), "--wait", "0"]
    assert tilecast.main(["status", *asked]) == 1
    assert "\x1b[31m" in capsys.readouterr().out
    assert tilecast.main([*words, *asked]) == 1
    assert "\x1b[31m" not in capsys.readouterr().out
