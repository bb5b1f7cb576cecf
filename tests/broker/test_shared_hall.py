"""Two recorders share a hall's tables: one is killed or ended in mid-round, the other goes on."""

import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.log.places import open_log_reader
from recorder.log.port import Kind, Row
from tests.bench.switched_off import Round, first_turn
from tests.eventually import eventually
from tests.postgres_server import server_programs

pytestmark = [
    pytest.mark.broker,
    pytest.mark.skipif(server_programs() is None, reason="no PostgreSQL server is installed"),
]


def whole_log(hall: Round) -> list[Row]:
    """All rows; the chain holds."""
    with open_log_reader(hall.log) as log:
        assert log.verify() is None
        return list(log.read_from(1))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_the_tables_of_a_recorder_that_ends_are_taken_over(
    tmp_path: Path, end: signal.Signals
) -> None:
    """Nothing is lost or doubled, no page is blank; it gets tables back where nothing is on."""
    with ExitStack() as running:
        hall = Round(tmp_path, 4, running, shared=True)
        idle, its_page = hall.tables.pop(), hall.pages.pop()  # nobody sits at the last one yet
        hall.play_over(end)
        eventually(lambda: hall.tables_held() == [4], "the second holds all")
        hall.machines[0].start()
        eventually(lambda: hall.tables_held() == [3, 1], "one table is in a pause", 60)
        first_turn(idle)
        eventually(lambda: its_page.shows("8G"), "the first machine records again")
        eventually(lambda: not idle.waiting(), "all is acknowledged")
        hall.tables.append(idle)
        hall.pages.append(its_page)
        rows = whole_log(hall)
        assert not hall.faults(rows)
    kinds = Counter(row.type for row in rows if row.kind in (Kind.RECORDED, Kind.CORRECTED))
    assert (kinds["game.started"], kinds["game.played"]) == (4, 7)
