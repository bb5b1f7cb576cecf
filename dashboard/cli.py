"""``tilecast dashboard``: the screens of a log, as a process of its own."""

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard import users_cli
from dashboard.obs import obs_cli
from dashboard.watch import export_cli
from dashboard.woogles import woogles_cli
from recorder.declared.port_number import port_number
from recorder.domain.errors import NotationError
from recorder.operations.answers import JSON_OF_CHECK, add_json, answer
from recorder.operations.options import add_operations
from recorder.orders.console_key import KEY_NAME, read_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dashboard.settings import Settings
    from recorder.projections.health.finding import Finding

    FaultsOf = Callable[[Path | None], Callable[[], Sequence[Finding]]]

_TOKEN_VARIABLE = "TILECAST_DIRECTOR_TOKEN"  # noqa: S105  the name of a variable
_BOOTH_VARIABLE = "TILECAST_COMMENTATOR_TOKEN"
_MOST_DELAY_S = 3600


def register(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    venue_faults: "FaultsOf" = lambda _: tuple,
) -> None:
    """Add the sub-command ``dashboard``; ``venue_faults`` gives what looks through a folder."""
    parser = subparsers.add_parser("dashboard")
    parser.add_argument("--log", metavar="LOG")
    parser.add_argument("--folder", type=Path, default=Path(), metavar="DIR")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=port_number, default=8015)
    parser.add_argument("--table", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--director-token")
    parser.add_argument("--commentator-token")
    parser.add_argument("--tls", nargs=2, type=Path, metavar=("CERT", "KEY"))
    parser.add_argument("--proxy", default="", metavar="ADDRESS")
    parser.add_argument("--accounts", type=Path)
    parser.add_argument("--broker", default="", metavar="URL")
    parser.add_argument("--console", default="console")
    parser.add_argument("--console-key", type=Path, metavar="FILE")
    parser.add_argument("--pictures", type=Path, metavar="DIR")
    parser.add_argument("--clocks", type=Path, metavar="DIR")  # fmt: skip
    parser.add_argument("--words", type=Path, metavar="FILE")
    parser.add_argument("--tiles", type=Path, metavar="FILE")
    parser.add_argument("--show-best", action="store_true")
    parser.add_argument("--venue", default="main")
    parser.add_argument("--allow-host", action="append", default=[])
    parser.add_argument("--cached", action="store_true")
    _add_overlay_options(parser)
    parser.add_argument("--check", action="store_true")
    add_json(parser)
    add_operations(parser)
    parser.set_defaults(run=run_dashboard, venue_faults=venue_faults)
    users_cli.register(subparsers)
    export_cli.register(subparsers)
    obs_cli.register(subparsers)
    woogles_cli.register(subparsers)


def _add_overlay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--slots", type=Path)
    parser.add_argument("--tournament", type=Path, metavar="FILE")
    parser.add_argument("--follow", default="", metavar="FEED")
    parser.add_argument("--branding", type=Path, metavar="FILE")
    parser.add_argument("--webhook", type=Path, metavar="FILE")
    parser.add_argument("--photos", type=Path, metavar="DIR")
    parser.add_argument("--photos-from", default="", metavar="URL")


def run_dashboard(args: argparse.Namespace) -> int:
    """Serve until told to stop. 1 when a setting is at fault, which is named on stderr."""
    from dashboard.serving import refuse_unusable, serve
    from recorder.log.places import shown_place
    from recorder.operations.process_logs import begin_logs

    if args.json and not args.check:
        print(f"tilecast dashboard: {JSON_OF_CHECK}", file=sys.stderr)
        return 2
    try:
        settings = settings_from(args, os.environ.get(_TOKEN_VARIABLE))
        refuse_unusable(settings)
        if args.check:
            log = shown_place(settings.log)
            document = {"log": log, "host": settings.host, "port": settings.port}
            answer(args, document, f"{log}: can be served at {settings.host}:{settings.port}")
            return 0
        begin_logs(args.logs)
        serve(settings, lambda line: print(line, flush=True), args.monitor)
    except KeyboardInterrupt:
        return 0
    return 0


def settings_from(args: argparse.Namespace, variable: str | None) -> "Settings":
    """Settings from the command line. NotationError names what cannot be."""
    from dataclasses import fields, replace

    from dashboard.auth.access import Access, is_loopback
    from dashboard.commentator.analysis import analysis_from
    from dashboard.settings import Settings
    from recorder.log.places import named_log, sibling_path

    log = named_log(args.log)
    token = args.director_token or variable
    if token is None and not is_loopback(args.host):
        raise NotationError(
            f"--host {args.host} is open to other machines: choose the director's key yourself"
            f" (--director-token KEY, or ${_TOKEN_VARIABLE})"
        )
    if args.photos_from and args.photos is None:
        raise NotationError("--photos-from needs --photos DIR, where the pictures are kept")
    if not 0 <= args.delay <= _MOST_DELAY_S:
        raise NotationError(f"--delay {args.delay:g}: 0 to {_MOST_DELAY_S} seconds")
    access = Access(
        director_token=token or secrets.token_urlsafe(18),
        commentator_token=args.commentator_token
        or os.environ.get(_BOOTH_VARIABLE)
        or secrets.token_urlsafe(18),
        delay_ms=round(args.delay * 1000),
    )
    # Options that are settings have the names of these; the others are worked out.
    given = {each.name: getattr(args, each.name) for each in fields(Settings) if each.name in args}
    return replace(
        Settings(**given, access=access),
        log=log,
        tls=None if args.tls is None else (args.tls[0], args.tls[1]),
        allow_hosts=tuple(args.allow_host),
        slots=args.slots or sibling_path(log, ".slots.json", args.folder),
        broker=args.broker or os.environ.get("TILECAST_MQTT_URL", ""),
        console_key=_console_key(
            args.console_key, sibling_path(log, ".db", args.folder).with_name(KEY_NAME)
        ),
        venue_faults=args.venue_faults(args.pictures),
        analysis=analysis_from(
            args.words, args.tiles, show_best=args.show_best, late=access.delay_ms > 0
        ),
        webhook=_webhook(args.webhook) if args.webhook else "",
        accounts=args.accounts or sibling_path(log, ".access", args.folder),
    )


def _webhook(file: Path) -> str:
    """The address in a file; what posts to it is loaded where there is one."""
    from dashboard.overlays.webhook import read_webhook

    return read_webhook(file)


def _console_key(named: Path | None, beside: Path) -> bytes:
    """The key that seals orders; empty where none is named, and none lies beside the log."""
    return b"" if named is None and not beside.exists() else read_key(named or beside)
