"""``tilecast venue`` and ``tilecast status``: a venue's programs as one, how its devices are."""

import argparse
import json
import os
import shlex
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.declared.port_number import port_number
from recorder.domain.errors import NotationError
from recorder.operations.answers import JSON_OF_CHECK, add_json, answer, at_work
from recorder.operations.process_logs import silenced
from recorder.systems import STOP_SIGNALS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from calibration.venue.ear import HealthListener
    from calibration.venue.readiness import CheckKeys
    from calibration.venue.running import VenueFolder
    from calibration.venue.screen import LiveScreen, PlainScreen
    from calibration.venue.setup.founding import MakeAccounts
    from calibration.venue.supervisor import ProgramPlan, Supervisor
    from recorder.projections.health.device_health import VenueHealth
    from recorder.projections.health.finding import Finding

STEP_S, SHOW_EVERY_S = 0.1, 1.0
QUIET_AT_FIRST_S = 15.0
"""So long after its start nothing is called missing: programs and devices come up."""


def register(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    make_accounts: "MakeAccounts",
    check_keys: "CheckKeys",
) -> None:
    """Add the sub-commands ``venue`` and ``status``; accounts and keys are the dashboard's."""
    venue = subparsers.add_parser(
        "venue", run=partial(run_venue, make_accounts=make_accounts, check_keys=check_keys)
    )
    venue.add_argument("folder", type=Path, metavar="DIR", nargs="?")  # fmt: skip
    venue.add_argument("--check", action="store_true")
    venue.add_argument("--plain", action="store_true")
    add_json(venue)
    page = venue.add_argument_group("the page that sets a venue up")
    page.add_argument("--port", type=port_number, default=8014)
    page.add_argument("--change", action="store_true")  # fmt: skip
    page.add_argument("--broker-port", type=port_number)
    page.add_argument("--dashboard-port", type=port_number)
    status = subparsers.add_parser("status", run=run_status)
    status.add_argument("place", type=Path, metavar="DIR")
    status.add_argument("--broker", default="", metavar="URL")
    status.add_argument("--wait", type=float, default=5.0, metavar="S")
    add_json(status)


def run_venue(
    args: argparse.Namespace, make_accounts: "MakeAccounts", check_keys: "CheckKeys"
) -> int:
    """``tilecast venue``: 0 when it was told to end, 1 when it cannot start."""
    wrong = _fault_in(args)
    if wrong:
        print(f"tilecast venue: {wrong}", file=sys.stderr)
        return 2
    if args.folder is not None and not args.change:
        return _run_folder(args, args.folder, check_keys, _stop_by_signal)
    from calibration.venue.running import is_run, read_venue
    from calibration.venue.setup.made import read_setup
    from calibration.venue.setup.page import Setup, venue_from_page
    from recorder.bus.broker import free_port

    setup = Setup(
        make_accounts=make_accounts,
        check=lambda folder: _ready(read_venue(folder), check_keys),
        broker_port=args.broker_port or free_port(1883),
        dashboard_port=args.dashboard_port or free_port(8015),
        changed=args.folder and args.folder.resolve(),
    )
    stop = _stop_by_signal()
    if setup.changed is not None:
        read_setup(setup.changed)
        if is_run(setup.changed):
            raise NotationError(
                f"{setup.changed}: this venue runs: change its tables when it has ended, with"
                " Ctrl-C where it was started; the record is kept"
            )
    with venue_from_page(setup, args.port, _show_page, stop) as folder:
        if folder is None:
            return 0
        print(f"{folder} is made; the next time: tilecast venue {shlex.quote(str(folder))}")
        return _run_folder(args, folder, check_keys, lambda: stop)


def _fault_in(args: argparse.Namespace) -> str:
    """Why these options do not go together; empty where they do."""
    if args.json and not args.check:
        return JSON_OF_CHECK
    if args.folder is None and (args.check or args.change):
        return f"{'--check' if args.check else '--change'} needs the venue's folder"
    return "--check looks at the files, --change writes them" if args.check and args.change else ""


def _show_page(address: str) -> None:
    from recorder.operations.browser import open_page

    print(f"set up a venue in a browser on this machine: {address}", flush=True)
    print("Ctrl-C ends it", flush=True)
    open_page(address)


def _run_folder(
    args: argparse.Namespace,
    folder: Path,
    check_keys: "CheckKeys",
    stopping: "Callable[[], threading.Event]",
) -> int:
    from calibration.venue.checks import FolderWatch, read_place, venue_faults
    from calibration.venue.examining import devices_found
    from calibration.venue.readiness import refuse_broken_broker, refuse_broken_dashboard
    from calibration.venue.running import is_run, read_venue, run_alone
    from calibration.venue.supervisor import Supervisor
    from recorder.private import keep_private
    from recorder.projections.health.device_health import HealthGrade

    venue = read_venue(folder)
    runs = args.check and is_run(folder)
    plans = _ready(venue, check_keys, runs=runs)
    if args.check:
        refuse_broken_broker(venue)
        refuse_broken_dashboard(venue, plans)
        names = [plan.name for plan in plans]
        found = [*venue_faults(folder), *devices_found(read_place(folder), None)]
        faults = [each for each in found if each.grade is not HealthGrade.WELL]
        can = "run already" if runs else "can be started"
        lines = [f"{folder}: {', '.join(names)} {can}"]
        lines += [each.line for each in faults]
        findings = {each.what: each.words for each in faults}
        document = {"folder": str(folder), "programs": names, "findings": findings}
        answer(args, document, "\n".join(lines))
        return 0
    keep_private()
    stop = stopping()
    # The screen says what the log would.
    with (
        run_alone(folder),
        silenced("tilecast"),
        _screen(args, venue) as screen,
        _ear(venue) as ear,
    ):
        supervisor = Supervisor(plans, screen.tell)
        try:
            _run(supervisor, screen, ear, FolderWatch(folder), stop)
        finally:
            supervisor.stop()
    return 0


