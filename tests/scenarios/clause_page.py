"""docs/scenario-clauses.md: what the rules demand at the table, and where it holds.

``make scenarios`` plays every scenario under every rule set of its header, brings ``open.toml`` up
to date with it, and writes the page and the table of mishaps. Nothing there is typed by hand.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from recorder.rulesets import rule_set_names
from tests.scenarios.clause_files import (
    UNSORTED,
    ClauseFile,
    OpenPlay,
    Play,
    all_plays,
    clause_files,
    read_open,
    read_pixels,
    write_open,
)
from tests.scenarios.mishap_table import write_mishaps
from tests.scenarios.playing import first_fault, looks_read_once

PAGE = Path(__file__).parents[2] / "docs" / "scenario-clauses.md"
SETS = rule_set_names()
_HEAD = """\
# The rules at the table, clause by clause

Every clause that the rule sets have about a table is a [scenario](scenarios.md), or several, in
`tests/scenarios/`: what happens, and what a director would expect to be recorded and reported. Each
is played through the recorder under every rule set that it is written for. `make scenarios` plays
them and writes this page; where a cell says `2 of 3`, two files of three hold. Under *pictures*
stands how files of the clause went with `--pixels`, where that was tried: board, racks and slips
drawn and read by the eyes, the clock's bytes through its driver (`make scenarios PIXELS=1`).
"""
_COLUMNS = "| # | clause | " + " | ".join(SETS) + " | pictures | open because of |"
_OPEN = (
    "## Why they are open",
    "",
    "A play is counted by its first line at fault; another cause may come to light behind it.",
    "",
    "| | cause | files | plays |",
    "|---|---|---|---|",
)


def render_page(listed: Mapping[Play, OpenPlay], pictured: Mapping[Play, str]) -> str:
    """The page, given the plays that do not hold, and how some went through pictures."""
    plays = all_plays()
    clauses = sorted({one.clause for one in clause_files()})
    whole = [one for one in clauses if not any(play in listed for play in _plays_of(one))]
    causes = sorted({one.cause for one in listed.values()}, key=lambda one: _rank(one, listed))
    lines = [
        _HEAD,
        f"{_counted(plays, listed)}; {len(whole)} of {len(clauses)} clauses hold in full.",
        _counted_pictures(pictured),
        "",
        _COLUMNS,
        "|---" * (len(SETS) + 4) + "|",
        *(_row(clause, listed, pictured, causes) for clause in clauses),
        "",
        *(_OPEN if causes else ()),
        *_cause_rows(causes, listed),
        *([""] if causes else ()),
        "## What no sensor can know",
        "",
        "These files show what a director can enter.",
        "",
        "| # | clause | why |",
        "|---|---|---|",
        *_senseless_rows(),
    ]
    return "\n".join(lines) + "\n"


def _counted(plays: Sequence[Play], listed: Mapping[Play, OpenPlay]) -> str:
    return f"{len(plays) - len(listed)} of {len(plays)} plays hold"


def _plays_of(clause: int, rules: str | None = None) -> list[Play]:
    return [
        (one.name, among)
        for one in clause_files()
        if one.clause == clause
        for among in one.sets
        if rules in (None, among)
    ]


def _rank(cause: str, listed: Mapping[Play, OpenPlay]) -> tuple[int, str]:
    return -sum(one.cause == cause for one in listed.values()), cause


def _counted_pictures(pictured: Mapping[Play, str]) -> str:
    clauses = {
        one.clause for one in clause_files() if any(one.name == name for name, _ in pictured)
    }
    holding = sum(not fault for fault in pictured.values())
    return f"Of {len(pictured)} plays through pictures, of {len(clauses)} clauses, {holding} hold."


def _pictures(clause: int, pictured: Mapping[Play, str]) -> str:
    names = {one.name for one in _files_of(clause)}
    faults = [fault for (name, _), fault in pictured.items() if name in names]
    holding = sum(not fault for fault in faults)
    if not faults or holding == len(faults):
        return "holds" if faults else ""
    return f"{holding} of {len(faults)}" if holding else "open"


def _row(
    clause: int,
    listed: Mapping[Play, OpenPlay],
    pictured: Mapping[Play, str],
    causes: Sequence[str],
) -> str:
    title = _files_of(clause)[0].title
    cells = [_cell(_plays_of(clause, rules), listed) for rules in SETS]
    why = {listed[play].cause for play in _plays_of(clause) if play in listed}
    numbers = ", ".join(str(at) for at, cause in enumerate(causes, 1) if cause in why)
    return (
        f"| {clause} | {title} | {' | '.join(cells)} | {_pictures(clause, pictured)} | {numbers} |"
    )


def _files_of(clause: int) -> list[ClauseFile]:
    return [one for one in clause_files() if one.clause == clause]


def _cell(plays: Sequence[Play], listed: Mapping[Play, OpenPlay]) -> str:
    holding = sum(play not in listed for play in plays)
    if not plays:
        return ""
    if holding == len(plays):
        return "holds"
    return f"{holding} of {len(plays)}" if holding else "open"


def _cause_rows(causes: Sequence[str], listed: Mapping[Play, OpenPlay]) -> Iterator[str]:
    for at, cause in enumerate(causes, 1):
        plays = [play for play, one in listed.items() if one.cause == cause]
        yield f"| {at} | {cause} | {len({name for name, _ in plays})} | {len(plays)} |"


def _senseless_rows() -> Iterator[str]:
    seen = {(one.clause, one.title, one.senseless) for one in clause_files() if one.senseless}
    for clause, title, why in sorted(seen):
        yield f"| {clause} | {title} | {why} |"


def _as_played(listed: Mapping[Play, OpenPlay], only: Sequence[str]) -> dict[Play, OpenPlay]:
    """Play all of it, or the files that begin like one of ``only``: what fails, by known causes."""
    files = [file for file in clause_files() if not only or file.name.startswith(tuple(only))]
    names = {file.name for file in files}
    found = {play: one for play, one in listed.items() if play[0] not in names}
    with looks_read_once():
        for number, file in enumerate(files, 1):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(files)} ", end="", file=sys.stderr, flush=True)
            for rules in file.sets:
                fault = first_fault(file.path, rules)
                if fault is not None:
                    known = listed.get((file.name, rules), OpenPlay(UNSORTED, ""))
                    found[file.name, rules] = replace(known, instead=fault)
    return found


def main(only: Sequence[str] = ()) -> int:
    """Play, list, write; 1 while something that fails has no cause."""
    found = _as_played(read_open(), only)
    write_open(found)
    PAGE.write_text(render_page(found, read_pixels()), encoding="utf-8")
    write_mishaps(found)
    unsorted = [play for play, one in found.items() if one.cause == UNSORTED]
    for name, rules in unsorted:
        print(f"{name} {rules}: {found[name, rules].instead}")
    print(_counted(all_plays(), found))
    return 1 if unsorted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
