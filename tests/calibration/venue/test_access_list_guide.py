"""The guide's section on the broker's access list against what ``tilecast init`` writes."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import tilecast
from tests.cases import first_of

pytestmark = pytest.mark.slow  # makes venues

GUIDE = Path("docs", "venue.md")
EXAMPLE = "phone-clock-1"
"""The device whose lines the guide shows."""
CLOCKS = {
    "phone": "a phone as clock",
    "mqtt": "a networked clock",
    "serial": "a clock on a serial line",
}
"""What ``--clock`` takes, and what the guide calls it."""
Rights = dict[str, set[str]]


@pytest.fixture(scope="module")
def section() -> str:
    return GUIDE.read_text("utf-8").split("## The access list\n")[1].split("\n## ")[0]


def rights(lines: Sequence[str]) -> Rights:
    """By user what they may say and hear; lines below no user are those of an empty name."""
    found: Rights = {}
    user = ""
    for line in lines:
        if line.startswith("user "):
            user = line.removeprefix("user ")
        elif line.startswith("topic "):
            found.setdefault(user, set()).add(line)
    return found


def speakers(section: str, clock: str) -> list[tuple[str, str]]:
    """By the guide's table the devices of a table with such a clock, and who speaks for each."""
    others = {name for kind, name in CLOCKS.items() if kind != clock}
    rows = re.findall(r"^\| ([^|]+) \| `([^`]+)` \| `user ([^`]+)`", section, re.MULTILINE)
    return [(device, user) for what, device, user in rows if what not in others]


def written(folder: Path, clock: str) -> Rights:
    """What ``tilecast init`` lets the users of a venue of one table do."""
    line = ("--serial", "/dev/ttyUSB0") if clock == "serial" else ()
    words = ("--yes", "--address", "127.0.0.1", "--camera", "0", "--clock", clock, *line)
    assert tilecast.main(["init", str(folder), *words]) == 0
    return rights((folder / "broker" / "acl").read_text("utf-8").splitlines())


@pytest.mark.parametrize("clock", first_of(1, CLOCKS))
def test_the_guide_has_the_very_lines_that_init_writes(
    section: str, tmp_path: Path, clock: str
) -> None:
    """Each user has those of the guide, for each device that the guide's table gives it."""
    blocks = re.findall(r"```text\n(.+?)```", section, re.DOTALL)
    device_lines, expected = (rights(block.splitlines()) for block in blocks)
    for device, user in speakers(section, clock):
        lines = {line.replace(f"/{EXAMPLE}/", f"/{device}/") for line in device_lines[""]}
        expected[user] = expected.get(user, set()) | lines
    assert written(tmp_path / "hall", clock) == expected
