"""``tilecast woogles``: the tables of a log are on Woogles as late as everybody sees them."""

import argparse
import os
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.domain.errors import NotationError
from recorder.operations.answers import JSON_OF_CHECK, add_json, answer

if TYPE_CHECKING:
    from dashboard.woogles.checking import Known
    from dashboard.woogles.client import Woogles
    from dashboard.woogles.mirror import Target

_MOST_DELAY_S, _MOST_CALLS = 3600, 50
_RULES = ("double", "single", "five_point", "ten_point", "triple", "void")
_FAR_MS = 2**62


def register(subparsers: Any) -> None:
    """Add the command to the program's parser."""
    parser = subparsers.add_parser("woogles", run=run_woogles)
    parser.add_argument("--log", metavar="LOG")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR")
    parser.add_argument("--key-file", type=Path, metavar="FILE")
    parser.add_argument("--broadcast", default="", metavar="SLUG")
    parser.add_argument("--lexicon", default="", metavar="NAME")
    parser.add_argument("--challenge", choices=_RULES, default="")
    parser.add_argument("--tables", default="", metavar="N,N")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--racks", action="store_true")
    parser.add_argument("--rate", type=float, default=5.0)
    parser.add_argument("--slots", default="", metavar="URL")
    parser.add_argument("--address", default="", metavar="URL")
    parser.add_argument("--announce", default="", metavar="FEED")
    parser.add_argument("--check", action="store_true")
    add_json(parser)


def run_woogles(args: argparse.Namespace) -> int:
    """0 after Ctrl-C, or when a check finds nothing wrong; 1 for a fault, 2 for wrong usage."""
    if args.json and not args.check:
        print(f"tilecast woogles: {JSON_OF_CHECK}", file=sys.stderr)
        return 2
    try:
        woogles, target = _set_up(args)
        if args.announce:
            _announce(args, woogles, target)
            return 0
        if args.check:
            from dashboard.woogles.checking import check_access

            with closing(woogles):
                found = check_access(woogles, target, _known(args))
            answer(args, found.document, *found.lines)
            return 0 if found.ok else 1
        _mirror(args, woogles, target)
    except KeyboardInterrupt:
        return 0
    return 0


def _set_up(args: argparse.Namespace) -> "tuple[Woogles, Target]":
    """The link and where games go. NotationError names what cannot be."""
    from dashboard.woogles.client import ADDRESS, Pace, Woogles, read_key
    from dashboard.woogles.mirror import Target
    from recorder.woogles.lexica import letters_of

    if args.announce and not (args.broadcast and args.lexicon):
        raise NotationError("--announce needs --broadcast SLUG and --lexicon NAME")
    if not args.announce and bool(args.broadcast) == bool(args.lexicon):
        raise NotationError(
            "name a broadcast (--broadcast SLUG), or the lexicon of single games (--lexicon NWL23)"
        )
    if args.slots and not args.broadcast:
        raise NotationError("--slots needs --broadcast SLUG: single games have no slots")
    if not 0 < args.rate <= _MOST_CALLS:
        raise NotationError(f"--rate {args.rate:g}: more than 0, {_MOST_CALLS} at most")
    if not 0 <= args.delay <= _MOST_DELAY_S:
        raise NotationError(f"--delay {args.delay:g}: 0 to {_MOST_DELAY_S} seconds")
    woogles = Woogles(args.address or ADDRESS, read_key(args.key_file), Pace(args.rate))
    rule = args.challenge.upper()
    if args.lexicon:
        letters_of(args.lexicon)
    return woogles, Target(
        slug=args.broadcast, lexicon=args.lexicon, challenge_rule=rule, with_racks=args.racks
    )


