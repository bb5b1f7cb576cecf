"""The dashboard as a process: its address, its links in a file of their owner, an end in order."""

import contextlib
import errno
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recorder.commands.command_line import in_red
from recorder.domain.errors import NotationError
from recorder.operations.options import ListenAddress
from recorder.private import keep_private
from recorder.systems import handled, replace_file

if TYPE_CHECKING:
    from dashboard.live.hub_figures import HubFigures
    from dashboard.settings import Settings

_SHUTDOWN_S = 2
_MOST_MESSAGE_BYTES = 4096
LINKS_SUFFIX = ".links"


def links_file(settings: "Settings") -> Path:
    """Where the links of this run stand, for the owner's eyes alone: beside the accounts."""
    from recorder.log.places import sibling_path

    accounts = settings.accounts or sibling_path(settings.log, ".access", settings.folder)
    return accounts.with_suffix(LINKS_SUFFIX)


def addresses(settings: "Settings", port: int) -> list[str]:
    """One line per page: who it is for and where it is; links that have keys among them."""
    host = "localhost" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104
    scheme = "http" if settings.tls is None else "https"
    base, access = f"{scheme}://{host}:{port}", settings.access
    return [
        f"overlay      {base}/overlay/full?table={settings.table}",
        f"commentator  {base}/enter/{access.commentator_token}",
        f"director     {base}/enter/{access.director_token}",
        f"overview     {base}/enter/{access.director_token}?to=/overview",
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


def refuse_unusable(settings: "Settings") -> None:
    """NotationError or OSError that names a file which the server could not go by."""
    if settings.tls is None:
        return
    certificate, key = settings.tls
    try:
        for file in settings.tls:
            file.read_bytes()
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except ssl.SSLError as fault:
        what = f"{certificate} and {key} are not a certificate and its key (PEM)"
        raise NotationError(f"--tls: {what}") from fault


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
    if warning := open_warning(settings):
        sys.stderr.write(f"{in_red(warning, sys.stderr)}\n")

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
        log_config=None,  # through our own handler, which writes no fault without end
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        ws=DeflatingProtocol,
        ws_max_size=_MOST_MESSAGE_BYTES,
        ws_ping_interval=5,
        ws_ping_timeout=5,
    )
    server = uvicorn.Server(config)

    def end(*_: object) -> None:
        server.should_exit = True

    # SIGTERM is an end in good order, not a failure; uvicorn raises it again after its own. One
    # that comes before uvicorn listens for it ends the server as soon as it has started.
    with _listen(settings.host, settings.port) as listener, handled(end, signal.SIGTERM):
        lines = addresses(settings, listener.getsockname()[1])
        password = app.state.guard.accounts.first_password(app.state.guard.now())
        if password is not None:  # told this once
            lines.insert(0, f"first run    sign in as admin with the password {password}")
        file = links_file(settings)
        try:
            _written(lines, file, first=password is not None)
        except OSError as fault:
            if fault.errno != errno.ENOSPC:  # those of the last run stay there
                raise
        # What is not a terminal is a log, which others may read and which stays.
        shown = lines if sys.stdout.isatty() else [line for line in lines if not _is_secret(line)]
        for line in shown:
            announce(line)
        announce(f"links        {file}, with the keys, for your eyes only")
        with _monitored(monitor, app.state.figures, announce):
            server.run(sockets=[listener])


def _is_secret(line: str) -> bool:
    return "/enter/" in line or "password" in line


def _written(lines: Sequence[str], file: Path, *, first: bool) -> None:
    """The links in a file that its owner alone can read, no matter who made it before.

    The password of the first run is reported once, so a file that has one keeps it until it is
    deleted.
    """
    kept = []
    if not first and file.exists():
        kept = [line for line in file.read_text("utf-8").splitlines() if "password" in line]
    replace_file(file, "".join(f"{line}\n" for line in [*kept, *lines]), mode=0o600)


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


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; accepted connections inherit TCP_NODELAY (small messages go at once)."""
    try:
        listener = socket.create_server((host, port), backlog=128)
    except OSError as err:
        raise OSError(f"cannot listen on {host}:{port}: {err.strerror or err}") from err
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
