"""``tilecast doctor clock``: whether a networked clock keeps to the protocol."""

import argparse
import sys
from typing import Any

from recorder.commands.doctor_cli import add_broker, ended, teller
from recorder.operations.answers import at_work
from recorder.operations.process_logs import silenced


def register_clock_exam(subparsers: Any) -> None:
    """Add ``doctor clock``; ``subparsers`` are those of ``tilecast doctor``."""
    clock = subparsers.add_parser("clock", run=run_clock_exam)
    clock.add_argument("device", metavar="DEVICE")
    add_broker(clock)
    clock.add_argument("--restart", metavar="COMMAND")


@silenced("tilecast.bus")
def run_clock_exam(args: argparse.Namespace) -> int:
    """0 when the clock keeps all that could be tried, 1 when not or when there is no broker."""
    import shlex
    import subprocess

    from recorder.bus.mqtt import MqttBus
    from recorder.bus.port import Bus
    from recorder.bus.refusal import why_refused
    from recorder.commands.trials.doctor import CONNECT_S
    from recorder.domain.errors import RecorderError, TilecastError
    from recorder.lab.clock_exam.clock_exam import ClockExam

    def make_bus(name: str) -> Bus:
        return MqttBus(args.broker, name)

    def restart() -> None:
        subprocess.run(shlex.split(args.restart), check=True)  # noqa: S603 - the caller's own

    try:
        exam = ClockExam(
            make_bus,
            args.venue,
            args.device,
            teller(args),
            restart=restart if args.restart else None,
        )
        with at_work("trying the clock"):
            if cause := why_refused(args.broker, "doctor", CONNECT_S):
                raise RecorderError(cause)
            is_well = exam.examine()
    except (TilecastError, OSError, subprocess.CalledProcessError) as fault:
        sys.stderr.write(f"tilecast doctor clock: {fault}\n")
        return 1
    return ended(args, exam.checks, is_well=is_well)
