"""The rounds of a division as iCalendar (RFC 5545), for the calendars that people have."""

import hashlib

from recorder.domain.event.divisions import EventDivision

_MOST_BYTES = 75
"""Of a line before its end, by RFC 5545, 3.1."""


def calendar_of(event: str, division: EventDivision) -> str:
    """An entry for each round that has a time, by the clock in the hall.

    Its identifier stays while the event keeps its name, so that a calendar that reads it again
    moves the entry. Without end: nobody knows how long a round takes.
    """
    name = event or "Tournament"
    unique = hashlib.sha256(f"{name}/{division.name}".encode()).hexdigest()[:16]
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tilecast//rounds//EN"]
    for number, start in enumerate(division.times, 1):
        stamp = start.replace("-", "").replace(":", "").replace(" ", "T") + "00"
        title = f"{name}, division {division.name}: round {number}"
        lines += [
            "BEGIN:VEVENT",
            f"UID:{unique}-{number}@tilecast",
            f"DTSTAMP:{stamp}Z",
            f"DTSTART:{stamp}",
            f"SUMMARY:{_escaped(title)}",
            "END:VEVENT",
        ]
    return "".join(_folded(line) for line in (*lines, "END:VCALENDAR"))


def _escaped(text: str) -> str:
    """Text as RFC 5545, 3.3.11 has it."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())


def _folded(line: str) -> str:
    """A line, cut where it is too long: what follows begins with a space; no letter is split."""
    parts, length = [""], 0
    for letter in line:
        length += len(letter.encode())
        if length > _MOST_BYTES:
            parts.append(" ")
            length = 1 + len(letter.encode())
        parts[-1] += letter
    return "".join(f"{part}\r\n" for part in parts)
