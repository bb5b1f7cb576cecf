"""Serves the calibration page on this machine only, until it is ended."""

import signal
import socket
from functools import partial
from pathlib import Path

import uvicorn

from calibration.guide.jobs import bench_of
from calibration.guide.page import HOST, Door, create_app
from devices.agent_process.table_file import AgentPlan
from devices.ports import Ticks
from recorder.domain.errors import NotationError

_say = partial(print, flush=True)
_SHUTDOWN_S = 2


def serve(plan: AgentPlan, table: Path, port: int, seconds: float, ticks: Ticks) -> None:
    """Print the address and serve. NotationError when nothing can be calibrated, or no port."""
    bench = bench_of(plan, table, seconds, ticks)
    if not bench.jobs:
        raise NotationError(f"{table}: no camera, scale or serial clock in it to calibrate")
    try:
        listener = socket.create_server((HOST, port))
    except OSError as err:
        raise NotationError(
            f"port {port} cannot be used ({err}); --port 0 takes a free one"
        ) from err
    door = Door()
    config = uvicorn.Config(
        create_app(bench, door),
        access_log=False,  # it would write the key down
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )
    _say(
        f"open once in a browser on this machine: http://{HOST}:{listener.getsockname()[1]}/open?key={door.key}"
    )
    _say("Ctrl-C ends it")
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with listener:
            uvicorn.Server(config).run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)
