"""Why a serial port cannot be used, and what helps. Opens nothing: an open resets some boards."""

import os
from pathlib import Path

from devices.words import port_fault


def port_complaint(port: str) -> str:
    """What is wrong with a port of this machine, and what helps; empty when nothing is."""
    place = Path(port)
    if not port.startswith("/"):
        return ""  # COM4, socket://host:port: only opening them tells
    if not place.exists():
        return port_fault("no_file", port=port)
    if not place.is_char_device():
        return port_fault("no_port", port=port)
    if not os.access(place, os.R_OK | os.W_OK, effective_ids=True):
        return port_fault("no_right", port=port)
    holders = _holders(place.resolve())
    if holders:
        return port_fault("held", port=port, holders=", ".join(holders))
    return ""


def _holders(place: Path) -> list[str]:
    """The other programs that have a port open, as far as we may see; an agent of ours may."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            opened = {link.readlink() for link in (process / "fd").iterdir()}
            name = (process / "comm").read_text().strip()
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue  # another user's, or it has just ended
        is_agent = any(word.endswith(b"tilecast") for word in words) and b"agent" in words
        if place in opened and not is_agent and process.name != str(os.getpid()):
            found.append(f"{name} ({process.name})")
    return found
