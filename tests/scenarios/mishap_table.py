"""The mishaps of ``tilecast demo`` in docs/commands-try.md: what scenarios report of each.

``make scenarios`` writes the table. What is reported is what scenarios of the same mishap expect,
under the rule sets for which they hold; nothing of it is typed by hand. Mishaps of a camera, a
cable or a broker are no clause of any rule set: they are played by tests/demo/test_demo_mishaps.py
and others.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from devices.lab.mishaps.verbs import VERBS
from tests.scenarios.clause_files import ClauseFile, OpenPlay, Play, clause_files, read_open

PAGE = Path(__file__).parents[2] / "docs" / "commands-try.md"
SHOWN: Mapping[str, tuple[str, ...]] = {
    "play_out": ("086_stopped_instead_of_pressed", "088_hold_after_play_out"),
    "illegal_exchange": ("058_exchange_low_bag", "060_clean"),
    "phony_challenged": ("070_challenged_off",),
    "phony_stands": ("069_one_verdict_good", "071_five_a_turn"),
    "six_zeros": ("092_over_by_itself", "093_claimed", "093_not_claimed"),
    "forget_to_press": ("041_drawn_before_press",),
    "overdraw": ("031_overdraw_detected",),
    "underdraw": ("037_underdraw_early",),
    "spill": ("053_spill_while_drawing",),
    "draw_out_of_order": ("040_drawn_out_of_order_enough",),
    "blank_designated_late": ("019_letter_late",),
    "slip_missing": ("018_no_letter",),
    "overtime": ("084_ten_minutes_over", "084_beyond_ten_minutes"),
    "bump_tile": ("010_tile_pushed_by_play",),
    "misorient_first_play": ("013_", "014_", "015_"),
    "correct": ("101_changed_before_the_press",),
}
"""By verb: how the names of the scenarios begin in which the same goes wrong."""
_HEAD = ("| verb | what happens | what is reported, by scenarios |", "|---|---|---|")
_TOLD = re.compile(r"^expect (?:told (\w+) (\w+)|open (\w+))", re.MULTILINE)
_NAMES = {"players": "the players", "director": "the director", "record": "the record only"}


def render_mishaps(listed: Mapping[Play, OpenPlay]) -> str:
    """The table, given the plays that do not hold."""
    rows = [f"| `{verb}` | {VERBS[verb].words} | {_said(verb, listed)} |" for verb in VERBS]
    return "\n".join([*_HEAD, *rows])


def with_mishaps(page: str, listed: Mapping[Play, OpenPlay]) -> str:
    """The page with the table as it is now. ValueError where the page has none."""
    begin = page.index("| verb | what happens |")
    return page[:begin] + render_mishaps(listed) + page[page.index("\n\n", begin) :]


def _said(verb: str, listed: Mapping[Play, OpenPlay]) -> str:
    if verb not in SHOWN:
        return "no scenario; see the demonstration's tests"
    among, told = set[str](), defaultdict[str, set[str]](set)
    for file, rules in _holding(verb, listed):
        among.add(rules)
        for code, to, opened in _TOLD.findall(file.path.read_text(encoding="utf-8")):
            what = f"opens `{opened}`" if opened else f"`{code}` to {_NAMES.get(to, to)}"
            told[what].add(rules)
    notes = [
        what + ("" if sets == among else f" ({_listed(sets)})")
        for what, sets in sorted(told.items())
    ]
    return "; ".join(notes) or "nothing"


def _holding(verb: str, listed: Mapping[Play, OpenPlay]) -> Iterator[tuple[ClauseFile, str]]:
    for file in clause_files():
        if file.name.startswith(SHOWN[verb]):
            yield from ((file, rules) for rules in file.sets if (file.name, rules) not in listed)


def _listed(sets: set[str]) -> str:
    return ", ".join(sorted(sets))


def write_mishaps(listed: Mapping[Play, OpenPlay] | None = None) -> None:
    """Write the table again; by the list of what is open where none is given."""
    known = read_open() if listed is None else listed
    PAGE.write_text(with_mishaps(PAGE.read_text(encoding="utf-8"), known), encoding="utf-8")


if __name__ == "__main__":
    write_mishaps()
