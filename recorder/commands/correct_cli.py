"""``tilecast correct``: look at a log and put it right, without a dashboard and without a broker.

The same orders as a director's console gives, judged and folded by the same code. While a recorder
writes the log it is read only here.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recorder.declared.codec import Json
    from recorder.domain.orders import TableOrder
    from recorder.frames.desk import Item
    from recorder.log.places import LogPlace
    from recorder.log.port import EventLog, NewRow, Row
    from recorder.table.game_recorder import GameRecorder


def register(subparsers: Any) -> None:
    """Add the command to the program's parser."""
    from recorder.orders.syntax import usage

    correct = subparsers.add_parser("correct", epilog=f"orders:\n{usage()}", run=run_correct)
    correct.add_argument("log", metavar="LOG")
    correct.add_argument("order", metavar="ORDER", nargs="*")
    correct.add_argument("--table", type=int, default=0)
    correct.add_argument("--game", default="")
    correct.add_argument("--who", default="director")
    correct.add_argument("--id", default="")
    correct.add_argument("--preview", action="store_true")
    correct.add_argument("--gcg", type=Path, metavar="OUT")
    add_json(correct)


def run_correct(args: argparse.Namespace) -> int:
    """``tilecast correct``: 0 when done, 1 when the log or the order is at fault."""
    from recorder.domain.errors import NotationError
    from recorder.log.places import is_begun, log_place, shown_place

    place = log_place(args.log)
    args.log = shown_place(place)  # no password is in it: the rest names it in messages
    if not is_begun(place):
        raise NotationError(f"{args.log}: there is no such log")
    if not args.order:
        return _list(place, args)
    return _correct(place, args)


def _list(place: "LogPlace", args: argparse.Namespace) -> int:
    from recorder.log.places import open_log_reader

    with open_log_reader(place) as reader:
        rows = list(reader.read_from(1))
    game_recorder = _game_recorder(rows, args)
    document = _document(game_recorder, rows)
    if args.gcg is not None:
        args.gcg.write_text(game_recorder.gcg(), encoding="utf-8")
    answer(args, document, *_list_lines(document), indent=1)
    return 0


def _correct(place: "LogPlace", args: argparse.Namespace) -> int:
    from recorder.log.opening import opened_by, wall_ms

    reading = args.preview
    with opened_by("tilecast correct", place, reading=reading) as store:
        if not reading:
            _refuse_broken(args, store)
        rows = list(store.read_from(1))
        game_recorder = _game_recorder(rows, args)
        order = _told(args, game_recorder, rows)
        now = max(wall_ms(), rows[-1].at)
        preview = game_recorder.preview(order, seq=store.head() + 1, at=now)
        if preview["ok"] and not reading:
            _carry_out(store, game_recorder, order, now)
        if args.gcg is not None and preview["ok"]:
            args.gcg.write_text(game_recorder.gcg(), encoding="utf-8")
    return _say(args, order, preview)


def _carry_out(
    store: "EventLog", game_recorder: "GameRecorder", order: "TableOrder", now: int
) -> None:
    """Record the order and what follows from it, as a recorder does."""
    from recorder.orders.event_record import event_of_log
    from recorder.orders.intake import order_rows
    from recorder.service.games.game_results import result_rows

    def append(drafts: "Sequence[NewRow]") -> None:
        for row in store.append(drafts):
            if row is not None:
                game_recorder.take(row)

    append(game_recorder.pending_rows(now))
    seq = store.head() + 1
    append(
        order_rows(
            game_recorder,
            game_recorder.judge(order, seq=seq, at=now),
            seq=seq,
            at=now,
            by="correct",
        )
    )
    append(game_recorder.pending_rows(now))
    append(result_rows(game_recorder, event_of_log(store), now))


def _game_recorder(rows: "Sequence[Row]", args: argparse.Namespace) -> "GameRecorder":
    """The game recorder of a game at a table, the newest unless named, with all its rows."""
    from recorder.domain.errors import NotationError
    from recorder.domain.record import GameStarted
    from recorder.table.game_recorder import GameRecorder, TablePlan

    begun = [row.says for row in rows if isinstance(row.says, GameStarted)]
    if not begun:
        raise NotationError(f"{args.log}: no game has begun in it")
    names = list(dict.fromkeys(started.game for started in begun))
    begun = [started for started in begun if args.game in ("", started.game)]
    if not begun:
        raise NotationError(f"{args.log}: has no game {args.game}; there are: {', '.join(names)}")
    tables = sorted({started.table for started in begun})
    table = args.table or tables[0]
    if table not in tables or (not args.table and len(tables) > 1):
        raise NotationError(
            f"{args.log}: has tables {', '.join(map(str, tables))}; name one: --table"
        )
    newest = [started for started in begun if started.table == table][-1]
    game_recorder = GameRecorder(TablePlan(started=newest, devices={}))
    for row in rows:
        if row.table == table:
            game_recorder.take(row)
    return game_recorder


def _refuse_broken(args: argparse.Namespace, store: "EventLog") -> None:
    """Nothing is written on top of rows that somebody changed."""
    from recorder.domain.errors import RecorderError

    broken = store.verify()
    if broken is not None:
        raise RecorderError(
            f"{args.log}: row {broken} was changed, or one before it is missing;"
            " see: tilecast log verify"
        )


