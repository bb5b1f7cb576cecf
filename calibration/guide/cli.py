"""``tilecast calibrate``: a table's cameras, racks, scale and clock, on the command line or a page.

Registered by the program's entry point; nothing heavy is imported until a command runs.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.declared.port_number import port_number
from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from devices.agent_process.table_file import AgentPlan

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

_SIDES = ("top", "right", "bottom", "left")
_PORT = 8016


def register(subparsers: _Subparsers) -> None:
    """Add ``calibrate`` and its steps."""
    calibrate = subparsers.add_parser("calibrate")
    steps = calibrate.add_subparsers(required=True, metavar="STEP")
    _add_camera(steps)
    _add_racks(steps)
    _add_scale(steps)
    _add_clock(steps)
    _add_page(steps)


def _step(steps: _Subparsers, name: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = steps.add_parser(name)
    parser.add_argument("table", type=Path, metavar="TABLE.toml")
    return parser


def _add_camera(steps: _Subparsers) -> None:
    parser = _step(steps, "camera")
    parser.add_argument("--device", default="", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--up", choices=_SIDES, default="top")
    parser.add_argument("--corners", nargs=4, type=_point, metavar="x,y")
    parser.add_argument("--frames", type=_count, default=5, metavar="N")
    parser.add_argument("--yes", action="store_true")
    add_json(parser)
    parser.set_defaults(run=partial(_run, "board-camera"))


def _add_racks(steps: _Subparsers) -> None:
    parser = _step(steps, "racks")
    parser.add_argument("--device", default="", metavar="NAME")
    parser.add_argument("--letters", default="")
    parser.add_argument("--frames", type=_count, default=3, metavar="N")
    parser.add_argument("--yes", action="store_true")
    add_json(parser)
    parser.set_defaults(run=partial(_run, "rack-camera"))


def _add_scale(steps: _Subparsers) -> None:
    parser = _step(steps, "scale")
    parser.add_argument("--device", default="", metavar="NAME")
    parser.add_argument("--single", type=_count, default=10, metavar="N")
    parser.add_argument("--set", type=int, default=100, metavar="N")
    add_json(parser)
    parser.set_defaults(run=partial(_run, "bag-scale"))


def _add_clock(steps: _Subparsers) -> None:
    parser = _step(steps, "clock")
    parser.add_argument("--device", default="", metavar="NAME")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    add_json(parser)
    parser.set_defaults(run=partial(_run, "serial-clock"))


def _add_page(steps: _Subparsers) -> None:
    parser = _step(steps, "page")
    parser.add_argument("--port", type=port_number, default=_PORT)
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.set_defaults(run=run_page)


def _run(word: str, args: argparse.Namespace) -> int:
    """A step on the command line: 1 when it is refused, or something given is at fault."""
    from calibration.guide.checks import chosen
    from calibration.guide.console import Console
    from calibration.guide.steps import step_of
    from devices.agent_process.ticks import agent_ticks

    say = partial(print, file=sys.stderr if args.json else sys.stdout, flush=True)
    options = vars(args)
    console = Console(unattended=options.get("yes", False), say=say)
    device = chosen(_plan(args), word, args.device)
    found = step_of(device, args.table, options.get("seconds", 0.0), agent_ticks())
    assert found is not None, "a command of each has been added"
    kept = found[1](console, options)
    answer(args, {"file": kept.path and str(kept.path), "lines": list(kept.lines)}, *kept.lines)
    return 0


def _plan(args: argparse.Namespace) -> "AgentPlan":
    """The table file; calibrating needs no broker, so the file need not name one."""
    from devices.agent_process.table_file import read_table_file

    return read_table_file(args.table, os.environ.get("TILECAST_MQTT_URL", "mqtt://127.0.0.1"))


def run_page(args: argparse.Namespace) -> int:
    """``tilecast calibrate page``: until Ctrl-C; 1 when the file or the port is at fault."""
    from calibration.guide.serve import serve
    from devices.agent_process.ticks import agent_ticks

    serve(_plan(args), args.table, args.port, args.seconds, agent_ticks())
    return 0


def _point(text: str) -> tuple[float, float]:
    across, _, down = text.partition(",")
    return float(across), float(down)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
