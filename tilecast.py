"""The composition root: assembles the sub-commands of the packages and wires what crosses them."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recorder.domain.tiles import TileSet
    from recorder.series import Photo, Series

TILE_SETS = ("english", "german")
DESCRIPTION = "A live recorder for tournament Scrabble tables: camera and clock in, score out."
EPILOG = """try it without any hardware:   tilecast demo
read a game from photographs:  tilecast replay FOLDER
exit status: 0 done, 1 the input is at fault, 2 wrong usage"""


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit status (0 done, 1 input at fault, 2 wrong usage)."""
    args = _parser().parse_args(argv)
    try:
        status: int = args.run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    return status


def _parser() -> argparse.ArgumentParser:
    import calibration.cli
    import dashboard.cli
    import devices.cli
    import devices.vision.cli
    import recorder.cli

    parser = argparse.ArgumentParser(
        prog="tilecast",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _register_replay(commands)
    devices.vision.cli.register_read(commands)
    eyes = commands.add_parser("eyes", help="measure and train the eyes")
    eyes_commands = eyes.add_subparsers(required=True, metavar="ACTION")
    devices.vision.cli.register_eyes_report(eyes_commands)
    calibration.cli.register_eyes_train(eyes_commands)
    recorder.cli.register(commands)
    devices.cli.register(commands)
    dashboard.cli.register(commands)
    return parser


def _register_replay(commands: Any) -> None:
    replay = commands.add_parser(
        "replay",
        help="read a game from a folder of photographs, one per press of the clock",
        description="Reads the photographs of DIR in the natural order of their file names and "
        "tells the game that they show: plays, withdrawn plays, unchanged boards, scores.",
    )
    replay.add_argument("folder", type=Path, metavar="DIR")
    replay.add_argument(
        "--tiles", choices=TILE_SETS, help="tile set (default: the one that fits the tiles seen)"
    )
    replay.add_argument("--rules", default="wespa1", help="name of the rule set, for the record")
    replay.add_argument(
        "--players", nargs=2, default=["Player 1", "Player 2"], metavar="NAME",
        help="names, the one who places first in front",
    )  # fmt: skip
    replay.add_argument("--gcg", type=Path, metavar="OUT", help="write the game as GCG")
    replay.add_argument("--json", action="store_true", help="one JSON document on standard output")
    replay.set_defaults(run=run_replay)


def run_replay(args: argparse.Namespace) -> int:
    """``tilecast replay``: 0 when the game could be read, 1 when the folder is at fault."""
    from recorder.domain.errors import TilecastError
    from recorder.series import series_gcg, series_json

    try:
        photos = _read_photos(args.folder, quiet=args.json)
        series = _series(photos, args.tiles)
    except (TilecastError, OSError) as fault:
        print(f"tilecast replay: {args.folder}: {fault}", file=sys.stderr)
        return 1
    for unused in series.unused:
        print(f"{args.folder / unused.name}: left out: {unused.reason}", file=sys.stderr)
    if args.gcg is not None:
        first, second = args.players
        args.gcg.write_text(series_gcg(series, (first, second)), encoding="utf-8")
    document = series_json(series)
    if args.json:
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        _print_replay(document, args.players)
    return 0


def _read_photos(folder: Path, *, quiet: bool) -> list["Photo"]:
    """Look at every photograph of a folder; a picture that cannot be read is kept as such."""
    from devices.camera import open_source
    from devices.frames import BadFrame
    from devices.vision.eyes import Eyes
    from devices.vision.look import board_seen
    from recorder.domain.observations import BoardNotSeen
    from recorder.series import Photo

    # German tiles are a superset of English ones; which set it is shows when all are read.
    eyes = Eyes("german")
    source = open_source(str(folder), lambda: 0)
    photos: list[Photo] = []
    prior = None
    while not source.ended:
        frame = source.read(0.0)
        if frame is None:
            continue
        if isinstance(frame, BadFrame):
            seen = BoardNotSeen(frame=frame.name, reason=frame.reason)
            photos.append(Photo(frame.name, f"unreadable {frame.name}", seen))
            continue
        look = eyes.read(frame.image, prior=prior)
        prior = look if look.found else prior
        photos.append(Photo(frame.name, frame.sha256, board_seen(look, frame.name, 0)))
        if not quiet and sys.stderr.isatty():
            print(f"\rread {len(photos)}: {frame.name}  ", end="", file=sys.stderr, flush=True)
    source.close()
    return photos


def _series(photos: list["Photo"], tiles: str | None) -> "Series":
    """The game under the tile set given, or under the one that explains the looks better."""
    from recorder.series import read_series
    from recorder.tilesets import load_tile_set

    sets: list[TileSet] = [load_tile_set(tiles)] if tiles else [*map(load_tile_set, TILE_SETS)]
    return min((read_series(photos, tile_set) for tile_set in sets), key=lambda s: s.known.costs[0])


def _print_replay(document: dict[str, Any], players: list[str]) -> None:
    for turn in document["turns"]:
        name = players[turn["player"] - 1]
        what = turn["kind"] if turn["word"] is None else f"{turn['position']} {turn['word']}"
        what = f"({turn['kind']}) {what}" if turn["kind"] == "withdraw" else what
        doubt = f"   doubtful: {'; '.join(turn['doubts'])}" if turn["doubtful"] else ""
        line = f"{turn['photo']:<16} {name:<12} {what:<22} {turn['score']:+4d} {turn['total']:5d}"
        print(line + doubt)
    first, second = document["final"]
    print(f"\n{players[0]} {first}, {players[1]} {second}")
    if document["ending"] is not None:
        print(f"played out: {document['ending']['points']} still to be added")
    print("\n".join(document["board"]))


if __name__ == "__main__":
    sys.exit(main())