def _told(
    args: argparse.Namespace, game_recorder: "GameRecorder", rows: "Sequence[Row]"
) -> "TableOrder":
    from recorder.domain.orders import Order, TableOrder
    from recorder.domain.record import OrderCarriedOut, OrderRefused, OrderRepeated
    from recorder.domain.row_kind import Kind
    from recorder.orders.syntax import parse_order

    orders = [row.says for row in rows if row.kind is Kind.RULED]
    taken = {ruled.order.order.id for ruled in orders if isinstance(ruled, OrderCarriedOut)}
    taken |= {ruled.id for ruled in orders if isinstance(ruled, OrderRefused | OrderRepeated)}
    number = next(n for n in range(1, len(rows) + 2) if f"c{n}" not in taken)
    order = Order(id=args.id or f"c{number}", who=args.who, act=parse_order(args.order))
    started = game_recorder.plan.started
    return TableOrder(table=started.table, order=order, game=started.game if args.game else "")


def _say(args: argparse.Namespace, order: "TableOrder", preview: "Json") -> int:
    from recorder.texts.telling import preview_with_texts

    found = preview_with_texts(preview)
    document = {"order": order.order.id, "recorded": not args.preview, **found}
    if not preview["ok"]:
        document["recorded"] = False
        if not args.json:
            print(f"tilecast correct: refused: {found['reason']['text']}", file=sys.stderr)
    lines = _preview_lines(document, done=not args.preview) if preview["ok"] else ()
    answer(args, document, *lines, indent=1)
    return 0 if preview["ok"] else 1


def _document(game_recorder: "GameRecorder", rows: "Sequence[Row]") -> dict[str, Any]:
    from recorder.domain.game import replay
    from recorder.projections.timeline import timeline

    started = game_recorder.plan.started
    mine = [row for row in rows if (row.table, row.game) == (started.table, started.game)]
    items = timeline(mine)
    holding = [item for item in items if item["superseded_by"] is None and item["entries"]]
    return {
        "game": game_recorder.plan.started.game,
        "players": list(game_recorder.plan.started.players),
        "totals": list(replay(game_recorder.tile_set, game_recorder.recorded.events).scores),
        "entries": [_entry(name, item) for name, item in _in_order(game_recorder, holding)],
        "orders": [
            {"row": item["seq"], "at": item["at"], **item["order"]}
            for item in items
            if "order" in item
        ],
    }


def _in_order(game_recorder: "GameRecorder", items: "Sequence[Item]") -> "list[tuple[Any, Item]]":
    """Every entry by its place in the game, with the item that holds it."""
    by_row = {item["seq"]: item for item in items}
    return [(name, by_row[name.row]) for name, _ in game_recorder.recorded.entries()]


def _entry(name: Any, item: "Item") -> dict[str, Any]:
    label = f"{name.row}.{name.part + 1}" if name.part else str(name.row)
    doubt = item["doubt"] if name.part == 0 else None
    orders = [order["id"] for order in item["orders"]]
    return {"name": label, **item["entries"][name.part], "doubt": doubt, "orders": orders}


def _list_lines(document: dict[str, Any]) -> "Iterator[str]":
    first, second = document["players"]
    yield f"{document['game']}: 1 {first}, 2 {second}\n"
    for entry in document["entries"]:
        by = f"   (ordered: {', '.join(entry['orders'])})" if entry["orders"] else ""
        yield f"{entry['name']:>6}  {entry['player'] + 1}  {entry['text']}{by}"
        if entry["doubt"] is not None:
            for reason in entry["doubt"]["reasons"]:
                yield f"{'':>11}doubt: {reason}"
            for candidate in entry["doubt"]["candidates"][1:]:
                yield f"{'':>11}candidate {candidate['candidate']}: {candidate['text']}"
    totals = document["totals"]
    yield f"\n{first} {totals[0]}, {second} {totals[1]}"
    for order in document["orders"]:
        state = "" if order["in_force"] else "   (not in force)"
        yield f"order {order['id']} by {order['who']}, row {order['row']}: {order['text']}{state}"


def _preview_lines(document: dict[str, Any], *, done: bool) -> "Iterator[str]":
    what = "is recorded" if done else "would do this; nothing is recorded"
    yield f"order {document['order']} {what}"
    for change in document["changes"]:
        yield f"  {', '.join(change['entries']) or 'new'}"
        for name in ("before", "after"):
            for line in change[name]:
                yield f"    {name + ':':<8} {_line(line)}"
        for doubt in change["doubts"]:
            yield f"    doubt:   {doubt['text']}"
    before, after = (document["totals"][name] for name in ("before", "after"))
    yield f"  totals {before[0]}-{before[1]} -> {after[0]}-{after[1]}"


def _line(line: dict[str, Any]) -> str:
    what = f"{line['position']} {line['word']}".strip() or line["kind"].replace("_", " ")
    if line["kind"] == "withdraw":
        what = f"withdrawn: {what}"
    return f"{line['player'] + 1} {what} {line['score']:+d}"
