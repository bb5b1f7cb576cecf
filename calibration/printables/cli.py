"""``tilecast printables``: what is printed for a table, as a file of true size."""

import argparse
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.operations.answers import add_json, answer
from recorder.tilesets import load_tile_set, tile_set_argument

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register(subparsers: _Subparsers) -> None:
    """Add the command."""
    command = subparsers.add_parser("printables", run=run_printables)
    sheets = command.add_mutually_exclusive_group()
    sheets.add_argument("--slip", type=tile_set_argument, metavar="SET")
    sheets.add_argument("--day", action="store_true")
    command.add_argument("--out", type=Path, required=True, metavar="FILE")
    add_json(command)


def run_printables(args: argparse.Namespace) -> int:
    """Write the sheet; 1 when the file cannot be written or is of another kind."""
    from calibration.printables.day_sheet import day_sheet
    from calibration.printables.marker_sheet import WRITERS, marker_sheet
    from calibration.printables.slip_sheet import slip_sheet

    write = WRITERS.get(args.out.suffix.lower())
    if write is None:
        kinds = ", ".join(WRITERS)
        raise NotationError(f"{args.out}: must end in one of {kinds}")
    sheet = f"slips, {args.slip}" if args.slip else "day" if args.day else "markers"
    if args.slip:
        page = slip_sheet(load_tile_set(args.slip))
    else:
        page = day_sheet() if args.day else marker_sheet()
    args.out.write_bytes(write(page))
    answer(args, {"file": str(args.out), "sheet": sheet}, f"{args.out}: {sheet}")
    return 0
