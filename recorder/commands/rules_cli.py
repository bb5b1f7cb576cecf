"""Commands on rule sets: ``tilecast rules show``, ``rules diff`` and ``rules machines``.

They print what the data says and decide nothing: a value that needs confirmation is shown as such.
"""

import argparse
import json
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from recorder.rulesets import RuleSet, Setting, Value

NOTHING = "-"


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    rules = subparsers.add_parser(
        "rules",
        help="show and compare the rule sets",
        description="The rule sets as data: what each says, and where it says it.",
    )
    actions = rules.add_subparsers(required=True, metavar="ACTION")
    show = actions.add_parser(
        "show",
        help="every parameter of a rule set, where it stands, how sure",
        description="Prints every parameter of a rule set with its value, the place in the source "
        "and how sure it is.",
    )
    show.add_argument("set", metavar="SET", help="name of a rule set")
    show.set_defaults(run=run_rules_show)
    diff = actions.add_parser(
        "diff",
        help="what two rule sets say differently",
        description="Prints what two rule sets say differently, and what only one of them says.",
    )
    diff.add_argument("a", metavar="A", help="name of a rule set")
    diff.add_argument("b", metavar="B", help="name of another")
    diff.set_defaults(run=run_rules_diff)
    machines = actions.add_parser(
        "machines",
        help="the rules' state machines as diagrams, or write their page",
        description="Prints the state machines of the rules as Mermaid diagrams, or writes their "
        "page.",
    )
    machines.add_argument(
        "--write", metavar="PAGE", type=Path, help="write the page (docs/machines.md) to this file"
    )
    machines.set_defaults(run=run_rules_machines)
    for parser in (show, diff, machines):
        add_json(parser)


def run_rules_machines(args: argparse.Namespace) -> int:
    """``tilecast rules machines``: 0, or 1 when the page cannot be written."""
    from recorder.domain.rules.core.machine import diagram
    from recorder.domain.rules.machines import MACHINES, page

    names = [machine.name for machine in MACHINES]
    drawn = [{"name": machine.name, "diagram": diagram(machine)} for machine in MACHINES]
    if args.write is None:
        answer(args, drawn, page().rstrip("\n"))
        return 0
    try:
        args.write.write_text(page(), encoding="utf-8")
    except OSError as fault:
        print(f"tilecast rules machines: {args.write}: {fault.strerror}", file=sys.stderr)
        return 1
    answer(args, drawn, f"{args.write}: {', '.join(names)}")
    return 0


def run_rules_show(args: argparse.Namespace) -> int:
    """``tilecast rules show``: 0, or 1 when there is no such rule set."""
    loaded = _load("show", args.set)
    if loaded is None:
        return 1
    (rules,) = loaded
    print(_dump(show_json(rules)) if args.json else "\n".join(show_lines(rules)))
    return 0


def run_rules_diff(args: argparse.Namespace) -> int:
    """``tilecast rules diff``: 0 whether they differ or not, 1 when there is no such rule set."""
    loaded = _load("diff", args.a, args.b)
    if loaded is None:
        return 1
    first, other = loaded
    print(_dump(diff_json(first, other)) if args.json else "\n".join(diff_lines(first, other)))
    return 0


def _load(command: str, *names: str) -> "Sequence[RuleSet] | None":
    from recorder.domain.errors import NotationError
    from recorder.rulesets import load_rule_set

    try:
        return [load_rule_set(name) for name in names]
    except NotationError as fault:
        print(f"tilecast rules {command}: {fault}", file=sys.stderr)
        return None


def show_json(rules: "RuleSet") -> dict[str, Any]:
    """A rule set as JSON values.

    A parameter has ``name, group, about, type, unit, rules`` and ``value, status, cite``; where
    another set's value awaits confirmation, also ``inherited`` and ``inherited_from``.
    """
    from recorder.rulesets import load_parameters

    parameters = load_parameters()
    return {
        "name": rules.name,
        "title": rules.title,
        "source": rules.source,
        "checksum": rules.checksum(),
        "counts": _counts(rules),
        "parameters": [
            {
                "name": name,
                "group": parameters[name].group,
                "about": parameters[name].about,
                "type": parameters[name].type.value,
                "unit": parameters[name].unit,
                "rules": list(parameters[name].rules),
                **_value_json(value),
            }
            for name, value in rules.values.items()
        ],
    }


