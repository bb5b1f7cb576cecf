"""The sources as the tests of the house read them: each file parsed and walked once a process."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def parsed(file: Path) -> ast.Module:
    """A file's syntax tree; ``file`` is absolute, or relative to the root."""
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parsed(file)))
