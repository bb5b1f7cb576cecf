"""The first lines of a scenario, which say what the table is: words become a set-up."""

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from recorder.domain.errors import NotationError
from recorder.lab.scenario.steps import Sensor, Setup
from recorder.lab.scenario.text.words import LineWords
from recorder.rulesets import (
    RuleSet,
    SettingType,
    declared_settings,
    load_rule_set,
)
from recorder.tilesets import SUFFIX, load_tile_set


def overruled(setup: Setup, rules: str) -> Setup:
    """The set-up under another rule set, which need not inherit what the file confirms."""
    names = load_rule_set(rules).unconfirmed()

    def inherits(name: str) -> bool:
        return any(known == name or known.startswith(f"{name}.") for known in names)

    confirmed = tuple(filter(inherits, setup.confirmed))
    return replace(setup, rules=rules, confirmed=confirmed, folder=Path())


def setup_rules(setup: Setup) -> RuleSet:
    """The rule set of a set-up; NotationError where it cannot be."""
    return load_rule_set(
        setup.rules,
        overrides=dict(setup.overrides),
        confirmed=setup.confirmed,
        folder=setup.folder,
    )


def _rules(setup: Setup, words: LineWords) -> Setup:
    name = words.next("a rule set, or its file")
    words.end()
    return replace(setup, rules=name)


def _override(setup: Setup, words: LineWords) -> Setup:
    name = words.next("a parameter, as challenge.default")
    text = words.rest()
    if not text:
        raise NotationError(f"override {name}: a value is missing")
    return replace(setup, overrides={**setup.overrides, name: _value(name, text)})


def _value(name: str, text: str) -> Any:
    """A value of a parameter: what JSON can read, else the words as they are."""
    try:
        return json.loads(text)
    except ValueError:
        known = declared_settings().get(name)
        several = known is not None and known.type is SettingType.CHOICES
        return text.replace(",", " ").split() if several else text


def _confirm(setup: Setup, words: LineWords) -> Setup:
    names = words.all("a parameter or a group of them, as endgame")
    return replace(setup, confirmed=(*setup.confirmed, *names))


def _tiles(setup: Setup, words: LineWords) -> Setup:
    name = words.next("a tile set")
    words.end()
    load_tile_set(name, setup.folder)
    return replace(setup, tiles=str(setup.folder / name) if name.endswith(SUFFIX) else name)


def _players(setup: Setup, words: LineWords) -> Setup:
    try:
        names = shlex.split(words.rest())
    except ValueError as fault:
        raise NotationError(f"players: {fault}") from fault
    if len(names) != 2:
        raise NotationError(
            f'players takes two names, not {len(names)}; a name of several words stands in "..."'
        )
    return replace(setup, players=(names[0], names[1]))


def _minutes(setup: Setup, words: LineWords) -> Setup:
    text = words.next("the minutes of each player")
    words.end()
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= 24 * 60:
        raise NotationError(f"minutes {text}: a number above 0 is needed")
    return replace(setup, minutes=minutes)


def _turned(setup: Setup, words: LineWords) -> Setup:
    degrees = words.one_of(("0", "90", "180", "270"), "how far the board is turned, in degrees")
    words.end()
    return replace(setup, turned=int(degrees))


def _first(setup: Setup, words: LineWords) -> Setup:
    player = words.player()
    words.end()
    return replace(setup, first=player)


def _sensors(setup: Setup, words: LineWords) -> Setup:
    names = words.all("a sensor")
    for name in names:
        if name not in list(Sensor):
            raise NotationError(f"no sensor {name!r}; there are {', '.join(Sensor)}")
    return replace(setup, sensors=frozenset(map(Sensor, names)))


SETUP_LINES: Mapping[str, Callable[[Setup, LineWords], Setup]] = {
    "rules": _rules,
    "override": _override,
    "confirm": _confirm,
    "tiles": _tiles,
    "players": _players,
    "minutes": _minutes,
    "turned": _turned,
    "first": _first,
    "sensors": _sensors,
}
"""Every line of the set-up, by its first word."""
