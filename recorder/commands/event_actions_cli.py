"""What the commands on an event do and print, once a feed is read."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.domain.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from recorder.domain.event.divisions import Event, EventDivision
    from recorder.domain.event.next_round import NextRound, TablePair
    from recorder.domain.event.placing import Placing
    from recorder.domain.rules.core.parameters import Rules
    from recorder.feeds.fault import FeedFault
    from recorder.feeds.tourney_js import Feed

MOST_SHOWN = 5


def _rules(args: argparse.Namespace, division: "EventDivision") -> "Rules":
    """The rule set asked for, else the one that the log names for the division."""
    from recorder.orders.event_rules import rules_of
    from recorder.rulesets import load_rule_set

    return load_rule_set(args.rules) if args.rules else rules_of(division)


def _division(args: argparse.Namespace, event: "Event") -> "EventDivision":
    """The division asked for, else the first, which is then said."""
    names = ", ".join(division.name for division in event.divisions)
    if args.division is None:
        if len(event.divisions) > 1:
            _complain(args, f"there are divisions {names}: this is {event.divisions[0].name}")
        return event.divisions[0]
    wanted = args.division.strip().casefold()
    for division in event.divisions:
        if division.name.casefold() == wanted:
            return division
    raise NotationError(f"has no division {args.division}; there are: {names}")


def _complain(args: argparse.Namespace, message: object) -> None:
    print(f"tilecast event: {args.feed}: {message}", file=sys.stderr)


def _status(args: argparse.Namespace, feed: "Feed", division: "EventDivision") -> int:
    """Says what is wrong and left out; 1 when the end of the feed is missing."""
    from recorder.feeds.checking import check_division

    here = (None, division.name)
    found = [f for f in feed.faults if f.division in here or f.code == "broken_off"]
    errors = [f for f in (*found, *check_division(division)) if not f.warning]
    for fault in errors[:MOST_SHOWN]:
        _complain(args, fault)
    if len(errors) > MOST_SHOWN:
        hidden = len(errors) - MOST_SHOWN
        _complain(args, f"{hidden} more faults: tilecast event check {args.feed}")
    return 0 if feed.whole else 1


def show_standings(args: argparse.Namespace, feed: "Feed") -> int:
    """The standings of a division; 1 when the end of the feed is missing."""
    from recorder.domain.event.placing import placings

    division = _division(args, feed.event)
    last = division.scored_rounds
    after = last if args.round is None else args.round
    if not 0 <= after <= max(last, division.paired_rounds):
        raise NotationError(
            f"division {division.name} has results of {last} rounds; --round {after} is not one"
            f" of 0 to {last}"
        )
    rows = placings(_rules(args, division), division, after)
    if args.json:
        _print_json([_standing_json(row) for row in rows])
    else:
        _print_standings(division, after, rows)
    return _status(args, feed, division)


def _standing_json(row: "Placing") -> dict[str, Any]:
    return {
        "rank": row.rank,
        "id": row.number,
        "name": row.name,
        "wins": _plain(row.wins),
        "losses": _plain(row.losses),
        "spread": row.spread,
        "rating": row.rating,
    }


def _plain(value: "Fraction") -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False, indent=1))


def _print_table(title: str, columns: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> None:
    """A table as wide as it needs to be; figures to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for column in columns:
        words = column in {"player", "first", "second", "why", "message", "place"}
        table.add_column(column, justify="left" if words else "right", no_wrap=column != "why")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False)
    console.width = max(console.width, 110)
    console.print(table)


def _print_standings(division: "EventDivision", after: int, rows: "Sequence[Placing]") -> None:
    from recorder.domain.event.draws import in_halves

    title = f"Division {division.name}, " + (f"after round {after}" if after else "seeding")
    _print_table(
        title,
        ("rank", "id", "player", "wins", "losses", "spread", "avg for", "avg against", "high",
         "rating", "expected"),
        [
            (
                "left" if row.left else str(row.rank), str(row.number), row.name,
                in_halves(row.wins), in_halves(row.losses), f"{row.spread:+}",
                _tenth(row.average_for), _tenth(row.average_against),
                str(row.high_game or "-"), str(row.rating or "-"), _tenth(row.expected_wins),
            )
            for row in rows
        ],
    )  # fmt: skip


