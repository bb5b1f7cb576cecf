"""The recorder as a process: broker, log and session, until it is told to stop.

Wires adapters to the session and knows nothing else about them.
"""

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType

from prometheus_client import CollectorRegistry

from recorder.bus.address import shown_url
from recorder.bus.broker import memory_limit_of, start_broker
from recorder.bus.exposure import open_to_others, open_warning
from recorder.bus.mqtt import MqttBus
from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText
from recorder.log.anchors import AnchorFile
from recorder.log.copies import ANCHORS_NAME
from recorder.log.database import is_database
from recorder.log.keeper import NOTED_EVERY_S, LogKeeper
from recorder.log.lease import WriterElsewhereError, wait_until_free
from recorder.log.opening import only_writer, wall_ms
from recorder.log.places import LogPlace, OpenLog, open_log, open_log_reader, shown_place
from recorder.log.port import EventLog
from recorder.log.repair import repair_if_damaged
from recorder.operations.monitor import Health, monitored
from recorder.operations.options import ListenAddress
from recorder.operations.process_logs import begin_logs
from recorder.orders.console_key import make_key, read_key
from recorder.private import keep_private
from recorder.service.recorder import Recorder
from recorder.service.retained_status import farewell, new_start
from recorder.service.venue_file import VenuePlan
from recorder.table.game_recorder import TablePlan
from recorder.texts.telling import coded_text
from recorder.uptime import TIME_NAME, keep_base_ms, kept_base_ms, machine_run, uptime_ms
from recorder.wire.topics import RecorderTopic

_SWITCH_S = 0.0005
"""So long a thread may keep another waiting: Python's own 5 ms would delay each acknowledgement."""
RED, PLAIN = "\033[31m", "\033[0m"
_REST_S = 0.01
"""Between two steps of the log's proof: what devices say goes first."""


def record(
    plan: VenuePlan,
    announce: Callable[[str], object] = lambda _: None,
    *,
    monitor: ListenAddress | None = None,
    logs: str = "text",
) -> None:
    """Record until SIGTERM or SIGINT; ``announce`` gets one line per thing worth knowing.

    ``monitor`` is where figures and health are served, ``logs`` one of ``LOG_FORMS``.

    Needs the main thread of its process. OSError and RecorderError when folder, log or broker
    cannot be used.
    """
    begin_logs(logs)
    sys.setswitchinterval(_SWITCH_S)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _setter(stop))
    keep_private()
    plan.folder.mkdir(parents=True, exist_ok=True)
    broker = start_broker(plan.broker, workdir=plan.folder / "broker")
    try:
        announce(f"broker       {shown_url(broker.url)} ({broker.kind})")
        if warning := open_warning(broker.url) or _open_here(broker.url):
            announce(f"{RED}WARNING: {warning}{PLAIN}")
        if broker.banner:
            announce(f"             {broker.banner}")
        keeper = LogKeeper(AnchorFile(plan.anchors or plan.folder / ANCHORS_NAME))
        with ExitStack() as running:
            store = running.enter_context(_log_for_writing(plan, keeper, announce, stop, monitor))
            if store is None:
                return
            announce(f"log          {shown_place(plan.log)}")
            if said := keeper.check(store):
                announce(_warning(said))
            recorder = _recorder(plan, broker.url, store)
            recorder.spoken.warning = keeper.repaired or said
            if monitor is not None:
                place = running.enter_context(_figures(monitor, recorder))
                announce(f"figures      http://{monitor.host}:{place}/metrics")
            recorder.start()
            keep_base_ms(plan.folder / TIME_NAME, machine_run(), recorder.time.base_ms)
            _announce_tables(recorder.tables, announce)
            try:
                _watch(recorder, keeper, plan.log, stop)
            finally:
                recorder.stop()
            keeper.note(store, recorder.time.now())
    finally:
        broker.stop()


def _figures(monitor: ListenAddress, recorder: Recorder) -> AbstractContextManager[int]:
    return monitored(monitor, recorder.figures.registry, lambda: Health(recorder.figures.wrong))


def _announce_tables(tables: Iterable[TablePlan], announce: Callable[[str], object]) -> None:
    for table in tables:
        first, second = table.started.players
        who = "waits for a pairing" if table.waits else f"{first} and {second}"
        announce(f"table {table.started.table:<6} {who}")


