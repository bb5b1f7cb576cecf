"""When a table's camera is asked for a look: while a press waits for one, and not all the time."""

from dataclasses import dataclass, field

LOOK_AGAIN_MS = 700


@dataclass(slots=True)
class _Asked:
    """The last look asked for: for which press (its row), when, and how many there were."""

    press: int = 0
    at_ms: int = 0
    number: int = 0


@dataclass(slots=True)
class LookRequests:
    """What the cameras of all tables were asked for."""

    _asked: dict[int, _Asked] = field(default_factory=dict)

    def ask(self, table: int, press: int, now_ms: int) -> str:
        """The id of the request to make now; empty where none is due. ``press`` 0: none waits."""
        asked = self._asked.setdefault(table, _Asked())
        if not press or (press == asked.press and now_ms - asked.at_ms < LOOK_AGAIN_MS):
            return ""
        asked.press, asked.at_ms, asked.number = press, now_ms, asked.number + 1
        return f"look-{press}-{asked.number}"
