"""The spectators' scripts as one file, their styles as another: two answers instead of thirty.

Nothing is translated. Comments on lines of their own are left out, but for licences: with the types
in them they are a quarter of what a phone would fetch. Every module of the page becomes a function
that gives what the module exports, in the order in which a browser would run them, with its path in
a comment above it. Known are the forms that our scripts and the vendored ones use; another one is a
ValueError, never a page without something. Not checked: that the scripts themselves are right.
"""

import re
from pathlib import Path

WATCH_SCRIPT, WATCH_STYLE = "joined/watch.js", "joined/watch.css"
"""Where both are to lie below the folder of static files: beside ``css``, for its fonts."""

_WATCH_STYLES = tuple(
    f"css/{name}.css" for name in ("theme", "widgets", "board", "curves", "watch")
)
_IMPORT = re.compile(r'^import\s+([^"\';*]+?)\s+from\s+"(\.[^"]+)";$', re.MULTILINE)
_EXPORT_LIST = re.compile(r"(^|;)export\s*\{([^}]*)\};?", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b\s*(\w+))", re.MULTILINE)
_DEFAULT = re.compile(r"(^|;)export default ", re.MULTILINE)
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*\n?", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?!!)(?:[^*]|\*(?!/))*\*/[ \t]*\n|//.*\n)", re.MULTILINE)
_LEFT_OVER = re.compile(r"(?:^|;)\s*(?:import|export)\b.*", re.MULTILINE)


def joined_files(folder: Path) -> dict[str, str]:
    """The text of both by their places; ``folder`` holds the static files. Errors as below."""
    return {
        WATCH_SCRIPT: joined_scripts(folder, "js/watch/page.js"),
        WATCH_STYLE: joined_styles(folder, _WATCH_STYLES),
    }


def joined_scripts(folder: Path, entry: str) -> str:
    """The module ``entry`` below ``folder`` and all that it imports, as one module.

    ValueError for modules that import each other in a circle, and for a form that is not known;
    OSError where one cannot be read.
    """
    made: dict[Path, str] = {}
    _add((folder / entry).resolve(), folder.resolve(), made, ())
    return "".join(made.values())


def joined_styles(folder: Path, names: tuple[str, ...]) -> str:
    """Style sheets one after the other; their relative addresses want a folder beside theirs."""
    texts = {name: _COMMENT.sub("", (folder / name).read_text("utf-8")) for name in names}
    return "".join(f"/* {name} */\n{text}" for name, text in texts.items())


def _add(module: Path, folder: Path, made: dict[Path, str], above: tuple[Path, ...]) -> None:
    """Put ``module`` behind what it imports; ``above`` are those that wait for it."""
    if module in made:
        return
    if module in above:
        raise ValueError(f"{module} imports itself, by way of {above[-1]}")
    text = _COMMENT.sub("", _SOURCE_MAP.sub("", module.read_text("utf-8")))
    for _, path in _IMPORT.findall(text):
        _add((module.parent / path).resolve(), folder, made, (*above, module))

    def taken(found: re.Match[str]) -> str:
        source = _variable((module.parent / found[2]).resolve(), folder)
        return f"const {_taken(found[1])} = {source};"

    given: list[str] = []
    text = _IMPORT.sub(taken, text)
    text, many = _DEFAULT.subn(r"\1const $default = ", text)
    given += ["default: $default"] * many
    given += [name for _, names in _EXPORT_LIST.findall(text) for name in _given(names)]
    text = _EXPORT_LIST.sub(r"\1", text)
    given += _EXPORT.findall(text)
    text = _EXPORT.sub("", text)
    if strange := _LEFT_OVER.search(text):
        raise ValueError(f"{module}: cannot be joined: {strange[0].strip()[:80]}")
    path = module.relative_to(folder).as_posix()
    made[module] = (
        f"// {path}\nconst {_variable(module, folder)} = (() => {{\n{text.rstrip()}\n"
        f"return {{ {', '.join(given)} }};\n}})();\n"
    )


def _variable(module: Path, folder: Path) -> str:
    """The name of a module in the joined file: ``js/shared/dom.js`` is ``$js_shared_dom``."""
    return "$" + re.sub(r"\W", "_", module.relative_to(folder).with_suffix("").as_posix())


def _taken(names: str) -> str:
    """What an import names, as a pattern: ``{ a as b }`` is ``{ a: b }``."""
    if names.startswith("{"):
        return re.sub(r"\s+as\s+", ": ", names)
    return f"{{ default: {names} }}"


def _given(names: str) -> list[str]:
    """What a list of exports names, as keys of an object: ``x as Component``, ``Component: x``."""
    pairs = [name.split(" as ") for name in re.split(r"\s*,\s*", names.strip()) if name]
    return [f"{pair[-1]}: {pair[0]}" if len(pair) > 1 else pair[0] for pair in pairs]
