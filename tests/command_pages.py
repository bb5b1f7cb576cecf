"""The sections of docs/commands-*.md: made from the parsers and their texts."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import tilecast
from recorder.commands.command_line import command_texts, text_key

DOCS = Path(__file__).parents[1] / "docs"
END = "<!-- end of what --help says -->"
"""What stands below it in a section is written by hand."""

LEFT_OUT = (argparse._HelpAction, argparse._SubParsersAction)


def commands(
    parser: argparse.ArgumentParser, *words: str
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, deeper in action.choices.items():
                yield from commands(deeper, *words, word)
            if action.required or parser.get_default("run") is None:
                return
    yield " ".join(words), parser


def pages() -> dict[Path, str]:
    """Each page about commands as it should be: what is made, with what is written below it."""
    parsers = dict(commands(tilecast._parser()))
    texts = {}
    for file in sorted(DOCS.glob("commands*.md")):
        before, *sections = re.split(
            r"^## (.+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        parts = [before]
        for words, text in zip(sections[::2], sections[1::2], strict=True):
            below = text.partition(END)[2].strip() if words in parsers else text
            made = section(words, parsers[words]) if words in parsers else ""
            parts.append("\n\n".join(filter(None, (f"## {words}", made, END, below))) + "\n\n")
        texts[file] = "".join(parts).rstrip() + "\n"
    return texts


def section(words: str, parser: argparse.ArgumentParser) -> str:
    """What ``tilecast WORDS --help`` says, as Markdown."""
    texts = command_texts()[words]
    parts = [texts["text"], f"```\n{texts['example'].strip()}\n```"]
    arguments = [action for action in parser._actions if not isinstance(action, LEFT_OUT)]
    if arguments:
        rows = (f"| `{_written(action)}` | {texts[text_key(action)]} |" for action in arguments)
        parts.append("\n".join(("| option | meaning |", "|---|---|", *rows)))
    return "\n\n".join(filter(None, (part.strip() for part in (*parts, texts.get("status", "")))))


def _written(action: argparse.Action) -> str:
    """An argument as it is typed, such as ``--players FIRST SECOND``."""
    invocation = argparse.HelpFormatter("")._format_action_invocation(action)
    return re.sub(r"\{.*?\}", text_key(action)[2:].upper().replace("-", "_"), invocation)
