"""The commands of calibration; here ``eyes train`` and ``eyes disturb``: making and trying eyes.

torch is imported only inside the command; at run time and in tests nobody needs it.
"""

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from recorder.operations.answers import add_json, answer

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register(subparsers: _Subparsers) -> None:
    """Add ``printables`` and ``calibrate``."""
    from calibration.guide import cli as guide_cli
    from calibration.printables import cli as printables_cli

    printables_cli.register(subparsers)
    guide_cli.register(subparsers)


def register_eyes(subparsers: _Subparsers) -> None:
    """Add ``eyes`` with its actions."""
    from devices.vision.cli import register_eyes_report

    eyes = subparsers.add_parser(
        "eyes",
        help="measure and train the eyes",
        description="The networks that read tiles: how well they read, and how they are made.",
    )
    actions = eyes.add_subparsers(required=True, metavar="ACTION")
    register_eyes_report(actions)
    register_eyes_train(actions)
    register_eyes_disturb(actions)


def register_eyes_train(eyes_subparsers: _Subparsers) -> None:
    """Add ``train`` to the actions of ``eyes``."""
    train = eyes_subparsers.add_parser(
        "train",
        help="render scenes, train the network, write weights",
        description="Draws scenes of boards under all sorts of light, trains the networks on them "
        "and writes weights with a report. Needs the extra 'train' (torch).",
    )
    train.add_argument("--out", type=Path, required=True, help="folder for weights and report")
    train.add_argument("--scenes", type=int, default=7000, help="scenes to draw")
    train.add_argument("--epochs", type=int, default=5, help="times through them")
    train.add_argument("--seed", type=int, default=1, help="other scenes, other weights")
    train.add_argument("--nets", type=int, choices=(1, 2), default=2, help="networks to train")
    train.add_argument(
        "--jobs", type=int, default=1, help="processes that render, threads that fit"
    )
    train.add_argument("--held-out", type=int, default=120, help="scenes kept for the report")
    train.add_argument(
        "--fonts",
        type=Path,
        action="append",
        help="folder with font files, repeatable (default: /usr/share/fonts)",
    )
    train.add_argument(
        "--half",
        action="store_true",
        help="train in bfloat16: twice as fast where the processor has it, slow where not",
    )
    add_json(train)
    train.set_defaults(run=train_eyes)


def register_eyes_disturb(eyes_subparsers: _Subparsers) -> None:
    """Add ``disturb`` to the actions of ``eyes``."""
    disturb = eyes_subparsers.add_parser(
        "disturb",
        help="spoil photographs whose truth is known, and count what is still read",
        description="Puts blur, noise, glare, shadows and the like over photographs whose truth is "
        "known, and counts for each how many boards are still read, and how many wrongly.",
    )
    disturb.add_argument("folder", metavar="DIR", type=Path, help="a game, or a folder of games")
    disturb.add_argument("--every", metavar="N", type=int, default=6, help="each n-th photograph")
    disturb.add_argument(
        "--only", metavar="TEXT", action="append", help="disturbances with TEXT in their name"
    )
    add_json(disturb)
    disturb.set_defaults(run=disturb_eyes)


def disturb_eyes(args: argparse.Namespace) -> int:
    """Run ``eyes disturb``; 0 when it was measured, 1 when something given is at fault."""
    from calibration.training.disturbances import DISTURBANCES
    from calibration.training.eyes_disturb import Count, as_json, as_table, games_in, measure
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
    if min(args.scenes, args.epochs, args.held_out, args.jobs) < 1:
        fault = "--scenes, --epochs, --held-out and --jobs must be at least 1"
        print(f"eyes train: {fault}", file=sys.stderr)
        return 1
    folders: list[Path] = args.fonts or [Path("/usr/share/fonts")]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        print(f"eyes train: no such folder of fonts: {', '.join(missing)}", file=sys.stderr)
        return 1
    try:
        from calibration.training.eyes_training import train
    except ModuleNotFoundError as error:
        if error.name not in {"torch", "onnx"}:
            raise
        print(
            f"eyes train needs {error.name}; install the extra: pip install 'tilecast[train]'",
            file=sys.stderr,
        )
        return 1
    from calibration.training.eyes_data import find_faces
    from calibration.training.eyes_report import Plan

    plan = Plan(
        scenes=args.scenes,
        epochs=args.epochs,
        seed=args.seed,
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
