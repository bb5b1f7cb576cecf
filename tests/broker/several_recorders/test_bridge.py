"""Two brokers and a bridge between them: a recorder in one room, a table in the other."""

import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.bus.broker import BrokerHandle, find_mosquitto, free_port, mosquitto_config
from recorder.domain.observations import Side
from recorder.log.places import open_log_reader
from recorder.service.venue_file import LOG_NAME
from tests.broker.several_recorders.test_standby import WiredTable, recorder
from tests.eventually import eventually
from tests.recorder.session_table import board

pytestmark = pytest.mark.broker
BRIDGE = """
connection hall
address 127.0.0.1:{port}
remote_clientid bridge-annexe
cleansession false
start_type automatic
restart_timeout 1
topic tc/v1/+/up/# out 1
topic tc/v1/+/down/# in 1
topic tc/v1/+/sys/recorder/# in 1
"""
"""As docs/hall.md has it: devices speak towards the recorder, it answers towards the devices."""


class Annexe:
    """The broker of the other room, at a port that stays."""

    def __init__(self, folder: Path, hall: BrokerHandle) -> None:
        folder.mkdir()
        self._port = free_port()
        self.url = f"mqtt://127.0.0.1:{self._port}"
        bridge = BRIDGE.format(port=hall.url.rpartition(":")[2])
        self._config = folder / "mosquitto.conf"
        self._config.write_text(mosquitto_config(self._port, folder) + bridge, "utf-8")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it; it connects to the other one by itself."""
        self._process = subprocess.Popen([str(find_mosquitto()), "-c", str(self._config)])

    def kill(self) -> None:
        """As when its machine is switched off."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def types_in(file: Path) -> list[str]:
    with open_log_reader(file) as log:
        return [row.type for row in log.read_from(1)]


def test_a_table_behind_a_bridge_is_recorded(broker: BrokerHandle, tmp_path: Path) -> None:
    """Events come and acknowledgements go back through both brokers, also after a kill of one."""
    with ExitStack() as running:
        command, told = recorder(tmp_path / "a", broker, log="")
        running.callback(command.end, signal.SIGKILL)
        eventually(lambda: "table 1" in told(), "the recorder records")
        annexe = Annexe(tmp_path / "annexe", broker)
        running.callback(annexe.kill)
        table = WiredTable(annexe.url, tmp_path, running)
        table.press(Side.RIGHT, Side.LEFT)
        table.show(board())
        eventually(lambda: not table.waiting(), "all is acknowledged through the bridge")
        annexe.kill()
        table.show(board("8G HAND"))
        table.press(Side.LEFT, Side.RIGHT)
        table.show(board("8G HAND"))
        assert table.waiting()
        annexe.start()
        eventually(lambda: not table.waiting(), "what waited is acknowledged")
        # A camera sends its board again and again. By the clocks of two devices, which are known to
        # some hundredths of a second, the look before may have been just before the press.
        table.show(board("8G HAND"))
        eventually(lambda: not table.waiting(), "the next look is acknowledged")
        sent = {name: outbox.last_seq for name, outbox in table.outboxes.items()}
        log_file = tmp_path / "a" / "record" / LOG_NAME
        eventually(lambda: "game.played" in types_in(log_file), "the play is read")
    with open_log_reader(log_file) as log:
        rows = list(log.read_from(1))
    for name, last in sent.items():
        numbers = [row.key[2] for row in rows if row.key is not None and row.key[0] == name]
        assert sorted(numbers) == list(range(1, last + 1))
    assert [row.type for row in rows].count("game.played") == 1
