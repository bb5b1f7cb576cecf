"""docs/scenario-codes.md: every code that a scenario can name, with what belongs to it.

``make scenarios`` writes it; so does ``python -m tests.scenarios.code_page``. Notices are routed
as the rule sets route them, facts are those of the texts, and the steps and ways of a procedure
are the words of the functions that work it out.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from recorder.domain.notices import Notice, Phase
from recorder.domain.procedures.at_table import WORKED_OUT
from recorder.domain.rules.core.disclosure import route
from recorder.lab.scenario.codes import GAME_ENDINGS, STEPS, TO
from recorder.rulesets import load_rule_set, rule_set_names
from recorder.texts import load_catalogue
from recorder.wire.orders import ORDER_TYPES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "scenario-codes.md"
_ROOMS = ("recorder/domain/procedures", "recorder/domain/rules")
_TEXTS = load_catalogue().as_json()
_SETS = [load_rule_set(name) for name in rule_set_names()]
_VALUE = re.compile(r"\{(\w+)")
_HEAD = """\
# The codes of scenarios

Written by `make scenarios`; do not edit. What [lines of a scenario](scenarios.md) can name. Players
are 1 and 2 everywhere; the `player` of a procedure is whom it is about: of a `challenge` the player
whose play is challenged.

## What is reported

`expect told CODE`, `expect not CODE`. *Reported to* is by the rule sets while the game is on; facts
are `player`, `turn`, `square` and those named here.

| code | reported to | facts |
|---|---|---|
"""


_PROCEDURES = """
## Procedures

`expect open CODE`, `expect step CODE`, `director procedure`, `director settle CODE WAY`. A director
begins those with *to say*, and says with it what stands there. Steps differ by rule set; what a
text leaves open is the step `director_rules`.

| code | what | to say | steps | ways to settle |
|---|---|---|---|---|
"""


def page() -> str:
    lines = [_HEAD.rstrip("\n"), *map(_notice_row, Notice)]
    lines += [_PROCEDURES.rstrip("\n")]
    lines += map(_procedure_row, sorted({*procedure_words(), *WORKED_OUT}))
    orders = sorted(name.removeprefix("order.") for name in ORDER_TYPES)
    lines += ["", "## Orders", "", "`director ORDER {...}`: " + _codes(orders) + "."]
    lines += ["", "## Endings", "", "`expect end ENDING`: " + _codes(sorted(GAME_ENDINGS)) + "."]
    return "\n".join([*lines, ""])


def _codes(names: Iterator[str] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _notice_row(notice: Notice) -> str:
    told: dict[str, list[str]] = {}
    for rules in _SETS:
        fault = "gap" if notice is Notice.ILLEGAL_PLACEMENT else ""
        to = TO[route(rules, notice, Phase.PLAYING, fault).director.value]
        told.setdefault(to, []).append(rules.name)
    only = len(told) == 1
    to_whom = "; ".join(to if only else f"{to} ({', '.join(sets)})" for to, sets in told.items())
    texts = [
        text
        for code, text in _TEXTS["notice"].items()
        if code == notice.value or code.startswith(f"{notice.value}-")
    ]
    facts = {value for text in texts for value in _VALUE.findall(text)} - {"player", "squares"}
    return f"| `{notice.value}` | {to_whom} | {_codes(sorted(facts))} |"


def _procedure_row(code: str) -> str:
    words = procedure_words().get(code, frozenset())
    facts = [{"rack0": "rack1", "rack1": "rack2"}.get(one, one) for one in WORKED_OUT.get(code, ())]
    said = "nothing" if WORKED_OUT.get(code) == () else _codes(facts)
    steps = _codes(sorted(words & STEPS))
    ways = _codes(sorted(words & set(_TEXTS["settlement"])))
    return f"| `{code}` | {_TEXTS['procedure'][code]} | {said} | {steps} | {ways} |"


@dataclass(frozen=True)
class _Part:
    """A function or a table: its words, the names that it uses, the procedures that it finds."""

    words: frozenset[str]
    names: frozenset[str]
    finds: frozenset[str]

    @classmethod
    def of(cls, node: ast.stmt) -> "_Part":
        """What is in a statement."""
        inner = list(ast.walk(node))
        coded = [one.value for one in inner if isinstance(one, ast.keyword) and one.arg == "code"]
        names = frozenset(one.id for one in inner if isinstance(one, ast.Name))
        finds = {word for value in coded for word in _strings(ast.walk(value))}
        if "from_notice" in names:
            finds |= {Notice[code].value for code in _members(inner, "Notice")}
        return cls(frozenset(_strings(inner)), names, frozenset(finds) & set(_TEXTS["procedure"]))


def _members(nodes: Iterable[ast.AST], kind: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield from [node.attr] if node.value.id == kind else []


def _strings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@cache
def procedure_words() -> Mapping[str, frozenset[str]]:
    """By code of a procedure: all words of the functions that work it out."""
    parts = dict(_parts())
    by_name: dict[str, set[tuple[str, str]]] = {}
    for module, name in parts:
        by_name.setdefault(name, set()).add((module, name))
    words: dict[str, frozenset[str]] = {}
    for start, part in parts.items():
        if part.finds:
            ahead, seen = [start], {start}
            while ahead:
                module, _ = here = ahead.pop()
                for name in parts[here].names:
                    own = (module, name)
                    fresh = ({own} if own in parts else by_name.get(name, set())) - seen
                    ahead += fresh
                    seen |= fresh
            found = frozenset(word for key in seen for word in parts[key].words)
            words |= {code: words.get(code, frozenset()) | found for code in part.finds}
    return words


def _parts() -> Iterator[tuple[tuple[str, str], _Part]]:
    """The functions and tables of procedures and rules, by module and name."""
    files = [file for room in _ROOMS for file in (ROOT / room).rglob("*.py")]
    for file in (file for file in files if file.stem != "found"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            names = [getattr(node, "name", "")]
            if isinstance(node, ast.Assign):
                names = [one.id for one in node.targets if isinstance(one, ast.Name)]
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names = [node.target.id]
            for name in filter(None, names):
                yield (file.stem, name), _Part.of(node)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
