"""``tilecast init``: the files of a venue from a dozen answers."""

import argparse
import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.declared.port_number import port_number
from recorder.domain.errors import NotationError, TilecastError
from recorder.operations.answers import add_json, at_work, plain_words
from recorder.rulesets.named import rule_set_name
from recorder.tilesets import tile_set_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.venue.setup.founding import Founded, MakeAccounts
    from calibration.venue.setup.look_round import CameraLooked
    from calibration.venue.setup.questions import Found
    from calibration.venue.setup.wishes import SetupAnswers

CLOCKS = ("phone", "serial", "mqtt", "none")


def register(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]", make_accounts: "MakeAccounts"
) -> None:
    """Add the sub-command ``init``."""
    parser = subparsers.add_parser("init", run=partial(run_init, make_accounts=make_accounts))
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--tables", type=_number, metavar="N")
    parser.add_argument("--players", nargs=2, action="append", metavar=("FIRST", "SECOND"))
    parser.add_argument("--event", action="store_true", default=None)
    parser.add_argument("--tiles", type=tile_set_argument, metavar="SET")
    parser.add_argument("--rules", type=rule_set_name, metavar="SET")
    parser.add_argument("--minutes", type=float, metavar="M")
    parser.add_argument("--clock", choices=CLOCKS, action="append")
    parser.add_argument("--camera", action="append", metavar="SOURCE")
    parser.add_argument("--serial", action="append", metavar="PORT")
    parser.add_argument("--pads", action=argparse.BooleanOptionalAction)
    parser.add_argument("--address", metavar="HOST")
    parser.add_argument("--delay", type=float, metavar="S")
    parser.add_argument("--name")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--elsewhere", type=int, action="append", metavar="N")
    parser.add_argument("--broker-port", type=port_number)
    parser.add_argument("--dashboard-port", type=port_number, default=8015)
    parser.add_argument("--yes", action="store_true")
    parser.add_argument("--overwrite", action="store_true")
    parser.add_argument("--add", type=_number, metavar="N")
    add_json(parser)


def _number(text: str) -> int:
    from calibration.venue.setup.questions import check_tables

    return check_tables(text)


def run_init(args: argparse.Namespace, make_accounts: "MakeAccounts") -> int:
    """``tilecast init``: 0 when the venue is made, 1 when an answer or the folder is at fault."""
    from calibration.venue.setup.adding import add_tables, with_tables
    from calibration.venue.setup.founding import PICTURES, found_venue, refuse_replacing
    from calibration.venue.setup.look_round import (
        CameraLooked,
        found_cameras,
        found_ports,
        take_pictures,
        unused,
    )
    from calibration.venue.setup.made import read_setup
    from calibration.venue.setup.questions import Found, added_tables, wishes_from

    try:
        _check_options(args)
        with at_work("looking for cameras and ports"):
            found = Found(cameras=found_cameras(), ports=found_ports())
        _show_found(found)
        ask = _usual if args.yes else _ask
        if args.add:
            before = read_setup(args.folder).wishes
            new = added_tables(args, before, found, ask)
            wishes = with_tables(before, new)
            with at_work("writing files and keys"):
                made = add_tables(args.folder, new, make_accounts)
        else:
            wishes = wishes_from(args, found, ask)
            if not args.overwrite:
                refuse_replacing(wishes, args.folder)
            with at_work("writing files and keys"):
                made = found_venue(wishes, args.folder, make_accounts)
        first = wishes.tables - args.add + 1 if args.add else 1
        named = [
            CameraLooked(source=source)
            for number, source in enumerate(args.camera or (), first)
            if number not in wishes.elsewhere or ":" in source  # plugged in there, or an address
        ]
        wanted = [*named, *unused(found.cameras, args.camera or ())]
        with at_work("taking a picture of each camera"):
            cameras = take_pictures(wanted, args.folder / PICTURES, first)
    except (TilecastError, argparse.ArgumentTypeError, OSError) as fault:
        print(f"tilecast init: {plain_words(fault)}", file=sys.stderr)
        return 1
    if args.json:
        print(json.dumps(_document(args.folder, wishes, made, cameras), ensure_ascii=False))
    else:
        _tell(args.folder, wishes, made, cameras)
    return 0


def _check_options(args: argparse.Namespace) -> None:
    """Options hold what answers must; argparse.ArgumentTypeError names what does not."""
    from calibration.venue.setup.questions import (
        check_address,
        check_delay,
        check_name,
        check_players,
    )

    checks = {"address": check_address, "delay": check_delay, "name": check_name}
    for option, check in checks.items():
        value = getattr(args, option)
        if value is not None:
            check(str(value))
    for pair in args.players or ():
        check_players(*pair)
    if args.event and args.players:
        raise NotationError("--event pairs the players round by round; --players names one game's")
    if not all([*(args.camera or ()), *(args.serial or ())]):
        raise NotationError(
            "--camera and --serial name a camera and a port; tilecast devices lists them"
        )


