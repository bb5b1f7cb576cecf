"""``tilecast eyes train``: training the eyes from nothing but rendered scenes.

torch is imported only inside the command; at run time and in tests nobody needs it.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register_eyes_train(eyes_subparsers: _Subparsers) -> None:
    """Add ``train`` to the actions of ``eyes``."""
    train = eyes_subparsers.add_parser(
        "train", help="render scenes, train the network, write weights"
    )
    train.add_argument("--out", type=Path, required=True, help="folder for tiles.onnx and report")
    train.add_argument("--scenes", type=int, default=3600)
    train.add_argument("--epochs", type=int, default=5)
    train.add_argument("--seed", type=int, default=1)
    train.add_argument("--held-out", type=int, default=150, help="scenes kept for the report")
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
    train.set_defaults(run=train_eyes)


def train_eyes(args: argparse.Namespace) -> int:
    """Run ``eyes train``; 0 when the weights are written, 1 when something given is at fault."""
    if min(args.scenes, args.epochs, args.held_out) < 1:
        print("eyes train: --scenes, --epochs and --held-out must be at least 1", file=sys.stderr)
        return 1
    folders: list[Path] = args.fonts or [Path("/usr/share/fonts")]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        print(f"eyes train: no such folder of fonts: {', '.join(missing)}", file=sys.stderr)
        return 1
    try:
        from calibration.eyes_training import train
    except ModuleNotFoundError as error:
        if error.name not in {"torch", "onnx"}:
            raise
        print(
            f"eyes train needs {error.name}; install the extra: pip install 'tilecast[train]'",
            file=sys.stderr,
        )
        return 1
    from calibration.eyes_data import find_faces
    from calibration.eyes_report import Plan

    plan = Plan(
        scenes=args.scenes,
        epochs=args.epochs,
        seed=args.seed,
        held_out=args.held_out,
        half=args.half,
    )
    faces = find_faces(folders)
    print(f"{len(faces)} typefaces", flush=True)
    report = train(plan, faces, args.out, lambda line: print(line, flush=True))
    print(f"{args.out / 'tiles.onnx'}  sha256 {report.sha256}")
    return 0
