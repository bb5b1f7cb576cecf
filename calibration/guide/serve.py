"""Serves the calibration page on this machine only, until it is ended."""

import signal
from functools import partial
from pathlib import Path

from calibration.guide.jobs import bench_of
from calibration.guide.page import create_app
from calibration.own_page import Door, address_of, listener_on, server_of
from devices.agent_process.table_file import AgentPlan
from devices.ports import Ticks
from recorder.domain.errors import NotationError
from recorder.systems import handled

_say = partial(print, flush=True)


def serve(plan: AgentPlan, table: Path, port: int, seconds: float, ticks: Ticks) -> None:
    """Print the address and serve. NotationError when nothing can be calibrated, or no port."""
    bench = bench_of(plan, table, seconds, ticks)
    if not bench.jobs:
        raise NotationError(f"{table}: has no camera, scale or serial clock to calibrate")
    door = Door("tilecast calibrate page")
    listener = listener_on(port)
    _say(f"open once in a browser on this machine: {address_of(listener, door)}")
    _say("Ctrl-C ends it")
    with listener, handled(lambda *_: None, signal.SIGTERM):
        server_of(create_app(bench, door)).run(sockets=[listener])
