"""The settings of a TSH event: which files its divisions are in, what it is called, its rounds.

Lines of ``config.tsh``; what else can be set there means nothing here. Knows no file.
"""

import re
from dataclasses import dataclass, field

from recorder.domain.event.divisions import Event, EventDivision
from recorder.feeds.division_file import write_division

_LISTED = re.compile(r"\s*division\s+(\S+)\s+(\S.*?)\s*$", re.IGNORECASE)
_SETTING = re.compile(
    r"\s*config\s+(event_name|event_date|max_rounds|spread_cap)\s*=\s*['\"]?(.*?)['\"]?\s*;?\s*$"
)
_NO_NAME = re.compile(r"[^\w+-]+")
"""What a division's name and its file's have none of in TSH: blanks, dots, slashes."""


@dataclass(frozen=True, slots=True)
class TshConfig:
    """Division files by division, and settings by name, as they are written."""

    files: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)


def read_tsh_config(text: str) -> TshConfig:
    """The lines that are understood; any others are read past."""
    config = TshConfig()
    for line in text.splitlines():
        if match := _LISTED.match(line):
            config.files[match[1].upper()] = match[2]
        elif match := _SETTING.match(line):
            config.settings[match[1]] = match[2]
    return config


def tsh_folder(event: Event) -> dict[str, str]:
    """The files of an event by name, ``config.tsh`` first; names of divisions are of one word."""
    files: dict[str, str] = {}
    lines = []
    for division in event.divisions:
        name = _in_one_word(division, files)
        files[f"{name.lower()}.t"] = write_division(division)
        lines.append(f"division {name} {name.lower()}.t")
    rounds = max((d.last_round or d.paired_rounds for d in event.divisions), default=0)
    cap = next((d.spread_cap for d in event.divisions if d.spread_cap), None)
    lines += [f"config event_name = '{event.name}'", f"config event_date = '{event.date}'"]
    lines += [f"config max_rounds = {rounds}", "config tfile_encoding = 'utf8'"]
    lines += [] if cap is None else [f"config spread_cap = {cap}"]
    return {"config.tsh": "".join(f"{line}\n" for line in lines), **files}


def _in_one_word(division: EventDivision, taken: dict[str, str]) -> str:
    word = _NO_NAME.sub("-", division.name).strip("-") or "division"
    names = (word, *(f"{word}-{n}" for n in range(2, len(taken) + 3)))
    return next(name for name in names if f"{name.lower()}.t" not in taken)
