"""One simulated game through everything that a venue has; what was recorded beside what was played.

The page's patches of a frame are applied as the dashboard does, by a function that is handed in:
this package does not know the dashboard.
"""

import argparse
import json
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from devices.lab.demo_processes import DemoProcesses
from devices.lab.demonstration import Demonstration, words_option
from devices.lab.mishaps.verbs import begin
from recorder.bus.broker import start_broker
from recorder.domain.record import GameStarted
from recorder.lab.comparison import (
    compare_rows,
    lost_and_doubled,
    recorded_events,
    told_director,
)
from recorder.lab.venue_files import venue_toml
from recorder.log.port import Row
from recorder.log.sqlite import SqliteEventLog
from recorder.operations.browser import open_page
from recorder.texts.record import event_in_words

QUIET_S, LONGEST_QUIET_S = 4.0, 60.0

Patched = Callable[[dict[str, Any], Any], Any]
"""A frame with a patch applied."""


class GameDemo:
    """One demonstration: every part is the process that it is at a venue.

    Between them pass pixels, serial bytes, MQTT, the log and a WebSocket. The recorder's process
    is given names, tile set and rules, and nothing else of the game.
    """

    def __init__(
        self,
        played: Demonstration,
        args: argparse.Namespace,
        say: Callable[[str], None],
        patched: Patched,
    ) -> None:
        self.played, self.game, self.args, self.say = played, played.game, args, say
        self.folder: Path = args.folder or Path(tempfile.mkdtemp(prefix="tilecast-demo-"))
        self.patched = patched
        self.log = self.folder / "record" / "tilecast.db"
        self.overlay: dict[str, Any] = {}

    def start(self, running: ExitStack) -> None:
        """Start everything; ``running`` ends it in the right order."""
        begun = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)
        broker = start_broker(self.args.broker, workdir=self.folder / "broker")
        running.callback(broker.stop)
        self.processes = DemoProcesses(self.folder, running)
        dashboard = self.processes.start(
            "dashboard", "--log", self.log, "--port", self.args.port,
            "--broker", broker.url, "--pictures", self.folder / "agent" / "evidence",
            *words_option(self.game),
        )  # fmt: skip
        self.say(f"broker       {broker.url} ({broker.kind})")
        if broker.banner:
            self.say(f"             {broker.banner}")
        names, tiles = self.game.names, self.game.tile_set.name
        venue = venue_toml(broker.url, names, tiles, self.played.more_devices, self.args.rules)
        record = self._file("venue.toml", venue)
        self.processes.start("record", record)
        self._show_addresses(dashboard)
        self.say(f"ready in {time.monotonic() - begun:.1f} s; log and GCG in {self.folder}")
        self.table = self.played.table(self.args.speed)
        running.callback(self.table.close)
        devices = self.played.table_file(self.table, broker.url, self.folder)
        self.processes.start("agent", self._file("table.toml", devices))
        begin(self.args.mishap, self.table, broker.pid)

    def finish(self) -> dict[str, Any]:
        """Wait until the game is over and on screen; what was played beside what was recorded."""
        turns = 0
        while not self.table.finished.wait(1.0):
            self.processes.check()
            turns = self._tell_news(turns)
        self._wait_until_quiet()
        self._tell_news(turns)
        return self._document()

    def _document(self) -> dict[str, Any]:

        rows, face = self._rows(), self.table.clock.face
        found = compare_rows(self.game, rows, (face.left_ms, face.right_ms))
        lost, doubled = lost_and_doubled(rows)
        heard = sum(row.type.startswith(("clock.", "table.")) for row in rows if row.key)
        lost += max(0, self.table.clock.seq_high - heard)
        first, second = (player["score"] for player in self.overlay["players"])
        self.say(f"\n{found.matched} of {len(found.turns)} turns as played; lost {lost}")
        return {
            "game": "demo",
            "turns": list(found.turns),
            "final": list(found.final),
            "expected_final": list(found.expected_final),
            "overlay_final": [first, second],
            "gcg": str(self.folder / "record" / "demo.gcg"),
            "told_director": told_director(rows),
            "lost": lost,
            "doubled": doubled,
        }

    def _file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def _show_addresses(self, output: Path) -> None:
        """Wait for the dashboard, print its addresses, fetch its first page, watch its overlay."""
        while "links  " not in output.read_text(encoding="utf-8"):
            self.processes.check()
            time.sleep(0.05)
        text = self.log.with_suffix(".links").read_text(encoding="utf-8")
        for line in text.splitlines():
            self.say(line)
        base = text.split("all pages")[1].split()[0]
        if self.args.open:
            open_page(text.split("overview")[1].split()[0])
        with urllib.request.urlopen(f"{base}overlay/full?table=1", timeout=10) as page:  # noqa: S310 - our own address
            page.read()
        address = f"ws{base.removeprefix('http')}ws/table/1"
        threading.Thread(target=self._watch, args=(address,), name="overlay", daemon=True).start()

    def _watch(self, address: str) -> None:
        """Be an overlay: keep the frame as the WebSocket shows it, until the dashboard ends."""
        with suppress(ConnectionClosed), connect(address) as socket:
            for text in socket:
                message = json.loads(text)
                if message["type"] == "snapshot":
                    self.overlay = message["frame"]
                elif message["type"] == "patch":
                    self.overlay = self.patched(self.overlay, message["patch"])

    def _rows(self) -> list[Row]:

        with SqliteEventLog.open_reader(self.log) as reader:
            return list(reader.read_from(1))

    def _tell_news(self, known: int) -> int:
        """Print the turns recorded since; returns how many there are."""
        rows = self._rows() if self.log.exists() else []
        names = next((row.says.players for row in rows if isinstance(row.says, GameStarted)), ())
        events = recorded_events(rows)
        for event in events[known:]:
            self.say(f"{names[event.player]}: {event_in_words(event)}")
        return len(events)

    def _wait_until_quiet(self) -> None:
        """The table has stopped; wait until the record and the overlay have too."""
        deadline, quiet_since, last = time.monotonic() + LONGEST_QUIET_S, time.monotonic(), ""
        while time.monotonic() < min(deadline, quiet_since + QUIET_S):
            now = json.dumps([self.overlay.get("players"), self.overlay.get("last_play")])
            if now != last:
                quiet_since, last = time.monotonic(), now
            self.processes.check()
            time.sleep(0.1)
