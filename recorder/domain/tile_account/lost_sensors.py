"""What sensors of tiles say; of one that is lost its last word about a rack holds no more."""

from collections.abc import Callable
from dataclasses import replace

from recorder.domain.observations import DeviceLost, Observation, RackCounted, RackSeen, Side
from recorder.domain.reading.table_fold import Stamped
from recorder.domain.tile_account.sensor_reports import Sensed, sensed


class TileSensors:
    """The devices that have spoken of racks, with what they said last of each."""

    def __init__(self) -> None:
        self._said: dict[str, dict[Side, RackSeen | RackCounted]] = {}

    def hear(self, device: str, observation: Observation) -> None:
        """A device has said something, perhaps of a rack."""
        if isinstance(observation, RackSeen | RackCounted):
            self._said.setdefault(device, {})[observation.side] = observation

    def reports(self, seen: Stamped, player_at: Callable[[Side], int | None]) -> list[Sensed]:
        """What an observation says of tiles; a loss says of which racks nothing is known now."""
        seq, at_ms, observation = seen.seq, seen.at_ms, seen.observation
        if isinstance(observation, DeviceLost):
            words = self._said.get(observation.device, {}).values()
            last = [sensed(seq, at_ms, word, player_at) for word in words]
            return [replace(word, is_gone=True) for word in last if word is not None]
        report = sensed(seq, at_ms, observation, player_at)
        return [] if report is None else [report]
