"""A table that plays a game by itself, for compose.yaml: simulated camera and clock, real agent.

``python simulated_table.py [SPEED]``; ``TILECAST_MQTT_URL`` names the broker. Knows no recorder.
"""

import logging
import os
import sys
from pathlib import Path

import devices.lab
from devices.agent import run_agent
from devices.agent_process.table_file import read_table_file
from devices.lab.game_script import script
from devices.lab.scenes.styles import demo_style
from devices.lab.scenes.table_scene import TableScene
from devices.lab.simulated_table import SimulatedTable
from devices.lab.table_files import table_toml
from recorder.gcg import read_gcg

SEED = 1


def main(arguments: list[str]) -> int:
    """Play until SIGTERM; the final board stays in view after the game."""
    folder = Path(os.environ.get("TILECAST_TABLE_FOLDER", "/table"))
    broker = os.environ["TILECAST_MQTT_URL"]
    speed = float(arguments[0]) if arguments else 1.0
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    source = Path(devices.lab.__path__[0]) / "games" / "english.gcg"
    game = read_gcg(source.read_bytes())
    tiles = game.tile_set.name
    scene = TableScene(demo_style(tiles), SEED)
    with SimulatedTable(script(game, SEED), scene, speed=speed) as table:
        file = folder / "table.toml"
        file.write_text(table_toml(broker, table.camera_url, table.clock.path, tiles))
        run_agent(read_table_file(file))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
