"""Commands on rule sets: ``tilecast rules show`` and ``rules diff``.

They print the settings that run, and what the texts say besides, with citations. They decide
nothing: a value that needs confirmation is shown as such.
"""

import argparse
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recorder.rulesets import RuleSet, Setting
    from recorder.rulesets.reference import TextStatement

NOTHING = "-"


def register(subparsers: Any) -> None:
    """Add the commands to the program's parser."""
    rules = subparsers.add_parser("rules")
    actions = rules.add_subparsers(required=True, metavar="ACTION")
    show = actions.add_parser("show", run=run_rules_show)
    show.add_argument("set", metavar="SET")
    diff = actions.add_parser("diff", run=run_rules_diff)
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    for parser in (show, diff):
        add_json(parser)


def run_rules_show(args: argparse.Namespace) -> int:
    """``tilecast rules show``: 0, or 1 when there is no such rule set."""
    from recorder.rulesets import load_rule_set

    rules = load_rule_set(args.set)
    answer(args, show_json(rules), *show_lines(rules), indent=1)
    return 0


def run_rules_diff(args: argparse.Namespace) -> int:
    """``tilecast rules diff``: 0 whether they differ or not, 1 when there is no such rule set."""
    from recorder.rulesets import load_rule_set

    first, other = load_rule_set(args.a), load_rule_set(args.b)
    answer(args, diff_json(first, other), *diff_lines(first, other), indent=1)
    return 0


def show_json(rules: "RuleSet") -> dict[str, Any]:
    """A rule set as JSON values.

    A setting has ``name, group, about, type, unit`` and ``value``, null where it is open; where
    another set's value awaits confirmation, also ``to_confirm`` and ``of``. A statement has
    ``name, about, rules, value, status, cite``, and where the value is that of another set
    ``inherited`` and ``inherited_from``.
    """
    from recorder.rulesets import as_json, declared_settings
    from recorder.rulesets.reference import statements, subjects
    from recorder.texts import load_catalogue, plain_code

    settings, texts = [], load_catalogue()
    for name, declared in declared_settings().items():
        entry = {
            "name": name,
            "group": declared.group,
            "about": texts.text("setting", plain_code(name)),
            "type": declared.type.value,
            "unit": declared.unit,
            "value": as_json(rules.get(name)),
        }
        if waiting := rules.offered.get(name):
            entry |= {"to_confirm": as_json(waiting.value), "of": waiting.of}
        settings.append(entry)
    return {
        "name": rules.name,
        "title": rules.title,
        "source": rules.source,
        "checksum": rules.checksum(),
        "settings": settings,
        "text_of": rules.base,
        "statements": [
            {
                "name": name,
                "about": subjects()[name].about,
                "rules": list(subjects()[name].rules),
                **_statement_json(said),
            }
            for name, said in statements(rules.base).items()
        ],
    }


def diff_json(first: "RuleSet", other: "RuleSet") -> dict[str, Any]:
    """What two sets have differently, as JSON values.

    ``settings`` are those that run; ``statements`` those of the two texts. ``kind`` is ``value``
    where both say something, else ``only_a`` or ``only_b``. What the one would only have from
    another set is no statement of its own. Where one set extends the other, what it confirms of
    it is no difference.
    """
    from recorder.rulesets import as_json, declared_settings
    from recorder.rulesets.reference import statements

    said = (statements(first.base), statements(other.base))

    def value(rules: "RuleSet", name: str) -> "Setting | None":
        waiting = rules.offered.get(name) if first.base == other.base else None
        return rules.get(name) if waiting is None else waiting.value

    settings = [
        {"name": name, "kind": _kind(*values), "a": values[0], "b": values[1]}
        for name in declared_settings()
        if (values := (as_json(value(first, name)), as_json(value(other, name))))[0] != values[1]
    ]
    differences = [
        {"name": name, "kind": _kind(a.stated, b.stated)}
        | {"a": _statement_json(a), "b": _statement_json(b)}
        for name, a in said[0].items()
        if (b := said[1].get(name)) and a.stated != b.stated
    ]
    return {"a": first.name, "b": other.name, "settings": settings, "statements": differences}


