"""``tilecast doctor``: what the broker gives, and whether a probe comes through to the record."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from recorder.commands.command_line import keep_what_stands_before
from recorder.operations.answers import add_json, at_work
from recorder.operations.process_logs import silenced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from recorder.commands.trials.doctor import Check, Tell

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""

DEFAULT_BROKER = "mqtt://127.0.0.1:1883"


def register(subparsers: _Subparsers, add_more: "Callable[[_Subparsers], None]") -> None:
    """Add the command; ``add_more`` adds what others examine to it."""
    doctor = subparsers.add_parser(
        "doctor",
        help="try out the broker and the way to the record",
        description="Connects to the broker, tries out what it promises (retained messages, wills, "
        "redelivery, packet size, speed) and sends a probe event through to a recorder's log. "
        "Harmless while a game runs: it has topics of its own.",
    )
    _add_broker(doctor)
    doctor.add_argument(
        "--device",
        default="",
        metavar="NAME",
        help="whether the broker takes what this device says; --broker with its name and password",
    )
    doctor.set_defaults(run=run_doctor)
    of = doctor.add_subparsers(title="what else to examine", metavar="WHAT", dest="of")
    clock = of.add_parser(
        "clock",
        help="whether a networked clock keeps to the protocol",
        description="Stands in for the recorder and tries on the clock itself what its protocol "
        "demands (docs/clock-protocol.md), requirement by requirement. Give the clock a venue that "
        "no recorder serves; it takes about two minutes and asks for four presses.",
    )
    clock.add_argument("device", metavar="DEVICE", help="the clock's name, as in clock-07")
    _add_broker(clock)
    clock.add_argument(
        "--restart",
        metavar="COMMAND",
        help="restarts the broker, to see what the clock does then: 'systemctl restart mosquitto'",
    )
    clock.set_defaults(run=run_clock_exam)
    add_more(of)
    for child in of.choices.values():
        keep_what_stands_before(child, doctor)


def _add_broker(doctor: argparse.ArgumentParser) -> None:
    doctor.add_argument(
        "--broker",
        default=os.environ.get("TILECAST_MQTT_URL", DEFAULT_BROKER),
        metavar="URL",
        help="mqtt://host[:port] or mqtts://user:password@host; default: TILECAST_MQTT_URL, else "
        "this machine",
    )
    doctor.add_argument("--venue", default="main", metavar="NAME", help="the venue's name; main")
    add_json(doctor)


# Losing connections is part of the examination: no news.
@silenced("tilecast.bus")
def run_doctor(args: argparse.Namespace) -> int:
    """0 when a recorder has stored the probe, 1 when not or when there is no broker."""
    from recorder.commands.trials.doctor import Doctor
    from recorder.domain.errors import TilecastError

    try:
        doctor = Doctor(args.broker, args.venue, _teller(args), args.device)
        with at_work("trying the broker"):
            is_well = doctor.examine()
    except TilecastError as fault:
        sys.stderr.write(f"tilecast doctor: {fault}\n")
        return 1
    return _ended(args, doctor.checks, is_well=is_well)


@silenced("tilecast.bus")
def run_clock_exam(args: argparse.Namespace) -> int:
    """0 when the clock keeps all that could be tried, 1 when not or when there is no broker."""
    import shlex
    import subprocess

    from recorder.bus.mqtt import MqttBus
    from recorder.bus.port import Bus
    from recorder.bus.refusal import why_refused
    from recorder.commands.trials.clock_exam import ClockExam
    from recorder.commands.trials.doctor import CONNECT_S
    from recorder.domain.errors import RecorderError, TilecastError

    def make_bus(name: str) -> Bus:
        return MqttBus(args.broker, name)

    def restart() -> None:
        subprocess.run(shlex.split(args.restart), check=True)  # noqa: S603 - the caller's own

    try:
        exam = ClockExam(
            make_bus,
            args.venue,
            args.device,
            _teller(args),
            restart=restart if args.restart else None,
        )
        with at_work("trying the clock"):
            if cause := why_refused(args.broker, "doctor", CONNECT_S):
                raise RecorderError(cause)
            is_well = exam.examine()
    except (TilecastError, OSError, subprocess.CalledProcessError) as fault:
        sys.stderr.write(f"tilecast doctor clock: {fault}\n")
        return 1
    return _ended(args, exam.checks, is_well=is_well)


def _teller(args: argparse.Namespace) -> "Tell":
    """Says each finding as it is made, unless a document is wanted: then only what is asked for."""

    def show(check: "Check") -> None:
        out = sys.stderr if args.json else sys.stdout
        if not args.json or check.is_request:
            grade = "do" if check.is_request else check.grade.value
            out.write(f"{grade:8}{check.what:26}{check.words}\n")
            out.flush()

    return show


def _ended(args: argparse.Namespace, checks: "Sequence[Check]", *, is_well: bool) -> int:
    if args.json:
        found = [
            {"what": check.what, "grade": check.grade.value, "words": check.words}
            for check in checks
        ]
        sys.stdout.write(json.dumps({"ok": is_well, "findings": found}) + "\n")
    return 0 if is_well else 1
