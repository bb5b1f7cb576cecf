"""The options of ``tilecast replay``, and what it prints; pictures are read above this package."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from recorder.photo_replay import Series


def register_replay(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    run: Callable[[argparse.Namespace], int],
) -> None:
    """Add ``replay``; ``run`` reads the pictures and ends with ``show_series``."""
    from recorder.rulesets.named import rule_set_name
    from recorder.tilesets import tile_set_argument

    replay = subparsers.add_parser("replay", run=run)
    replay.add_argument("folder", type=Path, metavar="DIR")
    replay.add_argument("--tiles", type=tile_set_argument, metavar="SET")
    replay.add_argument("--rules", type=rule_set_name, metavar="SET", default="wespa1")
    players = ["Player 1", "Player 2"]
    replay.add_argument("--players", nargs=2, default=players, metavar="NAME")
    replay.add_argument("--gcg", type=Path, metavar="OUT")
    add_json(replay)


def show_series(series: "Series", args: argparse.Namespace) -> None:
    """Print the game, and write it as GCG where that is asked for; OSError when it cannot be."""
    from recorder.gcg import write_gcg
    from recorder.photo_replay import photo_notes, series_json, series_text

    for unused in series.unused:
        print(f"{args.folder / unused.name}: left out: {unused.reason}", file=sys.stderr)
    for note in photo_notes(series.photos):
        print(f"note: {note}", file=sys.stderr)
    if args.gcg is not None:
        first, second = args.players
        args.gcg.write_text(write_gcg(series.game((first, second))), encoding="utf-8")
    document = {"rules": args.rules, **series_json(series)}
    answer(args, document, series_text(document, args.players), indent=1)
