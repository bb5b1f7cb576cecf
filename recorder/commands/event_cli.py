"""``tilecast event``: standings, pairings, faults and other forms of an event that is in a feed.

The same arithmetic as the rule sets have, over what TSH and spreadsheets write. Nothing is written
back to the feed.
"""

import argparse
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.commands import event_order_cli
from recorder.operations.answers import add_json, at_work

if TYPE_CHECKING:
    from collections.abc import Callable

SHEETS = (
    *("pairings-by-name", "pairings-by-table", "standings"),
    *("score-cards", "wall-chart", "result-slips", "prizes"),
)
METHODS = (
    *("random", "australian", "koth", "round_robin", "swiss", "quads", "cop"),
    *("fontes", "factor", "teams", "interleaved"),
)


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    event = subparsers.add_parser("event")
    actions = event.add_subparsers(required=True, metavar="ACTION")
    _register_standings(actions)
    _register_pair(actions)
    check = actions.add_parser("check", run=_runs("show_faults"))
    _add_feed(check)
    _add_rules(check)
    _register_export(actions)
    _register_print(actions)
    _register_back(actions)
    event_order_cli.register(actions)


def _register_standings(actions: Any) -> None:
    standings = actions.add_parser("standings", run=_runs("show_standings"))
    _add_feed(standings)
    _add_division(standings)
    standings.add_argument("--round", type=int, metavar="N")
    _add_rules(standings)


def _register_pair(actions: Any) -> None:
    pair = actions.add_parser("pair", run=_runs("show_pairs"))
    _add_feed(pair)
    pair.add_argument("--method", required=True, choices=METHODS)
    _add_division(pair)
    pair.add_argument("--round", type=int, metavar="N")
    pair.add_argument("--seed", type=int, metavar="S")
    pair.add_argument("--absent", type=int, action="append", default=[], metavar="ID")
    pair.add_argument("--fixed", action="append", default=[], metavar="ID=TABLE")
    pair.add_argument("--lock", action="append", default=[], metavar="ID-ID")
    pair.add_argument("--prizes", type=int, default=0, metavar="N")
    pair.add_argument("--publish", action="store_true")
    _add_rules(pair)


def _register_export(actions: Any) -> None:
    export = actions.add_parser("export", run=_runs("export"))
    _add_feed(export)
    export.add_argument(
        "--format",
        required=True,
        choices=("tourney.js", "tsh", "archive", "tou", "csv", "standings"),
    )
    _add_division(export)
    export.add_argument("--output", type=Path, metavar="PATH")


def _register_print(actions: Any) -> None:
    print_ = actions.add_parser("print", run=_runs("print_sheets"))
    _add_feed(print_)
    print_.add_argument("--sheet", required=True, choices=SHEETS)
    _add_division(print_)
    print_.add_argument("--round", type=int, metavar="N")
    print_.add_argument("--output", type=Path, required=True, metavar="FILE")


def _register_back(actions: Any) -> None:
    back = actions.add_parser("back", run=_runs("show_back"))
    back.add_argument("feed", metavar="FEED")
    back.add_argument("log", metavar="LOG")
    form = back.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true")
    add_json(form)


def _add_feed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("feed", metavar="FEED")
    add_json(parser)


def _add_division(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--division", metavar="D")


def _add_rules(parser: argparse.ArgumentParser) -> None:
    from recorder.rulesets.named import rule_set_name

    parser.add_argument("--rules", type=rule_set_name, metavar="SET")


def _runs(action: str) -> "Callable[[argparse.Namespace], int]":
    """What runs an action of ``event_actions_cli`` on the feed; both are read only then."""

    def run(args: argparse.Namespace) -> int:
        from recorder.feeds.source import read_feed
        from recorder.log.places import log_place, shown_place

        shown = shown_place(log_place(args.feed)) if "://" in args.feed else args.feed
        args.shown = shown
        is_log = event_order_cli.is_log(args.feed)
        with at_work(f"reading {shown}"):
            feed = event_order_cli.read_log(args.feed) if is_log else read_feed(args.feed)
        actions = import_module("recorder.commands.event_actions_cli")
        status: int = getattr(actions, action)(args, feed)
        return status

    return run