def _ready(
    venue: "VenueFolder", check_keys: "CheckKeys", *, runs: bool = False
) -> "list[ProgramPlan]":
    """What is to be started; TilecastError for what keeps it from that, and what helps.

    ``runs``: it is started already, and has its ports.
    """
    from calibration.venue.readiness import refuse_unready
    from calibration.venue.running import plans_of, refuse_taken

    plans = plans_of(venue)
    if not runs:
        refuse_taken(venue)
    refuse_unready(venue, check_keys)
    return plans


def _run(
    supervisor: "Supervisor",
    screen: "LiveScreen | PlainScreen",
    ear: "HealthListener",
    faults: "Callable[[], list[Finding]]",
    stop: threading.Event,
) -> None:
    from recorder.projections.health.finding import health_found

    begun_s = shown_s = time.monotonic()
    while not stop.wait(STEP_S):
        supervisor.step()
        now_s = time.monotonic()
        is_early = now_s - begun_s < QUIET_AT_FIRST_S and not ear.has_heard_all()
        if now_s - shown_s >= SHOW_EVERY_S and (not is_early or screen.is_live):
            shown_s = now_s
            health = ear.health()
            found = [*faults(), *health_found(health)]
            screen.show(supervisor.programs.values(), health, found)


def _stop_by_signal() -> threading.Event:
    stop = threading.Event()
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: stop.set())
    return stop


def _screen(args: argparse.Namespace, venue: "VenueFolder") -> "LiveScreen | PlainScreen":
    from calibration.venue.running import page_address
    from calibration.venue.screen import LiveScreen, PlainScreen

    if args.plain or not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return PlainScreen()
    here = page_address(venue.programs)
    return LiveScreen(
        [
            f"pages   {here}/",
            f"OBS     {here}/o/featured/full",
            f"links   {venue.folder / 'links.html'}",
        ]
    )


def _ear(venue: "VenueFolder") -> "HealthListener":
    from calibration.venue.ear import HealthListener
    from recorder.log.opening import wall_ms

    record = venue.record
    return HealthListener(record, record.broker, record.log, wall_ms)


def run_status(args: argparse.Namespace) -> int:
    """``tilecast status``: 0 when all is well, 1 when something is ill or a file is at fault."""
    from calibration.venue.checks import venue_faults
    from calibration.venue.ear import HealthListener
    from calibration.venue.running import recorder_file
    from calibration.venue.screen import print_health
    from recorder.bus.address import broker_address
    from recorder.log.opening import wall_ms
    from recorder.projections.health.device_health import HealthGrade
    from recorder.projections.health.finding import health_found
    from recorder.service.venue_file import BROKERS, read_record_file

    plan = read_record_file(recorder_file(args.place))
    url = args.broker or os.environ.get("TILECAST_MQTT_URL", "") or plan.broker
    if url in BROKERS:
        raise NotationError(
            f"broker {url!r} listens where tilecast record says: name it, --broker URL"
        )
    broker_address(url)
    with silenced("tilecast"), HealthListener(plan, url, plan.log, wall_ms) as ear:
        end = time.monotonic() + args.wait
        with at_work("listening to the devices"):
            while not ear.has_heard_all() and time.monotonic() < end:
                time.sleep(0.05)
        health = ear.health()
    faults = venue_faults(args.place) if args.place.is_dir() else []
    found = [*faults, *health_found(health)]
    is_well = all(each.grade is not HealthGrade.ILL for each in found)
    if args.json:
        print(json.dumps(_document(health, found, is_well=is_well), ensure_ascii=False))
    else:
        print_health(health, found)
    return 0 if is_well else 1


def _document(
    health: "VenueHealth", found: "Sequence[Finding]", *, is_well: bool
) -> dict[str, Any]:
    """What is wrong stands in ``findings``, with what helps."""
    from recorder.projections.health.device_health import HealthGrade, device_as_json
    from recorder.texts.telling import coded_text

    recorder = health.recorder
    return {
        "ok": is_well,
        "findings": [each.line for each in found if each.grade is not HealthGrade.WELL],
        "broker": health.broker,
        "recorder": recorder
        and {
            "state": recorder.state,
            "version": recorder.version,
            "head": recorder.head,
            "fault": recorder.fault,
            "warning": coded_text(recorder.warning, "log_warning") if recorder.warning else "",
        },
        "devices": [device_as_json(found) for found in health.devices],
    }