def diff_json(first: "RuleSet", other: "RuleSet") -> dict[str, Any]:
    """What two sets say differently, as JSON values.

    ``kind`` is ``value`` where both state something, else ``only_a`` or ``only_b``. What the one
    would inherit is not a statement of its own, and parameters on which neither says anything do
    not occur.
    """
    differences = []
    for name, value in first.values.items():
        sides = (_stated(value), _stated(other.values[name]))
        if sides[0] == sides[1]:
            continue
        kind = "only_b" if sides[0] is None else "only_a" if sides[1] is None else "value"
        entry = {"a": _value_json(value), "b": _value_json(other.values[name])}
        differences.append({"name": name, "kind": kind, **entry})
    return {"a": first.name, "b": other.name, "differences": differences}


def _stated(value: "Value") -> "Setting | None":
    return None if value.inherited_from else value.value


def _value_json(value: "Value") -> dict[str, Any]:
    stated = {
        "value": _plain(_stated(value)),
        "status": value.status.value,
        "cite": value.citation,
    }
    if value.inherited_from:
        stated |= {"inherited": _plain(value.value), "inherited_from": value.inherited_from}
    return stated


def _plain(setting: "Setting | None") -> Any:
    if setting is None or isinstance(setting, bool | int | float | str):
        return setting
    return list(setting) if isinstance(setting, tuple) else dict(setting)


def _counts(rules: "RuleSet") -> dict[str, int]:
    counts = Counter(value.status.value for value in rules.values.values())
    return dict(counts.most_common())


def show_lines(rules: "RuleSet") -> "Iterator[str]":
    """A rule set for people: a table by group."""
    yield f"{rules.name}: {rules.title}"
    yield rules.source
    yield ", ".join(f"{count} {status}" for status, count in _counts(rules).items())
    if waiting := len(rules.unconfirmed()):
        yield f"{waiting} values in brackets are those of another set, until they are confirmed"
    units = _units()
    for group, names in groupby(rules.values, key=lambda name: name.partition(".")[0]):
        yield f"\n{group}"
        for name in names:
            yield f"  {name:<46} {_row(rules.values[name], units[name])}"
    yield f"\nchecksum {rules.checksum()}"


def diff_lines(first: "RuleSet", other: "RuleSet") -> "Iterator[str]":
    """Two rule sets, one below the other, for people."""
    differences = diff_json(first, other)["differences"]
    units = _units()
    titles = (
        ("value", f"{first.name} and {other.name} differ"),
        ("only_a", f"only {first.name} says something"),
        ("only_b", f"only {other.name} says something"),
    )
    for kind, title in titles:
        names = [entry["name"] for entry in differences if entry["kind"] == kind]
        yield f"{title}: {len(names)}"
        for name in names:
            for rules, head in ((first, name), (other, "")):
                yield f"  {head:<44} {rules.name:<9} {_row(rules.values[name], units[name])}"


def _units() -> dict[str, str]:
    from recorder.rulesets import load_parameters

    return {name: parameter.unit for name, parameter in load_parameters().items()}


def _row(value: "Value", unit: str) -> str:
    """Status, citation and value; the value last, for it can be long."""
    plain = _plain(value.value)
    text = _setting_text(plain)
    if unit and not isinstance(plain, str) and plain is not None:
        text = f"{text} {unit}"
    if value.inherited_from:
        text = f"({text}: {value.inherited_from})"
    return f"{value.status:<10} {value.citation:<24} {text}"


def _setting_text(plain: Any) -> str:
    match plain:
        case None:
            return NOTHING
        case bool():
            return "yes" if plain else "no"
        case list():
            return ", ".join(str(item) for item in plain)
        case dict():
            return ", ".join(f"{case}: {item}" for case, item in plain.items())
        case _:
            return str(plain)


def _dump(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1)
