"""The process at the table: the plan of a table file -> devices on the bus, until it is ended.

Wires kinds of devices to what they need and knows nothing else about them.
"""

import logging
import signal
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, assert_never

from devices.agent_process.device_runner import DeviceRunner, MakeBus, MakeDevice, running
from devices.agent_process.table_file import (
    AgentPlan,
    BagScalePlan,
    BoardCameraPlan,
    CameraPlan,
    DevicePlan,
    DgtClockPlan,
    RackCameraPlan,
    RackCounterPlan,
    SerialClockPlan,
    SlipCameraPlan,
)
from devices.agent_process.ticks import agent_ticks
from devices.ports import Device, Outlet, Ticks
from recorder.bus.mqtt import MqttBus
from recorder.bus.port import Bus, Will
from recorder.systems import handled

if TYPE_CHECKING:
    from devices.cameras.camera_device import CameraParts

_LOG = logging.getLogger(__name__)


def device_maker(plan: DevicePlan, folder: Path, ticks: Ticks) -> MakeDevice:
    """What opens the device of one entry of the table file."""

    def make(outlet: Outlet) -> Device:
        made: Device
        match plan:
            case BoardCameraPlan():
                made = _board_camera(plan, folder, outlet, ticks)
            case RackCameraPlan():
                made = _rack_camera(plan, folder, outlet, ticks)
            case SlipCameraPlan():
                made = _slip_camera(plan, folder, outlet, ticks)
            case SerialClockPlan():
                made = _serial_clock(plan, folder, outlet, ticks)
            case DgtClockPlan():
                made = _dgt_clock(plan, outlet, ticks)
            case BagScalePlan():
                made = _bag_scale(plan, outlet, ticks)
            case RackCounterPlan():
                made = _rack_counter(plan, outlet, ticks)
            case _:
                assert_never(plan)
        return made

    return make


def _board_camera(plan: BoardCameraPlan, folder: Path, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.cameras.board_camera import BoardCamera
    from devices.cameras.readers import open_eyes
    from recorder.domain.observations import order_for
    from recorder.tilesets import load_tile_set

    eyes = open_eyes(plan.tiles, plan.profile)
    parts = _parts(plan, folder, outlet, ticks)
    reach = None
    if plan.divides_turns:
        from devices.cameras.camera import VideoFile
        from devices.cameras.reaching import Reach
        from devices.watching.paced import STILL_FRAMES, STILL_MS, PacedSource

        source = PacedSource(parts.source, ticks, is_video=isinstance(parts.source, VideoFile))
        policy = replace(parts.policy, still_frames=STILL_FRAMES, still_ms=STILL_MS)
        parts, reach = replace(parts, source=source, policy=policy), Reach()
    camera = BoardCamera(parts, eyes, reach=reach)
    camera.symbols = order_for(load_tile_set(plan.tiles))
    return camera


def _rack_camera(plan: RackCameraPlan, folder: Path, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.cameras.rack_camera import RackCamera
    from devices.cameras.readers import open_rack_reader
    from recorder.domain.observations import Side, order_for
    from recorder.tilesets import load_tile_set

    reader = open_rack_reader(plan.tiles, plan.profile)
    camera = RackCamera(_parts(plan, folder, outlet, ticks), reader, Side(plan.side))
    camera.symbols = order_for(load_tile_set(plan.tiles))
    return camera


def _slip_camera(plan: SlipCameraPlan, folder: Path, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.cameras.slip_camera import SlipCamera
    from devices.vision.beside.slip_layout import KNOWN_BY_MARKERS, alphabet_of
    from devices.vision.beside.slips import read_slip
    from recorder.tilesets import load_tile_set

    tile_set = load_tile_set(plan.tiles)
    alphabet = alphabet_of(tile_set)
    reader = partial(read_slip, alphabet=alphabet)
    camera = SlipCamera(_parts(plan, folder, outlet, ticks), reader)
    if alphabet not in KNOWN_BY_MARKERS:
        camera.symbols = tile_set.letters
    return camera


def _parts(plan: CameraPlan, folder: Path, outlet: Outlet, ticks: Ticks) -> "CameraParts":
    """What every camera needs. Ask last: whatever fails before leaves no camera open."""
    from devices.cameras.camera import VideoFile, open_source
    from devices.cameras.camera_device import CameraParts, LookPolicy
    from devices.cameras.evidence import EvidenceFolder

    evidence = EvidenceFolder(folder / "evidence" / plan.name)
    source = open_source(
        plan.source, lambda: ticks() - plan.latency_ms, interval_ms=plan.interval_ms, fills=True
    )
    policy = LookPolicy(still_frames=plan.still_frames, still_ms=plan.still_ms)
    if isinstance(source, VideoFile):
        policy = replace(policy, frozen_ms=0)  # a film is what it is
    return CameraParts(plan.name, source, evidence, outlet, ticks, policy)


def _serial_clock(plan: SerialClockPlan, folder: Path, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.clocks.ack_mark import AckMarkFile
    from devices.clocks.serial_clock import SerialClock
    from devices.link.serial_port import SerialLink

    link = SerialLink(plan.port, ticks, plan.baud)
    return SerialClock(plan.name, link, outlet, AckMarkFile(folder / f"{plan.name}.mark"), ticks)


def _dgt_clock(plan: DgtClockPlan, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.clocks.dgt_clock import DgtClock
    from devices.link.serial_port import SerialLink

    link = SerialLink(plan.port, ticks, 9600)
    return DgtClock(plan.name, link, outlet, ticks)


def _bag_scale(plan: BagScalePlan, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.link.serial_port import SerialLink
    from devices.sensors.bag_scale import BagScale
    from devices.sensors.scale_profile import SCALE_FILE

    profile = Path(plan.profile)
    SCALE_FILE.load(profile)  # before the port is opened: what fails leaves no thread
    link = SerialLink(plan.port, ticks, plan.baud)
    return BagScale(plan.name, link, profile, outlet, ticks)


def _rack_counter(plan: RackCounterPlan, outlet: Outlet, ticks: Ticks) -> Device:
    from devices.link.serial_port import SerialLink
    from devices.sensors.rack_counter import RackCounter
    from recorder.domain.observations import Side

    link = SerialLink(plan.port, ticks, plan.baud)
    return RackCounter(plan.name, link, outlet, ticks, side=Side(plan.side))


def runners_of(
    plan: AgentPlan, ticks: Ticks, make_bus: MakeBus | None = None
) -> list[DeviceRunner]:
    """A runner per device; nothing runs or connects yet.

    RecorderError when another agent has the outboxes already.
    """

    def mqtt(name: str, will: Will) -> Bus:
        return MqttBus(plan.broker_url, name, will=will)

    plan.folder.mkdir(parents=True, exist_ok=True)
    return [
        DeviceRunner(
            device.name,
            plan.venue,
            plan.folder,
            device_maker(device, plan.folder, ticks),
            make_bus or mqtt,
            ticks=ticks,
        )
        for device in plan.devices
    ]


def run_agent(plan: AgentPlan) -> None:
    """Run until SIGTERM or Ctrl-C; then everything is closed and said goodbye to."""
    stop = threading.Event()

    def end(number: int, _frame: FrameType | None) -> None:
        _LOG.info("ending on %s", signal.Signals(number).name)
        stop.set()

    with handled(end, signal.SIGTERM, signal.SIGINT):
        names = ", ".join(device.name for device in plan.devices)
        _LOG.info("agent for %s at venue %s", names, plan.venue)
        plan.folder.mkdir(parents=True, exist_ok=True)
        ticks = agent_ticks(plan.folder)
        running(runners_of(plan, ticks), ticks, stop)
