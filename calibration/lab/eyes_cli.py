"""``tilecast eyes``: how well the eyes read (``report``, ``disturb``), and making them (``train``).

torch is imported only inside ``train``; at run time and in tests nobody needs it.
"""

import argparse
import json
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer, at_work

if TYPE_CHECKING:
    from calibration.lab.report.report import Report

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

_SHOWN_MISTAKES = 40


def register_eyes(subparsers: _Subparsers) -> None:
    """Add ``eyes`` with its actions."""
    eyes = subparsers.add_parser("eyes")
    actions = eyes.add_subparsers(required=True, metavar="ACTION")
    register_eyes_report(actions)
    register_eyes_train(actions)
    register_eyes_disturb(actions)


def register_eyes_train(eyes_subparsers: _Subparsers) -> None:
    """Add ``train`` to the actions of ``eyes``."""
    train = eyes_subparsers.add_parser("train", run=train_eyes)
    train.add_argument("--out", type=Path, required=True)
    train.add_argument("--scenes", type=int, default=7000)
    train.add_argument("--epochs", type=int, default=5)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--nets", type=int, choices=(1, 2), default=2)
    train.add_argument("--jobs", type=int, default=1)
    train.add_argument("--batch", type=int, default=320)
    train.add_argument("--held-out", type=int, default=120)
    train.add_argument("--fonts", type=Path, action="append")
    train.add_argument("--half", action="store_true")
    add_json(train)


def register_eyes_disturb(eyes_subparsers: _Subparsers) -> None:
    """Add ``disturb`` to the actions of ``eyes``."""
    disturb = eyes_subparsers.add_parser("disturb", run=disturb_eyes)
    disturb.add_argument("folder", metavar="DIR", type=Path)
    disturb.add_argument("--every", metavar="N", type=int, default=6)
    disturb.add_argument("--only", metavar="TEXT", action="append")
    add_json(disturb)


def disturb_eyes(args: argparse.Namespace) -> int:
    """Run ``eyes disturb``; 0 when it was measured, 1 when something given is at fault."""
    from calibration.lab.eyes.disturbances import DISTURBANCES
    from calibration.lab.eyes.eyes_disturb import Count, as_json, as_table, games_in, measure
    from recorder.domain.errors import TilecastError

    wanted: list[str] = args.only or [""]
    names = [name for name in DISTURBANCES if any(text in name for text in wanted)]
    if not names or args.every < 1:
        fault = "--every must be at least 1" if names else "no disturbance of that name; there are"
        known = "" if names else f": {', '.join(DISTURBANCES)}"
        print(f"eyes disturb: {fault}{known}", file=sys.stderr)
        return 1
    counts = {name: Count() for name in names}
    try:
        for number, game in enumerate(measure(games_in(args.folder), args.every, counts), start=1):
            print(f"{game}: photograph {number}", file=sys.stderr, flush=True)
    except TilecastError as err:
        print(err, file=sys.stderr)
        return 1
    print(json.dumps(as_json(counts)) if args.json else as_table(counts))
    return 0


def train_eyes(args: argparse.Namespace) -> int:
    """Run ``eyes train``; 0 when the weights are written, 1 when something given is at fault."""
    if min(args.scenes, args.epochs, args.batch, args.held_out, args.jobs) < 1:
        fault = "--scenes, --epochs, --batch, --held-out and --jobs must be at least 1"
        print(f"eyes train: {fault}", file=sys.stderr)
        return 1
    folders: list[Path] = args.fonts or [Path("/usr/share/fonts")]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        print(f"eyes train: no such folder of fonts: {', '.join(missing)}", file=sys.stderr)
        return 1
    try:
        from calibration.lab.eyes.eyes_training import train
    except ModuleNotFoundError as error:
        if error.name not in {"torch", "onnx"}:
            raise
        print(
            f"eyes train needs {error.name}; install the extra: pip install 'tilecast[train]'",
            file=sys.stderr,
        )
        return 1
    from calibration.lab.eyes.eyes_data import find_faces
    from calibration.lab.eyes.eyes_report import Plan

    plan = Plan(
        scenes=args.scenes,
        epochs=args.epochs,
        seed=args.seed,
        batch=args.batch,
        held_out=args.held_out,
        half=args.half,
        jobs=args.jobs,
        nets=args.nets,
    )
    faces = find_faces(folders)
    say = partial(print, file=sys.stderr if args.json else sys.stdout, flush=True)
    say(f"{len(faces)} typefaces")
    report = train(plan, faces, args.out, say)
    lines = [f"{args.out / name}  sha256 {digest}" for name, digest in report.sha256.items()]
    answer(args, {"folder": str(args.out), "sha256": report.sha256}, *lines)
    return 0


