"""Changes the product in small ways and says which changes the tests notice.

``python -m tests.bench.mutants [--count 60] [--seed 1] [--touched FILE]``: draws so many changes of
comparisons, numbers, truth values, signs and answers in the functions of the domain, the
projections and the wire. For each it runs the tests that go through the changed function, the
quickest first, until one fails. The same seed draws the same changes, whatever happens to the
tests, so two commits can be compared.
"""

import argparse
import ast
import importlib.machinery
import json
import os
import subprocess
import sys
import time
import types
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MUTATED = ("recorder/domain", "recorder/projections", "recorder/wire")
TESTS = ("domain", "rules", "scenarios", "recorder", "contracts", "event")
APART = ("broker", "browser", "photos", "pixels", "further", "whole_tree")
MOST_S = 60.0
"""The tests of one change: the quickest of those that go through it, so long together."""

OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add,
}  # fmt: skip


def change(node: ast.AST) -> str:
    before = ast.unparse(node) if isinstance(node, ast.expr | ast.Return) else ""
    match node:
        case ast.Compare(ops=[op, *rest]) if type(op) in OTHERS:
            node.ops = [OTHERS[type(op)](), *rest]  # type: ignore[list-item]
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OTHERS:
            node.op = OTHERS[type(op)]()  # type: ignore[assignment]
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
        case _:
            return ""
    return f"{before} -> {ast.unparse(node)}"


def functions(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """Every changeable node inside a function, with the line where the outermost one begins."""
    for top in ast.walk(tree):
        if isinstance(top, ast.FunctionDef) and not hasattr(top, "inner"):
            for node in ast.walk(top):
                node.inner = True  # type: ignore[attr-defined]
            first = min([top.lineno, *(decorator.lineno for decorator in top.decorator_list)])
            yield from ((node, first) for part in top.body for node in ast.walk(part))


def places(file: Path) -> list[tuple[int, int, int, str]]:
    """Number among the nodes, first line of the function, line, and what is changed."""
    nodes = enumerate(functions(ast.parse(file.read_text("utf-8"))))
    found = ((at, first, getattr(node, "lineno", 0), change(node)) for at, (node, first) in nodes)
    return [place for place in found if place[3]]


_load = importlib.machinery.SourceFileLoader.get_code


def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> types.CodeType | None:
    """The code of a module as Python loads it, but for the one whose node was chosen."""
    file, at = os.environ["MUTANT"].split(":")
    if self.path != str(ROOT / file):
        return _load(self, name)
    tree = ast.parse(Path(self.path).read_text("utf-8"))
    change(list(functions(tree))[int(at)][0])
    return compile(ast.fix_missing_locations(tree), self.path, "exec")


if "MUTANT" in os.environ:
    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]

SEEN: set[tuple[str, int]] = set()


def watch(frame: types.FrameType, _event: str, _argument: object) -> None:
    """Notes which function is entered, and asks for no more of it."""
    code = frame.f_code
    if code.co_filename.startswith(WATCHED):
        SEEN.add((code.co_filename, code.co_firstlineno))


WATCHED = tuple(str(ROOT / part) for part in MUTATED)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """With a file for it: write down how long each test takes and which functions it enters."""
    if "TOUCHED" not in os.environ:
        return (yield)
    SEEN.clear()
    begun = time.perf_counter()
    sys.settrace(watch)
    try:
        return (yield)
    finally:
        sys.settrace(None)
        line = json.dumps([item.nodeid, time.perf_counter() - begun, sorted(SEEN)])
        with Path(os.environ["TOUCHED"]).open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def run(*arguments: str, within_s: float = 300, **environment: str) -> bool:
    """Whether a run of pytest passes; not where a test fails or is not over in time."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.bench.mutants", *arguments]
    around, quiet = os.environ | environment, subprocess.DEVNULL
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=around, stdout=quiet, check=False, timeout=within_s
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    """Draws, runs, prints a line for each change and how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--touched", type=Path, default=ROOT / "build" / "touched.jsonl")
    asked = parser.parse_args(arguments)
    if not asked.touched.exists():
        asked.touched.parent.mkdir(exist_ok=True)
        quick = " and ".join(f"not {mark}" for mark in APART)
        parts = [f"tests/{part}" for part in TESTS]
        run("-m", quick, *parts, within_s=3600, TOUCHED=str(asked.touched))
    through = defaultdict[tuple[str, int], list[tuple[float, str]]](list)
    for line in asked.touched.read_text("utf-8").splitlines():
        test, seconds, seen = json.loads(line)
        for file, first in seen:
            through[str(Path(file).relative_to(ROOT)), first].append((seconds, test.split("[")[0]))
    chosen, noticed = asked.touched.with_suffix(".txt"), 0
    chosen.write_text("\n".join({test for tests in through.values() for _, test in tests}), "utf-8")
    if not run("--collect-only", f"@{chosen}"):
        parser.error(f"the tests are others than those in {asked.touched}: remove it")
    files = [file for part in MUTATED for file in sorted((ROOT / part).rglob("*.py"))]
    every = [(str(file.relative_to(ROOT)), *place) for file in files for place in places(file)]
    # By its own number and no other: a change stays drawn whatever happens to other files.
    every.sort(key=lambda place: sha256(f"{asked.seed} {place[0]} {place[1]}".encode()).digest())
    for file, at, first, line, what in every[: asked.count]:
        quickest = sorted(through[file, first])
        over = accumulate(seconds for seconds, _ in quickest)
        tests = [test for (_, test), sum_s in zip(quickest, over, strict=True) if sum_s < MOST_S]
        chosen.write_text("\n".join(dict.fromkeys(tests)), "utf-8")
        options = ("-x", "-p", "no:cacheprovider", "--hypothesis-seed=0", f"@{chosen}")
        is_noticed = bool(tests) and not run(*options, MUTANT=f"{file}:{at}")
        noticed += is_noticed
        print("noticed" if is_noticed else "LEFT   ", f"{file}:{line}", what[:80], flush=True)
    print(f"{noticed} of {asked.count} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
