"""An agent elsewhere whose clock has a name that is taken: reported, and taken back."""

import signal
from contextlib import ExitStack
from pathlib import Path

from dashboard.director.orders import OrderLine
from devices.lab.peers.serial_peer import SerialPeer
from tests.bench.chaos.chaos_files import agent_text, written
from tests.bench.chaos.chaos_tables import LONGEST_CALM_S
from tests.bench.chaos.mischief import TOLD_WITHIN_S, Command, wait_until


def is_told_of_twin(folder: Path, broker: str, name: str) -> bool | None:
    """Whether a director's desk reports a second agent of that name, and then that one is left.

    Each within ``TOLD_WITHIN_S``, and the second agent says it too. None where the desk does not
    find the device in order at first: what was done before is not over.
    """
    folder.mkdir()
    with ExitStack() as on:
        desk = OrderLine(broker, "main", "console", folder / "console.outbox")
        desk.open()
        on.callback(desk.close)

        def is_twofold() -> bool:
            codes = {found.device.name: found.finding.code for found in desk.devices()}
            return codes.get(name) == "twofold"

        def is_in_order() -> bool:
            codes = {found.device.name: found.finding.code for found in desk.devices()}
            return codes.get(name) in {"ready", "says"}

        if not wait_until(is_in_order, LONGEST_CALM_S):
            return None
        clock = SerialPeer("TWIN")
        on.callback(clock.close)
        file = written(folder / "table.toml", agent_text(broker, {name: clock.path}, {}))
        twin = Command(folder, "agent", file)
        on.callback(twin.end, signal.SIGKILL)

        def says(what: bytes) -> bool:
            return what in twin.output.read_bytes()

        is_there = wait_until(lambda: says(b": connected"), LONGEST_CALM_S)
        is_told = is_there and wait_until(is_twofold, TOLD_WITHIN_S)
        is_told = is_told and wait_until(lambda: says(b"another device speaks"), TOLD_WITHIN_S)
        twin.end(signal.SIGKILL)
        return is_told and wait_until(lambda: not is_twofold(), TOLD_WITHIN_S)
