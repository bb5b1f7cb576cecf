"""The first machine of a hall is switched off in the middle of a round; the second goes on.

``python -m tests.bench.chaos.switched_off [--tables 16]``: Mosquitto, a PostgreSQL
server, two recorders, a dashboard with a page on air for every table, and at every table a camera
and a clock that keep what they say. Half of the tables have pressed a second time, the others have
their tiles down, when the recorder that records is killed. Status 1 when an event is lost or
doubled, a page was cut off or blank, the game at a table does not go on, or the log does not hold.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from recorder.bus.broker import start_broker
from recorder.domain.observations import Side
from recorder.log.places import LogPlace, open_log_reader
from recorder.log.port import Row
from recorder.service.venue_file import LOG_NAME
from tests.bench.chaos.mischief import Command
from tests.broker.several_recorders.test_standby import Overlay, WiredTable, dashboard
from tests.eventually import eventually
from tests.postgres_server import running_server, server_programs
from tests.recorder.session_table import board

PATIENT_S = 300.0
PAUSE_S = 1.0
"""Between two things at a table: these devices do not compare their times with the recorder's."""
_TABLE = """[[table]]
number = {number}
game = "round-1-table-{number}"
players = ["First {number}", "Second {number}"]
check_clock = false
devices = {{ cam{number} = "board-camera", clock{number} = "serial-clock" }}
"""


class Round:
    """A round of so many tables, recorded on two machines.

    With ``in_file`` there is one machine, its log is a file, and it is started again.
    """

    def __init__(
        self,
        folder: Path,
        tables: int,
        running: ExitStack,
        *,
        in_file: bool = False,
    ) -> None:
        places = {"first": "table ", "second": "standby"}
        self.log: LogPlace = folder / "first" / "record" / LOG_NAME
        if in_file:
            del places["second"]
        else:
            programs = server_programs()
            if programs is None:
                raise SystemExit("no PostgreSQL server is installed: apt install postgresql")
            self.log = running.enter_context(running_server(programs)).address
        broker = running.enter_context(start_broker("mosquitto", workdir=folder / "broker"))
        self.url = url = broker.url
        head = f'[venue]\nname = "hall"\n[broker]\nurl = "{url}"\n[recorder]\nfolder = "record"\n'
        seats = "".join(_TABLE.format(number=number) for number in range(1, tables + 1))
        self.machines: list[Command] = []
        for name, ready in places.items():
            place = folder / name
            place.mkdir()
            venue = place / "venue.toml"
            own = f'name = "{name}"\n' + ("" if in_file else f'log = "{self.log}"\n')
            venue.write_text(f"{head}{own}{seats}", encoding="utf-8")
            machine = Command(place, "record", venue)
            running.callback(machine.end, signal.SIGKILL)
            self.machines.append(machine)
            _wait(lambda at=machine, said=ready: said in at.output.read_text(), f"{name} machine")
        base = dashboard(folder, self.log, running)
        self.pages = [Overlay(base, number) for number in range(1, tables + 1)]
        self.tables = [
            WiredTable(url, folder, running, str(number)) for number in range(1, tables + 1)
        ]
        for table in self.tables:
            table.pause_s = PAUSE_S

    def together(self, do: Callable[[WiredTable], None], which: slice = slice(None)) -> None:
        with ThreadPoolExecutor(16) as hands:
            list(hands.map(do, self.tables[which]))

    def play_over(self, end: signal.Signals) -> list[float]:
        """Play two turns; between them the first machine is ended. When each page went on, in s.

        Who is alone is started again once the rest has pressed.
        """
        half = len(self.tables) // 2
        self.together(first_turn)
        self.wait_on_air("8G")
        self.together(_lay)
        self.together(_press, slice(half))
        self.machines[0].end(end)
        off_s = time.monotonic()
        self.together(_press, slice(half, None))
        if len(self.machines) == 1:
            self.machines[0].start()
        took = [at_s - off_s for at_s in self.wait_on_air("9F")]
        _wait(lambda: not any(table.waiting() for table in self.tables), "all is acknowledged")
        return took

    def wait_on_air(self, position: str) -> list[float]:
        """Until every page shows a play there; when each had it, in seconds of this process."""
        had: dict[int, float] = {}

        def all_have() -> bool:
            for number, page in enumerate(self.pages):
                if number not in had and page.shows(position):
                    had[number] = time.monotonic()
            return len(had) == len(self.pages)

        _wait(all_have, f"the plays at {position} are on air")
        return sorted(had.values())

    def faults(self, rows: Sequence[Row]) -> list[str]:
        """What went wrong, in words."""
        wrong = []
        for table in self.tables:
            for outbox in table.outboxes.values():
                keys = [row.key[2] for row in rows if row.key and row.key[0] == outbox.device]
                if sorted(keys) != list(range(1, outbox.last_seq + 1)):
                    wrong.append(f"{outbox.device}: {len(keys)} rows of {outbox.last_seq} events")
        for number, page in enumerate(self.pages, start=1):
            drawn = [len(frame.get("players", ())) for frame in page.frames[1:]]
            if page.cut or set(drawn[drawn.index(2) :]) != {2}:
                wrong.append(f"the page of table {number} was cut off or blank")
        return wrong


def _wait(holds: Callable[[], object], what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)
    eventually(holds, what, PATIENT_S)


def first_turn(table: WiredTable) -> None:
    """The clock is started, and HAND laid and pressed."""
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board())
    table.show(board("8G HAND"))
    table.press(Side.LEFT, Side.RIGHT)
    table.show(board("8G HAND"))


def _lay(table: WiredTable) -> None:
    table.show(board("8G HAND", "9F CAT"))


def _press(table: WiredTable) -> None:
    table.press(Side.RIGHT, Side.LEFT)
    table.show(board("8G HAND", "9F CAT"))


def main(arguments: list[str]) -> int:
    """0 when everything went on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=16)
    args = parser.parse_args(arguments)
    tables = args.tables
    with tempfile.TemporaryDirectory() as place, ExitStack() as running:
        hall = Round(Path(place), tables, running)
        took = hall.play_over(signal.SIGKILL)
        with open_log_reader(hall.log) as log:
            rows, is_whole = list(log.read_from(1)), log.verify() is None
        wrong = hall.faults(rows)
    sent = sum(outbox.last_seq for table in hall.tables for outbox in table.outboxes.values())
    keys = [row.key for row in rows if row.key is not None]
    print(f"{tables} tables; on air again after {took[0]:.1f} s, the last one {took[-1]:.1f} s")
    print(f"the chain of the log {'holds' if is_whole else 'IS BROKEN'}")
    lost, doubled = sent - len(set(keys)), len(keys) - len(set(keys))
    print(f"sent {sent} recorded {len(set(keys))} lost {lost} doubled {doubled}")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong or not is_whole or lost or doubled else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
