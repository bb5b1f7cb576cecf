"""``tilecast dashboard``: the screens of a log, as a process of its own."""

import argparse
import contextlib
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard import users_cli
from dashboard.crowd import simulate_cli
from dashboard.obs import obs_cli
from dashboard.watch import export_cli
from recorder.commands.command_line import in_red
from recorder.declared.port_number import port_number
from recorder.domain.errors import NotationError, RecorderError
from recorder.operations.options import ListenAddress, add_operations
from recorder.orders.console_key import KEY_NAME, read_key
from recorder.private import keep_private

if TYPE_CHECKING:
    import uvicorn

    from dashboard.app import Settings
    from dashboard.live.hub_figures import HubFigures

_LOG_VARIABLE = "TILECAST_LOG"
_TOKEN_VARIABLE = "TILECAST_DIRECTOR_TOKEN"  # noqa: S105  the name of a variable
_BOOTH_VARIABLE = "TILECAST_COMMENTATOR_TOKEN"
_MOST_DELAY_S = 3600
_SHUTDOWN_S = 2
_MOST_MESSAGE_BYTES = 4096


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the sub-command ``dashboard``."""
    parser = subparsers.add_parser(
        "dashboard",
        help="serve the overlays, the commentator's and the director's page",
        description="Follows a recorder's log and serves what it says as pages: overlays for OBS, "
        "the commentator's and the director's page. Prints their addresses, those with keys on a "
        "terminal alone, and runs until Ctrl-C.",
    )
    parser.add_argument(
        "--log",
        metavar="LOG",
        help=f"the record to show: a file, or postgresql://user@host/name (or ${_LOG_VARIABLE})",
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        metavar="DIR",
        help="the dashboard's own files, where LOG is a database (default: this folder)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=port_number, default=8015, help="port; 0 takes a free one")
    parser.add_argument("--table", type=int, default=1, help="table shown where none is asked for")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds the public is late")
    parser.add_argument("--director-token", help=f"the director's key (or ${_TOKEN_VARIABLE})")
    parser.add_argument(
        "--commentator-token", help=f"the commentator's key (or ${_BOOTH_VARIABLE})"
    )
    parser.add_argument(
        "--tls",
        nargs=2,
        type=Path,
        metavar=("CERT", "KEY"),
        help="serve over TLS with this certificate and its key (PEM)",
    )
    parser.add_argument(
        "--proxy",
        default="",
        metavar="ADDRESS",
        help="of the proxy before this server, whose X-Forwarded-For is believed; nobody else's is",
    )
    parser.add_argument(
        "--accounts", type=Path, help="passwords and sessions (default: beside the log, .access)"
    )
    parser.add_argument(
        "--broker",
        default="",
        metavar="URL",
        help="for phones at the tables and directors: mqtt://host",
    )
    parser.add_argument(
        "--console", default="console", help="the name under which orders go to the recorder"
    )
    parser.add_argument(
        "--console-key",
        type=Path,
        metavar="FILE",
        help="the recorder's console_key (default: console.key beside the log): without it such a"
        " recorder takes no orders from here",
    )
    parser.add_argument(
        "--pictures", type=Path, metavar="DIR", help="where devices keep their pictures (evidence)"
    )
    parser.add_argument(
        "--words", type=Path, metavar="FILE", help="the event's word list, for the commentator"
    )
    parser.add_argument(
        "--show-best", action="store_true", help="show the public best plays, late; needs --delay"
    )
    parser.add_argument("--venue", default="main", help="the venue's name, as the recorder has it")
    parser.add_argument(
        "--allow-host", action="append", default=[], help="another name this server goes by"
    )
    parser.add_argument(
        "--cached",
        action="store_true",
        help="pages at home ask every 2 s what caches keep, and hold no socket: for a proxy or CDN",
    )
    _add_overlay_options(parser)
    add_operations(parser)
    parser.set_defaults(run=run_dashboard)
    users_cli.register(subparsers)
    export_cli.register(subparsers)
    obs_cli.register(subparsers)
    simulate_cli.register(subparsers)


def _add_overlay_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--slots", type=Path, help="what slots show (default: beside the log, .slots.json)"
    )
    parser.add_argument(
        "--tournament",
        type=Path,
        metavar="FILE",
        help="players' records and standings, the next game: TOML, JSON, CSV; read when it changes",
    )
    parser.add_argument(
        "--follow",
        default="",
        metavar="FEED",
        help="tourney.js of the program that pairs, a file or http://...: it becomes the event",
    )
    parser.add_argument(
        "--branding", type=Path, metavar="FILE", help="title, logo, players' colours: TOML"
    )
    parser.add_argument(
        "--photos", type=Path, metavar="DIR", help='players\' pictures: "Anna Lindqvist.jpg"'
    )
    parser.add_argument(
        "--photos-from",
        default="",
        metavar="URL",
        help="pictures that the standings name, from below this address alone, into --photos",
    )


def run_dashboard(args: argparse.Namespace) -> int:
    """Serve until told to stop. 1 when a setting is at fault, which is named on stderr."""
    try:
        settings = settings_from(args, os.environ.get(_TOKEN_VARIABLE))
        if args.logs == "json":
            from recorder.operations.process_logs import begin_logs

            begin_logs(args.logs)
        serve(settings, lambda line: print(line, flush=True), args.monitor)
    except (NotationError, RecorderError, OSError) as err:
        print(f"tilecast dashboard: {err}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def settings_from(args: argparse.Namespace, variable: str | None) -> "Settings":
    """Settings from the command line. NotationError names what cannot be."""
    from dashboard.app import Settings
    from dashboard.auth.access import Access, is_loopback
    from dashboard.commentator.analysis import analysis_from
    from recorder.log.places import check_place, file_beside, log_place

    named = args.log or os.environ.get(_LOG_VARIABLE, "")
    if not named:
        raise NotationError(f"name the log: --log LOG, or ${_LOG_VARIABLE}")
    log = log_place(named)
    check_place(log)
    token = args.director_token or variable
    if token is None and not is_loopback(args.host):
        raise NotationError(
            f"--host {args.host} lets others in: choose the director's key yourself"
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
    return Settings(
        log=log,
        folder=args.folder,
        access=access,
        host=args.host,
        port=args.port,
        table=args.table,
        tls=None if args.tls is None else (args.tls[0], args.tls[1]),
        proxy=args.proxy,
        cached=args.cached,
        allow_hosts=tuple(args.allow_host),
        slots=args.slots or file_beside(log, ".slots.json", args.folder),
        tournament=args.tournament,
        follow=args.follow,
        branding=args.branding,
        photos=args.photos,
        photos_from=args.photos_from,
        broker=args.broker or os.environ.get("TILECAST_MQTT_URL", ""),
        venue=args.venue,
        console=args.console,
        console_key=_console_key(
            args.console_key, file_beside(log, ".db", args.folder).with_name(KEY_NAME)
        ),
        pictures=args.pictures,
        analysis=analysis_from(args.words, show_best=args.show_best, late=access.delay_ms > 0),
        accounts=args.accounts or file_beside(log, ".access", args.folder),
    )


def _console_key(named: Path | None, beside: Path) -> bytes:
    """The key that seals orders; empty where none is named, and none lies beside the log."""
    return b"" if named is None and not beside.exists() else read_key(named or beside)


LINKS_SUFFIX = ".links"


def links_file(settings: "Settings") -> Path:
    """Where the links of this run stand, for the owner's eyes alone: beside the accounts."""
    from recorder.log.places import file_beside

    accounts = settings.accounts or file_beside(settings.log, ".access", settings.folder)
    return accounts.with_suffix(LINKS_SUFFIX)


