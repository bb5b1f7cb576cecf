"""Slots of a broadcast there, pointed at the games that the slots of a dashboard show."""

from collections.abc import Callable, Mapping

from dashboard.woogles.client import RefusedError, UnreachableError, Woogles
from dashboard.woogles.mirror import Place
from recorder.backoff import Backoff
from recorder.declared.json_objects import parse_json
from recorder.domain.errors import NotationError
from recorder.feeds.fetching import fetched
from recorder.own_thread import OwnThread
from recorder.woogles import shapes

_LOOK_S = 1.0
_PAUSES = Backoff(2.0, 60.0)
_MOST_BYTES = 1_000_000


class SlotPointer(OwnThread):
    """Keeps the slots of broadcast ``slug`` as those of the dashboard at ``address``.

    ``places``: division, round and table of the newest mirrored game, by table here. ``say`` gets
    what a person should read, once.
    """

    def __init__(
        self,
        woogles: Woogles,
        slug: str,
        address: str,
        places: Callable[[], Mapping[int, Place]],
        say: Callable[[str], object],
    ) -> None:
        super().__init__("woogles slots")
        self._woogles, self._slug, self._places, self._say = woogles, slug, places, say
        self._address = f"{address.rstrip('/')}/api/slots"
        self._pointed: dict[str, Place] = {}

    def _work(self) -> None:
        failures, said, pause = 0, "", _LOOK_S
        while not self._ends.wait(pause):
            try:
                self.step()
                failures, pause = 0, _LOOK_S
            except (NotationError, UnreachableError) as fault:
                failures += 1
                pause = _PAUSES.after(failures)
                if str(fault) != said:
                    said = str(fault)
                    self._say(f"slots: {said}")
        self._woogles.close()

    def step(self) -> None:
        """Point those that show another game by now.

        NotationError where the dashboard does not say, or they refuse; UnreachableError as the link
        raises it.
        """
        places = self._places()
        for name, table in read_shown(fetched(self._address, _MOST_BYTES)).items():
            place = places.get(table)
            if place is None or self._pointed.get(name) == place:
                continue
            try:
                if name not in self._pointed:
                    self._woogles.ask(shapes.create_slot(self._slug, name, place))
                self._woogles.ask(shapes.assign_slot(self._slug, name, place))
            except RefusedError as fault:
                raise NotationError(_remedy(fault, self._slug)) from fault
            self._pointed[name] = place


def read_shown(content: bytes) -> dict[str, int]:
    """By slot, the table that it shows now; NotationError where a dashboard says no such thing."""
    try:
        said = parse_json(content.decode())
        return {
            str(slot["name"]): int(slot["shows"])
            for slot in said["slots"]
            if slot["shows"] is not None
        }
    except (ValueError, KeyError, TypeError) as fault:
        raise NotationError("no dashboard of Tilecast answers at --slots URL") from fault


def _remedy(fault: RefusedError, slug: str) -> str:
    if fault.code == "permission_denied":
        return f"the key's account is not a director of {slug!r}: its director can add it"
    return str(fault)
