"""The commands of the devices, and the document that builders follow."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tilecast
from devices.agent_process.table_file import KINDS
from devices.sensors.bag_scale import BagScale
from devices.sensors.rack_counter import RackCounter
from devices.tcc1.framing import LineReader, TccFrame
from devices.tcc1.messages import (
    Ack,
    Beep,
    Body,
    Heartbeat,
    Hello,
    Load,
    Places,
    Resend,
    Run,
    SetTimes,
    Sync,
    SyncReply,
)
from recorder.domain.observations import ClockAct
from recorder.service.venue_file import example as example_venue

DOCUMENT = Path(__file__).parents[3] / "docs" / "tcc1.md"


def _run(*words: str) -> int:
    return tilecast.main([*words])


def test_the_example_file_can_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert _run("agent", "--example") == 0
    path = tmp_path / "table.toml"
    path.write_text(capsys.readouterr().out, encoding="utf-8")
    assert _run("agent", "--check", str(path)) == 0
    assert "2 devices" in capsys.readouterr().out


def test_a_file_at_fault_ends_with_one_and_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The message on stderr names file and remedy; without a file it is wrong usage."""
    assert _run("agent", str(tmp_path / "table.toml")) == 1
    assert "table.toml: no such file" in capsys.readouterr().err
    assert _run("agent") == 2


@pytest.mark.parametrize(
    ("name", "text", "whose"),
    [
        ("venue.toml", example_venue(), "the recorder's file, for tilecast record FILE"),
        ("programs.toml", "[agents]\nfiles = []\n", "programs, for tilecast venue with its folder"),
    ],
)
def test_the_file_of_another_program_is_called_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, whose: str
):
    """Which file it is, which command takes it, and which file is wanted."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert _run("agent", "--check", str(path)) == 1
    said = capsys.readouterr().err
    assert f"{path}: this is " in said
    assert whose in said
    assert "with [[device]] (tilecast init calls it table-1.toml)" in said


def test_devices_are_listed(capsys: pytest.CaptureFixture[str]):
    """One JSON document, whatever is plugged in."""
    assert _run("devices", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)) == {"ports", "cameras"}
    assert _run("devices") == 0
    assert "serial ports:" in capsys.readouterr().out


def test_the_simulated_clock_obeys_keys():
    """It prints its port first, then the times after every key."""
    start = (
        "import sys; from devices.lab.clock_cli import register_clock as register;"
        "from recorder.commands.command_line import CommandParser;"
        "parser = CommandParser(); register(parser.add_subparsers());"
        "args = parser.parse_args(sys.argv[1:]); raise SystemExit(args.run(args))"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, "clock", "--speed", "0", "--minutes", "2"],
        input="r\nu\nu\np\nq\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=DOCUMENT.parents[1],
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("port: /")
    running = [line.rsplit(" ", 1)[1] for line in lines[2:]]
    assert running == ["L", "L", "L", "N"]
    assert lines[2].startswith("left 120.0 s, right 120.0 s")


def test_the_lines_in_the_document_are_right():
    """Each example line is accepted as it is."""
    blocks = re.findall(r"```tcc1\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    lines = "".join(blocks).encode().splitlines(keepends=True)
    read = LineReader().feed(b"".join(lines))
    assert len(lines) == len(read) == 10
    assert [item for item in read if not isinstance(item, TccFrame)] == []


def test_the_document_names_every_line_key_and_command():
    """A kind of line, a key of the table file or a command that is new must be described."""
    pages = (DOCUMENT, DOCUMENT.with_name("devices.md"))
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    kinds: tuple[type[Body], ...]
    kinds = (Heartbeat, Hello, SyncReply, Ack, Resend, SetTimes, Run, Sync, Beep, Load, Places)
    names = [f"`{kind.KIND}," for kind in kinds]
    names += [f"`EV,{act.upper()}," for act in ClockAct] + ["`EV,PRESS,", "`EV,SAY,", "`EV,ACT,"]
    names += [f"`{field}`" for plan in KINDS.values() for field in plan.__dataclass_fields__]
    names += ["`look`", "`picture`", "`set`", "`run`", "`beep`"]
    names += [f"`{command}`" for command in (*BagScale.commands, *RackCounter.commands)]
    names += ["tilecast agent --check", "tilecast devices", "tilecast clock"]
    assert [name for name in names if name not in text] == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
def test_the_checksum_in_c_is_the_one_of_the_protocol(tmp_path: Path):
    """A builder copies it from the document: it must compile and give 29B1."""
    code = re.search(r"```c\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    source = tmp_path / "crc.c"
    source.write_text(
        "#include <stdint.h>\n#include <stdio.h>\n#include <stddef.h>\n"
        + code[1]
        + 'int main(void) { printf("%04X", crc16("123456789", 9)); return 0; }\n',
        encoding="utf-8",
    )
    subprocess.run(["cc", "-Wall", "-o", str(tmp_path / "crc"), str(source)], check=True)
    said = subprocess.run([str(tmp_path / "crc")], capture_output=True, check=True)
    assert said.stdout == b"29B1"