def addresses(settings: "Settings", port: int) -> list[str]:
    """One line per page: who it is for and where it is; links that bear keys among them."""
    host = "localhost" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104
    scheme = "http" if settings.tls is None else "https"
    base, access = f"{scheme}://{host}:{port}", settings.access
    return [
        f"overlay      {base}/overlay/full?table={settings.table}",
        f"commentator  {base}/enter/{access.commentator_token}",
        f"director     {base}/enter/{access.director_token}",
        f"all pages    {base}/",
    ]


def open_warning(settings: "Settings") -> str:
    """What is said at each start of a server that others reach unprotected; empty otherwise."""
    from dashboard.auth.access import is_loopback
    from recorder.bus.exposure import open_warning as open_broker

    of_broker = open_broker(settings.broker) if settings.broker else ""
    said = [f"WARNING: {of_broker}"] if of_broker else []
    if not (is_loopback(settings.host) or settings.tls is not None or settings.proxy):
        said.append(_IN_THE_CLEAR.format(host=settings.host))
    return "\n".join(said)


_IN_THE_CLEAR = (
    "WARNING: {host} lets others in without TLS: keys, passwords and live racks can"
    " be read on the network. Give --tls CERT KEY (docs/docker.md makes both), or listen on"
    " 127.0.0.1."
)


