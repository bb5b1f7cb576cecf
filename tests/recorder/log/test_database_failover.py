"""Two PostgreSQL servers, one replicating: the primary is killed, the standby promoted."""

import queue
from contextlib import suppress

import pytest

from dashboard.live.log_follower import Batch, LogFollower
from recorder.domain.errors import RecorderError
from recorder.log.database import connected
from recorder.log.places import open_log, open_log_reader
from tests.contracts.test_eventlog_contract import observed
from tests.eventually import eventually
from tests.postgres_server import running_server, server_programs

pytestmark = pytest.mark.slow


def test_a_recorder_and_a_dashboard_go_on_with_the_promoted_standby() -> None:
    """What was stored is on both; nothing is stored between; each row is followed once."""
    pytest.importorskip("psycopg", reason="psycopg is lacking: tilecast[postgres]")
    programs = server_programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed: apt install postgresql")
    with running_server(programs) as primary, running_server(programs, primary) as standby:
        with connected(primary.address) as admin:  # a row is stored once both have it
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            admin.execute("SELECT pg_reload_conf()")
        both = f"{primary.address},{standby.folder}"
        followed: queue.Queue[Batch] = queue.Queue()
        seqs: list[int] = []

        def has(seq: int) -> bool:
            with suppress(queue.Empty):
                while batch := followed.get_nowait():
                    seqs.extend(row.seq for row in batch.rows)
            return seq in seqs

        follower = LogFollower(both, followed.put)
        with open_log(f"{both}&target_session_attrs=read-write") as log:
            log.append([observed(1), observed(2)])
            follower.start()
            try:
                eventually(lambda: has(2), "the dashboard follows the primary")
                primary.crash()
                with pytest.raises(RecorderError):
                    log.append([observed(3)])
                standby.promote()

                def stored() -> bool:
                    with suppress(RecorderError):
                        return log.append([observed(3)]) != [] and log.head() == 3
                    return False

                eventually(stored, "the recorder stores on the standby")
                eventually(lambda: has(3), "the dashboard follows the standby")
            finally:
                follower.stop()
            assert (seqs, log.verify()) == ([1, 2, 3], None)
        with open_log_reader(standby.address) as alone:
            assert [row.key and row.key[2] for row in alone.read_from(1)] == [1, 2, 3]