def _tenth(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def show_pairs(args: argparse.Namespace, feed: "Feed") -> int:
    """A round of a division, paired; 1 when the end of the feed is missing."""
    from recorder.commands.event_order_cli import is_log
    from recorder.domain.event.next_round import pair_round
    from recorder.domain.event.seating import tables_for
    from recorder.domain.event.wanted import Method, WantedRound
    from recorder.matching import least_cost_pairs
    from recorder.orders.draw_words import fixed_tables, known_players, locked_pair
    from recorder.simulating import ChanceSimulator

    division = _division(args, feed.event)
    tables = fixed_tables(args.fixed)
    known_players(division, tables)
    round_ = division.paired_rounds + 1 if args.round is None else args.round
    _check_round(args, division, round_)
    wanted = WantedRound(
        round=round_,
        method=Method(args.method),
        order=_shuffled(args, division, round_),
        absent=known_players(division, args.absent),
        tables=tables,
        seats=tables_for(feed.event, division, len(division.players)) if is_log(args.feed) else (),
        locked=[locked_pair(word) for word in args.lock],
        prizes=args.prizes,
    )
    simulator = ChanceSimulator(round_ if args.seed is None else args.seed)
    paired = pair_round(_rules(args, division), division, wanted, least_cost_pairs, simulator)
    if args.publish:
        _publish(args, division, paired)
    names = {player.number: player.name for player in division.players}
    if args.json:
        pairs = [_pair_json(pair, names) for pair in paired.pairs]
        _print_json({"pairs": pairs, "bye": paired.bye})
    else:
        _print_pairs(division, paired, names)
    return _status(args, feed, division)


def _publish(args: argparse.Namespace, division: "EventDivision", paired: "NextRound") -> None:
    """Record the round; NotationError where FEED is no log, or the round has begun."""
    from recorder.commands.event_order_cli import is_log, publish
    from recorder.texts.telling import coded_text

    if not is_log(args.feed):
        raise NotationError("--publish takes a log: keep the event with tilecast event order")
    preview = publish(args.feed, division, paired)
    if preview.reason is not None:
        raise NotationError(coded_text(preview.reason, "refusal"))


def _check_round(args: argparse.Namespace, division: "EventDivision", round_: int) -> None:
    """NotationError where a round cannot be paired from this feed; a word where it is odd."""
    last = division.paired_rounds + 1
    if round_ < 1 or (round_ > last and args.method != "round_robin"):
        raise NotationError(
            f"division {division.name} is paired up to round {division.paired_rounds}: --round"
            f" {round_} is not one of 1 to {last}"
        )
    if division.last_round is not None and round_ > division.last_round:
        _complain(args, f"the event has {division.last_round} rounds; this would be {round_}")
    missing = sum(game.round < round_ and not game.played for game in division.games)
    if missing:
        _complain(args, f"{missing} results before round {round_} are missing: paired without them")


def _shuffled(args: argparse.Namespace, division: "EventDivision", round_: int) -> list[int]:
    """All numbers as a seed puts them; one that nobody gave is said, to draw the same again.

    Methods that draw nothing but who moves first do so by the round's number.
    """
    import random
    import secrets

    seed = args.seed
    if seed is None and args.method == "random":
        seed = secrets.randbelow(10**6)
        _complain(args, f"drawn with --seed {seed}")
    order = sorted(player.number for player in division.players)
    random.Random(round_ if seed is None else seed).shuffle(order)  # noqa: S311 - repeatable on purpose
    return order


def _pair_json(pair: "TablePair", names: "Mapping[int, str]") -> dict[str, Any]:
    from recorder.texts.pairing import why_paired

    return {
        "table": pair.table,
        "first": pair.first,
        "second": pair.second,
        "repeat": pair.repeat,
        "why": why_paired(pair, names),
    }


def _print_pairs(
    division: "EventDivision", paired: "NextRound", names: "Mapping[int, str]"
) -> None:
    from recorder.texts.pairing import why_paired

    _print_table(
        f"Division {division.name}, round {paired.round}",
        ("table", "first", "second", "why"),
        [
            (
                str(pair.table), f"{pair.first} {names[pair.first]}",
                f"{pair.second} {names[pair.second]}",
                ("REPEAT: " if pair.repeat else "") + why_paired(pair, names),
            )
            for pair in paired.pairs
        ],
    )  # fmt: skip
    if paired.bye is not None:
        print(f" bye: {paired.bye} {names[paired.bye]}")
    if paired.out:
        print(f" sitting out: {', '.join(f'{number} {names[number]}' for number in paired.out)}")


def show_faults(args: argparse.Namespace, feed: "Feed") -> int:
    """Every fault of a feed; 1 when one is an error."""
    from recorder.feeds.checking import check_event, check_ranks

    found = [*feed.faults, *check_event(feed.event)]
    found += [
        fault
        for division in feed.event.divisions
        for fault in check_ranks(_rules(args, division), division)
    ]
    errors = sum(not fault.warning for fault in found)
    if args.json:
        faults = [fault.as_json() for fault in found]
        _print_json({"file": args.feed, "ok": not errors, "faults": faults})
    else:
        _print_faults(args, feed, found, errors)
    return 1 if errors else 0


def _print_faults(
    args: argparse.Namespace, feed: "Feed", found: "Sequence[FeedFault]", errors: int
) -> None:
    for fault in found:
        severity = "warning" if fault.warning else "error"
        print(f"{args.feed}: {severity}: {fault} [{fault.code}]")
    for division in feed.event.divisions:
        print(
            f"{args.feed}: division {division.name}: {len(division.players)} players, paired up to"
            f" round {division.paired_rounds}, results up to round {division.scored_rounds}"
        )
    print(f"{args.feed}: {f'{errors} errors' if errors else 'ok'}")


def export(args: argparse.Namespace, feed: "Feed") -> int:
    """The event in another form; 1 when the end of the feed is missing."""
    from dataclasses import replace

    event = feed.event
    if args.division is not None:
        event = replace(event, divisions=(_division(args, event),))
    if args.output is not None and args.format == "tsh":
        written = _write_folder(args.output, event)
    elif args.output is not None:
        args.output.write_text(_as_text(event, args.format), encoding="utf-8", newline="")
        written = [args.output]
    elif args.json:
        _print_json({"format": args.format, "text": _as_text(event, args.format)})
        written = []
    else:
        sys.stdout.write(_as_text(event, args.format))
        written = []
    for path in written:
        print(path)
    if not feed.whole:
        _complain(args, feed.faults[-1])
    return 0 if feed.whole else 1


def print_sheets(args: argparse.Namespace, feed: "Feed") -> int:
    """Sheets of a division as PDF; 1 when the end of the feed is missing."""
    from recorder.commands.event_order_cli import high_words_of_log
    from recorder.orders.event_rules import rules_of
    from recorder.printing.event_sheets import EventSheet, event_sheets, newest_round
    from recorder.printing.pdf import pdf

    division, sheet = _division(args, feed.event), EventSheet(args.sheet)
    newest = newest_round(sheet, division)
    round_ = newest if args.round is None else args.round
    if not 0 <= round_ <= newest:
        raise NotationError(
            f"division {division.name} is known up to round {newest}: --round {round_} is not one"
        )
    words = high_words_of_log(args.feed) if sheet is EventSheet.PRIZES else ()
    pages = event_sheets(sheet, feed.event, division, round_, rules_of(division), words)
    args.output.write_bytes(pdf(*pages))
    if args.json:
        _print_json({"file": str(args.output), "sheet": args.sheet, "round": round_})
    else:
        print(args.output)
    return _status(args, feed, division)


def show_back(args: argparse.Namespace, feed: "Feed") -> int:
    """The results that a log has and the feed has not; 1 when the end of the feed is missing."""
    from recorder.commands.event_order_cli import read_log
    from recorder.domain.event.following import results_to_give_back
    from recorder.feeds.results_back import RESULT_COLUMNS, result_lines, result_table

    results = results_to_give_back(read_log(args.log).event, feed.event)
    if args.json:
        rows = [
            (r.division, r.round, r.first, r.first_score, r.second, r.second_score) for r in results
        ]
        _print_json([dict(zip(RESULT_COLUMNS, row, strict=True)) for row in rows])
    else:
        sys.stdout.write(result_table(results) if args.csv else result_lines(results))
    if not feed.whole:
        _complain(args, feed.faults[-1])
    return 0 if feed.whole else 1


def _as_text(event: "Event", form: str) -> str:
    from recorder.feeds.forms import FORMS
    from recorder.orders.event_rules import rules_of

    return FORMS[form](event, rules_of)


def _write_folder(folder: Path, event: "Event") -> list[Path]:
    """``config.tsh`` and a division file for each division, as TSH wants them."""
    from recorder.feeds.tsh_config import tsh_folder

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in tsh_folder(event).items():
        written.append(folder / name)
        written[-1].write_text(text, encoding="utf-8")
    return written
