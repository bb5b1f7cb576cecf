"""The only recorder of a hall, with its log in a file, is ended in the middle of a round."""

import signal
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from recorder.domain.row_kind import Kind
from recorder.log.places import open_log_reader
from tests.bench.chaos.switched_off import Round

pytestmark = [pytest.mark.broker, pytest.mark.further]
TABLES = 4


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_round_goes_on_over_a_restart_of_its_recorder(
    tmp_path: Path, end: signal.Signals
) -> None:
    """Half of the tables press just before, half while nobody records; no page is cut or blank."""
    with ExitStack() as running:
        hall = Round(tmp_path, TABLES, running, in_file=True)
        hall.play_over(end)
        with open_log_reader(hall.log) as log:
            rows, broken_at = list(log.read_from(1)), log.verify()
        assert (broken_at, hall.faults(rows)) == (None, [])
    told = Counter((row.table, row.type) for row in rows if row.kind is Kind.RECORDED)
    plays = {table: told[table, "game.played"] for table in range(1, TABLES + 1)}
    assert plays == dict.fromkeys(range(1, TABLES + 1), 2)
    assert sum(told[table, "game.started"] for table in plays) == TABLES
