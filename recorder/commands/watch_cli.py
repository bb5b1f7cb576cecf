"""The options of ``tilecast watch``, and what it prints; pictures are read above this package."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer, plain_words

if TYPE_CHECKING:
    from recorder.watched_game import WatchedGame

Watch = Callable[..., Any]
"""``devices.watching.watched_source.watch_source``, which this package must not know."""
Follow = Callable[..., Any]
"""``devices.watching.following.follow``, likewise."""
LOCAL_BROKER = "mqtt://127.0.0.1:1883"


def register_watch(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    watch_source: Watch,
    follow: Follow,
) -> None:
    """Add ``watch``; ``watch_source`` looks at the pictures, ``follow`` sends what they show."""
    from recorder.rulesets.named import rule_set_name
    from recorder.tilesets import tile_set_argument

    watch = subparsers.add_parser("watch", run=partial(run_watch, watch_source, follow))
    watch.add_argument("source", metavar="SOURCE")
    watch.add_argument("--tiles", type=tile_set_argument, metavar="SET")
    watch.add_argument("--rules", type=rule_set_name, metavar="SET", default="wespa1")
    players = ["Player 1", "Player 2"]
    watch.add_argument("--players", nargs=2, default=players, metavar="NAME")
    watch.add_argument("--first-from", choices=("left", "right", "top", "bottom"))
    watch.add_argument("--gcg", type=Path, metavar="OUT")
    watch.add_argument("--doubts", type=Path, metavar="DIR")
    add_json(watch)
    live = watch.add_argument_group("live, without a game printed here")
    live.add_argument("--follow", action="store_true")
    live.add_argument("--broker", metavar="URL")
    live.add_argument("--venue", default="main")
    live.add_argument("--name", default="cam-1")
    live.add_argument("--folder", type=Path, default=Path("watched"), metavar="DIR")
    live.add_argument("--speed", type=float, default=1.0, metavar="N")


def run_watch(watch_source: Watch, follow: Follow, args: argparse.Namespace) -> int:
    """``tilecast watch``: 0 when a game could be read, 1 when the source is at fault."""
    from recorder.domain.errors import TilecastError
    from recorder.domain.instruments import PictureEdge
    from recorder.watched_game import read_in_fitting_set

    if args.follow:
        return _run_follow(follow, args)
    on_progress = show_progress if sys.stderr.isatty() else (lambda *_: None)
    keeps, faults = args.doubts is not None, list[str]()
    try:
        found = watch_source(args.source, args.tiles, keeps_pictures=keeps, on_progress=on_progress)
        faults += [f"{args.source}: {found.fault}"] if found.fault else []
        ends_moving_ms = found.ends_moving_ms
        say_ends_moving(ends_moving_ms)
        pictures = {look.name: look.jpeg for look in found.looks if look.jpeg}
        first_from = PictureEdge(args.first_from) if args.first_from else None
        watched = read_in_fitting_set(found.looks, args.tiles, first_from)
        show_watched(watched, pictures, args, ends_moving_ms)
    except (TilecastError, OSError) as wrong:
        faults.append(plain_words(wrong, args.source))
    for fault in faults:
        print(f"tilecast watch: {fault}", file=sys.stderr)
    return 1 if faults else 0


def _run_follow(follow: Follow, args: argparse.Namespace) -> int:
    """``--follow``: 0 on Ctrl-C, or when a video has ended and the recorder has all of it."""
    from recorder.domain.errors import TilecastError
    from recorder.operations.process_logs import begin_logs
    from recorder.private import keep_private

    here = ("gcg", "doubts", "json", "first_from")
    told_here = [f"--{name.replace('_', '-')}" for name in here if getattr(args, name)]
    if told_here or not 0.1 <= args.speed <= 100:
        why = f"{' '.join(told_here)}: the recorder keeps the game" if told_here else ""
        why = why or f"--speed {args.speed:g}: 0.1 to 100"
        print(f"tilecast watch --follow: {why}", file=sys.stderr)
        return 2
    begin_logs("text")
    keep_private()
    try:
        followed = follow(
            args.source,
            tiles=args.tiles or "english",
            broker_url=args.broker or os.environ.get("TILECAST_MQTT_URL", LOCAL_BROKER),
            venue=args.venue,
            name=args.name,
            folder=args.folder,
            speed=args.speed,
        )
        fault = f"{args.source}: {followed.fault}" if followed.fault else ""
        say_ends_moving(followed.ends_moving_ms)
    except (TilecastError, OSError) as wrong:
        fault = plain_words(wrong, args.source)
    if fault:
        print(f"tilecast watch: {fault}", file=sys.stderr)
    return 1 if fault else 0


def say_ends_moving(at_ms: int | None) -> None:
    """One line on standard error where a film ended in motion; times from the first frame."""
    from recorder.domain.notices import coded
    from recorder.texts.telling import coded_text
    from recorder.watched_game import clock_of

    if at_ms is not None:
        doubt = coded("film_ends_moving", time=clock_of(at_ms))
        print(coded_text(doubt, "doubt"), file=sys.stderr)


def show_progress(frames: int, looks: int, at_ms: int) -> None:
    """One line on standard error that is written over."""
    from recorder.watched_game import clock_of

    text = f"{clock_of(at_ms)}, {frames} frames, {looks} looks"
    print(f"\r{text}  ", end="", file=sys.stderr, flush=True)


def show_watched(
    watched: "WatchedGame",
    pictures: Mapping[str, bytes],
    args: argparse.Namespace,
    ends_moving_ms: int | None,
) -> None:
    """Print the game, write GCG and pictures where asked for; OSError when they cannot be.

    ``pictures`` are JPEGs by the names of the looks; ``ends_moving_ms`` as ``Watcher`` shows it.
    """
    from recorder.gcg import write_gcg
    from recorder.photo_replay import photo_notes, series_text
    from recorder.watched_game import clock_of, watched_json

    for unused in watched.series.unused:
        print(f"{unused.name}: left out: {unused.reason}", file=sys.stderr)
    for note in photo_notes(watched.series.photos):
        print(f"note: {note}", file=sys.stderr)
    if not watched.sides:
        print("players could not be told apart by their arms: they alternate", file=sys.stderr)
    if lay := len(watched.series.known.best.lay_before):
        text = f"it begins in the middle of a game: {lay} tiles lay there; scores count from then"
        print(text, file=sys.stderr)
    document = {"rules": args.rules, **watched_json(watched), "ends_moving_ms": ends_moving_ms}
    turns = [
        {**turn, "photo": turn["look"] if turn["at_ms"] is None else clock_of(turn["at_ms"])}
        for turn in document["turns"]
    ]
    answer(args, document, series_text({**document, "turns": turns}, args.players), indent=1)
    # Last, for it may fail: an hour of watching must not be lost with it.
    if args.doubts is not None:
        args.doubts.mkdir(parents=True, exist_ok=True)
        for number, turn in enumerate(document["turns"], start=1):
            if turn["doubtful"] and turn["look"] in pictures:
                picture = args.doubts / f"turn-{number:02d}.jpg"
                picture.write_bytes(pictures[turn["look"]])
    if args.gcg is not None:
        first, second = args.players
        args.gcg.write_text(write_gcg(watched.game((first, second))), encoding="utf-8")