def _open_here(url: str) -> str:
    """What is said of a broker of this machine that lets in anyone who is on the network."""
    place = open_to_others(url)
    return place and (
        f"the broker lets in anyone on the network, at {place}: they can hear racks and speak"
        " for any device. Have it listen on 127.0.0.1, or ask for passwords (tilecast init does)"
    )


def _watch(
    recorder: Recorder,
    keeper: LogKeeper,
    log: LogPlace,
    stop: threading.Event,
) -> None:
    """Until told to stop: see that somebody records, and note the log's head now and then.

    What the start left of the log's proof is made up for meanwhile.
    """
    ended = threading.Event()

    def prove() -> None:
        with open_log_reader(log) as apart:
            keeper.prove(apart, lambda: ended.wait(_REST_S) or not recorder.is_running)

    with (
        open_log_reader(log) as reader,
        ThreadPoolExecutor(1, "proof") as proving,
        _set_at_end(ended),
    ):
        proof = proving.submit(prove)
        second = -1
        while True:
            second += 1
            if second % NOTED_EVERY_S == 0:
                recorder.spoken.say_head(keeper.note(reader, recorder.time.now()))
            if stop.wait(1.0):
                return
            if proof.done():
                proof.result()
            recorder.spoken.answer()
            recorder.spoken.say_fault(recorder.fault)
            # Which of a database's recorders writes is settled by its lease.
            if recorder.spoken.came_second.is_set() and not is_database(log):
                raise RecorderError(
                    f"another recorder called {recorder.spoken.topic.recorder} already uses this"
                    " broker: stop it, or give this one a broker of its own. The other one also has"
                    " what was stored here"
                )
            if not recorder.is_running:
                raise RecorderError(
                    "recording has ended after the fault above; nothing stored is lost,"
                    " and the devices keep the rest: start the recorder again"
                )


@contextmanager
def _set_at_end(event: threading.Event) -> Iterator[None]:
    try:
        yield
    finally:
        event.set()


def _recorder(plan: VenuePlan, broker_url: str, store: EventLog) -> Recorder:
    """A recorder by a time that nobody sets, the one of its last start where that still counts."""
    base_ms = kept_base_ms(plan.folder / TIME_NAME, machine_run())
    start, recorded = new_start(), plan.plan
    if plan.console_key is not None:
        make_key(plan.console_key)
        recorded = replace(recorded, console_key=read_key(plan.console_key))
    written = [place / "broker" / "mosquitto.conf" for place in (plan.folder, plan.folder.parent)]
    recorded = replace(recorded, broker_memory=memory_limit_of(*written))
    bus = _bus(plan, broker_url, start)
    recorder = Recorder(recorded, bus, store, wall_ms, ticks_ms=uptime_ms, base_ms=base_ms)
    recorder.spoken.start = start
    return recorder


def _warning(of_log: CodedText) -> str:
    return f"{RED}WARNING: {coded_text(of_log, 'log_warning')}{PLAIN}"


@contextmanager
def _log_for_writing(
    plan: VenuePlan,
    keeper: LogKeeper,
    announce: Callable[[str], object],
    stop: threading.Event,
    monitor: ListenAddress | None,
) -> Iterator[OpenLog | None]:
    """The log, once no other recorder writes it; None when told to stop before.

    A second recorder of a database stands by; one of a file is refused.
    """
    holder = f"{plan.plan.recorder} on {socket.gethostname()}"
    while not stop.is_set():
        with ExitStack() as held:
            try:
                held.enter_context(only_writer(plan.log))
                if not is_database(plan.log):
                    repaired = repair_if_damaged(Path(plan.log), keeper.anchors)
                    if repaired is not None:
                        keeper.repaired = repaired.warning
                        announce(_warning(repaired.warning))
                store = open_log(plan.log, holder)
                held.callback(store.close)
            except WriterElsewhereError as fault:
                announce(f"standby      {fault}; takes over when that one ends")
                if monitor is not None:
                    standing_by = monitored(
                        monitor, CollectorRegistry(), lambda: Health(standby=True)
                    )
                    held.enter_context(standing_by)
                wait_until_free(str(plan.log), stop)
                continue
            yield store
            return
    yield None


def _bus(plan: VenuePlan, url: str, start: str) -> MqttBus:
    name = plan.plan.recorder
    will = farewell(RecorderTopic(plan.plan.venue, name), start, wall_ms())
    return MqttBus(url, f"recorder-{name}", will=will)


def _setter(stop: threading.Event) -> Callable[[int, FrameType | None], None]:
    def handle(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    return handle
