"""``tilecast export site``: a log as a folder of pages for any web server."""

import argparse
import json
from pathlib import Path
from typing import Any

from recorder.operations.answers import add_json, at_work


def register(subparsers: Any) -> None:
    """Add the command to the program's parser."""
    export = subparsers.add_parser("export")
    actions = export.add_subparsers(required=True, metavar="ACTION")
    site = actions.add_parser("site", run=run_export_site)
    site.add_argument("log", metavar="LOG")
    site.add_argument("out", type=Path, metavar="OUT")
    site.add_argument("--tournament", type=Path, metavar="FILE")
    site.add_argument("--branding", type=Path, metavar="FILE")
    site.add_argument("--delay", type=float, default=0.0, metavar="S")
    add_json(site)


def run_export_site(args: argparse.Namespace) -> int:
    """0 when the folder is written, 1 when the log, a file or the folder is at fault."""
    from dashboard.event.late_orders import LateOrders
    from dashboard.live.log_follower import DelayLine, now_ms
    from dashboard.overlays.extras import OverlayExtras
    from dashboard.watch.site import write_site
    from recorder.domain.errors import RecorderError
    from recorder.log.places import log_place, open_log_reader, shown_place
    from recorder.log.port import first_broken

    shown = shown_place(place := log_place(args.log))
    with open_log_reader(place) as log, at_work(f"reading {shown}"):
        rows = list(log.read_from(1))
    if (broken := first_broken(rows)) is not None:
        raise RecorderError(f"row {broken} of the log does not hold")
    delay_ms, now = round(args.delay * 1000), now_ms()
    line, orders = DelayLine(delay_ms), LateOrders(delay_ms)
    for row in rows:
        line.put(row)
        orders.take(row)
    known = [row for row, _ in line.due(now)]
    extras = OverlayExtras(args.tournament, args.branding)
    with at_work("writing pages"):
        written = write_site(known, orders.register_at(now), args.out, extras)
    left_out = list(written.still_on)
    if args.json:
        said = {"folder": str(args.out), "games": list(written.games), "still_on": left_out}
        print(json.dumps(said, ensure_ascii=False))
        return 0
    print(f"{args.out}: {len(written.games)} games; open index.html on a web server")
    if left_out:
        print(f"still on, left out: table {', '.join(map(str, left_out))}")
    return 0