def _known(args: argparse.Namespace) -> "Known":
    """What the log says of the games that are to be mirrored; nothing where none was named."""
    from dashboard.live.log_follower import Batch
    from dashboard.woogles.checking import Known
    from dashboard.woogles.following import PublicTables
    from recorder.log.places import LOG_VARIABLE, named_log, open_log_reader
    from recorder.orders.event_record import event_register

    if not (args.log or os.environ.get(LOG_VARIABLE)):
        return Known()
    place = named_log(args.log)
    with closing(open_log_reader(place)) as log:
        rows = tuple(log.read_from(1))
    tables = PublicTables(place, 0, lambda: _FAR_MS, _tables(args.tables))
    tables.take(Batch(rows, anew=True, caught_up=True))
    games = {ours.table: ours for ours in tables.changed()}
    return Known(event_register(rows).event, tuple(games.values()))


def _announce(args: argparse.Namespace, woogles: "Woogles", target: "Target") -> None:
    """Make or update the broadcast of the log's event."""
    from dashboard.woogles.announcing import announce
    from recorder.domain.rules.challenge.penalties import system_of
    from recorder.log.places import named_log
    from recorder.orders.event_rules import rules_of
    from recorder.woogles.lexica import challenge_rule_of, letters_of
    from recorder.woogles.shapes import CHALLENGE_RULES, Broadcast

    named_log(args.log)
    event = _known(args).event
    if not event.divisions:
        raise NotationError("the log has no event to announce: see tilecast event")
    first = event.divisions[0]
    system = system_of(rules_of(first), lexicon=target.lexicon)
    rule = target.challenge_rule or challenge_rule_of(system) or "DOUBLE"
    wanted = Broadcast(
        slug=target.slug,
        name=event.name or target.slug,
        broadcast_url=args.announce,
        lexicon=target.lexicon,
        letter_distribution=letters_of(target.lexicon),
        challenge_rule=CHALLENGE_RULES.index(rule),
    )
    slots = {"featured": (first.name, max(1, first.paired_rounds), 1)}
    with closing(woogles):
        for line in announce(woogles, wanted, slots):
            print(line)


def _mirror(args: argparse.Namespace, woogles: "Woogles", target: "Target") -> None:
    from dashboard.live.log_follower import Batch, LogFollower, now_ms
    from dashboard.live.record_now import RecordNow
    from dashboard.woogles.following import PublicTables
    from dashboard.woogles.kept import SUFFIX, Kept
    from dashboard.woogles.running import Mirrors, MirrorSettings
    from dashboard.woogles.slots import SlotPointer
    from recorder.log.places import named_log, sibling_path
    from recorder.uptime import TIME_NAME, kept_base_ms, machine_run, uptime_ms

    log = named_log(args.log)
    time_file = sibling_path(log, ".db", args.folder).with_name(TIME_NAME)
    now = RecordNow(now_ms, uptime_ms, lambda: kept_base_ms(time_file, machine_run()))
    kept = Kept(sibling_path(log, SUFFIX, args.folder))
    tables = PublicTables(log, round(args.delay * 1000), now, _tables(args.tables))
    mirrors = Mirrors(woogles, kept, tables, MirrorSettings(target, _say, now_ms))

    def deliver(batch: Batch) -> None:
        for row in batch.rows:
            now.take(row)
        mirrors.deliver(batch)

    follower = LogFollower(log, deliver)
    pointer = SlotPointer(woogles, target.slug, args.slots, mirrors.places, _say)
    follower.start()
    mirrors.start()
    if args.slots:
        pointer.start()
    where = f"broadcast {target.slug}" if target.slug else f"single games, {target.lexicon}"
    print(f"mirroring to {woogles.site} ({where}); Ctrl-C ends it", flush=True)
    try:
        threading.Event().wait()
    finally:
        follower.stop()
        mirrors.stop()
        if args.slots:
            pointer.stop()
        kept.close()


def _tables(text: str) -> frozenset[int]:
    numbers = [part.strip() for part in text.split(",") if part.strip()]
    if not all(number.isdecimal() and int(number) > 0 for number in numbers):
        raise NotationError(f"--tables {text}: numbers with commas, such as 1,2,5")
    return frozenset(map(int, numbers))


def _say(text: str) -> None:
    print(f"tilecast woogles: {text}", file=sys.stderr, flush=True)
