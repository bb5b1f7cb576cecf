"""``tilecast calibrate``: a table's cameras, racks, scale and clock, on the command line or a page.

Registered by the program's entry point; nothing heavy is imported until a command runs.
"""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.declared.port_number import port_number
from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from calibration.guide.checks import Dialogue, Kept
    from devices.agent_process.table_file import AgentPlan
    from devices.ports import Ticks
    from recorder.domain.observations import Corners

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

_Step = Callable[[argparse.Namespace, "AgentPlan", "Dialogue", "Ticks"], "Kept"]
_SIDES = ("top", "right", "bottom", "left")
_PORT = 8016
ABOUT = """Guides through setting up the devices of one table, and refuses what is not good
enough, with the reason and what to do about it. End the agent of the table first: a
camera or a port has one master. In this order:

  tilecast calibrate camera table.toml   where the board lies, and how sure that is
  tilecast calibrate racks table.toml    where a rack stands
  tilecast calibrate scale table.toml    the mass of a tile, from ten of them
  tilecast calibrate clock table.toml    both halves, offset and drift
  tilecast calibrate page table.toml     all of it in a browser, with live pictures
  tilecast calibrate show cam-1.json     what was found out, and when
"""


def register(subparsers: _Subparsers) -> None:
    """Add ``calibrate`` and its steps."""
    calibrate = subparsers.add_parser(
        "calibrate",
        help="set up cameras, racks, scale and clock of a table, guided",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    steps = calibrate.add_subparsers(required=True, metavar="STEP")
    _add_camera(steps)
    _add_racks(steps)
    _add_scale(steps)
    _add_clock(steps)
    _add_page(steps)
    show = steps.add_parser(
        "show",
        help="print what a profile says, and its older versions",
        description="Prints a profile of a camera, rack or scale, and its older versions.",
    )
    show.add_argument("profile", type=Path, metavar="PROFILE", help="a file that calibrate wrote")
    add_json(show)
    show.set_defaults(run=run_show)


def _step(steps: _Subparsers, name: str, about: str, detail: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = steps.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}. {detail}"
    )
    parser.add_argument("table", type=Path, metavar="TABLE.toml", help="the agent's table file")
    return parser


def _named(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--device", default="", metavar="NAME", help=f"where there are {what}")


def _add_camera(steps: _Subparsers) -> None:
    parser = _step(
        steps,
        "camera",
        "find the board, judge the grid, learn the bare board",
        "Take all tiles off, point the camera until the figures are good, press Enter. A good "
        "calibration is written to the profile of the table file, with a picture; a bad one is "
        "refused, with a picture of why.",
    )
    _named(parser, "several board cameras")
    parser.add_argument(
        "--check", action="store_true", help="only say whether the camera has moved since"
    )
    parser.add_argument("--fixed", action="store_true", help="the board never moves or turns")
    parser.add_argument(
        "--up", choices=_SIDES, default="top", help="with --fixed: where its top is in the picture"
    )
    parser.add_argument(
        "--corners",
        nargs=4,
        type=_point,
        metavar="x,y",
        help="for a board that is not found: its corners in pixels, clockwise from its top left",
    )
    parser.add_argument("--frames", type=_count, default=5, metavar="N", help="pictures; 5")
    parser.add_argument("--yes", action="store_true", help="wait for nobody")
    add_json(parser)
    parser.set_defaults(run=partial(_run, _camera))


def _add_racks(steps: _Subparsers) -> None:
    parser = _step(
        steps,
        "racks",
        "find the place of a rack",
        "Put seven tiles on the rack, point the camera until they are read, press Enter. Later the "
        "camera reads that place only, and no neighbour's tiles.",
    )
    _named(parser, "several rack cameras")
    parser.add_argument("--letters", default="", help="what stands on the rack, to be compared")
    parser.add_argument("--frames", type=_count, default=3, metavar="N", help="pictures; 3")
    parser.add_argument("--yes", action="store_true", help="wait for nobody")
    add_json(parser)
    parser.set_defaults(run=partial(_run, _racks))


def _add_scale(steps: _Subparsers) -> None:
    parser = _step(
        steps,
        "scale",
        "weigh the bag and ten tiles",
        "Asks for one thing after the other, and says how surely a draw of seven can be counted.",
    )
    _named(parser, "several scales")
    parser.add_argument(
        "--single", type=_count, default=10, metavar="N", help="tiles weighed singly; 10"
    )
    parser.add_argument(
        "--set", type=int, default=100, metavar="N", help="tiles in the whole set; 0: do not ask"
    )
    add_json(parser)
    parser.set_defaults(run=partial(_run, _scale))


def _add_clock(steps: _Subparsers) -> None:
    parser = _step(
        steps,
        "clock",
        "hear both halves pressed, compare times",
        "Start the clock, press one half, then the other. Offset, drift and the delay of a press "
        "are measured meanwhile. Writes nothing.",
    )
    _named(parser, "several clocks")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="how long; 60")
    add_json(parser)
    parser.set_defaults(run=partial(_run, _clock))


