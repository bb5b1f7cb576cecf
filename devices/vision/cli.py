"""Commands of the eyes: ``tilecast read IMAGE`` and ``tilecast tilecheck IMAGE``."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.domain.tile_text import tile_parts
from recorder.operations.answers import add_json, at_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from devices.pictures import Image
    from devices.vision.beside.tilecheck import TileCheck
    from devices.vision.eyes import Eyes
    from devices.vision.look import BoardReading, RackLook
    from recorder.domain.observations import Corners

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register_read(subparsers: _Subparsers) -> None:
    """Add ``read`` to the program's parser."""
    parser = subparsers.add_parser("read", run=run_read)
    parser.add_argument("images", nargs="+", metavar="IMAGE", type=Path)
    add_tiles(parser, default="english")
    parser.add_argument("--corners", nargs=4, type=_point, metavar="x,y")
    parser.add_argument("--racks", action="store_true")
    parser.add_argument("--rack", action="store_true")
    add_json(parser)


def add_tiles(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add the option that names the tile set."""
    from recorder.tilesets import tile_set_argument

    parser.add_argument("--tiles", type=tile_set_argument, metavar="SET", default=default)


def _point(text: str) -> tuple[float, float]:
    try:
        across, down = (float(number) for number in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"not x,y in pixels: {text!r}") from None
    return across, down


def run_read(args: argparse.Namespace) -> int:
    """Read photographs one by one; 0 when a board was found on each, 1 otherwise."""
    import cv2

    from devices.vision.eyes import Eyes

    # For single pictures threads cost more processor time, waiting for each other, than they save.
    cv2.setNumThreads(1)
    eyes, documents = Eyes(args.tiles), []
    several, bad = len(args.images) > 1, 0
    for path in args.images:
        document = _read_one(args, eyes, path, several=several)
        bad += not document.get("found")
        documents.append({"file": str(path), **document} if several else document)
    if args.json and (several or documents[0]):
        print(json.dumps(documents if several else documents[0], ensure_ascii=False))
    return 1 if bad else 0


def _read_one(
    args: argparse.Namespace, eyes: "Eyes", path: Path, *, several: bool
) -> dict[str, Any]:
    """Read a photograph, say what is on it or what is wrong; empty when it is no picture."""
    from devices.pictures import decode_picture
    from devices.vision.single_photo import read_photograph
    from recorder.domain.errors import DeviceError

    try:
        image = decode_picture(path.read_bytes())
    except (OSError, DeviceError) as err:
        _refuse(f"{path}: {getattr(err, 'strerror', None) or err}")
        return {}
    if args.rack:
        return _read_rack(args, image, path, several=several)
    corners: Corners | None = tuple(args.corners) if args.corners else None
    with at_work(f"reading {path}"):
        look, notes = read_photograph(eyes, image, corners, racks=args.racks)
    if look.found and not args.json:
        print(f"{path}\n" if several else "", end="")
        _print_look(look)
        print("".join(f"note: {note}\n" for note in notes), end="")
    if not look.found:
        _refuse(f"{path}: {look.reason}")
    return {**look_as_json(look), "notes": list(notes)}


def _read_rack(
    args: argparse.Namespace, image: "Image", path: Path, *, several: bool
) -> dict[str, Any]:
    """Read the racks on a photograph without a board."""
    from devices.vision.beside.racks import read_racks
    from recorder.tilesets import load_tile_set

    with at_work(f"reading {path}"):
        racks = read_racks(image, load_tile_set(args.tiles))
    if not racks:
        _refuse(f"{path}: no rack found: three letters or more must face the camera")
    elif not args.json:
        print(f"{path}\n" if several else "", end="")
        _print_racks(racks)
    return {"found": bool(racks), "racks": [_rack_as_json(rack) for rack in racks]}


def register_tilecheck(subparsers: _Subparsers) -> None:
    """Add ``tilecheck`` to the program's parser."""
    parser = subparsers.add_parser("tilecheck", run=run_tilecheck)
    parser.add_argument("image", metavar="IMAGE", type=Path)
    add_tiles(parser, default="english")
    add_json(parser)


def run_tilecheck(args: argparse.Namespace) -> int:
    """Check the tiles on a photograph; 0 when they were found, complete or not."""
    from dataclasses import asdict

    from devices.pictures import decode_picture
    from devices.vision.beside.tilecheck import check_tiles
    from recorder.tilesets import load_tile_set

    image = decode_picture(args.image.read_bytes())
    with at_work(f"counting the tiles on {args.image}"):
        check = check_tiles(image, load_tile_set(args.tiles))
    if args.json:
        verdicts = {"complete": check.is_complete, "count_is_right": check.count_is_right}
        print(json.dumps({**asdict(check), **verdicts}, ensure_ascii=False))
    elif check.found:
        _print_tilecheck(check)
    return 0 if check.found else _refuse(f"{args.image}: {check.reason}")


def _print_tilecheck(check: "TileCheck") -> None:
    print("\n".join(check.rows))
    short = check.expected - check.total
    verdict = f"{short} short" if short > 0 else f"{-short} too many" if short else "none short"
    print(f"{check.total} tiles of {check.expected}: {verdict}")
    if check.face_down:
        print(f"{check.face_down} show no letter and are more than the blanks: turn them over")
    if check.total > check.letters.get("?", 0):
        where = " (or face down)" if check.face_down else ""
        print(f"missing{where}:", _named(check.missing))
        print("too many:", _named(check.extra))
        doubts = [f"{letter} (row {row}, {col})" for row, col, letter, _ in check.doubtful]
        print("look at:", ", ".join(doubts) or "none")
    print("the set is complete" if check.is_complete else "not known to be complete")


def _named(counts: "Mapping[str, int]") -> str:
    return ", ".join(f"{count} {letter}" for letter, count in counts.items()) or "none"


def look_as_json(look: "BoardReading") -> dict[str, Any]:
    """The document of ``read --json``."""
    corners = look.pose.corners() if look.pose is not None else ()
    document: dict[str, Any] = {
        "found": look.found,
        "score": round(look.score, 3),
        "corners": [[round(x, 2), round(y, 2)] for x, y in corners],
        "rows": list(look.rows) if look.found else [],
        "confidence": look.confidence.round(4).astype(float).tolist() if look.found else [],
        "doubtful": list(look.doubtful_names()) if look.found else [],
        "racks": [_rack_as_json(rack) for rack in look.racks],
        "turn_margin": round(look.turn_margin, 2),
        "covered": round(look.covered, 4) if look.found else 0.0,
        "ms": dict(look.ms),
    }
    if not look.found:
        document["reason"] = look.reason
    return document


def _rack_as_json(rack: "RackLook") -> dict[str, Any]:
    return {
        "letters": rack.letters,
        "count": rack.count,
        "slots": rack.slots,
        "doubtful": list(rack.doubtful),
    }


def _print_look(look: "BoardReading") -> None:
    print("   " + " ".join("ABCDEFGHIJKLMNO"))
    for number, row in enumerate(look.rows, start=1):
        print(f"{number:2d} " + " ".join(tile_parts(row)))
    print(f"score {look.score:.2f}, this way up by {look.turn_margin:.0f} nats")
    print(f"doubtful: {' '.join(look.doubtful_names()) or 'none'}")
    _print_racks(look.racks)
    print(", ".join(f"{name} {value:.0f} ms" for name, value in look.ms.items()))


def _print_racks(racks: "Sequence[RackLook]") -> None:
    for rack in racks:
        unsure = ", ".join(f"{rack.tiles[n - 1]} ({n})" for n in rack.doubtful)
        print(f"rack: {rack.slots} ({rack.count} tiles; look at: {unsure or 'none'})")


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return 1
