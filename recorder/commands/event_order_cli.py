"""``tilecast event order``: the event in the log, as a director's orders make it.

A log is a feed like any other: standings, pairings, faults and other forms are read from it too.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from recorder.domain.event.divisions import Event, EventDivision
    from recorder.domain.event.highs import HighWord
    from recorder.domain.event.next_round import NextRound
    from recorder.domain.event.orders import EventOrder
    from recorder.domain.event.register import Register
    from recorder.domain.notices import CodedText
    from recorder.feeds.tourney_js import Feed
    from recorder.log.places import LogPlace
    from recorder.orders.event_record import EventPreview

_SQLITE = b"SQLite format 3\0"


def register(actions: Any) -> None:
    """Add the command to those on events."""
    from recorder.orders.event_syntax import event_usage

    order = actions.add_parser("order", epilog=f"orders:\n{event_usage()}", run=run_order)
    order.add_argument("log", metavar="LOG")
    order.add_argument("order", metavar="ORDER", nargs="*")
    order.add_argument("--who", default="director")
    order.add_argument("--id", default="")
    order.add_argument("--preview", action="store_true")
    order.add_argument("--agree", action="store_true")  # fmt: skip
    add_json(order)


def run_order(args: argparse.Namespace) -> int:
    """``tilecast event order``: 0 when done, 1 when the log or the order is at fault."""
    from recorder.log.places import is_begun, log_place, shown_place
    from recorder.orders.event_syntax import NO_EVENT, parse_event_order

    place = log_place(args.log)
    args.shown = shown_place(place)
    if not args.order:
        return _list(place, args)
    if not is_begun(place):  # what is no order begins no log
        parse_event_order(args.order, NO_EVENT)
    return _order(place, args)


def is_log(source: str) -> bool:
    """Whether a source is a log: a file of SQLite, or the address of a database."""
    from recorder.log.database import is_database

    if is_database(source):
        return True
    path = Path(source)
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def read_log(source: str) -> "Feed":
    """The event that a log holds; NotationError when it holds none."""
    from recorder.domain.errors import NotationError
    from recorder.feeds.tourney_js import Feed
    from recorder.log.places import log_place

    found = _register(log_place(source))
    if not found.event.divisions:
        raise NotationError("holds no event: tilecast event order LOG player A NAME")
    return Feed(event=found.event)


def high_words_of_log(source: str) -> "tuple[HighWord, ...]":
    """The highest plays of the games that a log has; no other source has any."""
    from recorder.log.places import log_place, open_log_reader
    from recorder.projections.high_words import recorded_high_words

    if not is_log(source):
        return ()
    with open_log_reader(log_place(source)) as reader:
        return recorded_high_words(reader.read_from(1))


def _register(place: "LogPlace") -> "Register":
    from recorder.log.places import open_log_reader
    from recorder.orders.event_record import event_of_log

    with open_log_reader(place) as reader:
        return event_of_log(reader)


def publish(
    source: str, division: "EventDivision", paired: "NextRound", who: str = "director"
) -> "EventPreview":
    """Record a round as paired in the log it was paired from."""
    from recorder.domain.event.orders import EventOrder, PublishRound, TableGame
    from recorder.log.places import log_place
    from recorder.orders.event_rules import absence_margin, bye_margin

    games = tuple(
        TableGame(table=pair.table, first=pair.first, second=pair.second) for pair in paired.pairs
    )
    act = PublishRound(
        division=division.name, round=paired.round, games=games, bye=paired.bye or 0,
        bye_margin=bye_margin(division), out=paired.out, out_margin=absence_margin(division),
    )  # fmt: skip
    order = EventOrder(id="", who=who, act=act, agreed=True)
    return _given(log_place(source), lambda _: order)[1]


def _given(
    place: "LogPlace", order_of: "Callable[[Event], EventOrder]", *, reading: bool = False
) -> "tuple[str, EventPreview]":
    """Give an order to a log; its name and what it does. A refused one is recorded as such.

    ``order_of`` says what is ordered of the event that the log has, which is read once.

    An order without a name gets the next one. One whose consequences nobody agreed to comes back
    with them and the reason, and is not recorded.
    """
    from dataclasses import replace

    from recorder.log.opening import opened_by, wall_ms
    from recorder.orders.event_record import event_of_log, event_preview, judged_row
    from recorder.orders.exchanged_cameras import exchanged_rows
    from recorder.orders.filled_in import filled_in
    from recorder.wire.event_orders import decode_event_order, encode_event_order

    with opened_by("tilecast event order", place, reading=reading) as store:
        register_ = event_of_log(store)
        order = order_of(register_.event)
        taken = {given.id for given in register_.orders}
        free = (f"e{n}" for n in range(1, len(taken) + 2) if f"e{n}" not in taken)
        # Through its wire form and back: what is too long, or no name, is refused there.
        order = decode_event_order(*encode_event_order(replace(order, id=order.id or next(free))))
        order, fault = filled_in(order, Path(), store)
        preview = event_preview(register_, order, lambda _: fault)
        if not reading:
            at = max([wall_ms(), *(row.at for row in store.read_from(max(store.head(), 1)))])
            row, reason = judged_row(register_, order, at, lambda _: fault)
            preview = replace(preview, reason=reason)
            if reason is None or not (preview.changes or preview.left_out):
                follows = exchanged_rows(order, store, seq=store.head() + 1, at=at, by="")
                store.append([row, *(follows if reason is None else [])])
    return order.id, preview


def _order(place: "LogPlace", args: argparse.Namespace) -> int:
    from recorder.domain.event.orders import EventOrder
    from recorder.orders.event_record import preview_json
    from recorder.orders.event_syntax import parse_event_order

    def order_of(event: "Event") -> EventOrder:
        act = parse_event_order(args.order, event)
        return EventOrder(id=args.id, who=args.who, act=act, agreed=args.agree)

    name, preview = _given(place, order_of, reading=args.preview)
    reason = "" if preview.reason is None else _words(preview.reason, "refusal")
    if args.json:
        recorded = preview.reason is None and not args.preview
        document = {"order": name, "recorded": recorded, **preview_json(preview), "reason": reason}
        answer(args, document, indent=1)
    elif not reason:
        _print_preview(name, preview, done=not args.preview)
    if reason:
        print(f"tilecast event order: refused: {reason}", file=sys.stderr)
        for line in _changes(preview):
            print(f"  {line}", file=sys.stderr)
        if preview.changes or preview.left_out:
            print("  if that is what you want: the same order with --agree", file=sys.stderr)
    return 1 if reason else 0


def _print_preview(name: str, preview: "EventPreview", *, done: bool) -> None:
    print(f"order {name} {'is recorded' if done else 'would do this; nothing is recorded'}")
    for change in preview.ranks:
        before, after = change.before, change.after
        print(
            f"  {change.division} {after.number} {after.name}: rank {before.rank} -> {after.rank},"
            f" spread {before.spread:+} -> {after.spread:+}"
        )
    for line in _changes(preview):
        print(f"  {line}")


def _words(code: "CodedText", group: str) -> str:
    from recorder.texts.telling import coded_text

    return coded_text(code, group)


def _changes(preview: "EventPreview") -> "Iterator[str]":
    """What an order changes beside standings, in words."""
    for change in preview.changes:
        yield _words(change, "event_change")
    for order in preview.left_out:
        yield f"order {order.id} would no longer fit, and would not count"


def _list(place: "LogPlace", args: argparse.Namespace) -> int:
    from recorder.domain.event.register import undone_by
    from recorder.texts.event import event_order_in_words
    from recorder.wire.event_orders import encode_event_order

    found = _register(place)
    undone = undone_by(found.orders)
    if args.json:
        orders = [
            {"type": type_name, **data, "in_force": order.id not in undone}
            for order in found.orders
            for type_name, data in (encode_event_order(order),)
        ]
        answer(args, {"orders": orders}, indent=1)
        return 0
    for order in found.orders:
        words = event_order_in_words(order.act, found.event)
        state = f"   (undone by {undone[order.id]})" if order.id in undone else ""
        print(f"{order.id} by {order.who}: {words}{state}")
    return 0
