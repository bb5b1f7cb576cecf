"""How much of the rules the program can reach, by name: a call graph from its commands.

``python -m tests.rules.reach`` (``make reach``) writes docs/reach.md. A definition is reached when
something reached names it: a function, a class, a constant; a method, when its class is reached
and its name is used anywhere. Nothing is run.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reach.md"
PACKAGES = ("recorder", "devices", "dashboard", "calibration")
START = ("tilecast", "main")
RULES = "recorder.domain.rules."
LEAST_PERCENT = 100.0

Key = tuple[str, str]
"""A definition: its module and its name, ``Class.method`` for a method."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Module:
    """What a module defines, imports under which names, and does when it is imported."""

    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    at_import: list[ast.stmt] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)


def modules(root: Path = ROOT) -> dict[str, Module]:
    files = [root / "tilecast.py"]
    files += [file for package in PACKAGES for file in (root / package).rglob("*.py")]
    found = {}
    for file in files:
        name = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        found[name] = _module(ast.parse(file.read_text(encoding="utf-8")))
    return found


def _module(tree: ast.Module) -> Module:
    module = Module()
    for node in ast.walk(tree):
        for name, origin in _imported(node):
            module.imports[name] = origin
    for node in tree.body:
        names = list(_defined(node))
        for name in names:
            module.definitions[name] = node
        if isinstance(node, ast.ClassDef):
            for method in _methods(node):
                module.definitions[f"{node.name}.{method.name}"] = method
        elif not names:
            module.at_import.append(node)
    return module


def _imported(node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name, (alias.name, "")
    elif isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            yield alias.asname or alias.name, (node.module, alias.name)


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            for target in targets:
                yield from (x.id for x in ast.walk(target) if isinstance(x, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def _dotted(node: ast.expr) -> str:
    """``a.b.c`` as it is written; empty for what is no plain name."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr) if before := _dotted(value):
            return f"{before}.{attr}"
    return ""


def _methods(node: ast.ClassDef) -> Iterator[Function]:
    yield from (inner for inner in node.body if isinstance(inner, Function))


class Graph:
    """Marks what is reached from ``START``."""

    def __init__(self, known: Mapping[str, Module]) -> None:
        self.known = known
        self.reached: set[Key] = set()
        self._used: set[str] = set()
        self._imported: set[str] = set()
        self._ahead: list[Key] = []
        self._methods: dict[str, list[Key]] = defaultdict(list)
        for module, contents in known.items():
            for name in contents.definitions:
                if "." in name:
                    self._methods[name.rpartition(".")[2]].append((module, name))
        self._mark(START)
        while self._ahead:
            self._follow(*self._ahead.pop())

    def _follow(self, module: str, name: str) -> None:
        node = self.known[module].definitions[name]
        if not isinstance(node, ast.ClassDef):
            self._scan(module, node)
            return
        own = [*node.bases, *node.keywords, *node.decorator_list]
        own += [inner for inner in node.body if not isinstance(inner, Function)]
        for inner in own:
            self._scan(module, inner)
        for method in _methods(node):
            if method.name.startswith("__") or method.name in self._used:
                self._mark((module, f"{name}.{method.name}"))

    def _scan(self, module: str, node: ast.AST) -> None:
        for inner in ast.walk(node):
            match inner:
                case ast.Name(id=name):
                    self._name(module, name)
                case ast.Attribute(value=value, attr=attr):
                    self._use(attr)
                    self._member(module, value, attr)
                case ast.ImportFrom(module=str(origin), names=names):
                    self._import(origin)
                    for alias in names:
                        self._import(f"{origin}.{alias.name}")
                case ast.Constant(value=str(text)) if text.isidentifier():
                    self._name(module, text)  # an annotation in quotes

    def _name(self, module: str, name: str) -> None:
        found = self._resolve(module, name)
        if found is not None:
            self._mark(found)

    def _member(self, module: str, value: ast.expr, attr: str) -> None:
        origin, name = self.known[module].imports.get(_dotted(value), ("", ""))
        for whole in (f"{origin}.{name}", origin):
            if whole in self.known:
                self._name(whole, attr)

    def _resolve(self, module: str, name: str) -> Key | None:
        """Where a name of a module is defined, through all who only hand it on."""
        seen: set[Key] = set()
        while (module, name) not in seen and module in self.known:
            seen.add((module, name))
            if name in self.known[module].definitions:
                return module, name
            module, name = self.known[module].imports.get(name, ("", ""))
        return None

    def _use(self, attr: str) -> None:
        if attr in self._used:
            return
        self._used.add(attr)
        for module, name in self._methods[attr]:
            if (module, name.rpartition(".")[0]) in self.reached:
                self._mark((module, name))

    def _mark(self, key: Key) -> None:
        if key not in self.reached:
            self.reached.add(key)
            self._ahead.append(key)
            self._import(key[0])

    def _import(self, module: str) -> None:
        if module in self._imported or module not in self.known:
            return
        self._imported.add(module)
        for origin, name in self.known[module].imports.values():
            self._import(origin)
            self._import(f"{origin}.{name}")
        for node in self.known[module].at_import:
            self._scan(module, node)


@dataclass(frozen=True)
class Share:
    """How many lines of definitions a module of the rules has, and those that nothing reaches."""

    lines: int
    missing: Mapping[str, int]

    @property
    def reached(self) -> int:
        return self.lines - sum(self.missing.values())


def shares() -> dict[str, Share]:
    """Every module of the rules, by its name below ``recorder.domain.rules``."""
    known = modules()
    reached = Graph(known).reached
    found = {}
    for module, contents in sorted(known.items()):
        if module.startswith(RULES):
            lines = {name: _lines(node) for name, node in contents.definitions.items()}
            missing = {n: count for n, count in lines.items() if (module, n) not in reached}
            found[module.removeprefix(RULES)] = Share(sum(lines.values()), missing)
    return found


def _lines(node: ast.stmt) -> int:
    """The lines of a definition, those of its methods left out: they count for themselves."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    own = (node.end_lineno or node.lineno) - first + 1
    return own - (sum(map(_lines, _methods(node))) if isinstance(node, ast.ClassDef) else 0)


def percent(found: Mapping[str, Share]) -> float:
    lines = sum(share.lines for share in found.values())
    return round(100 * sum(share.reached for share in found.values()) / lines, 1)


def page(found: Mapping[str, Share]) -> str:
    """docs/reach.md."""
    lines = sum(share.lines for share in found.values())
    rows = [
        f"| `{module}` | {share.reached} of {share.lines} | {_named(share.missing) or 'all'} |"
        for module, share in found.items()
    ]
    return "\n".join([_HEAD.format(percent=percent(found), lines=lines), *rows, ""])


def _named(missing: Mapping[str, int]) -> str:
    ranked: Sequence[str] = sorted(missing, key=lambda name: -missing[name])
    return ", ".join(f"`{name}` ({missing[name]})" for name in ranked)


_HEAD = """\
# Reach

Written by `make reach`; do not edit. How much of the rules (`recorder/domain/rules/`) the program
can reach from its commands, counted in lines of definitions by a call graph of names:
**{percent} %** of {lines} lines. A test wants {least} % at least, and no module that nothing
reaches.

| module | lines reached | what nothing reaches, with its lines |
|---|---|---|""".replace("{least}", f"{LEAST_PERCENT:g}")


if __name__ == "__main__":
    now = shares()
    PAGE.write_text(page(now), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {percent(now)} %")