def _kind(first: object, other: object) -> str:
    return "only_b" if first is None else "only_a" if other is None else "value"


def _statement_json(said: "TextStatement") -> dict[str, Any]:
    from recorder.rulesets import as_json

    entry = {"value": as_json(said.stated), "status": said.status, "cite": said.citation}
    if said.inherited_from:
        entry |= {"inherited": as_json(said.value), "inherited_from": said.inherited_from}
    return entry


def show_lines(rules: "RuleSet") -> "Iterator[str]":
    """A rule set for people: the settings, then the statements of its text, by group."""
    from recorder.rulesets import declared_settings
    from recorder.rulesets.reference import statements, subjects

    yield f"{rules.name}: {rules.title}"
    yield rules.source
    if rules.offered:
        count = len(rules.offered)
        yield f"{count} values in brackets are those of another set, until they are confirmed"
    yield "\nSettings that run"
    for group, names in groupby(declared_settings(), key=_group):
        yield f"\n{group}"
        for name in names:
            waiting, unit = rules.offered.get(name), declared_settings()[name].unit
            text = _with_unit(waiting.value if waiting else rules.get(name), unit)
            yield f"  {name:<46} {f'({text}: {waiting.of})' if waiting else text}"
    said = statements(rules.base)
    if said:
        counts = Counter(statement.status for statement in said.values()).most_common()
        known = ", ".join(f"{count} {status}" for status, count in counts)
        yield f"\nWhat the text of {rules.base} says: {known}"
    for group, names in groupby(said, key=_group):
        yield f"\n{group}"
        for name in names:
            yield f"  {name:<46} {_row(said[name], subjects()[name].unit)}"
    yield f"\nchecksum {rules.checksum()}"


def diff_lines(first: "RuleSet", other: "RuleSet") -> "Iterator[str]":
    """Two rule sets, one below the other, for people."""
    from recorder.rulesets import declared_settings
    from recorder.rulesets.reference import statements, subjects

    found = diff_json(first, other)
    yield f"Settings that differ: {len(found['settings'])}"
    for entry in found["settings"]:
        unit = declared_settings()[entry["name"]].unit
        for rules, head, value in ((first, entry["name"], "a"), (other, "", "b")):
            yield f"  {head:<44} {rules.name:<11} {_with_unit(entry[value], unit)}"
    if first.base == other.base:
        return
    titles = (
        ("value", f"the texts of {first.base} and {other.base} differ"),
        ("only_a", f"only the text of {first.base} says something"),
        ("only_b", f"only the text of {other.base} says something"),
    )
    for kind, title in titles:
        names = [entry["name"] for entry in found["statements"] if entry["kind"] == kind]
        yield f"\n{title}: {len(names)}"
        for name in names:
            for rules, head in ((first, name), (other, "")):
                said = statements(rules.base)[name]
                yield f"  {head:<44} {rules.name:<11} {_row(said, subjects()[name].unit)}"


def _group(name: str) -> str:
    return name.partition(".")[0]


def _row(said: "TextStatement", unit: str) -> str:
    """Status, citation and value; the value last, for it can be long."""
    text = _with_unit(said.value, unit)
    if said.inherited_from:
        text = f"({text}: {said.inherited_from})"
    return f"{said.status:<10} {said.citation:<24} {text}"


def _with_unit(setting: "Setting | None", unit: str) -> str:
    from recorder.rulesets import as_json

    value = as_json(setting)
    text = _setting_text(value)
    return f"{text} {unit}" if unit and value is not None and not isinstance(value, str) else text


def _setting_text(value: Any) -> str:
    match value:
        case None:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(str(item) for item in value)
        case dict():
            return ", ".join(f"{case}: {item}" for case, item in value.items())
        case _:
            return str(value)
