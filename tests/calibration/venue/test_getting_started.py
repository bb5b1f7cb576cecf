"""docs/getting-started.md: what it says to type is typed, in an empty folder, for each table."""

import re
import shlex
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

import tilecast
from recorder.bus.broker import find_mosquitto, free_port
from tests.cases import first_of
from tests.served import serving_files

GUIDE = (Path(__file__).parents[3] / "docs" / "getting-started.md").read_text("utf-8")
PARTS = dict(re.findall(r"^## (.+)\n([\s\S]*?)(?=^## |\Z)", GUIDE, re.MULTILINE))

pytestmark = [
    pytest.mark.slow,  # follows the guide with every program
    pytest.mark.skipif(find_mosquitto() is None, reason="needs Mosquitto: apt install mosquitto"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl"),
]


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[str]:
    """The address of an app that serves snapshots."""
    folder = tmp_path / "phone"
    folder.mkdir()
    cv2.imwrite(str(folder / "shot.jpg"), np.full((480, 640, 3), 90, np.uint8))
    with serving_files(folder) as address:
        yield f"{address}/shot.jpg"


def commands_of(part: str) -> list[list[str]]:
    """The lines of ``tilecast`` in the blocks of a part of the guide."""
    blocks = re.findall(r"^```\n([\s\S]*?)^```", part, re.MULTILINE)
    return [shlex.split(line)[1:] for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("part", first_of(1, reversed(PARTS)))
def test_what_the_guide_says_to_type_works(
    part: str,
    phone: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Word by word, but for the camera's address and the ports; every step ends well."""
    monkeypatch.chdir(tmp_path)
    commands = commands_of(PARTS[part])
    assert commands[0][0] == "init"
    assert commands[-1][0] == "venue"
    for words in commands:
        typed = words
        if words[0] == "init":
            typed = [phone if left == "--camera" else word for left, word in pairwise(["", *words])]
            typed += ["--broker-port", str(free_port()), "--dashboard-port", str(free_port())]
        assert tilecast.main(typed) == 0, (typed, capsys.readouterr().err)
    assert (tmp_path / "hall" / "links.html").is_file()
    assert list((tmp_path / "hall" / "pictures").iterdir())


def test_the_guide_has_the_three_tables_of_the_hardware() -> None:
    """Each with commands; the words by which a table is made are those of docs/hardware.md."""
    hardware = (Path(__file__).parents[3] / "docs" / "hardware.md").read_text("utf-8")
    (row,) = re.findall(r"^\| `tilecast init` \|(.*)\|$", hardware, re.MULTILINE)
    kinds = [kind for cell in row.split("|") for kind in re.findall(r"--clock (\w+)", cell)]
    inits = [commands_of(part)[0] for part in PARTS.values()]
    made = [words[words.index("--clock") + 1] for words in inits]
    assert made == kinds
