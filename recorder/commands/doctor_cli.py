"""``tilecast doctor``: what the broker gives, and whether a probe comes through to the record."""

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from recorder.commands.command_line import keep_what_stands_before
from recorder.operations.answers import add_json, answer, at_work
from recorder.operations.process_logs import silenced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recorder.commands.trials.doctor import Check, Tell
    from recorder.projections.health.finding import Finding

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

DEFAULT_BROKER = "mqtt://127.0.0.1:1883"


def register(subparsers: _Subparsers, add_more: "Callable[[_Subparsers], None]") -> None:
    """Add the command; ``add_more`` adds what others examine to it."""
    doctor = subparsers.add_parser("doctor", run=run_doctor)
    add_broker(doctor)
    doctor.add_argument("--device", default="", metavar="NAME")
    of = doctor.add_subparsers(title="what else to examine", metavar="WHAT", dest="of")
    add_more(of)
    for child in of.choices.values():
        keep_what_stands_before(child, doctor)


def add_broker(doctor: argparse.ArgumentParser) -> None:
    """Add the options that name a broker and a venue."""
    doctor.add_argument(
        "--broker", default=os.environ.get("TILECAST_MQTT_URL", DEFAULT_BROKER), metavar="URL"
    )
    doctor.add_argument("--venue", default="main", metavar="NAME")
    add_json(doctor)


# Losing connections is part of the examination: no news.
@silenced("tilecast.bus")
def run_doctor(args: argparse.Namespace) -> int:
    """0 when a recorder has stored the probe, 1 when not or when there is no broker."""
    from recorder.commands.trials.doctor import Doctor

    doctor = Doctor(args.broker, args.venue, teller(args), args.device)
    with at_work("trying the broker"):
        is_well = doctor.examine()
    return ended(args, doctor.checks, is_well=is_well)


def teller(args: argparse.Namespace) -> "Tell":
    """Says each finding as it is made, unless a document is wanted: then only what is asked for."""

    def show(check: "Check") -> None:
        out = sys.stderr if args.json else sys.stdout
        if not args.json or check.is_request:
            grade = "do" if check.is_request else check.grade.value
            out.write(f"{grade:8}{check.what:26}{check.words}\n")
            out.flush()

    return show


def ended(args: argparse.Namespace, checks: "Sequence[Check | Finding]", *, is_well: bool) -> int:
    """The exit status; with ``--json`` the findings are printed as a document."""
    found = [
        {"what": check.what, "grade": str(check.grade), "words": check.words} for check in checks
    ]
    answer(args, {"ok": is_well, "findings": found})
    return 0 if is_well else 1
