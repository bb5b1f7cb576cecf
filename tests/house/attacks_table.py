"""The attacks of the safety examination before and after, as a table of SECURITY.md.

``python -m tests.house.attacks_table`` prints it; ``... tests`` prints the tests of these
and of all later ones, for ``python -m pytest $(python -m tests.house.attacks_table tests)``.
"""

import re
import sys
from pathlib import Path

from recorder.recent import MOST_BOOTS
from tests.attacks.on_shares import BROKER_MB, MOST_BROKER_MB
from tests.devices.clocks.test_firmware_messages import MESSAGES_IN_A_RUN
from tests.recorder.log.damage import LOGS_IN_A_RUN

ROOT = Path(__file__).parents[2]
_CLAIM = re.compile(r"^\| (N\d+) \| .+ \| `(test_\w+\.py)::(test_\w+)` \|$", re.MULTILINE)
ATTACKS = (
    ("two bytes of an index changed", "N16", "the recorder ended again and again",
     "it writes the log again from its rows and goes on"),
    ("the same, then a backup", "N17", "the copy had the damage, status 0",
     "named; the copy is clean or there is none"),
    ("a page in another's place; an index without orders; files damaged at random", "N15",
     "verified as whole: a game without its 96 rows, one read without end, 202 read otherwise",
     f"0 of {LOGS_IN_A_RUN} read otherwise than verified, or without end"),
    ("a clock asks for its own pictures and reads no more; with a kept session", "N18",
     "the broker grew from 63 to 1,635 MB in 23 s, and 800 MB stayed",
     f"below {MOST_BROKER_MB} MB after {BROKER_MB} MB were sent"),
    ("presses with a field of 60 kB", "N19", "264 MB for 4,000, or 11 GB an hour",
     "below 20 MB an hour"),
    ("the same: the other tables", "N20", "presses waited 20.9 s",
     "little of one table is stored at once; below 5 s"),
    ("wrong passwords for a director's name", "N21",
     "the director refused 55 of 55 times, and 111 s after the end", "the director is let in"),
    ("four addresses hold every public socket", "N22", "OBS refused 15 of 15 times",
     "an overlay has a seat"),
    ("a damaged file of accounts", "N23", "all pages ended; 2,508 of 4,000 files a traceback",
     "put aside and named; overlays go on"),
    ("an event that the broker kept", "N24", "a press of the next tournament", "refused and named"),
    ("a row changed in PostgreSQL", "N25", "the recorder confirmed presses on top",
     "it stores nothing more and says why"),
    ("a full disk", "N26", "in a log alone; clocks and the access list were blamed",
     "said first on every page, nothing else accused"),
    ("wrong or deep JSON for the reference clock", "N27", "675 of 40,000 ended it",
     f"0 of {MESSAGES_IN_A_RUN}"),
    ("990 brackets as a slot", "N28", "status 500 and a traceback", "refused with a sentence"),
    ("a director opens a table's link", "N29", "signed out", "stays signed in"),
    ("heartbeats of ever new boots", "N30", "527 bytes each for ever, 95 MB an hour",
     f"the last {MOST_BOOTS} of a device are known"),
    ("no descriptors left", "N31", "45,730 lines in some seconds", "a few lines"),
    ("frames of 9,999 tables that are none", "N32", "88 MB kept", "nothing kept"),
)  # fmt: skip
"""What was tried, the fault's id in the list below it, what happened, and what happens now."""


def tests_by_id() -> dict[str, str]:
    """The test of each fault that SECURITY.md names, as pytest takes it."""
    found = {}
    for fault, file, name in _CLAIM.findall((ROOT / "SECURITY.md").read_text("utf-8")):
        (path,) = (ROOT / "tests").rglob(file)
        found[fault] = f"{path.relative_to(ROOT)}::{name}"
    return found


def table() -> str:
    tests = tests_by_id()
    lines = ["| attack | before | now | `python -m pytest ...` |", "|---|---|---|---|"]
    for attack, fault, before, now in ATTACKS:
        lines.append(f"| {attack} ({fault}) | {before} | {now} | `{tests[fault]}` |")
    return "\n".join(lines)


if __name__ == "__main__":
    wants_tests = sys.argv[1:] == ["tests"]
    print("\n".join(sorted(set(tests_by_id().values()))) if wants_tests else table())
