"""Writes the table of settings in docs/rules.md: python -m tests.write_settings."""

from itertools import groupby
from pathlib import Path

from recorder.rulesets import as_json, declared_settings, load_rule_set, rule_set_names
from recorder.texts import load_catalogue, plain_code

PAGE = Path(__file__).parents[1] / "docs/rules.md"
BEGIN = "<!-- settings: python -m tests.write_settings -->\n"
END = "<!-- end of settings -->\n"


def table() -> str:
    """One row a setting: what it is for, what it can be, and what the shipped sets have."""
    sets = [load_rule_set(name) for name in rule_set_names()]
    lines = [
        f"| setting | what for | values | {' | '.join(rule_set_names())} |",
        f"|---|---|---|{'---|' * len(sets)}",
    ]
    for _, names in groupby(declared_settings().items(), key=lambda one: one[1].group):
        for name, declared in names:
            cells = [_cell(one.get(name), one.offered.get(name)) for one in sets]
            allowed = declared.allowed.replace("|", "\\|")
            about = load_catalogue().text("setting", plain_code(name))
            lines.append(f"| `{name}` | {about} | {allowed} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(value: object, waiting: object) -> str:
    shown = getattr(waiting, "value", value)
    text = "-" if shown is None else _text(as_json(shown))  # type: ignore[arg-type]
    return f"({text})" if waiting else text


def _text(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(f"`{one}`" for one in value)
        case dict():
            return ", ".join(f"{case}: `{one}`" for case, one in value.items())
        case str():
            return f"`{value}`"
    return str(value)


def page() -> str:
    """docs/rules.md with the table of today's declaration."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
