"""Every code that the programs give has a text, no text is left over, the domain has no prose."""

import ast
import re
from collections.abc import Iterator, Mapping

import pytest

from recorder.texts import load_catalogue, values_of
from tests.sources import ROOT, nodes, parsed

pytestmark = pytest.mark.whole_tree

ENGLISH = load_catalogue()


def sources() -> Iterator[ast.AST]:
    """All that stands in the programs that say something."""
    for part in PROGRAMS:
        for file in ROOT.glob(f"{part}/**/*.py"):
            yield from nodes(file.relative_to(ROOT))


def given_codes(by: Mapping[str, int]) -> list[tuple[str, frozenset[str]]]:
    """Every code that the sources give by name, with the names of its values.

    ``by`` are functions with the place of their code among the arguments.
    """
    given = []
    for call in sources():
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in by:
            if any(one.arg is None for one in call.keywords):
                continue  # ``**values``: what they are called is not said here
            place = by[call.func.id]
            if isinstance(call.args[place], ast.Call):
                continue  # a coded text, which says its values itself
            names = frozenset(str(one.arg) for one in call.keywords)
            given += [
                (one.value, names - OF_STEPS if place else names)
                for one in ast.walk(call.args[place])
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
    return given


PROGRAMS = ("recorder", "devices", "dashboard")
GIVE_CODES = {
    **dict.fromkeys(("coded", "OrderRefusedError"), 0),
    **dict.fromkeys(("PLAYER", "OPPONENT", "EITHER", "DIRECTOR", "into_bag", "out_of_bag"), 1),
}
OF_STEPS = frozenset({"tiles", "seconds", "done_when", "code"})
"""What a step has besides the values of its act."""
SAID = (
    *(
        "doubt",
        "refusal",
        "clock_doubt",
        "device_lost",
        "evidence",
        "pairing",
        "rules",
        "log_warning",
    ),
    *("device", "device_help", "device_look", "event_change", "line_state", "roster"),
)


def test_every_code_that_is_given_has_a_text_of_its_very_values() -> None:
    """None is missing, so that no fact is kept back; none is given in vain."""
    for by, sections, least in (
        (GIVE_CODES, SAID, 50),
        ({"form": 0}, ("form",), 9),
        ({"TextError": 0}, ("request_fault",), 50),
    ):
        texts = {
            code: values_of(text)
            for name in sections
            for code, text in ENGLISH.as_json()[name].items()
        }
        given = given_codes(by)
        assert len(given) > least
        wrong = [(code, set(names)) for code, names in given if texts.get(code) != names]
        assert not wrong


def test_no_text_of_rules_and_forms_is_left_over() -> None:
    """Each is named somewhere in the programs."""
    named = {
        node.value
        for node in sources()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    texts = ENGLISH.as_json()
    assert {*texts["rules"], *texts["form"], *texts["request_fault"]} - named == set()


DOMAIN = ROOT / "recorder" / "domain"
IN_RECORDS = {"play from too full a rack", "exchange with too few tiles in the bag"}
"""Reasons of penalties: what they are for stands in the record, where directors write others."""
OF_SENSORS = {"laid aside"}
"""The kind of word under which what a sensor says is kept once; nobody reads it."""
OF_FILES = {
    "one of ",
    " inherited values confirmed",
    "a name of up to 32 small letters, digits and hyphens",
    "L or R: the half of one player",
    "L or R: one half of the clock was pressed",
}
"""What may be in a field, as errors say it, and what a file sets, as its check says it."""
NO_SENTENCES = {"tiles.py"}
"""Faults of a tile set's file."""


def prose(tree: ast.Module) -> list[str]:
    """What reads like words for people: neither documentation, an error's nor a name's."""
    apart = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.ClassDef) and any("Enum" in ast.dump(b) for b in node.bases))
    ]
    beside = {id(inner) for node in apart for inner in ast.walk(node)}
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in beside
    ]
    return [text for text in texts if re.search(r"[a-z]{2}[,;:]? [a-z]{2}", text)]


def test_the_domain_says_nothing_in_prose() -> None:
    """It gives codes; what may be in a field, as errors say it, is for developers."""
    found = {
        text
        for file in DOMAIN.glob("**/*.py")
        if file.name not in NO_SENTENCES
        for text in prose(parsed(file.relative_to(ROOT)))
    }
    assert found <= IN_RECORDS | OF_FILES | OF_SENSORS
