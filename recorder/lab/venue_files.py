"""Files for the recorder of a demo or a test: one game at a table, or tables that wait."""

import json
from collections.abc import Mapping, Sequence
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
    roles = {"cam-1": "board-camera", "clock-1": "serial-clock", **more_devices}
    roles["phone-racks-1"] = "assistant"
    devices = ", ".join(f'{name} = "{role}"' for name, role in roles.items())
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
devices = {{ {devices} }}
"""


def event_toml(broker_url: str, tables: int, tiles: str, rules: str = "wespa4") -> str:
    """A file for tables 1 to ``tables`` that wait for their pairings, otherwise as ``venue_toml``.

    Table 3 has a board camera ``cam-3`` and a clock ``clock-3``.
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
devices = {{ cam-{number} = "board-camera", clock-{number} = "serial-clock",\
 phone-racks-{number} = "assistant" }}
"""
    return text
