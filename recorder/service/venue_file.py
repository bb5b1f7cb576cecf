"""The recorder's TOML file -> a plan. Every mistake in it is named with what is allowed instead.

Reads text only: whether the broker and the devices are there is found out later.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.lexicon import WordList
from recorder.rulesets import RuleSet, load_rule_set
from recorder.service.recorder import DEFAULT_CONSOLES, RecorderPlan
from recorder.table.game_recorder import TablePlan
from recorder.tilesets import load_tile_set, tile_set_names
from recorder.toml_file import allow, load_toml, section
from recorder.wire import decode_started
from recorder.word_lists import load_word_list

EXAMPLE = """\
# What one recorder records. Start with: tilecast record venue.toml

[venue]
name = "main"                  # the same in every agent

[broker]
url = "auto"                   # or mqtt://host, mqtts://user:password@host

[recorder]
name = "recorder-1"
folder = "record"              # the log (tilecast.db) and the live GCG files
consoles = ["console"]         # the devices that may give a director's orders

[[table]]
number = 1
game = "round-1-table-1"       # a name that no other game has
players = ["Ada", "Ben"]       # the one who moves first in front
tiles = "english"              # or "german"
rules = "wespa4"               # see them with: tilecast rules show wespa4
confirmed = ["overtime", "endgame"]  # what holds although this set only inherits it
# overrides = { challenge.default = "double" }
# words = "lists/mine.kwg"     # your own list, text or word graph; it advises the director
minutes = 25
left_player = 1                # who sits at the left half of the clock: 1 or 2
# check_clock = false          # for a simulated clock that runs faster than the time
devices = { cam-1 = "board-camera", clock-1 = "serial-clock" }
"""

_TABLE_KEYS = (
    "number", "game", "players", "tiles", "rules", "confirmed", "overrides", "minutes", "words",
    "left_player", "devices", "check_clock",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class VenuePlan:
    """What ``tilecast record`` does; ``folder`` holds the log and the GCG files."""

    plan: RecorderPlan
    broker: str
    folder: Path


def read_record_file(path: Path) -> VenuePlan:
    """The plan in a file. NotationError names file, section, key, and what is allowed.

    A relative folder is relative to the file's own.
    """
    return _plan_of(load_toml(path, "tilecast record --example"), path)


def _plan_of(document: Mapping[str, Any], path: Path) -> VenuePlan:
    allow(document, ("venue", "broker", "recorder", "table"), str(path))
    venue = section(document, "venue", ("name",), path)
    broker = section(document, "broker", ("url",), path)
    recorder = section(document, "recorder", ("name", "folder", "consoles"), path)
    folder = path.parent / str(recorder.get("folder", "record"))
    tables = document.get("table", [])
    if not isinstance(tables, list) or not tables:
        raise NotationError(f"{path}: no [[table]] in it; see tilecast record --example")
    plans = tuple(
        _table(entry, f"{path} [[table]] {number}", folder, path.parent)
        for number, entry in enumerate(tables, 1)
    )
    _refuse_twins(plans, path)
    plan = RecorderPlan(
        venue=str(venue.get("name", "main")),
        recorder=str(recorder.get("name", "recorder-1")),
        tables=plans,
        consoles=_consoles(recorder, path),
        unchecked_clocks=_unchecked(tables, path),
    )
    return VenuePlan(plan=plan, broker=str(broker.get("url", "auto")), folder=folder)


def _consoles(recorder: Mapping[str, Any], path: Path) -> tuple[str, ...]:
    """The devices that may give orders."""
    names = recorder.get("consoles", list(DEFAULT_CONSOLES))
    if not isinstance(names, list) or not all(
        isinstance(name, str) and re.fullmatch(r"[a-z0-9-]{1,32}", name) for name in names
    ):
        raise NotationError(
            f'{path} [recorder]: consoles is {names!r}; a list of names is needed, as ["console"]'
        )
    return tuple(names)


def _table(entry: Any, where: str, folder: Path, beside: Path) -> TablePlan:
    if not isinstance(entry, dict):
        raise NotationError(f"{where}: not a table of keys")
    allow(entry, _TABLE_KEYS, where)
    tiles, rules = entry.get("tiles", "english"), _rules(entry, where)
    if tiles not in tile_set_names():
        raise NotationError(f"{where}: tiles is {tiles!r}; it can be {', '.join(tile_set_names())}")
    minutes, left = entry.get("minutes", _usual_minutes(rules)), entry.get("left_player", 1)
    if not isinstance(minutes, int | float) or not 0 < minutes <= 24 * 60:
        raise NotationError(f"{where}: minutes is {minutes!r}; a number above 0 is needed")
    if left not in (1, 2):
        raise NotationError(f"{where}: left_player is {left!r}; it can be 1 or 2")
    number = entry.get("number")
    start_ms = round(minutes * 60_000)
    data = {
        "game": entry.get("game", f"table-{number}"),
        "table": number,
        "players": entry.get("players"),
        "tile_set": tiles,
        "rules": rules.name,
        "overrides": rules.overrides(),
        "confirmed": sorted(rules.confirmed),
        "rules_checksum": rules.checksum(),
        "starts_ms": [start_ms, start_ms],
        "left_player": left - 1,
    }
    words = _word_list(entry, tiles, where, beside)
    if words is not None:
        data["words"] = [words.name, words.sha256]
    try:
        started = decode_started(data)
    except DeviceError as fault:
        raise NotationError(f"{where}: {fault}") from fault
    return TablePlan(
        started=started,
        devices=_devices(entry, where),
        gcg=folder / f"{started.game}.gcg",
        words=words,
    )


def _word_list(entry: Mapping[str, Any], tiles: str, where: str, beside: Path) -> WordList | None:
    """The list that a table names, relative to the file's own folder."""
    name = entry.get("words")
    if name is None:
        return None
    if not isinstance(name, str):
        raise NotationError(f"{where}: words is {name!r}; the path of a word list is needed")
    try:
        return load_word_list(beside / name, load_tile_set(tiles).letters)
    except OSError as fault:
        raise NotationError(f"{where}: words: {beside / name}: {fault.strerror}") from fault
    except NotationError as fault:
        raise NotationError(f"{where}: words: {fault}") from fault


