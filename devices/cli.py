"""Commands on devices: ``tilecast agent`` and ``tilecast devices``.

Registered by the program's entry point; nothing heavy is imported until a command runs.
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from recorder.operations.answers import JSON_OF_CHECK, add_json, answer

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register(subparsers: _Subparsers) -> None:
    """Add this package's commands to the program's parser."""
    agent = subparsers.add_parser("agent", run=run_agent_command)
    agent.add_argument("file", nargs="?", type=Path, metavar="TABLE.toml")
    agent.add_argument("--example", action="store_true")
    agent.add_argument("--check", action="store_true")
    add_json(agent)
    found = subparsers.add_parser("devices", run=run_devices)
    add_json(found)


def run_agent_command(args: argparse.Namespace) -> int:
    """``tilecast agent``: 0 after SIGTERM or Ctrl-C, 1 when file or folder are at fault."""
    from devices.agent_process.table_file import DEVICES, example, read_table_file
    from recorder.bus.exposure import open_warning
    from recorder.operations.process_logs import begin_logs

    if args.example:
        print(example(), end="")
        return 0
    if args.file is None or (args.json and not args.check):
        lacks = "name a table file (an example: --example)" if args.file is None else JSON_OF_CHECK
        print(f"tilecast agent: {lacks}", file=sys.stderr)
        return 2
    begin_logs("text")
    plan = read_table_file(args.file, os.environ.get("TILECAST_MQTT_URL", ""))
    if warning := open_warning(plan.broker_url):
        print(f"tilecast agent: WARNING: {warning}", file=sys.stderr)
    if args.check:
        kinds = {settings.kind: kind for kind, settings in DEVICES.items()}
        devices = [{"name": device.name, "kind": kinds[type(device)]} for device in plan.devices]
        document = {"file": str(args.file), "venue": plan.venue, "devices": devices}
        answer(args, document, f"{args.file}: {len(devices)} devices, venue {plan.venue}")
        return 0
    from devices.agent import run_agent
    from recorder.private import keep_private

    keep_private()
    run_agent(plan)
    return 0


def run_devices(args: argparse.Namespace) -> int:
    """``tilecast devices``: what is plugged in; always 0."""
    from devices.cameras.camera import find_cameras
    from devices.link.serial_port import find_ports

    ports, cameras = find_ports(), find_cameras()
    if args.json:
        document = {
            "ports": [{"path": port.path, "description": port.description} for port in ports],
            "cameras": [{"path": cam.path, "description": cam.description} for cam in cameras],
        }
        print(json.dumps(document))
        return 0
    for title, found in (("serial ports", ports), ("cameras", cameras)):
        print(f"{title}:")
        for device in found:
            print(f"  {device.path}  {device.description}".rstrip())
        if not found:
            print("  none found")
    return 0
