"""When a table's camera is asked for a look: while a press waits for one, and not all the time."""

from dataclasses import dataclass, field

from recorder.bus.port import Bus
from recorder.domain.instruments import DeviceRole
from recorder.table.game_recorder import GameRecorder
from recorder.wire.control import Command, encode
from recorder.wire.topics import Down, DownChannel

LOOK_AGAIN_MS = 700


@dataclass(slots=True)
class _Asked:
    """The last look asked for: for which press (its row), when, and how many there were."""

    press: int = 0
    at_ms: int = 0
    number: int = 0


@dataclass(slots=True)
class LookRequests:
    """What the cameras of all tables of a venue were asked for."""

    venue: str
    bus: Bus
    _asked: dict[int, _Asked] = field(default_factory=dict)

    def ask(self, game_recorder: GameRecorder, now_ms: int) -> None:
        """Ask a table's camera for a look while the end of a turn waits for one."""
        plan = game_recorder.plan
        name = self._due(plan.started.table, game_recorder.state.look_due or 0, now_ms)
        for device, role in plan.devices.items():
            if name and role == DeviceRole.BOARD_CAMERA:
                topic = Down(self.venue, device, DownChannel.COMMAND)
                self.bus.publish(str(topic), encode(Command(id=name, cmd="look")))

    def _due(self, table: int, press: int, now_ms: int) -> str:
        """The id of the request to make now; empty where none is due. ``press`` 0: none waits."""
        asked = self._asked.setdefault(table, _Asked())
        if not press or (press == asked.press and now_ms - asked.at_ms < LOOK_AGAIN_MS):
            return ""
        asked.press, asked.at_ms, asked.number = press, now_ms, asked.number + 1
        return f"look-{press}-{asked.number}"
