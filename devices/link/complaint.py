"""Why a serial port cannot be used, and what helps. Opens nothing: an open resets some boards."""

import os
from pathlib import Path


def port_complaint(port: str) -> str:
    """What is wrong with a port of this machine, and what helps; empty when nothing is."""
    place = Path(port)
    if not port.startswith("/"):
        return ""  # COM4, socket://host:port: only opening them tells
    if not place.exists():
        return f"there is no {port}: is it plugged in? tilecast devices lists what is"
    if not place.is_char_device():
        return f"{port} is not a serial port: tilecast devices lists the serial ports"
    if not os.access(place, os.R_OK | os.W_OK, effective_ids=True):
        return f"we may not use {port}: sudo usermod -aG dialout $USER, and sign in again"
    holders = _holders(place.resolve())
    if holders:
        return f"{port} is in use by {', '.join(holders)}: a port has one master, end the other"
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
