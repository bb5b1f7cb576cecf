"""The types of frames for the pages' scripts, drawn from ``recorder/frames``: what pages get.

The declarations are read as source, so that names, order and the words about a key are kept.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "recorder" / "frames"
SCRIPTS = ROOT / "dashboard" / "static" / "js"
FILES = {
    "shared/frames.d.ts": ("public", "booth", "phones"),
    "director/frames.d.ts": ("desk",),
    "event/models.d.ts": ("event",),
}
HEADS = {
    "shared/frames.d.ts": 'export * from "./page-types";\n',
    "director/frames.d.ts": 'import { Frame, Line, Player, TableFrame } from "../shared/frames";\n'
    'import { Acts } from "../shared/messages";\n',
    "event/models.d.ts": 'import { Need } from "../director/frames";\n',
}
OWN_WORDS = {
    "Act": "{ [Type in keyof Acts]: { type: Type; data: Acts[Type]; supersedes?: string } }"
    "[keyof Acts]",
}
"""Types that the scripts know more of than Python says: by the type of an order its data."""
_HEAD = "/** What pages are drawn from; `make schema` writes this file out of recorder/frames. */\n"
_PLAIN = {
    "str": "string",
    "int": "number",
    "float": "number",
    "bool": "boolean",
    "object": "unknown",
    "Any": "any",
    "PlainValue": "number | string | boolean",
    "Pair": "[number, number]",
}
_MAYBE, _NOT_REQUIRED = "Maybe", "NotRequired"


def texts() -> dict[Path, str]:
    """Each file with what belongs into it."""
    return {SCRIPTS / name: _text(name, modules) for name, modules in FILES.items()}


def _text(name: str, modules: tuple[str, ...]) -> str:
    parts = [
        part
        for module in modules
        for part in _declared(ast.parse((SOURCE / f"{module}.py").read_text(encoding="utf-8")))
    ]
    return "\n".join([_HEAD + HEADS[name], *parts])


def _declared(module: ast.Module) -> Iterator[str]:
    body = module.body
    for at, node in enumerate(body):
        about = _words(body[at + 1]) if at + 1 < len(body) else ""
        match node:
            case ast.ClassDef(name=name) if name in OWN_WORDS:
                yield f"{_about(ast.get_docstring(node))}export type {name} = {OWN_WORDS[name]};\n"
            case ast.ClassDef():
                yield _interface(node)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[_, ast.Dict() as keys])
            ):
                yield _of_dict(name, keys)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield f"{_about(about)}export type {name} = {_typed(value)};\n"


def _of_dict(name: str, keys: ast.Dict) -> str:
    """Keys that are words of Python: ``from``. All of them may be left out."""
    lines = [
        f"  {ast.literal_eval(key)}?: {_typed(value)};"
        for key, value in zip(keys.keys, keys.values, strict=True)
        if key is not None
    ]
    return "\n".join([f"export interface {name} {{", *lines, "}\n"])


def _interface(node: ast.ClassDef) -> str:
    above = [base.id for base in node.bases if isinstance(base, ast.Name)]
    above = [name for name in above if name != "TypedDict"]
    is_loose = any(word.arg == "total" for word in node.keywords)
    head = f"export interface {node.name}{' extends ' if above else ''}{', '.join(above)} {{"
    lines = []
    for at, key in enumerate(node.body):
        if isinstance(key, ast.AnnAssign) and isinstance(key.target, ast.Name):
            about = _words(node.body[at + 1]) if at + 1 < len(node.body) else ""
            lines.append(_about(about, "  ") + "  " + _key(key.target.id, key.annotation, is_loose))
    return "\n".join([_about(ast.get_docstring(node)) + head, *lines, "}\n"])


def _key(name: str, annotation: ast.expr, is_loose: bool) -> str:  # noqa: FBT001
    """A key with its type, and a question mark where it may be left out."""
    while isinstance(annotation, ast.Subscript) and isinstance(annotation.value, ast.Name):
        if annotation.value.id not in {_MAYBE, _NOT_REQUIRED}:
            break
        is_loose, annotation = True, annotation.slice
    typed = _typed(annotation)
    if is_loose:  # what is left out is not null as well
        typed = typed.removesuffix(" | null")
    return f"{name}{'?' if is_loose else ''}: {typed};"


def _typed(annotation: ast.expr) -> str:
    """The scripts' type of an annotation."""
    match annotation:
        case ast.Constant(value=None):
            return "null"
        case ast.Constant(value=str(forward)):
            return forward
        case ast.Name(id=name):
            return _PLAIN.get(name, name)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return f"{_typed(left)} | {_typed(right)}"
        case ast.Subscript(value=ast.Name(id=name), slice=held):
            return _holding(name, held)
    raise NotImplementedError(ast.unparse(annotation))


def _holding(name: str, held: ast.expr) -> str:
    several = held.elts if isinstance(held, ast.Tuple) else [held]
    match name:
        case "list":
            inner = _typed(held)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "dict":
            return f"Record<{_typed(several[0])}, {_typed(several[1])}>"
        case "Literal":
            return " | ".join(json.dumps(ast.literal_eval(value)) for value in several)
        case "Annotated":
            return str(ast.literal_eval(several[1]))
    raise NotImplementedError(name)


def _words(node: ast.stmt) -> str:
    """What is said below a key or a type."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return ""


def _about(text: str | None, indent: str = "") -> str:
    return f"{indent}/** {' '.join(text.split())} */\n" if text else ""
