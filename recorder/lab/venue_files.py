"""Files for the recorder of a demo or a test: one game at a table, or tables that wait."""

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from recorder.service.venue_file import end_to_confirm


def venue_toml(
    broker_url: str,
    players: Sequence[str],
    tiles: str,
    more_devices: Mapping[str, str] = MappingProxyType({}),
    rules: str = "wespa4",
) -> str:
    """A file for one game at table 1, with a board camera ``cam-1`` and a clock ``clock-1``.

    ``more_devices`` gives the roles of others, by name; ``rules`` is the rule set. What it
    waits for is confirmed, so that the end counts. The clock is not held against the time:
    simulated players think faster than it passes.
    """
    names = json.dumps(list(players), ensure_ascii=False)  # TOML writes a list of texts alike
    confirmed = f"confirmed = {json.dumps(end_to_confirm(rules))}\n"
    return f"""[broker]
url = "{broker_url}"
[recorder]
folder = "record"
[[table]]
number = 1
game = "demo"
players = {names}
tiles = "{tiles}"
rules = {json.dumps(rules)}
{confirmed}check_clock = false
devices = {{ {_devices(1, more_devices)} }}
"""


def event_toml(
    broker_url: str,
    tables: int,
    tiles: str,
    more_devices: Callable[[int], Mapping[str, str]],
    rules: str = "wespa4",
) -> str:
    """A file for tables 1 to ``tables`` that wait for their pairings, otherwise as ``venue_toml``.

    Table 3 has a board camera ``cam-3`` and a clock ``clock-3``; ``more_devices`` gives the roles
    of a table's others, by name.
    """
    confirmed = f"confirmed = {json.dumps(end_to_confirm(rules))}\n"
    text = f"""[broker]
url = "{broker_url}"
[recorder]
folder = "record"
"""
    for number in range(1, tables + 1):
        text += f"""[[table]]
number = {number}
tiles = "{tiles}"
rules = {json.dumps(rules)}
{confirmed}check_clock = false
devices = {{ {_devices(number, more_devices(number))} }}
"""
    return text


def _devices(table: int, more_devices: Mapping[str, str]) -> str:
    """A table's devices as a line of TOML has them."""
    usual = {
        f"cam-{table}": "board-camera",
        f"clock-{table}": "serial-clock",
        f"phone-racks-{table}": "assistant",
    }
    return ", ".join(f'{name} = "{role}"' for name, role in {**usual, **more_devices}.items())
