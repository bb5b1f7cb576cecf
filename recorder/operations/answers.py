"""How a command answers: one JSON document or lines, and what it is at where that takes a while."""

import argparse
import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

REMEDIES = {
    errno.EROFS: "choose a folder where you may write",
    errno.EACCES: "choose a file or folder that this user may use",
    errno.ENOSPC: "free some space, or choose another disk",
}
JSON_OF_CHECK = "--json goes with --check: what runs until it is told to end has no document"


def add_json(parser: "argparse._ActionsContainer") -> None:
    """Add ``--json``, which every command has that ends by itself."""
    parser.add_argument("--json", action="store_true")


def answer(args: argparse.Namespace, document: Any, *lines: str, indent: int | None = None) -> None:
    """Print the document where ``--json`` was given, else the lines."""
    written = [json.dumps(document, ensure_ascii=False, indent=indent)] if args.json else lines
    for line in written:
        sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def plain_words(fault: Exception, place: str = "") -> str:
    """What a fault says to people: for a file its name and what is wrong, without a number.

    ``place`` is what the command was told to read: it stands before the rest, once.
    """
    said = str(fault)
    if isinstance(fault, OSError) and fault.errno:
        reason = os.strerror(fault.errno)
        said = f"{fault.filename}: {reason}" if fault.filename else reason
        remedy = REMEDIES.get(fault.errno)
        if isinstance(fault, FileNotFoundError) and fault.filename:
            folder = Path(fault.filename).absolute().parent
            remedy = None if folder.exists() else f"there is no folder {folder}"
        said = f"{said}: {remedy}" if remedy else said
    return f"{place}: {said}" if place and not said.startswith(f"{place}: ") else said


@contextmanager
def at_work(what: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """Show on standard error that ``what`` is going on, and for how long; gone at the end.

    Yields what says the next of ``total`` steps. Only on a terminal: a file gets no such lines.
    """
    if not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    bar = [BarColumn()] if total else []
    columns = (SpinnerColumn(), TextColumn("{task.description}"), *bar, TimeElapsedColumn())
    # What the command prints stands above it on a terminal, and goes into a file untouched.
    shown = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    )
    with shown:
        task = shown.add_task(what, total=total)
        yield lambda step: shown.update(task, advance=1, description=f"{what}: {step}")
