"""When a press was, and what the clock shows, after the broker fell silent for ten seconds.

A simulated clock with a poor quartz on a real serial line, the agent's own parts, a real Mosquitto
that is stopped for ten seconds, and the recorder; the reference is this machine's clock.
"""

import os
import signal
import tempfile
import threading
import time
from pathlib import Path

from devices.agent import runners_of
from devices.agent_process.device_runner import running
from devices.agent_process.table_file import AgentPlan, SerialClockPlan
from devices.agent_process.ticks import agent_ticks
from devices.lab.peers.clock_firmware import ClockFace
from devices.lab.peers.serial_peer import SerialPeer
from recorder.bus.broker import BrokerHandle, find_mosquitto, start_broker
from recorder.bus.mqtt import MqttBus
from recorder.domain.observations import Side
from recorder.domain.record import GameStarted
from recorder.log.opening import wall_ms
from recorder.log.sqlite import SqliteEventLog
from recorder.service.plan import RecorderPlan
from recorder.service.recorder import Recorder
from recorder.table.game_recorder import TablePlan
from tests.bench.figures import Figure, Figures, figure_of

BEFORE_S, CUT_S, AFTER_S = 75.0, 10.0, 8.0
"""The drift shows after a minute."""
DRIFT_PPM = 150.0
START_MS = 25 * 60_000


def run() -> Figures:
    """Errors in ms: ``median`` and ``p95`` of the presses; ``baseline`` is the floor."""
    if find_mosquitto() is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        during, after, shown = _measure(Path(folder))
    return {
        "press stamp error, during a cut of 10 s": _late(during),
        "press stamp error, after it": _late(after),
        "time left error, after it": _late([shown]),
    }


def _late(errors: list[float]) -> Figure:
    return figure_of("ms", map(abs, errors), 100)


def _measure(folder: Path) -> tuple[list[float], list[float], float]:
    face = ClockFace(left_ms=START_MS, right_ms=START_MS)
    with (
        start_broker("mosquitto", workdir=folder / "broker") as broker,
        SqliteEventLog(folder / "log.db") as store,
        SerialPeer(face=face, speed=1.0, drift_ppm=DRIFT_PPM) as peer,
    ):
        recorder = Recorder(_plan(), MqttBus(broker.url, "recorder"), store, wall_ms)
        recorder.start()
        stop = threading.Event()
        agent = threading.Thread(target=_agent, args=(broker, peer, folder, stop))
        agent.start()
        try:
            presses, cut = _play(peer, broker)
            shown = _time_left_error(recorder, peer)
        finally:
            stop.set()
            agent.join()
            recorder.stop()
    with SqliteEventLog.open_reader(folder / "log.db") as reader:
        ats = [row.at for row in reader.read_from(1) if row.body["type"] == "clock.press"]
    errors = [(true, at - true) for true, at in zip(presses, ats, strict=True)]
    during = [float(error) for true, error in errors if cut[0] <= true <= cut[1]]
    return during, [float(error) for true, error in errors if true > cut[1]], shown


def _play(peer: SerialPeer, broker: BrokerHandle) -> tuple[list[int], tuple[int, int]]:
    """Press on; the true times, and from when to when the broker was silent."""
    presses: list[int] = []
    begun = time.monotonic()
    cut = [0, 0]
    pid = broker.pid
    assert pid is not None
    while (gone_s := time.monotonic() - begun) < BEFORE_S + CUT_S + AFTER_S:
        if not cut[0] and gone_s > BEFORE_S:
            cut[0] = wall_ms()
            os.kill(pid, signal.SIGSTOP)
        if not cut[1] and gone_s > BEFORE_S + CUT_S:
            os.kill(pid, signal.SIGCONT)
            cut[1] = wall_ms()
        time.sleep(0.7)
        presses.append(wall_ms())
        peer.press(Side.LEFT if len(presses) % 2 == 0 else Side.RIGHT)
    time.sleep(3)
    return presses, (cut[0], cut[1])


def _time_left_error(recorder: Recorder, peer: SerialPeer) -> float:
    """What the recorder would show beside what the clock shows, in ms."""
    clock = recorder._games.on(1).state.clock.now
    shown = clock.remaining_at(wall_ms())
    face = peer.face
    return max(abs(shown[0] - face.left_ms), abs(shown[1] - face.right_ms))


def _agent(broker: BrokerHandle, peer: SerialPeer, folder: Path, stop: threading.Event) -> None:
    ticks = agent_ticks()
    clock = SerialClockPlan(name="clock-1", port=peer.path)
    plan = AgentPlan(venue="main", broker_url=broker.url, folder=folder / "agent", devices=(clock,))
    running(runners_of(plan, ticks), ticks, stop)


def _plan() -> RecorderPlan:
    started = GameStarted(
        game="bench",
        table=1,
        players=("Ada", "Ben"),
        tile_set="english",
        rules="wespa4",
        starts_ms=(START_MS, START_MS),
        left_player=0,
    )
    table = TablePlan(started=started, devices={"clock-1": "serial-clock"})
    return RecorderPlan(venue="main", recorder="bench", tables=(table,))
