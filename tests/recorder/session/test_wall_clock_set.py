"""The wall clock of the recorder's machine is set while a game is on: nobody's turn changes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from dashboard.live.record_now import RecordNow
from recorder.domain.observations import Side, TimeSet
from recorder.domain.record import Observed
from recorder.lab.memory_bus import MemoryBus
from recorder.log.sqlite import SqliteEventLog
from recorder.service.recorder import Recorder
from recorder.uptime import kept_base_ms, machine_run, steady_ms, uptime_ms
from tests.cases import first_of
from tests.eventually import eventually
from tests.recorder.session_table import Table, board, plan, recorded

pytestmark = pytest.mark.slow  # plays games

STEPS = {"a correction": -30_000, "an hour ahead": 3_600_000, "three hours back": -10_800_000}
EPOCH_MS = 1_700_000_000_000
WORDS = ("8G HAND", "9F CAT", "10E OUR", "11D PEN", "12C TIN")
SIDES = (Side.LEFT, Side.RIGHT)


@dataclass
class Machine:
    """The machine of a recorder: what passes is the table's time, the wall clock can be set."""

    table: Table
    set_by_ms: int = 0

    def ticks(self) -> int:
        """Milliseconds since its start."""
        return self.table.now_ms

    def wall(self) -> int:
        """Milliseconds since 1970, so it believes."""
        return EPOCH_MS + self.table.now_ms + self.set_by_ms

    @contextmanager
    def recording(self, folder: Path, base_ms: int | None = None) -> Iterator[Recorder]:
        with SqliteEventLog(folder / "log.db") as store:
            recorder = Recorder(
                *(plan(folder / "live.gcg"), MemoryBus(self.table.broker), store, self.wall),
                ticks_ms=self.ticks,
                base_ms=base_ms,
            )
            recorder.start()
            self.table.recorder = recorder
            try:
                yield recorder
            finally:
                self.table.recorder = None
                recorder.stop()


def begin(table: Table) -> None:
    """The first player's clock runs, before an empty board."""
    table.turn(Side.RIGHT, board())


def turn(table: Table, number: int) -> None:
    """The play of that number is laid, seen, and pressed; the press comes in after the next look.

    So it is in its right place by its time alone.
    """
    side, other = SIDES[number % 2], SIDES[1 - number % 2]
    table.think(side, 20)
    table.show(board(*WORDS[: number + 1]))
    table.now_ms += 500
    press = table.later(side, other)
    table.show(board(*WORDS[: number + 1]))
    press()


def game(folder: Path) -> str:
    """The game as it is in the end: who played what, for how much."""
    return (folder / "live.gcg").read_text(encoding="utf-8")


def time_rows(folder: Path) -> list[TimeSet]:
    says = [row.says for row in recorded(folder)]
    return [one.what for one in says if isinstance(one, Observed) and isinstance(one.what, TimeSet)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The game as it is recorded while nobody sets a clock."""
    folder, table = tmp_path_factory.mktemp("undisturbed"), Table()
    with Machine(table).recording(folder):
        begin(table)
        for number in range(len(WORDS)):
            turn(table, number)
    table.bus.stop()
    assert all(word.split()[0] in game(folder) for word in WORDS)
    return game(folder)


@pytest.mark.parametrize("by_ms", STEPS.values(), ids=STEPS)
def test_a_clock_that_is_set_changes_no_turn_and_is_told(
    table: Table, tmp_path: Path, undisturbed: str, by_ms: int
) -> None:
    """Every play, score and player is as without; the director hears of it once."""
    machine, alerts = Machine(table), []
    table.bus.subscribe("tc/v1/hall/int/table/1/alert", alerts.append)
    with machine.recording(tmp_path):
        begin(table)
        for number in range(len(WORDS)):
            if number == 2:
                machine.set_by_ms = by_ms
            turn(table, number)
        eventually(lambda: any(b"time.set" in one.payload for one in alerts), "told aloud")
    assert game(tmp_path) == undisturbed
    assert time_rows(tmp_path) == [TimeSet(by_ms=by_ms, ahead_ms=by_ms)]


@pytest.mark.parametrize("by_ms", first_of(1, STEPS.values()), ids=STEPS)
def test_a_clock_set_while_no_recorder_runs_changes_no_turn(
    table: Table, tmp_path: Path, undisturbed: str, by_ms: int
) -> None:
    """A recorder that starts again in the same run of its machine goes on with its own time."""
    machine = Machine(table)
    with machine.recording(tmp_path) as first:
        begin(table)
        turn(table, 0)
        turn(table, 1)
        base_ms = first.time.base_ms
    machine.set_by_ms = by_ms
    with machine.recording(tmp_path, base_ms):
        turn(table, 2)
        turn(table, 3)
        turn(table, 4)
    assert game(tmp_path) == undisturbed
    assert time_rows(tmp_path) == [TimeSet(by_ms=by_ms, ahead_ms=by_ms)]


def test_the_record_never_runs_back_over_its_rows(table: Table, tmp_path: Path) -> None:
    """A machine that starts with an old clock goes on after the newest row of the game."""
    machine = Machine(table)
    with machine.recording(tmp_path):
        begin(table)
        turn(table, 0)
    last_ms = recorded(tmp_path)[-1].at
    machine.set_by_ms = -10_800_000
    with machine.recording(tmp_path) as again:
        assert again.time.now() >= last_ms


def test_the_next_game_begins_by_the_wall_clock(table: Table, tmp_path: Path) -> None:
    """Without a row of the game that is on, what was kept does not count."""
    machine = Machine(table, set_by_ms=-30_000)
    with machine.recording(tmp_path, base_ms=EPOCH_MS) as recorder:
        assert recorder.time.now() == machine.wall()
    assert time_rows(tmp_path) == []


@pytest.mark.parametrize("by_ms", STEPS.values(), ids=STEPS)
def test_pages_count_by_the_time_of_the_record(table: Table, tmp_path: Path, by_ms: int) -> None:
    """No delay ends and no clock jumps on a page, whether it was there when the clock was set."""
    machine = Machine(table)
    there = RecordNow(machine.wall, machine.ticks)
    with machine.recording(tmp_path) as recorder:
        begin(table)
        for row in recorded(tmp_path):
            there.take(row)
        machine.set_by_ms = by_ms
        assert there() == recorder.time.now()
        turn(table, 0)
        eventually(lambda: time_rows(tmp_path), "told")
        late = RecordNow(machine.wall, machine.ticks)
        for row in recorded(tmp_path):
            late.take(row)
        for row in recorded(tmp_path):
            there.take(row)
        assert there() == late() == recorder.time.now()


def test_a_program_that_starts_again_goes_on_with_its_time(tmp_path: Path) -> None:
    """An agent's times do not run backwards over a restart, whatever was set meanwhile."""
    file = tmp_path / "agent.time"
    first = steady_ms(lambda: EPOCH_MS, file)
    again = steady_ms(lambda: EPOCH_MS - 10_800_000, file)
    if not machine_run():
        pytest.skip("the system does not tell one run of the machine from the next")
    assert 0 <= again() - first() < 60_000
    assert kept_base_ms(file, "another run of the machine") is None
    file.write_text("{", encoding="utf-8")
    assert kept_base_ms(file, machine_run()) is None
    assert uptime_ms() <= uptime_ms()
