"""What people read is in plain words: texts, messages, documents and docstrings."""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sources import ROOT, nodes

pytestmark = pytest.mark.whole_tree

LIST = tomllib.loads(Path(__file__).with_name("plain_words.toml").read_text(encoding="utf-8"))
PROGRAMS = ("recorder", "devices", "dashboard", "calibration", "tests")
CODE = re.compile(
    r"^```.*?^```|``[^`]+``|`[^`\n]*`|\]\([^)]*\)|\{[^{}\n]*\}", re.MULTILINE | re.DOTALL
)


ANY = {
    language: re.compile(
        "|".join(entry["word"].replace(" ", r"\s+") for entry in words), re.IGNORECASE
    )
    for language, words in LIST.items()
}


def spaces(of: re.Match[str]) -> str:
    """As many lines as there were, with nothing on them."""
    return "_" + "\n" * of[0].count("\n")


def documents() -> Iterator[tuple[str, int, str]]:
    """Pages in Markdown, without their code."""
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        yield str(page.relative_to(ROOT)), 1, page.read_text(encoding="utf-8")


def catalogue(language: str) -> Iterator[tuple[str, int, str]]:
    """What pages, overlays and commands show in a language."""
    file = ROOT / "recorder" / "texts" / f"{language}.toml"
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if " = " in line:
            yield str(file.relative_to(ROOT)), number, line.split(" = ", 1)[1]


def texts() -> Iterator[tuple[str, int, str]]:
    """The English catalogue, and the words in the pages' own templates."""
    yield from catalogue("english")
    for page in (ROOT / "dashboard" / "templates").glob("*.html"):
        words = re.sub(r"<[^>]*>", spaces, page.read_text(encoding="utf-8"))
        yield str(page.relative_to(ROOT)), 1, words


def prose_of_programs() -> Iterator[tuple[str, int, str]]:
    """Docstrings everywhere, and every sentence that a program may print."""
    files = [ROOT / "tilecast.py"]
    files += [file for part in PROGRAMS for file in (ROOT / part).rglob("*.py")]
    for file in files:
        tested = file.is_relative_to(ROOT / "tests")
        for node in nodes(file.relative_to(ROOT)):
            is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            value = node.value if is_docstring else node
            if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                continue
            if is_docstring or (not tested and value.value.count(" ") > 1):
                yield str(file.relative_to(ROOT)), value.lineno, value.value


def german_texts() -> Iterator[tuple[str, int, str]]:
    return catalogue("german")


def listed_words(text: str, language: str = "plain") -> Iterator[tuple[int, str, str]]:
    if not ANY[language].search(text):
        return
    plain = CODE.sub(spaces, text)
    for entry in LIST[language]:
        word = entry["word"].replace(" ", r"\s+")
        allowed = [
            found.span()
            for one in entry.get("but", [])
            for found in re.finditer(one.replace(" ", r"\s+"), plain, re.IGNORECASE)
        ]
        for found in re.finditer(rf"\b(?:{word})\b", plain, re.IGNORECASE):
            if not any(start <= found.start() < end for start, end in allowed):
                yield plain.count("\n", 0, found.start()), found[0], entry["write"]


@pytest.mark.parametrize(
    ("kind", "language"),
    [
        (documents, "plain"),
        (texts, "plain"),
        (prose_of_programs, "plain"),
        (german_texts, "german"),
    ],
)
def test_no_listed_word_is_used(kind: Callable[[], Iterator[tuple[str, int, str]]], language: str):
    """Each is named with file, line and what to write instead; plain_words.toml has the list."""
    found = [
        f"{file}:{line + at}: {word!r}: write {instead}"
        for file, line, text in kind()
        for at, word, instead in listed_words(text, language)
    ]
    assert not found, "\n".join(found)


def test_a_listed_word_is_found_and_a_plain_use_is_not():
    """Also over the end of a line, and never in code type."""
    text = "It is told\nlate. Who is told\nto stop?\n`as it stands` or as it\nstands"
    assert [(at, word) for at, word, _ in listed_words(text)] == [(0, "told"), (3, "as it\nstands")]