def _add_page(steps: _Subparsers) -> None:
    parser = _step(
        steps,
        "page",
        "guide through all steps in a browser on this machine",
        "Prints an address with a key that opens it once.",
    )
    parser.add_argument(
        "--port", type=port_number, default=_PORT, help=f"{_PORT}; 0 takes a free one"
    )
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for the clock")
    parser.set_defaults(run=run_page)


def _run(step: _Step, args: argparse.Namespace) -> int:
    """A step on the command line: 1 when it is refused, or something given is at fault."""
    from calibration.guide.console import Console
    from devices.agent_process.ticks import agent_ticks
    from recorder.domain.errors import TilecastError

    try:
        say = partial(print, file=sys.stderr if args.json else sys.stdout, flush=True)
        console = Console(unattended=getattr(args, "yes", False), say=say)
        kept = step(args, _plan(args), console, agent_ticks())
    except (TilecastError, OSError) as err:
        _complain(err)
        return 1
    answer(args, {"file": kept.path and str(kept.path), "lines": list(kept.lines)}, *kept.lines)
    return 0


def _complain(fault: Exception) -> None:
    sys.stderr.write(f"tilecast calibrate: {fault}\n")


def _plan(args: argparse.Namespace) -> "AgentPlan":
    """The table file; calibrating needs no broker, so the file need not name one."""
    from devices.agent_process.table_file import read_table_file

    return read_table_file(args.table, os.environ.get("TILECAST_MQTT_URL", "mqtt://127.0.0.1"))


def _camera(
    args: argparse.Namespace, plan: "AgentPlan", dialogue: "Dialogue", ticks: "Ticks"
) -> "Kept":
    from calibration.guide.camera import CameraWish, calibrate_camera, check_camera
    from calibration.guide.checks import chosen
    from devices.agent_process.table_file import BoardCameraPlan

    device = chosen(plan, BoardCameraPlan, "board-camera", args.device)
    if args.check:
        return check_camera(device, args.table, dialogue, ticks)
    corners: Corners | None = tuple(args.corners) if args.corners else None
    wish = CameraWish(frames=args.frames, fixed=args.fixed, up=args.up, corners=corners)
    return calibrate_camera(device, args.table, wish, dialogue, ticks)


def _racks(
    args: argparse.Namespace, plan: "AgentPlan", dialogue: "Dialogue", ticks: "Ticks"
) -> "Kept":
    from calibration.guide.checks import chosen
    from calibration.guide.racks import RackWish, calibrate_racks
    from devices.agent_process.table_file import RackCameraPlan

    device = chosen(plan, RackCameraPlan, "rack-camera", args.device)
    wish = RackWish(frames=args.frames, letters=args.letters)
    return calibrate_racks(device, args.table, wish, dialogue, ticks)


def _scale(
    args: argparse.Namespace, plan: "AgentPlan", dialogue: "Dialogue", ticks: "Ticks"
) -> "Kept":
    from calibration.guide.checks import chosen
    from calibration.guide.scale import calibrate_scale
    from devices.agent_process.table_file import BagScalePlan
    from devices.sensors.scale_session import Wanted

    device = chosen(plan, BagScalePlan, "bag-scale", args.device)
    return calibrate_scale(device, Wanted(tiles=args.single, full_set=args.set), dialogue, ticks)


def _clock(
    args: argparse.Namespace, plan: "AgentPlan", dialogue: "Dialogue", ticks: "Ticks"
) -> "Kept":
    from calibration.guide.checks import chosen
    from calibration.guide.clock import check_clock
    from devices.agent_process.table_file import SerialClockPlan

    device = chosen(plan, SerialClockPlan, "serial-clock", args.device)
    return check_clock(device, args.seconds, dialogue, ticks)


def run_page(args: argparse.Namespace) -> int:
    """``tilecast calibrate page``: until Ctrl-C; 1 when the file or the port is at fault."""
    from calibration.guide.serve import serve
    from devices.agent_process.ticks import agent_ticks
    from recorder.domain.errors import TilecastError

    try:
        serve(_plan(args), args.table, args.port, args.seconds, agent_ticks())
    except (TilecastError, OSError) as err:
        _complain(err)
        return 1
    return 0


def run_show(args: argparse.Namespace) -> int:
    """``tilecast calibrate show``: 1 when there is no such profile."""
    from calibration.guide.show import document, text
    from recorder.domain.errors import TilecastError

    try:
        found = document(args.profile)
    except TilecastError as err:
        _complain(err)
        return 1
    answer(args, found, text(found))
    return 0


def _point(text: str) -> tuple[float, float]:
    across, _, down = text.partition(",")
    return float(across), float(down)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