def serve(
    settings: "Settings",
    announce: Callable[[str], object] = lambda _: None,
    monitor: ListenAddress | None = None,
) -> None:
    """Serve the screens until SIGINT or SIGTERM; ``announce`` gets each address as a line.

    ``monitor`` is where figures and health are served.

    Blocks; needs the main thread of its process. OSError when the port is taken.
    """
    import uvicorn

    from dashboard.app import create_app
    from dashboard.web.deflate import DeflatingProtocol
    from dashboard.web.door_protocol import DoorProtocol

    keep_private()
    for file in settings.tls or ():
        file.read_bytes()  # an OSError that names it, before anything is served
    if warning := open_warning(settings):
        print(in_red(warning, sys.stderr), file=sys.stderr)

    app = create_app(settings)
    config = uvicorn.Config(
        app,
        http=DoorProtocol,
        timeout_keep_alive=5,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or "",
        ssl_certfile=settings.tls and settings.tls[0],
        ssl_keyfile=settings.tls and settings.tls[1],
        access_log=False,  # it would write the keys in addresses down
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        ws=DeflatingProtocol,
        ws_max_size=_MOST_MESSAGE_BYTES,
        ws_ping_interval=5,
        ws_ping_timeout=5,
    )
    server = uvicorn.Server(config)
    with _listen(settings.host, settings.port) as listener, _quiet_end(server):
        lines = addresses(settings, listener.getsockname()[1])
        password = app.state.guard.accounts.first_password(app.state.guard.now())
        if password is not None:  # told this once
            lines.insert(0, f"first run    sign in as admin with the password {password}")
        file = _written(lines, links_file(settings), first=password is not None)
        # What is not a terminal is a log, which others may read and which stays.
        shown = lines if sys.stdout.isatty() else [line for line in lines if not _is_secret(line)]
        for line in shown:
            announce(line)
        announce(f"links        {file}, with the keys, for your eyes only")
        with _monitored(monitor, app.state.figures, announce):
            server.run(sockets=[listener])


def _is_secret(line: str) -> bool:
    return "/enter/" in line or "password" in line


def _written(lines: Sequence[str], file: Path, *, first: bool) -> Path:
    """The links in a file that its owner alone can read, whoever made it before.

    The password of the first run is told once, so a file that has one keeps it until it is deleted.
    """
    kept = []
    if not first and file.exists():
        kept = [line for line in file.read_text("utf-8").splitlines() if "password" in line]
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text("".join(f"{line}\n" for line in [*kept, *lines]), encoding="utf-8")
    fresh.replace(file)
    return file


@contextlib.contextmanager
def _monitored(
    monitor: ListenAddress | None, figures: "HubFigures", announce: Callable[[str], object]
) -> Iterator[None]:
    """Figures and health at their own address, where one is given."""
    from recorder.operations.monitor import Health, monitored

    if monitor is None:
        yield
        return
    with monitored(monitor, figures.registry, lambda: Health(figures.wrong)) as port:
        announce(f"figures      http://{monitor.host}:{port}/metrics")
        yield


@contextlib.contextmanager
def _quiet_end(server: "uvicorn.Server") -> Iterator[None]:
    """SIGTERM is an end in good order, not a failure; uvicorn raises it again after its own.

    One that comes before uvicorn listens for it ends the server as well, as soon as it has started.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; accepted connections inherit TCP_NODELAY (small messages go at once)."""
    try:
        listener = socket.create_server((host, port), backlog=128)
    except OSError as err:
        raise OSError(f"cannot listen on {host}:{port}: {err.strerror or err}") from err
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
