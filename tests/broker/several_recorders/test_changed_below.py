"""A database whose old rows change below a recorder that is running."""

import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle
from recorder.domain.observations import Side
from recorder.log.database import connected
from tests.broker.several_recorders.test_standby import WiredTable, recorder
from tests.eventually import eventually
from tests.recorder.session_table import board

pytestmark = pytest.mark.broker


@pytest.mark.further
def test_a_row_changed_below_a_running_recorder_is_noticed(
    broker: BrokerHandle, empty_database: Callable[[], str], tmp_path: Path
) -> None:
    """It names the row and what helps, acknowledges nothing more, and its devices keep it all."""
    log = empty_database()
    with ExitStack() as running:
        machine, told = recorder(tmp_path / "a", broker, log)
        running.callback(machine.end, signal.SIGKILL)
        eventually(lambda: "table 1" in told(), "it records")
        table = WiredTable(broker.url, tmp_path, running)
        table.press(Side.RIGHT, Side.LEFT)
        table.show(board())
        eventually(lambda: not table.waiting(), "all is stored")
        with connected(log) as other:
            other.execute("ALTER TABLE event DISABLE TRIGGER event_no_change")
            other.execute("UPDATE event SET at = at + 1 WHERE seq = 2")
            other.execute("ALTER TABLE event ENABLE TRIGGER event_no_change")

        def is_noticed() -> bool:
            table.press(Side.LEFT, Side.RIGHT)
            return "row 2 was changed" in told()

        eventually(is_noticed, "it is noticed")
        eventually(lambda: machine.poll() == 1, "the recorder ends")
        table.press(Side.RIGHT, Side.LEFT)
        assert "devices keep their events: see tilecast log verify" in told()
        assert table.waiting() >= 2
        machine.start()
        eventually(lambda: "the log is not as it was written" in told(), "it records no more in it")
        eventually(lambda: machine.poll() == 1, "it ends")
