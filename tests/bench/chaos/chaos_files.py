"""What stands in the files of the chaos: the agent's of its tables, and the recorders'."""

from collections.abc import Mapping
from pathlib import Path

from tests.bench.chaos.chaos_tables import BUSY_CAMERA, BUSY_CLOCK, CAMERA

SITTING = {number: f'clock-{number} = "serial-clock"' for number in (1, 2, 3)} | {
    4: f'{CAMERA} = "board-camera"',
    5: f'{BUSY_CAMERA} = "board-camera", {BUSY_CLOCK} = "serial-clock"',
}


def written(path: Path, text: str) -> Path:
    """The file, with that in it."""
    path.write_text(text, encoding="utf-8")
    return path


def agent_text(broker: str, clocks: Mapping[str, str], cameras: Mapping[str, str]) -> str:
    """An agent's file: serial clocks and their ports, cameras and their addresses, by name."""
    text = f'[broker]\nurl = "{broker}"\n'
    for name, port in clocks.items():
        text += f'[[device]]\nkind = "serial-clock"\nname = "{name}"\nport = "{port}"\n'
    for name, source in cameras.items():
        text += f'[[device]]\nkind = "board-camera"\nname = "{name}"\nsource = "{source}"\n'
    return text


def recorder_text(broker: str, more: str) -> str:
    """A recorder's file, with the tables; ``more`` are lines of its section."""
    text = f'[broker]\nurl = "{broker}"\n[recorder]\nfolder = "record"\n{more}'
    for number, devices in SITTING.items():
        text += (
            f'[[table]]\nnumber = {number}\ngame = "chaos-{number}"\nplayers = ["A", "B"]\n'
            f"check_clock = false\ndevices = {{ {devices} }}\n"
        )
    return text
