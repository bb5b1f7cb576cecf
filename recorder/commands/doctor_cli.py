"""``tilecast doctor``: what the broker gives, and whether a probe comes through to the record."""

import argparse
import json
import os
import sys
from typing import Any

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

DEFAULT_BROKER = "mqtt://127.0.0.1:1883"


def register(subparsers: _Subparsers) -> None:
    """Add the command."""
    doctor = subparsers.add_parser(
        "doctor",
        help="try out the broker and the way to the record",
        description="Connects to the broker, tries out what it promises (retained messages, wills, "
        "redelivery, packet size, speed) and sends a probe event through to a recorder's log. "
        "Harmless while a game runs: it has topics of its own.",
    )
    doctor.add_argument(
        "--broker",
        default=os.environ.get("TILECAST_MQTT_URL", DEFAULT_BROKER),
        metavar="URL",
        help="mqtt://host[:port] or mqtts://user:password@host; default: TILECAST_MQTT_URL, else "
        "this machine",
    )
    doctor.add_argument("--venue", default="main", metavar="NAME", help="the venue's name; main")
    doctor.add_argument("--json", action="store_true", help="one JSON document on standard output")
    doctor.set_defaults(run=run_doctor)


def run_doctor(args: argparse.Namespace) -> int:
    """0 when a recorder has stored the probe, 1 when not or when there is no broker."""
    import logging

    from recorder.commands.doctor import Check, Doctor
    from recorder.domain.errors import TilecastError

    def show(check: Check) -> None:
        if not args.json:
            sys.stdout.write(f"{check.grade.value:8}{check.what:22}{check.words}\n")
            sys.stdout.flush()

    # Losing connections is part of the examination: no news.
    logging.getLogger("tilecast.bus").setLevel(logging.CRITICAL)
    try:
        doctor = Doctor(args.broker, args.venue, show)
        is_well = doctor.examine()
    except TilecastError as fault:
        sys.stderr.write(f"tilecast doctor: {fault}\n")
        return 1
    if args.json:
        found = [
            {"what": check.what, "grade": check.grade.value, "words": check.words}
            for check in doctor.checks
        ]
        sys.stdout.write(json.dumps({"ok": is_well, "findings": found}) + "\n")
    return 0 if is_well else 1