def _rules(entry: Mapping[str, Any], where: str) -> RuleSet:
    """The rules of a table, with what the event confirms and overrides."""
    overrides, confirmed = entry.get("overrides", {}), entry.get("confirmed", [])
    if not isinstance(overrides, dict):
        raise NotationError(
            f"{where}: overrides must be a table of parameters;"
            ' for example { challenge.default = "double" }'
        )
    if not isinstance(confirmed, list) or not all(isinstance(name, str) for name in confirmed):
        raise NotationError(f'{where}: confirmed must be a list of names, as ["overtime"]')
    try:
        return load_rule_set(
            str(entry.get("rules", "wespa4")), overrides=overrides, confirmed=confirmed
        )
    except NotationError as fault:
        raise NotationError(f"{where}: rules: {fault}") from fault


def _usual_minutes(rules: RuleSet) -> float:
    """The playing time of the rule set, or 25 where it names none."""
    seconds = rules.get_whole("timer.limit_s")
    return 25 if seconds is None else seconds / 60


def _devices(entry: Mapping[str, Any], where: str) -> dict[str, str]:
    devices = entry.get("devices", {})
    if not isinstance(devices, dict) or not devices:
        raise NotationError(
            f'{where}: devices is missing; for example {{ cam-1 = "board-camera" }}'
        )
    for name, role in devices.items():
        if re.fullmatch(r"[a-z0-9-]{1,32}", name) is None or not isinstance(role, str):
            raise NotationError(
                f"{where}: device {name!r}; a name has up to 32 of a-z, 0-9 and -,"
                " its role is a text in quotes"
            )
    return {name: str(role) for name, role in devices.items()}


def _refuse_twins(plans: tuple[TablePlan, ...], path: Path) -> None:
    """Tables, games and devices are each there once."""
    names = [f"table {plan.started.table}" for plan in plans]
    names += [f"game {plan.started.game!r}" for plan in plans]
    names += [f"device {device!r}" for plan in plans for device in plan.devices]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"{path}: {name} is there twice")


def _unchecked(tables: Sequence[Any], path: Path) -> frozenset[int]:
    """The numbers of the tables with ``check_clock = false``."""
    for number, entry in enumerate(tables, 1):
        if not isinstance(entry.get("check_clock", True), bool):
            raise NotationError(f"{path} [[table]] {number}: check_clock can be true or false")
    return frozenset(entry["number"] for entry in tables if not entry.get("check_clock", True))


def venue_toml(
    broker_url: str,
    players: Sequence[str],
    tiles: str,
    more_devices: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """A file for one game at table 1, with a board camera ``cam-1`` and a clock ``clock-1``.

    ``more_devices`` gives the roles of others, by name. The clock is not held against the time:
    simulated players think faster than it passes.
    """
    names = json.dumps(list(players), ensure_ascii=False)  # TOML writes a list of texts alike
    roles = {"cam-1": "board-camera", "clock-1": "serial-clock", **more_devices}
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
rules = "wespa4"
confirmed = ["overtime", "endgame"]
check_clock = false
devices = {{ {devices} }}
"""
