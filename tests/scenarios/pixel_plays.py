"""Scenarios played through pictures and a clock's bytes, and the list of how they went.

``make scenarios PIXELS=1`` plays the first file of every clause that is marked for it, or the
files of ``ONLY``; each result is written at once, for all of them take a quarter of an hour.
"""

import sys
from collections.abc import Iterator, Sequence

from devices.lab.scenario_senses import RenderedSenses
from tests.scenarios.clause_files import (
    ClauseFile,
    clause_files,
    read_open,
    read_pixels,
    write_pixels,
)
from tests.scenarios.clause_page import PAGE, render_page
from tests.scenarios.playing import first_fault


def _chosen(only: Sequence[str]) -> Iterator[ClauseFile]:
    seen: set[int] = set()
    for file in clause_files():
        is_first = file.is_for_pixels and file.clause not in seen
        if file.name.startswith(tuple(only)) if only else is_first:
            seen.add(file.clause)
            yield file


def main(only: Sequence[str]) -> int:
    """Play and list; 1 when something fails."""
    faults = 0
    for file in _chosen(only):
        rules = file.sets[0]
        fault = first_fault(file.path, rules, senses=RenderedSenses) or ""
        print(f"{file.name} {rules}: {fault or 'holds'}", flush=True)
        write_pixels({**read_pixels(), (file.name, rules): fault})
        PAGE.write_text(render_page(read_open(), read_pixels()), encoding="utf-8")
        faults += bool(fault)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
