"""``tilecast scenario``: plays files, a line for each; what cannot hold is named with its line."""

import argparse
import json
import logging
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, at_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from recorder.lab.scenario.play import Playthrough, SensesOf


def register_scenario(commands: Any, pixel_senses: "Callable[[], SensesOf]") -> None:
    """Add the command; ``pixel_senses`` gives what makes the devices of ``--pixels``."""
    from recorder.rulesets.named import rule_set_name

    parser = commands.add_parser("scenario", run=partial(run_scenario, pixel_senses))
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--rules", type=rule_set_name, metavar="SET", default="")
    parser.add_argument("--pixels", action="store_true")  # fmt: skip
    add_json(parser)


def run_scenario(pixel_senses: "Callable[[], SensesOf]", args: argparse.Namespace) -> int:
    """``tilecast scenario``: 0 when every expectation holds."""
    from recorder.lab.scenario.play import plain_senses

    logging.getLogger("tilecast").addHandler(logging.NullHandler())
    senses = pixel_senses() if args.pixels else plain_senses
    several = len(args.files) > 1
    documents: list[dict[str, Any]] = []
    with at_work("playing", len(args.files)) as step:
        for path in args.files:
            document = _document(path, args.rules, senses, tells=not args.json)
            documents.append({"file": str(path), **document} if several else document)
            step(path.name)
    bad = sum("fault" in document or bool(document["failed"]) for document in documents)
    if args.json and (several or "fault" not in documents[0]):
        shown: Any = documents if several else documents[0]
        print(json.dumps(shown, ensure_ascii=False, indent=1))
    elif several and not args.json:
        print(f"{len(args.files) - bad} of {len(args.files)} files hold")
    return 1 if bad else 0


def _document(path: Path, rules: str, senses: "SensesOf", *, tells: bool) -> dict[str, Any]:
    """Play a file and say what came of it; the document has ``fault`` where it is at fault."""
    from recorder.domain.errors import TilecastError

    try:
        played = _play(path, rules, senses)
    except (TilecastError, OSError) as fault:
        text = _named(path, fault)
        print(f"tilecast scenario: {text}", file=sys.stderr)
        return {"fault": text}
    for line, remark in played.remarks:
        print(f"{path}:{line}: {remark}", file=sys.stderr)
    if tells:
        for unmet in played.failed:
            print(f"{path}:{unmet.line}: expected {unmet.expected}; got {unmet.got}")
        print(f"{path}: {_counts(played)}")
    return played.as_json()


def _play(path: Path, rules: str, senses: "SensesOf") -> "Playthrough":
    """Play a file with a log of its own, on disk as at a venue."""
    from recorder.lab.scenario.play import play_through
    from recorder.lab.scenario.text.grammar import read_scenario
    from recorder.log.sqlite import SqliteEventLog

    scenario = read_scenario(path, rules)
    with (
        tempfile.TemporaryDirectory(prefix="tilecast-scenario-") as folder,
        SqliteEventLog(Path(folder) / "tilecast.db") as store,
    ):
        return play_through(scenario, store=store, senses=senses)


def _named(path: Path, fault: Exception) -> str:
    """A fault that names its file."""
    if isinstance(fault, OSError):
        return f"{path}: cannot be read: {fault.strerror}"
    return str(fault) if str(path) in str(fault) else f"{path}: {fault}"


def _counts(played: "Playthrough") -> str:
    failed, holds = len(played.failed), "holds" if played.held == 1 else "hold"
    lacks = f", {failed} {'does' if failed == 1 else 'do'} not" if failed else ""
    return f"{played.held} {holds}{lacks}"
