"""The venue of a scenario: one table with its devices, and a director's console."""

from collections.abc import Iterable

from recorder.domain.record import GameStarted
from recorder.lab.scenario.steps import Sensor, Setup
from recorder.lab.scenario.table_agent import ROLES
from recorder.lab.scenario.text.setup_grammar import setup_rules
from recorder.service.plan import RecorderPlan
from recorder.table.game_recorder import TablePlan
from recorder.tilesets import load_tile_set, recorded_tiles

VENUE, TABLE, CONSOLE = "scenario", 1, "console"


def plan_of(setup: Setup) -> RecorderPlan:
    """What a venue's file would tell the recorder of this table."""
    rules = setup_rules(setup)
    first, second = setup.players
    start_ms = round(setup.minutes * 60_000)
    started = GameStarted(
        game="scenario",
        table=TABLE,
        players=(first, second) if setup.first == 1 else (second, first),
        **recorded_tiles(load_tile_set(setup.tiles)),
        **rules.recorded(),
        starts_ms=(start_ms, start_ms),
        left_player=setup.first - 1,
    )
    return RecorderPlan(
        venue=VENUE,
        recorder="recorder-1",
        tables=(TablePlan(started=started, devices=_roles(setup.sensors)),),
        consoles=(CONSOLE,),
    )


def _roles(sensors: Iterable[Sensor]) -> dict[str, str]:
    there = set(sensors)
    return {
        name: role for sensor in Sensor if sensor in there for name, role in ROLES[sensor].items()
    }
