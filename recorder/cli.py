"""Commands of the recorder: ``tilecast record``, ``tilecast gcg``, ``tilecast rules``.

Registered by the program's entry point; nothing is imported until a command runs.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.commands import correct_cli, doctor_cli, event_cli, log_cli, rules_cli, words_cli
from recorder.operations.answers import JSON_OF_CHECK, add_json, answer, at_work
from recorder.operations.options import add_operations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recorder.domain.tiles import TileSet
    from recorder.gcg import GcgGame

_MOST_BYTES = 16_000_000
_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register(
    subparsers: _Subparsers,
    add_doctors: "Callable[[_Subparsers], None]" = lambda _: None,
    only: str | None = None,
) -> None:
    """Add this package's commands to the program's parser; ``add_doctors`` adds to ``doctor``.

    ``only`` "event": no other, for a director waits for each order and the others load the game.
    """
    event_cli.register(subparsers)
    if only == "event":
        return
    _register_record(subparsers)
    rules_cli.register(subparsers)
    correct_cli.register(subparsers)
    log_cli.register(subparsers)
    words_cli.register(subparsers)
    doctor_cli.register(subparsers, add_doctors)
    gcg = subparsers.add_parser("gcg")
    actions = gcg.add_subparsers(required=True, metavar="ACTION")
    check = actions.add_parser("check", run=run_gcg_check)
    check.add_argument("files", nargs="+", metavar="FILE", type=Path)
    add_json(check)
    _add_tiles(check)
    show = actions.add_parser("show", run=run_gcg_show)
    show.add_argument("file", metavar="FILE", type=Path)
    show.add_argument(
        "--format",
        choices=("sheet", "text", "turns", "history", "document", "cgp"),
        default="sheet",
    )
    add_json(show)
    _add_tiles(show)


def _register_record(subparsers: _Subparsers) -> None:
    record = subparsers.add_parser("record", run=run_record)
    record.add_argument("file", nargs="?", type=Path, metavar="VENUE.toml")  # fmt: skip
    record.add_argument("--example", action="store_true")
    record.add_argument("--check", action="store_true")
    add_json(record)
    add_operations(record)


def run_record(args: argparse.Namespace) -> int:
    """``tilecast record``: 0 after SIGTERM or Ctrl-C, 1 when the file or its folder is at fault."""
    from recorder.service.venue_file import example, read_record_file, refuse_unreadable_tiles

    if args.example:
        print(example(), end="")
        return 0
    if args.file is None or (args.json and not args.check):
        lacks = "name a file (an example: --example)" if args.file is None else JSON_OF_CHECK
        print(f"tilecast record: {lacks}", file=sys.stderr)
        return 2
    plan = read_record_file(args.file)
    if args.check:
        refuse_unreadable_tiles(plan.plan)
        begun = [table.started for table in plan.plan.tables]
        tables = [
            {
                "table": game.table,
                "game": game.game,
                "players": list(game.players),
                "rules": game.rules,
            }
            for game in begun
        ]
        answer(
            args,
            {"file": str(args.file), "venue": plan.plan.venue, "tables": tables},
            f"{args.file}: {len(tables)} tables, venue {plan.plan.venue}",
            *(
                f"  table {game.table}: {' - '.join(game.players)}; {game.rules_in_force}"
                for game in begun
            ),
        )
        return 0
    from recorder.service.process import record

    record(
        plan,
        announce=lambda line: print(line, flush=True),
        monitor=args.monitor,
        logs=args.logs,
    )
    return 0


def _add_tiles(parser: argparse.ArgumentParser) -> None:
    from recorder.tilesets import tile_set_argument

    parser.add_argument("--tiles", type=tile_set_argument, metavar="SET")


def _tile_set(args: argparse.Namespace) -> "TileSet | None":
    from recorder.tilesets import load_tile_set

    return load_tile_set(args.tiles) if args.tiles else None


def run_gcg_check(args: argparse.Namespace) -> int:
    """Check files; 0 when none has an error, 1 otherwise."""
    tile_set = _tile_set(args)
    reports = []
    with at_work("replaying", len(args.files)) as step:
        for path in args.files:
            reports.append(_report(path, tile_set))
            step(path.name)
    answer(args, reports, *(line for each in reports for line in _report_lines(each)), indent=1)
    return 0 if all(report["ok"] for report in reports) else 1


def _start_of(path: Path) -> bytes:
    """What is read of a record: more than any has, and no more of a device that never ends."""
    with path.open("rb") as file:
        return file.read(_MOST_BYTES)


def _report(path: Path, tile_set: "TileSet | None") -> dict[str, Any]:
    """What is to be said about one file."""
    from dataclasses import asdict

    from recorder.woogles.records import read_record

    try:
        data = _start_of(path)
    except OSError as err:
        message = f"cannot be read: {err.strerror}"
        print(f"{path}: {message}", file=sys.stderr)
        fault = {"line": 0, "fault": "unreadable", "message": message, "severity": "error"}
        return {"file": str(path), "ok": False, "faults": [fault], "final": [0, 0], "plays": 0}
    game = read_record(data, tile_set=tile_set)
    return {
        "file": str(path),
        "ok": game.ok,
        "faults": [asdict(fault) for fault in game.faults],
        "final": list(game.final),
        "plays": game.plays,
    }


def _report_lines(report: dict[str, Any]) -> "Iterator[str]":
    for fault in report["faults"]:
        where = f"{report['file']}:{fault['line']}"
        yield f"{where}: {fault['severity']}: {fault['message']} [{fault['fault']}]"
    first, second = report["final"]
    verdict = "ok" if report["ok"] else "has errors"
    yield f"{report['file']}: {verdict}, {report['plays']} plays, {first}-{second}"


def run_gcg_show(args: argparse.Namespace) -> int:
    """Show one record; 1 when the file cannot be read."""
    from recorder.woogles.records import read_record

    try:
        data = _start_of(args.file)
    except OSError as err:
        print(f"{args.file}: cannot be read: {err.strerror}", file=sys.stderr)
        return 1
    game = read_record(data, tile_set=_tile_set(args))
    for fault in game.faults:
        print(f"{args.file}:{fault.line}: {fault.severity}: {fault.message}", file=sys.stderr)
    if args.format != "sheet":
        return _print_export(args, game)
    sheet = _sheet(game)
    answer(args, sheet, *_sheet_lines(sheet), indent=1)
    return 0


def _print_export(args: argparse.Namespace, game: "GcgGame") -> int:
    """The record in another form; 1 when that form cannot say it."""
    from recorder.domain.errors import NotationError
    from recorder.gcg.cgp import position
    from recorder.gcg.history import game_history
    from recorder.gcg.score_sheet import score_sheet_text
    from recorder.projections.turns import json_lines, public_turns
    from recorder.woogles.records import document_of

    try:
        forms: dict[str, Callable[[GcgGame], Any]] = {
            "history": game_history,
            "document": document_of,
            "cgp": position,
            "text": score_sheet_text,
            "turns": lambda game: json_lines(public_turns(game.tile_set, game.events)),
        }
        form = forms[args.format](game)
    except NotationError as fault:
        print(f"{args.file}: {fault}", file=sys.stderr)
        return 1
    if args.format in ("text", "turns"):
        print(form, end="")
        return 0
    in_json = args.json or args.format != "cgp"
    print(json.dumps(form, ensure_ascii=False, indent=1) if in_json else form)
    return 0


def _sheet(game: "GcgGame") -> dict[str, Any]:
    """The score sheet and the final board as JSON values."""
    from recorder.domain.game import replay
    from recorder.domain.tile_text import write_tiles
    from recorder.gcg.writer import body_of

    totals = [0, 0]
    turns = []
    for move in game.moves:
        body, points = body_of(move.event)
        totals[move.event.player] += points
        turns.append(
            {
                "line": move.line,
                "player": game.players[move.event.player].name,
                "rack": write_tiles(move.rack),
                "what": body,
                "score": points,
                "total": totals[move.event.player],
                "notes": list(move.notes),
            }
        )
    return {
        "players": [player.name for player in game.players],
        "tile_set": game.tile_set.name,
        "turns": turns,
        "final": list(game.final),
        "board": list(replay(game.tile_set, game.events).board.rows()),
    }


def _sheet_lines(sheet: dict[str, Any]) -> "Iterator[str]":
    from recorder.domain.tile_text import tile_parts

    for turn in sheet["turns"]:
        row = f"{turn['player']:<20.20} {turn['rack']:<8} {turn['what']:<22}"
        yield f"{row} {turn['score']:>+5} {turn['total']:>5}"
    yield "\n   A B C D E F G H I J K L M N O"
    for number, line in enumerate(sheet["board"], start=1):
        yield f"{number:>2} {' '.join(part.strip('[]') for part in tile_parts(line))}"
    yield f"\n{sheet['players'][0]} {sheet['final'][0]}, {sheet['players'][1]} {sheet['final'][1]}"
