"""The agent's file for a simulated table."""

import json


def table_toml(
    broker_url: str, camera: str, port: str, tiles: str, profile: str = "", *, number: int = 1
) -> str:
    """A file for a snapshot camera and a clock, ``cam-1`` and ``clock-1`` at table 1."""
    calibrated = f"profile = {json.dumps(profile)}\n" if profile else ""
    return f"""[broker]
url = "{broker_url}"
[[device]]
kind = "board-camera"
name = "cam-{number}"
source = "{camera}"
tiles = "{tiles}"
interval_ms = 100
{calibrated}[[device]]
kind = "serial-clock"
name = "clock-{number}"
port = "{port}"
"""
