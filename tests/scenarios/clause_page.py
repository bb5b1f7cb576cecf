"""docs/scenario-clauses.md: what the rules demand at the table, and where it holds.

``make scenarios`` plays every scenario under every rule set of its header, brings ``open.toml`` up
to date with it, and writes the page and the table of mishaps. Nothing there is typed by hand.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tests.scenarios.clause_files import (
    UNSORTED,
    ClauseFile,
    OpenPlay,
    Play,
    all_plays,
    clause_files,
    read_open,
    write_open,
)
from tests.scenarios.mishap_table import write_mishaps
from tests.scenarios.playing import first_fault, looks_read_once

PAGE = Path(__file__).parents[2] / "docs" / "scenario-clauses.md"
SETS = ("wespa1", "wespa3_hk", "wespa4", "psa", "naspa")
_HEAD = """\
# The rules at the table, clause by clause

Every clause that the rule sets have about a table is a [scenario](scenarios.md), or several, in
`tests/scenarios/`: what happens, and what a director would expect to be recorded and told. Each
is played through the recorder under every rule set that it is written for. `make scenarios` plays
them and writes this page; where a cell says `2 of 3`, two files of three hold.
"""
_COLUMNS = "| # | clause | " + " | ".join(SETS) + " | open because of |"


def render_page(listed: Mapping[Play, OpenPlay]) -> str:
    """The page, given the plays that do not hold."""
    plays = all_plays()
    clauses = sorted({one.clause for one in clause_files()})
    whole = [one for one in clauses if not any(play in listed for play in _plays_of(one))]
    causes = sorted({one.cause for one in listed.values()}, key=lambda one: _rank(one, listed))
    lines = [
        _HEAD,
        f"{_counted(plays, listed)}; {len(whole)} of {len(clauses)} clauses hold in full.",
        "",
        _COLUMNS,
        "|---" * (len(SETS) + 3) + "|",
        *(_row(clause, listed, causes) for clause in clauses),
        "",
        "## Why they are open",
        "",
        "A play is counted by its first line at fault; another cause may come to light behind it.",
        "",
        "| | cause | files | plays |",
        "|---|---|---|---|",
        *_cause_rows(causes, listed),
        "",
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


def _row(clause: int, listed: Mapping[Play, OpenPlay], causes: Sequence[str]) -> str:
    title = _files_of(clause)[0].title
    cells = [_cell(_plays_of(clause, rules), listed) for rules in SETS]
    why = {listed[play].cause for play in _plays_of(clause) if play in listed}
    numbers = ", ".join(str(at) for at, cause in enumerate(causes, 1) if cause in why)
    return f"| {clause} | {title} | {' | '.join(cells)} | {numbers} |"


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


def _as_played(listed: Mapping[Play, OpenPlay]) -> dict[Play, OpenPlay]:
    """Play all of it: what fails, under the causes that are known."""
    found: dict[Play, OpenPlay] = {}
    with looks_read_once():
        for number, file in enumerate(clause_files(), 1):
            if sys.stderr.isatty():
                print(f"\r{number} of {len(clause_files())} ", end="", file=sys.stderr, flush=True)
            for rules in file.sets:
                fault = first_fault(file.path, rules)
                if fault is not None:
                    known = listed.get((file.name, rules), OpenPlay(UNSORTED, ""))
                    found[file.name, rules] = replace(known, instead=fault)
    return found


def main() -> int:
    """Play, list, write; 1 while something that fails has no cause."""
    found = _as_played(read_open())
    write_open(found)
    PAGE.write_text(render_page(found), encoding="utf-8")
    write_mishaps(found)
    unsorted = [play for play, one in found.items() if one.cause == UNSORTED]
    for name, rules in unsorted:
        print(f"{name} {rules}: {found[name, rules].instead}")
    print(_counted(all_plays(), found))
    return 1 if unsorted else 0


if __name__ == "__main__":
    sys.exit(main())
