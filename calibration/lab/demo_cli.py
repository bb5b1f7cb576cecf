"""``tilecast demo``: its options, and the choice between one game and a small tournament."""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recorder.declared.port_number import port_number
from recorder.operations.answers import add_json

if TYPE_CHECKING:
    from calibration.lab.game_demo import GameDemo, Patched
    from calibration.lab.tournament_demo import TournamentDemo

MOST_TABLES, MOST_ROUNDS = 6, 24
"""The largest tournament that is simulated."""


def register_demo(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    patched: "Patched",
) -> None:
    """Add ``demo``; ``patched`` is how the dashboard's pages apply a patch to a frame."""
    from devices.lab.game_script import Sensors
    from devices.lab.mishaps.verbs import VERBS
    from recorder.rulesets.named import rule_set_name

    demo = subparsers.add_parser("demo", run=partial(run_demo, patched=patched))
    demo.add_argument("--once", action="store_true")
    demo.add_argument("--gcg", type=Path, metavar="FILE")
    demo.add_argument("--seed", type=int, default=1)
    demo.add_argument("--speed", type=float, metavar="N")
    demo.add_argument("--sensors", choices=[*Sensors], type=Sensors, default=Sensors.RACKS)
    demo.add_argument(
        "--mishap", action="append", default=[], choices=sorted(VERBS), metavar="VERB"
    )
    demo.add_argument("--rules", type=rule_set_name, metavar="SET", default="wespa4")
    demo.add_argument("--tables", type=_tables, default=1, metavar="N")
    demo.add_argument("--rounds", type=_rounds, default=0, metavar="N")
    demo.add_argument("--folder", type=Path)
    demo.add_argument("--port", type=port_number, default=8015)
    demo.add_argument("--broker", default="auto")
    demo.add_argument("--no-open", dest="open", action="store_false")
    add_json(demo)


def _tables(text: str) -> int:
    return _counted(text, MOST_TABLES)


def _rounds(text: str) -> int:
    return _counted(text, MOST_ROUNDS)


def _counted(text: str, most: int) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"is a number from 1 to {most}, not {text}")
    return int(text)


def run_demo(args: argparse.Namespace, patched: "Patched") -> int:
    """``tilecast demo``: 0 when the game was played through, 1 when something given is at fault."""
    from recorder.domain.errors import TilecastError
    from recorder.operations.answers import plain_words

    args.speed = args.speed if args.speed is not None else (60.0 if args.once else 1.0)
    if args.speed < 1:
        print(f"tilecast demo: --speed {args.speed:g}: 1 or more", file=sys.stderr)
        return 2
    args.open = args.open and not (args.once or args.json)
    say: Callable[[str], None] = (lambda _: None) if args.json else partial(print, flush=True)
    # Ended from outside, the demo ends its processes as it does on Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ExitStack() as running:
            demo = _demo(args, say, patched)
            demo.start(running)
            document = demo.finish()
            if not args.once:
                say("the pages stay open; Ctrl-C ends the demo")
                threading.Event().wait()
    except (TilecastError, OSError) as fault:
        print(f"tilecast demo: {plain_words(fault)}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
    return 0


def _demo(
    args: argparse.Namespace, say: Callable[[str], None], patched: "Patched"
) -> "GameDemo | TournamentDemo":
    """What the options ask for: one game, or a small tournament."""
    from calibration.lab.game_demo import GameDemo
    from calibration.lab.tournament_demo import TournamentDemo
    from devices.lab.demonstration import Demonstration, load_game

    if args.rounds or args.tables > 1:
        return TournamentDemo(args, say)
    played = Demonstration(load_game(args.gcg), args.mishap, args.sensors, args.seed)
    return GameDemo(played, args, say, patched)
