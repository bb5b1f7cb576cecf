"""What a person's shell expects of every command: completion, and colours that go away."""

import os
import pty
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from recorder.log.sqlite import SqliteEventLog
from recorder.service.venue_file import example
from tests.cases import first_of

pytestmark = pytest.mark.slow  # runs commands at a terminal


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
    file.write_text(example().replace('"auto"', '"mqtt://127.0.0.1:9"'), "utf-8")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "")
    asked = [str(file), "--wait", "0"]
    assert tilecast.main(["status", *asked]) == 1
    assert "\x1b[31m" in capsys.readouterr().out
    assert tilecast.main([*words, *asked]) == 1
    assert "\x1b[31m" not in capsys.readouterr().out


def at_terminal(words: list[str], **more: str) -> str:
    """All that a command shows on a real terminal, with its control sequences."""
    ours, its = pty.openpty()
    env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "CI")}
    command = [sys.executable, "-m", "tilecast", *words]
    shown = bytearray()
    with subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, env={**env, "TERM": "xterm-256color", **more}
    ) as process:
        os.close(its)
        with suppress(OSError):  # the terminal is gone with its last program
            while part := os.read(ours, 4096):
                shown += part
        process.wait(60)
    os.close(ours)
    return shown.decode("utf-8", "replace")


@pytest.fixture
def status(tmp_path: Path) -> list[str]:
    """A command that takes over a second: it listens where nobody is."""
    file = tmp_path / "venue.toml"
    file.write_text(example().replace('"auto"', '"mqtt://127.0.0.1:9"'), "utf-8")
    return ["status", str(file), "--wait", "1.5"]


def test_a_terminal_shows_what_goes_on_and_its_colours(status: list[str]) -> None:
    """What is at work, with its time, wiped away at the end; what is ill in red."""
    shown = at_terminal(status, COLUMNS="120")
    assert "listening to the devices" in shown
    assert "version" in shown
    assert "0:00:01" in shown
    assert "\x1b[2K" in shown.rpartition("listening to the devices")[2], "wiped away"
    assert "\x1b[31m" in shown


@pytest.mark.parametrize(
    ("words", "goes_on"),
    first_of(
        2,
        [
            (["doctor", "--broker", "mqtt://127.0.0.1:9"], "trying the broker"),
            (["read", "black.png"], "reading black.png"),
            (["log", "verify", "tilecast.db"], "reading tilecast.db"),
            (["doctor", "clock", "clock-1", "--broker", "mqtt://127.0.0.1:9"], "trying the clock"),
            (["doctor", "venue", "venue.toml"], "looking and trying"),
            (["init", "hall", "--yes", "--camera", "http://127.0.0.1:9/s.jpg"], "taking a picture"),
            (["replay", "photos"], "reading photos"),
            (["log", "backup", "tilecast.db", "copy.db"], "copying"),
            (["export", "site", "tilecast.db", "pages"], "reading tilecast.db"),
            (["scenario", "play.scn"], "playing"),
            (["gcg", "check", "game.gcg"], "replaying"),
        ],
    ),
    ids=lambda words: "-".join(words[:2]) if isinstance(words, list) else "",
)
def test_whatever_may_take_a_second_shows_at_a_terminal_what_it_is_at(
    words: list[str], goes_on: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command from its own words, whether it comes to a good end or not."""
    monkeypatch.chdir(tmp_path)
    write_what_commands_read(tmp_path)
    assert goes_on in at_terminal(words, PYTHONPATH=str(Path(tilecast.__file__).parent))


def write_what_commands_read(folder: Path) -> None:
    """A recorder's file, a black picture, a list of words, an empty log, a scenario, a game."""
    text = example().replace('"auto"', '"mqtt://127.0.0.1:9"')
    (folder / "venue.toml").write_text(text, "utf-8")
    (folder / "photos").mkdir()
    for picture in (folder / "black.png", folder / "photos" / "1.png"):
        cv2.imwrite(str(picture), np.zeros((480, 640, 3), np.uint8))
    (folder / "words.txt").write_text("AA\nAB\n", "utf-8")
    SqliteEventLog(folder / "tilecast.db").close()
    (folder / "play.scn").write_text("players Anna Ben\nstart\n", "utf-8")
    (folder / "game.gcg").write_text("#player1 A Anna\n#player2 B Ben\n", "utf-8")


def test_a_pipe_gets_neither_progress_nor_colours(status: list[str]) -> None:
    """Both outputs into pipes: only what was asked for."""
    command = [sys.executable, "-m", "tilecast", *status]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "cam-1" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert "listening" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    first_of(
        1,
        [
            ["doctor", "venue", "FILE", "--wait", "0"],
            ["rules", "show", "naspa", "--json"],
            ["log", "verify", "LOG"],
        ],
    ),
)
def test_whoever_has_read_enough_hears_no_complaint(words: list[str], tmp_path: Path) -> None:
    """As ``| head -1`` does: the pipe is closed, and no broken input is reported for it."""
    SqliteEventLog(tmp_path / "LOG").close()
    (tmp_path / "FILE").write_text(example().replace('"auto"', '"mqtt://127.0.0.1:9"'), "utf-8")
    ours, its = os.pipe()
    os.close(ours)
    command = [sys.executable, "-P", "-m", "tilecast", *words]
    ended = subprocess.run(
        command, check=False, cwd=tmp_path, stdout=its, stderr=subprocess.PIPE, text=True
    )
    os.close(its)
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words", first_of(1, [["rules", "show", "wespa4"], ["--help"], ["devices", "--json"]])
)
def test_a_full_disk_is_told_in_one_line(words: list[str]) -> None:
    """Where what is printed goes into a file."""
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "tilecast", *words],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert ended.returncode == 1
    assert re.fullmatch(r"tilecast: standard output: .*No space left on device\n", ended.stderr)


@pytest.mark.parametrize("words", [["record", "--check"], ["agent", "--check"], ["status"]])
def test_a_folder_in_the_place_of_a_file_says_what_to_name(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Halle Süd"
    (folder / "venue.toml").mkdir(parents=True)
    assert tilecast.main([*words, str(folder / "venue.toml")]) == 1
    said = capsys.readouterr().err
    assert "Errno" not in said
    assert "venue.toml" in said
    assert tilecast.main(["doctor", "venue", str(tmp_path / "hall")]) == 1
    said = capsys.readouterr().err
    assert "hall: there is no such folder; make a venue with: tilecast init " in said


def test_a_bare_command_line_says_where_to_start(capsys: pytest.CaptureFixture[str]) -> None:
    """Five lines, each with what to type; ``--help`` names every command once."""
    assert tilecast.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("   ")[0].strip() for line in lines] == [
        "tilecast demo", "tilecast venue", "tilecast replay FOLDER",
        "tilecast event --help", "tilecast --help",
    ]  # fmt: skip
    with pytest.raises(SystemExit):
        tilecast.main(["--help"])
    listed = re.findall(r"^  ([a-z]+) {2,}\S", capsys.readouterr().out, re.MULTILINE)
    with pytest.raises(SystemExit):
        tilecast.main(["nothing of ours"])
    offered = re.findall(r"'([a-z]+)'", capsys.readouterr().err)
    assert sorted(listed) == sorted(offered)
