"""The options of ``tilecast demo``; what it starts is put together above all packages."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from recorder.declared.port_number import port_number
from recorder.operations.answers import add_json

MOST_TABLES, MOST_ROUNDS = 6, 24
"""The largest tournament that is simulated."""


def register_demo(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    run: Callable[[argparse.Namespace], int],
    rules: Sequence[str],
) -> None:
    """Add ``demo``; ``run`` plays it, under one of these rule sets."""
    from devices.lab.game_script import Sensors
    from devices.lab.mishaps.verbs import VERBS

    demo = subparsers.add_parser(
        "demo",
        help="watch a simulated table being recorded, without any hardware",
        description="Starts a broker, a simulated table (a camera that gives pixels, a clock that "
        "gives bytes), the recorder and the dashboard, and plays a whole game through them.",
    )
    demo.add_argument("--once", action="store_true", help="play one game, compare, and end")
    demo.add_argument(
        "--gcg", type=Path, metavar="FILE", help="the game to play (default: our own)"
    )
    demo.add_argument("--seed", type=int, default=1, help="thinking times, hands, noise")
    demo.add_argument(
        "--speed", type=float, metavar="N",
        help="shorten thinking N times, never the frames of a turn (default: 1, with --once 60)",
    )  # fmt: skip
    demo.add_argument(
        "--sensors", choices=[*Sensors], type=Sensors, default=Sensors.BOX,
        help="clock-camera: nothing else; box: a scorer's box too (default); all: bag scale, rack "
        "counters and slip camera as well",
    )  # fmt: skip
    demo.add_argument(
        "--mishap", action="append", default=[], choices=sorted(VERBS), metavar="VERB",
        help=f"what goes wrong; can be given again: {', '.join(sorted(VERBS))}",
    )  # fmt: skip
    demo.add_argument(
        "--rules", choices=rules, default="wespa4", help="the rule set (default: wespa4)"
    )
    demo.add_argument(
        "--tables", type=_tables, default=1, metavar="N",
        help=f"a small tournament at so many tables, up to {MOST_TABLES}",
    )  # fmt: skip
    demo.add_argument(
        "--rounds", type=_rounds, default=0, metavar="N",
        help=f"of so many rounds, up to {MOST_ROUNDS} (default: one round where there are several "
        "tables, else no event)",
    )  # fmt: skip
    demo.add_argument("--folder", type=Path, help="where log and GCG go (default: a new one)")
    demo.add_argument(
        "--port", type=port_number, default=8015, help="of the dashboard; 0 takes a free one"
    )
    demo.add_argument("--broker", default="auto", help="auto, mosquitto, amqtt or mqtt://host")
    add_json(demo)
    demo.set_defaults(run=run)


def _tables(text: str) -> int:
    return _counted(text, MOST_TABLES)


def _rounds(text: str) -> int:
    return _counted(text, MOST_ROUNDS)


def _counted(text: str, most: int) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"is a number from 1 to {most}, not {text}")
    return int(text)