def register_eyes_report(eyes_subparsers: _Subparsers) -> None:
    """Add ``report`` to the actions of ``eyes``."""
    from devices.vision.cli import add_tiles

    parser = eyes_subparsers.add_parser("report", run=run_report)
    parser.add_argument("folder", metavar="DIR", type=Path)
    add_tiles(parser, default=None)
    parser.add_argument("--sheet", metavar="FILE.png", type=Path)
    parser.add_argument("--reliability", metavar="FILE.svg", type=Path)
    add_json(parser)


def run_report(args: argparse.Namespace) -> int:
    """Read a folder of photographs with their truth, and print the counts."""
    import cv2

    from calibration.lab.report.contact_sheet import contact_sheet
    from calibration.lab.report.reliability import reliability
    from calibration.lab.report.report import make_report
    from calibration.lab.report.samples import find_samples
    from devices.vision.eyes import Eyes
    from recorder.domain.errors import TilecastError

    @cache
    def eyes_for(tile_set: str) -> Eyes:
        return Eyes(tile_set)

    try:
        with at_work(f"reading the photographs in {args.folder}"):
            report = make_report(find_samples(args.folder, args.tiles), eyes_for)
    except TilecastError as err:
        print(err, file=sys.stderr)
        return 1
    if args.sheet and not cv2.imwrite(str(args.sheet), contact_sheet(report.mistakes)):
        print(f"{args.sheet}: cannot write a picture there", file=sys.stderr)
        return 1
    if args.reliability:
        try:
            args.reliability.write_text(reliability(report.judged), encoding="utf-8")
        except OSError as fault:
            print(f"{args.reliability}: {fault.strerror}", file=sys.stderr)
            return 1
    if args.json:
        print(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        _print_report(report)
    return 0


def _print_report(report: "Report") -> None:
    heads = "boards found located upright exact squares wrong flagged wrong_flagged tiles"
    columns = [*heads.split(), "tiles_wrong", "blanks", "blanks_wrong"]
    width = max(len(group) for group in (*report.groups, "total"))
    print(" " * width, *columns, "corner_error")
    for name, tally in (*sorted(report.groups.items()), ("total", report.total())):
        values = (f"{getattr(tally, head):>{len(head)}d}" for head in columns)
        median = tally.as_json()["corner_error_median"]
        print(f"{name:<{width}}", *values, "-" if median is None else f"{median:.3f}")
    racks = report.total()
    if racks.racks:
        wrong = f"{racks.rack_letters_wrong} of their {racks.rack_letters} letters wrong"
        print(f"{racks.racks} racks, {wrong}")
    for picture, truth, read in report.racks_wrong:
        print(f"{picture}: rack {truth} read as {read or 'nothing'}")
    for picture, reason in report.unread:
        print(f"{picture}: not read: {reason}")
    for mistake in report.mistakes[:_SHOWN_MISTAKES]:
        print(mistake)
    if len(report.mistakes) > _SHOWN_MISTAKES:
        print(f"... and {len(report.mistakes) - _SHOWN_MISTAKES} more wrong squares (--sheet)")
