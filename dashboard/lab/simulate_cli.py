"""``tilecast simulate viewers``: how many can watch here, and what 100,000 would cost."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer, at_work

if TYPE_CHECKING:
    from dashboard.lab.crowd import CrowdMeasured
    from recorder.declared.codec import Json

MOST_ASKING = 5_000


def register(subparsers: Any) -> None:
    """Add the command to the program's parser."""
    simulate = subparsers.add_parser("simulate")
    actions = simulate.add_subparsers(required=True, metavar="ACTION")
    viewers = actions.add_parser("viewers", run=run_simulate_viewers)
    viewers.add_argument("--viewers", type=int, default=100, metavar="N")
    viewers.add_argument("--asking", action="store_true")
    viewers.add_argument("--every", type=float, default=2.0, metavar="S")
    viewers.add_argument("--plays", type=float, default=30.0, metavar="N")
    viewers.add_argument("--per-gigabyte", type=float, default=0.0, metavar="PRICE")
    viewers.add_argument("--per-million", type=float, default=0.0, metavar="PRICE")
    add_json(viewers)


def run_simulate_viewers(args: argparse.Namespace) -> int:
    """0 when all viewers had all plays, 1 when not, 2 for numbers that cannot be."""
    from dashboard.lab.crowd import simulate
    from dashboard.lab.viewer_costs import MOST_SOCKETS, STEPS, Prices, on_paper
    from recorder.domain.errors import TilecastError

    most = MOST_ASKING if args.asking else MOST_SOCKETS
    if not 1 <= args.viewers <= most or not 0.1 <= args.every <= 60 or not 1 <= args.plays <= 1800:
        print(
            f"tilecast simulate viewers: --viewers 1 to {most}, --every 0.1 to 60 seconds,"
            " --plays 1 to 1800 an hour",
            file=sys.stderr,
        )
        return 2
    try:
        with at_work(f"{args.viewers} viewers"):
            measured = simulate(args.viewers, asking=args.asking, every_s=args.every)
    except (TilecastError, OSError, TimeoutError) as fault:
        print(
            f"tilecast simulate viewers: {str(fault) or 'not all could connect'}", file=sys.stderr
        )
        return 1
    prices = Prices(args.per_gigabyte, args.per_million)
    paper = [on_paper(_both(measured), args.plays, prices, many) for many in STEPS]
    late = measured.late_ms
    document = {
        "viewers": args.viewers,
        "by": "asking" if args.asking else "sockets",
        "turns": measured.turns,
        "missed": measured.missed,
        "late_ms": {"median": _at(late, 0.5), "p95": _at(late, 0.95)},
        "dashboard_cpu_ms_a_turn": measured.cpu_ms_a_turn,
        "bytes": {
            "update": round(measured.taken.update),
            "frame": measured.taken.frame,
            "unchanged": measured.taken.unchanged,
            "idle_a_second": round(measured.taken.idle_a_second, 1),
        },
        "an_hour_of_one_table": paper,
    }
    answer(args, document, *_lines(document))
    return 1 if measured.missed else 0


def _both(measured: "CrowdMeasured") -> Any:
    """What one viewer takes both ways; what this run did not measure is what ours did."""
    from dataclasses import replace

    taken = measured.taken
    return replace(
        taken,
        update=taken.update or 160.0,
        idle_a_second=taken.idle_a_second or 11.0,
        frame=taken.frame or 1_600,
        unchanged=taken.unchanged or 570,
    )


def _at(late: tuple[float, ...], share: float) -> float | None:
    return round(late[min(len(late) - 1, int(len(late) * share))], 1) if late else None


def _lines(found: "Json") -> list[str]:
    cpu = found["dashboard_cpu_ms_a_turn"]
    late, size = found["late_ms"], found["bytes"]
    who = f"{found['viewers']} viewers by {found['by']}"
    lines = [
        f"{who}, {found['turns']} plays, missed {found['missed']}",
        f"from the row to a page   median {late['median']} ms, p95 {late['p95']} ms",
        "the dashboard's CPU      " + ("not known here" if cpu is None else f"{cpu:.0f} ms a play"),
    ]
    lines += [f"bytes, {name:<18} {value}" for name, value in size.items() if value]
    lines += ["", "an hour of one table, on paper:"]
    lines.append(
        f"{'viewers':>8}  {'dashboards':>10} {'GB':>8} {'Mbit a play':>11}   "
        f"{'or a cache: GB':>14} {'requests/s':>10} {'to us/s':>7} {'cost':>9}"
    )
    for row in found["an_hour_of_one_table"]:
        by, cache = row["sockets"], row["cache"]
        lines.append(
            f"{row['viewers']:>8}  {by['dashboards']:>10} {by['gigabytes']:>8}"
            f" {by['megabits_at_a_play']:>11}   {cache['gigabytes']:>14}"
            f" {cache['requests_a_second']:>10} {cache['of_them_to_the_dashboard']:>7}"
            f" {cache['cost']:>9}"
        )
    return lines
