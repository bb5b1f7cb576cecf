"""One process among the recorders that share a hall: it joins, records what it holds, gives away.

Whenever its tables are other ones the recorder begins anew with them, from the log, as after a
restart; what is pressed meanwhile the devices keep.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from prometheus_client import CollectorRegistry

from recorder.domain.errors import RecorderError
from recorder.log.database import connected
from recorder.log.lease import WriterElsewhereError
from recorder.log.port import LogGoneError
from recorder.log.shared.membership import HallMembership
from recorder.log.shared.shared_log import SharedEventLog
from recorder.operations.monitor import Health, monitored
from recorder.operations.options import ListenAddress
from recorder.service.recorder import Recorder
from recorder.service.venue_file import VenuePlan

_AGAIN_S = 0.5
_SETTLED_S = 3
"""So long a recorder records its tables before it gives any away."""


@contextmanager
def member_of_hall(
    plan: VenuePlan,
    announce: Callable[[str], object],
    stop: threading.Event,
    monitor: ListenAddress | None,
) -> Iterator[HallMembership | None]:
    """The membership of a recorder that shares its tables; None for one that does not.

    It waits while one recorder alone writes the log, or one of its own name.
    """
    if not plan.shares_tables:
        yield None
        return
    tables = [table.started.table for table in plan.plan.tables]
    member = HallMembership(str(plan.log), plan.plan.recorder, tables)
    with ExitStack() as waiting:
        is_said = False
        while True:
            try:
                member.join()
                break
            except WriterElsewhereError as fault:
                if not is_said:
                    announce(f"standby      {fault}; shares the tables when that one ends")
                    if monitor is not None:
                        serving = monitored(monitor, CollectorRegistry(), standing_by)
                        waiting.enter_context(serving)
                is_said = True
                if stop.wait(_AGAIN_S):
                    break
    try:
        yield member
    finally:
        member.close()


@contextmanager
def log_of_member(
    url: str, member: HallMembership, announce: Callable[[str], object], stop: threading.Event
) -> Iterator[SharedEventLog | None]:
    """The log for the tables that a member holds, once it holds any; None when told to stop."""
    if not member.tables and not stop.is_set():
        announce("standby      the other recorders hold all tables; takes some in a pause")
    if not member.wait_for_tables(stop):
        yield None
        return
    member.changed.clear()
    with SharedEventLog(url, member) as store:
        yield store


@contextmanager
def outliving_database(
    url: str,
    member: HallMembership | None,
    announce: Callable[[str], object],
    stop: threading.Event,
) -> Iterator[None]:
    """Wait for the database where a member's start or end has failed because it is away.

    Who was removed meanwhile hears of that where it begins anew. Any other fault passes through.
    """
    try:
        yield
    except LogGoneError:
        raise
    except RecorderError as fault:
        if member is None or _answers(url):
            raise
        announce(f"waits        {fault}; goes on when the database is back")
        while not stop.wait(_AGAIN_S) and not _answers(url):
            pass


def _answers(url: str) -> bool:
    try:
        connected(url).close()
    except RecorderError:
        return False
    return True


def to_give(member: HallMembership, recorder: Recorder, seconds: int) -> list[int] | None:
    """The tables to give away now, at which nothing is on; None to go on as it is.

    Nothing is given where the recorder has other tables by now. RecorderError where it is no member
    any more. ``seconds`` it has recorded so far.
    """
    member.refuse_lost()
    if member.changed.is_set():
        return []
    if seconds < _SETTLED_S or not member.surplus:
        return None
    resting = sorted(recorder.pauses.tables & member.tables)
    return resting[-member.surplus :] or None


def standing_by() -> Health:
    """What a supervisor is told of a recorder that waits for another's end."""
    return Health(standby=True)