def _ask(question: str, usual: str) -> str:
    """Ask on standard error, so that a document on standard output stays whole."""
    print(f"{question} [{usual}] ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise NotationError(
            f"no answer to: {question} Options answer it too; --yes takes the usual"
        )
    return line.strip() or usual


def _usual(_question: str, usual: str) -> str:
    return usual


def _show_found(found: "Found") -> None:
    for camera in found.cameras:
        print(f"camera       {camera.source}  {camera.description}".rstrip(), file=sys.stderr)
    for path, description in found.ports:
        print(f"serial port  {path}  {description}".rstrip(), file=sys.stderr)


def _document(
    folder: Path, wishes: "SetupAnswers", made: "Founded", cameras: "Sequence[CameraLooked]"
) -> dict[str, Any]:
    """What was made, without a secret: links with keys are in the sheet alone."""
    from calibration.venue.setup.links import SHEET
    from calibration.venue.setup.wishes import roles_of, tables_of

    return {
        "folder": str(folder),
        "venue": wishes.name,
        "files": list(made.files),
        "tables": [
            {
                "number": table.number,
                "players": list(table.players),
                "devices": {name: str(role) for name, role in roles_of(wishes, table).items()},
                "plug": plugs(wishes, table.number),
            }
            for table in tables_of(wishes)
        ],
        "cameras": [_camera_document(camera) for camera in cameras],
        "pages": {link.what: link.address for link in made.links if not link.is_key},
        "links": SHEET,
        "start": f"tilecast venue {folder}",
    }


def _camera_document(camera: "CameraLooked") -> dict[str, Any]:
    return {
        "source": shown_source(camera.source),
        "description": camera.description,
        "picture": camera.picture,
        "size": list(camera.size),
        "fault": camera.fault,
    }


def shown_source(source: str) -> str:
    """A camera's address without its password."""
    before, at, host = source.rpartition("@")
    scheme, mark, _ = before.partition("://")
    return f"{scheme}://...@{host}" if at and mark else source


def plugs(wishes: "SetupAnswers", number: int) -> list[str]:
    """What goes where at a table, a line for each device."""
    from calibration.venue.setup.files import machine_folder
    from calibration.venue.setup.wishes import ClockKind, tables_of

    table = tables_of(wishes)[number - 1]
    camera = shown_source(table.camera)
    where = f"camera number {camera} of this machine" if camera.isdecimal() else camera
    certificates = f", with the files of clocks/{table.clock_name}/" if wishes.has_tls else ""
    clock = {
        ClockKind.PHONE: f"clock: a phone; its code is on the page of links (table {number})",
        ClockKind.SERIAL: f"clock {table.clock_name}: USB of this machine, {table.port}",
        ClockKind.MQTT: f"clock {table.clock_name}: on the network; clocks/{table.clock_name}.json"
        f" goes into it{certificates}",
        ClockKind.NONE: "no clock: the camera sees whose turn it is",
    }[table.clock]
    lines = [f"board camera {table.camera_name}: {where}", clock]
    if number in wishes.elsewhere:
        lines.insert(
            0, f"its own machine: carry {machine_folder(number)} there; its README says how"
        )
    if wishes.has_pads:
        lines.append(f"scorer's pad: a phone; its code is on the page of links (table {number})")
    return lines


def _tell(
    folder: Path, wishes: "SetupAnswers", made: "Founded", cameras: "Sequence[CameraLooked]"
) -> None:
    from calibration.venue.setup.links import SHEET, code_as_text

    print(f"{folder}: {len(made.files)} files")
    for camera in cameras:
        size = "{} x {}".format(*camera.size)
        looked = [f"{folder / camera.picture}, {size}"] if camera.picture else ["NO"]
        looked += [camera.fault] if camera.fault else []
        print(f"picture      {shown_source(camera.source)}: {': '.join(looked)}")
    for number in range(1, wishes.tables + 1):
        print(f"table {number}")
        for line in plugs(wishes, number):
            print(f"  {line}")
    is_read = sys.stdout.isatty()
    for link in made.links:
        if not link.is_key or is_read:
            print(f"{link.what:32} {link.address}")
        if link.code and is_read:
            print(code_as_text(link.address))
    print(f"links with keys, and codes for phones: {folder / SHEET} (keep it to yourself)")
    print(f"start it:  tilecast venue {shlex.quote(str(folder))}")
    if wishes.is_event:
        print("then, on the event's page: add the players, and pair round 1")
