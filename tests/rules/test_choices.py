"""The program asks parameters only for answers that they can have.

Parameters are words: one misspelt beside ``rules.get`` would never be true, and silently count as
"the rule set does not say". So the source is read for what each parameter is compared with.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from recorder.rulesets import declared_settings

ROOT = Path(__file__).parents[2]
PARAMETERS = declared_settings()
Words = dict[str, set[str]]
"""By the name of a variable: the parameters that it was read from, or the words it stands for."""


def named(node: ast.AST, known: Words) -> set[str]:
    """The parameter that an expression reads; several where a variable has stood for several."""
    match node:
        case ast.NamedExpr(value=value) | ast.Call(func=ast.Name(id="str"), args=[value]):
            return named(value, known)
        case ast.Name(id=name):
            return known.get(name, set())
        case (
            ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_])
            | ast.Call(func=ast.Name(id="listed"), args=[_, ast.Constant(value=str(name))])
            | ast.Subscript(slice=ast.Constant(value=str(name)))
        ):
            return {name} & set(PARAMETERS)
    return set()


def words(node: ast.AST, constants: Words) -> set[str]:
    """The words in an expression or a pattern, and those that its names stand for."""
    found: set[str] = set()
    for one in ast.walk(node):
        match one:
            case ast.Constant(value=str(word)):
                found.add(word)
            case ast.Name(id=name):
                found |= constants.get(name, set())
    return found


def assignments(scope: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Plain names that are given a value, with the value; of a table its keys alone."""
    for node in ast.walk(scope):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                keys = value.keys if isinstance(value, ast.Dict) else None
                yield name, value if keys is None else ast.Tuple([key for key in keys if key])


def compared(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    match node:
        case ast.Compare(left=left, comparators=[right]):
            return [(left, right), (right, left)]
        case ast.Match(subject=subject, cases=cases):
            return [(subject, case.pattern) for case in cases]
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[key, *_]):
            return [(key, table)]
        case ast.Subscript(value=ast.Name() as table, slice=key):
            return [(key, table)]
    return []


def asked(tree: ast.Module) -> Iterator[tuple[set[str], str, int]]:
    constants: Words = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            for name, value in assignments(statement):
                constants[name] = words(value, constants)
    for scope in (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)):
        known, given = Words(), list(assignments(scope))
        for name, value in given:
            known.setdefault(name, set()).update(named(value, {}))
        found = [
            (parameters, other, node.lineno)
            for node in ast.walk(scope)
            for read, other in compared(node)
            if (parameters := named(read, known))
        ]
        local = constants | {name: words(value, constants) for name, value in given if found}
        for parameters, other, line in found:
            for word in words(other, local) - parameters:
                yield parameters, word, line


@pytest.mark.whole_tree
def test_no_parameter_is_asked_for_a_word_that_it_cannot_have() -> None:
    """Every word beside a parameter is one of its choices, or its word in place of a number."""
    seen, wrong = set(), []
    for path in sorted([*(ROOT / "recorder").rglob("*.py"), *(ROOT / "dashboard").rglob("*.py")]):
        for names, word, line in asked(ast.parse(path.read_text(encoding="utf-8"))):
            has = {
                name for name in names if word in (*PARAMETERS[name].choices, PARAMETERS[name].word)
            }
            seen |= {(name, word) for name in has}
            if not has:
                wrong.append(f"{path.relative_to(ROOT)}:{line}: {names} is never {word!r}")
    assert wrong == []
    assert len(seen) > 40, "far fewer comparisons than there are: how does the code ask now?"


def test_a_misspelt_word_is_found() -> None:
    """However it is asked for: compared, matched, in a list, as a key, by way of a variable."""
    code = """
TABLE = {"singel": 1}
OTHER = "doubel"
def decided(rules):
    way = rules.get("challenge.default")
    if way == "tripel" or rules["challenge.default"] in ("quadrupel", "single", OTHER):
        return TABLE[str(way)]
    match rules.get("challenge.default"):
        case "quintupel" | "double":
            return None
"""
    choices = PARAMETERS["challenge.default"].choices
    found = {word for _, word, _ in asked(ast.parse(code)) if word not in choices}
    assert found == {"singel", "doubel", "tripel", "quadrupel", "quintupel"}
