"""``tilecast event``: standings, pairings, faults and other forms of an event that is in a feed.

The same arithmetic as the rule sets have, over what TSH and spreadsheets write. Nothing is written
back to the feed.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.commands import event_order_cli
from recorder.operations.answers import add_json, at_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from recorder.feeds.tourney_js import Feed

SHEETS = (
    *("pairings-by-name", "pairings-by-table", "standings"),
    *("score-cards", "wall-chart", "result-slips", "prizes"),
)
METHODS = (
    *("random", "australian", "koth", "round_robin", "swiss", "quads", "cop"),
    *("fontes", "factor", "teams", "interleaved"),
)
_FEED = (
    "tourney.js, a .t file, a folder with config.tsh, a .csv, a log, http://..., or - for "
    "standard input"
)


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    event = subparsers.add_parser(
        "event",
        help="standings, pairings and faults of a tournament's feed",
        description="A tournament as TSH or a spreadsheet has it: where the players stand, who "
        "meets whom next and why, what is wrong in it, and its feed in another form. Or in the "
        "log of a recorder, where a director's orders keep it.",
    )
    actions = event.add_subparsers(required=True, metavar="ACTION")
    _register_standings(actions)
    _register_pair(actions)
    check = actions.add_parser(
        "check",
        help="what is wrong in a feed, and where; exit status 1 when there is an error",
        description="Lists what is wrong in a feed with division, round and player: opponents that "
        "are not there, lines that contradict each other, half a result, a table that two games "
        "claim, ranks that the results do not give. A warning leaves nothing out.",
    )
    _add_feed(check)
    _add_rules(check)
    check.set_defaults(run=run_check)
    _register_export(actions)
    _register_print(actions)
    _register_back(actions)
    event_order_cli.register(actions)


def _register_standings(actions: Any) -> None:
    standings = actions.add_parser(
        "standings",
        help="where the players of a division stand",
        description="Prints the standings: wins, a tie as a half, then fewer losses, then spread. "
        "Tied players share the better rank; who has left stands at the end.",
        epilog="example: tilecast event standings tourney.js --division A --round 7",
    )
    _add_feed(standings)
    _add_division(standings)
    standings.add_argument(
        "--round", type=int, metavar="N",
        help="after this round; 0 is the seeding (default: the last round with a result)",
    )  # fmt: skip
    _add_rules(standings)
    standings.set_defaults(run=run_standings)


def _register_pair(actions: Any) -> None:
    pair = actions.add_parser(
        "pair",
        help="who meets whom in the next round, and why",
        description="Pairs a round from the rounds before it, with a reason for every pair. No "
        "method but koth repeats a game where all can be paired without; it pairs, and writes "
        "nothing.",
        epilog="example: tilecast event pair tourney.js --method australian --division A",
    )
    _add_feed(pair)
    pair.add_argument(
        "--method", required=True, choices=METHODS,
        help="random: drawn; australian: from the top, each the highest not yet met; koth: "
        "neighbours, repeats or not; round_robin: the Berger table; swiss: score groups, top half "
        "against bottom half; quads: fours of neighbours for three rounds, fontes: fours of "
        "spread seeds; factor: the top by a factor; teams, interleaved: team round robin; "
        "cop: by who can still win what",
    )  # fmt: skip
    _add_division(pair)
    pair.add_argument(
        "--round", type=int, metavar="N",
        help="the round to pair, from the rounds before it (default: the first that is not paired)",
    )  # fmt: skip
    pair.add_argument(
        "--seed", type=int, metavar="S",
        help="decides what is drawn: the same seed gives the same draw (default: a new one, which "
        "is said)",
    )  # fmt: skip
    pair.add_argument(
        "--absent", type=int, action="append", default=[], metavar="ID",
        help="a player who sits this round out; can be given again",
    )  # fmt: skip
    pair.add_argument(
        "--fixed", action="append", default=[], metavar="ID=TABLE",
        help="a player who stays at one table; can be given again",
    )  # fmt: skip
    pair.add_argument(
        "--lock", action="append", default=[], metavar="ID-ID",
        help="two who meet, whatever the method says; can be given again",
    )  # fmt: skip
    pair.add_argument(
        "--prizes", type=int, default=0, metavar="N",
        help="places that pay: who cannot be caught any more meets nobody who can still win one",
    )  # fmt: skip
    pair.add_argument(
        "--publish", action="store_true", help="record the round in the log that FEED is"
    )
    _add_rules(pair)
    pair.set_defaults(run=run_pair)


def _register_export(actions: Any) -> None:
    export = actions.add_parser(
        "export",
        help="a feed in another form",
        description="Prints an event as other programs, rating offices and spreadsheets take it.",
        epilog="example: tilecast event export a.t --format tourney.js > tourney.js",
    )
    _add_feed(export)
    export.add_argument(
        "--format", required=True,
        choices=("tourney.js", "tsh", "archive", "tou", "csv", "standings"),
        help="tourney.js: for Woogles, overlays; tsh: division files; archive: all of them in one;"
        " tou: for rating offices; csv: a row for each player; standings: places as a table",
    )  # fmt: skip
    _add_division(export, "only this division (default: all)")
    export.add_argument(
        "--output", type=Path, metavar="PATH",
        help="write here instead; for tsh a folder, which gets config.tsh and a file for each "
        "division",
    )  # fmt: skip
    export.set_defaults(run=run_export)


def _register_print(actions: Any) -> None:
    print_ = actions.add_parser(
        "print",
        help="pairings, standings, score cards, wall chart, result slips: as PDF",
        description="Writes sheets of A4 to print: one division and one round.",
        epilog="example: tilecast event print tourney.js --sheet pairings-by-name --output p.pdf",
    )
    _add_feed(print_)
    print_.add_argument("--sheet", required=True, choices=SHEETS, help="what to print")
    _add_division(print_)
    print_.add_argument(
        "--round", type=int, metavar="N",
        help="pairings and slips of this round, the rest as it is after it (default: the last "
        "that is paired, or has a result)",
    )  # fmt: skip
    print_.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="the PDF to write"
    )
    print_.set_defaults(run=run_print)


def _register_back(actions: Any) -> None:
    back = actions.add_parser(
        "back",
        help="results of a log that a feed does not have yet, to be typed into TSH",
        description="Prints the results that LOG has and FEED has not, as lines that TSH takes "
        "(`5 431 2 388`) or as CSV. Where TSH pairs and Tilecast plays the featured tables, these "
        "are the results to give back.",
        epilog="example: tilecast event back tourney.js record/tilecast.db",
    )
    back.add_argument("feed", metavar="FEED", help="what TSH shows: a file or http://...")
    back.add_argument("log", metavar="LOG", help="record/tilecast.db, or postgresql://...")
    form = back.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="as CSV")
    add_json(form)
    back.set_defaults(run=run_back)


def _add_feed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("feed", metavar="FEED", help=_FEED)
    add_json(parser)


def _add_division(
    parser: argparse.ArgumentParser, text: str = "name of the division (default: the first)"
) -> None:
    parser.add_argument("--division", metavar="D", help=text)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    from recorder.rulesets.named import rule_set_name

    parser.add_argument(
        "--rules", type=rule_set_name, metavar="SET",
        help="rule set for ties, byes and starts (default: what is usual)",
    )  # fmt: skip


def run_standings(args: argparse.Namespace) -> int:
    """``tilecast event standings``: 0, or 1 when the feed or what is asked of it is at fault."""
    from recorder.commands.event_actions_cli import show_standings

    return _run("standings", args, show_standings)


def run_pair(args: argparse.Namespace) -> int:
    """``tilecast event pair``: 0, or 1 when the feed or what is asked of it is at fault."""
    from recorder.commands.event_actions_cli import show_pairs

    return _run("pair", args, show_pairs)


def run_check(args: argparse.Namespace) -> int:
    """``tilecast event check``: 0 when there is no error, else 1."""
    from recorder.commands.event_actions_cli import show_faults

    return _run("check", args, show_faults)


def run_export(args: argparse.Namespace) -> int:
    """``tilecast event export``: 0, or 1 when the feed is at fault."""
    from recorder.commands.event_actions_cli import export

    return _run("export", args, export)


def run_print(args: argparse.Namespace) -> int:
    """``tilecast event print``: 0, or 1 when the feed or what is asked of it is at fault."""
    from recorder.commands.event_actions_cli import print_sheets

    return _run("print", args, print_sheets)


def run_back(args: argparse.Namespace) -> int:
    """``tilecast event back``: 0, or 1 when the feed or the log is at fault."""
    from recorder.commands.event_actions_cli import show_back

    return _run("back", args, show_back)


def _run(
    command: str, args: argparse.Namespace, action: "Callable[[argparse.Namespace, Feed], int]"
) -> int:
    from recorder.domain.errors import TilecastError
    from recorder.feeds.source import read_feed
    from recorder.log.places import log_place, shown_place

    shown = shown_place(log_place(args.feed)) if "://" in args.feed else args.feed
    try:
        is_log = event_order_cli.is_log(args.feed)
        with at_work(f"reading {shown}"):
            feed = event_order_cli.read_log(args.feed) if is_log else read_feed(args.feed)
        return action(args, feed)
    except (TilecastError, OSError) as fault:
        why = getattr(fault, "strerror", None) or fault
        print(f"tilecast event {command}: {shown}: {why}", file=sys.stderr)
        return 1
