"""What a demonstration plays, and on which table: record, mishaps and sensors put together."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import devices.lab
from devices.cameras.profile import CalibrationProfile, save_profile
from devices.lab.game_script import Sensors, script
from devices.lab.instruments import instruments_at, roles
from devices.lab.mishaps.verbs import MOVING, VERBS, replayed, staged
from devices.lab.scenes.table_scene import demo_scene
from devices.lab.simulated_table import SimulatedTable, table_clock
from devices.lab.table_files import table_toml
from recorder.domain.errors import NotationError
from recorder.gcg import GcgGame, Severity, read_gcg

GAMES = Path(devices.lab.__path__[0]) / "games"
WORDS = GAMES.parent / "words" / "english.txt"
"""A free list of English words, whose licence lies beside it; every word of our games is in it."""


def load_game(path: Path | None) -> GcgGame:
    """The record to play: a file, or the one that comes with the program.

    NotationError names file and line of what cannot be played.
    """
    source = path or GAMES / "demo.gcg"
    game = read_gcg(source.read_bytes())
    for fault in game.faults:
        if fault.severity is Severity.ERROR:
            raise NotationError(f"{source}:{fault.line}: {fault.message}")
    if not game.plays:
        raise NotationError(f"{source}: has no play")
    return game


def load_event_games() -> list[GcgGame]:
    """The records that an event plays: each is another game, so no table repeats another."""
    return [load_game(path) for path in sorted(GAMES.glob("event-*.gcg"))]


def words_option(game: GcgGame) -> tuple[object, ...]:
    """What the dashboard is given so that it knows best plays and hooks: our list is English."""
    return ("--words", WORDS) if game.tile_set.name == "english" else ()


class Demonstration:
    """One game with its mishaps and sensors; ``game`` is what is really played.

    NotationError when the game has no place for a mishap.
    """

    def __init__(
        self, record: GcgGame, mishaps: Sequence[str], sensors: Sensors, seed: int
    ) -> None:
        self.game = replayed(mishaps, record)
        self._sensors, self._seed = sensors, seed
        played = script(self.game, seed, announced=sensors is not Sensors.CLOCK_CAMERA)
        self._script = staged(mishaps, played)
        still = not MOVING.intersection(mishaps)
        self._is_calibrated = still and any(VERBS[name].is_calibrated for name in mishaps)
        self._drift_ppm = sum(VERBS[name].clock_drift_ppm for name in mishaps)

    @property
    def more_devices(self) -> Mapping[str, str]:
        """The roles, by name, of the devices beside camera and clock."""
        return roles(self._sensors, 1)

    def table(self, speed: float) -> SimulatedTable:
        """The table, switched on. To be called once."""
        tiles, seed = self.game.tile_set, self._seed
        return SimulatedTable(
            self._script,
            demo_scene(tiles.name, seed),
            speed=speed,
            clock=table_clock(drift_ppm=self._drift_ppm),
            instruments=instruments_at(1, tiles, seed, self._sensors),
        )

    def table_file(self, table: SimulatedTable, broker_url: str, folder: Path) -> str:
        """The text of the agent's file for that table; ``folder`` is for what it refers to."""
        tiles = self.game.tile_set.name
        profile = self._calibrated(table, folder) if self._is_calibrated else ""
        text = table_toml(broker_url, table.camera_url, table.clock.path, tiles, profile)
        return text + table.more_devices_toml(folder)

    def _calibrated(self, table: SimulatedTable, folder: Path) -> str:
        """The path of a profile as a calibration of this camera would have made it."""
        size, corners = table.camera_view
        profile = CalibrationProfile(
            source=table.camera_url,
            tile_set=self.game.tile_set.name,
            image_size=size,
            corners=corners,
            residual_px=1.0,
        )
        save_profile(profile, folder / "cam-1.json")
        return str(folder / "cam-1.json")
