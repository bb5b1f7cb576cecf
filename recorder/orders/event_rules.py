"""The rule set of a division, and what it has a round count that is not played (END-12, LATE-4)."""

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from recorder.domain.errors import NotationError
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.orders import EventAct, EventOrder, PlayByRules
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import NO_RULE_SET, Rules
from recorder.rulesets import RuleSet, load_rule_set, recorded_rule_set
from recorder.texts import TextError

USUAL_MARGIN = 50
"""Of a bye and of an absence, where no rule set says another."""


def rules_of(division: EventDivision | None) -> Rules:
    """The rule set of a division; where it has none, or one unknown here, everything is open."""
    try:
        found = None if division is None else rule_set_of(division)
    except NotationError:
        found = None
    return found or NO_RULE_SET


def rule_set_of(division: EventDivision) -> RuleSet | None:
    """The rule set that an order named for a division; NotationError where it is none here."""
    rules = division.rules
    if rules is None:
        return None
    settings, overrides = (json.dumps(dict(values)) for values in (rules.settings, rules.overrides))
    return _recorded(PurePosixPath(rules.rules).stem, settings, overrides, rules.confirmed)


@lru_cache(maxsize=64)
def _recorded(name: str, settings: str, overrides: str, confirmed: tuple[str, ...]) -> RuleSet:
    return recorded_rule_set(
        name, json.loads(settings), overrides=json.loads(overrides), confirmed=confirmed
    )


def with_settings(order: EventOrder, folder: Path | None) -> tuple[EventOrder, CodedText | None]:
    """An order with the values of the rule set that it names, and why it names none.

    Recorded with their values, rules stay what they were when their file changes or goes.
    ``folder`` is where files of rules may lie: that of the recorder's settings. An order about
    something else comes back as it is.
    """
    act = order.act
    if not isinstance(act, PlayByRules) or not act.rules:
        return order, None
    path = PurePosixPath(act.rules)
    if path.is_absolute() or ".." in path.parts:
        where = f"{act.rules}: name a file in the folder of the recorder's settings"
        return order, coded("event_no_rules", detail=where)
    try:
        rules = load_rule_set(
            act.rules, overrides=act.overrides, confirmed=act.confirmed, folder=folder
        )
    except NotationError as fault:
        return order, coded("event_no_rules", detail=str(fault))
    return replace(order, act=replace(act, settings=rules.recorded()["settings"])), None


def fault_of_rules(act: EventAct) -> CodedText | None:
    """Why an order names no rule set, where its values are not with it yet."""
    if not isinstance(act, PlayByRules) or act.settings:
        return None
    return with_settings(EventOrder(id="rules", who="", act=act), None)[1]


def bye_margin(division: EventDivision | None) -> int:
    """What a bye counts, by the division's rule set."""
    margin = rules_of(division).get_whole("bye.spread")
    return USUAL_MARGIN if margin is None else margin


def absence_margin(division: EventDivision | None) -> int:
    """What a round counts that a player misses: below 0."""
    margin = rules_of(division).get_whole("late.forfeit_margin")
    return -(USUAL_MARGIN if margin is None else margin)


def forfeit_margins(division: EventDivision | None, how: str) -> tuple[int, int]:
    """What a game that is not played counts for who is at fault, and for the opponent.

    ``how`` as in ``NOT_PLAYED``. NotationError where the rule set does not say, or none is named.
    """
    from recorder.domain.rules.ending.conclusions import nobody_came

    rules = rules_of(division)
    both = how == "nobody_came"
    margin = nobody_came(rules) if both else rules.get_whole("late.forfeit_margin")
    if margin is None:
        name = "A" if division is None else division.name
        raise TextError("points_unset", division=name)
    return -margin, -margin if both else margin
