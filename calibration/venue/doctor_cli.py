"""``tilecast doctor venue``: what is wrong at a venue, cause by cause, each with what helps."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, at_work, plain_words
from recorder.operations.process_logs import silenced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.venue.checks import Place
    from recorder.projections.health.device_health import VenueHealth
    from recorder.projections.health.finding import Finding


def register_doctor(subparsers: Any) -> None:
    """Add ``doctor venue``; ``subparsers`` are those of ``tilecast doctor``."""
    parser = subparsers.add_parser("venue", run=run_doctor_venue)
    parser.add_argument("place", type=Path, metavar="PLACE")
    parser.add_argument("--wait", type=float, default=5.0, metavar="S")
    add_json(parser)


@silenced("tilecast")  # what is lost is told as a finding
def run_doctor_venue(args: argparse.Namespace) -> int:
    """0 when nothing is ill, 1 when something is or a file cannot be read."""
    from recorder.commands.doctor_cli import ended
    from recorder.domain.errors import TilecastError
    from recorder.projections.health.device_health import HealthGrade as Grade

    found: list[Finding] = []
    try:
        with at_work("looking and trying"):
            for finding in _findings(args):
                found.append(finding)
                if not args.json:
                    sys.stdout.write(f"{finding.grade:6}{finding.what:24}{finding.words}\n")
                    sys.stdout.flush()
    except (TilecastError, OSError) as fault:
        sys.stderr.write(f"tilecast doctor venue: {plain_words(fault)}\n")
        return 1
    is_well = all(finding.grade is not Grade.ILL for finding in found)
    return ended(args, found, is_well=is_well)


def _findings(args: argparse.Namespace) -> "Iterator[Finding]":
    from calibration.venue.checks import read_place
    from calibration.venue.examining import examine

    place = read_place(args.place)
    yield from examine(place, _heard(place, args.wait))


def _heard(place: "Place", wait_s: float) -> "VenueHealth | None":
    """What the devices of a recorder's file say; None where there is no such file, or no broker."""
    from calibration.venue.ear import HealthListener
    from recorder.log.opening import wall_ms
    from recorder.service.venue_file import BROKERS

    record = place.record
    if record is None or record.broker in BROKERS:
        return None
    with HealthListener(record, record.broker, record.log, wall_ms) as ear:
        end = time.monotonic() + wait_s
        while not ear.has_heard_all() and time.monotonic() < end:
            time.sleep(0.05)
        health = ear.health()
    return None if health.broker else health
