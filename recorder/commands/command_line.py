"""The command line as people type it: options anywhere, help, no colours, completion."""

import argparse
import os
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TextIO, cast

NO_COLOUR = ("--no-color", "--no-colour")
SHELLS = ("bash", "zsh", "tcsh")


def without_colours(given: list[str]) -> list[str]:
    """The words without the option that takes colours away, which holds for every command."""
    end = given.index("--") if "--" in given else len(given)
    kept = [word for word in given[:end] if word not in NO_COLOUR]
    if len(kept) < end:
        os.environ["NO_COLOR"] = "1"  # which rich, argparse and what we start go by
    return kept + given[end:]


def in_red(text: str, stream: TextIO) -> str:
    """``text`` in red, where ``stream`` is a terminal of somebody who wants colours."""
    return f"\033[31m{text}\033[0m" if stream.isatty() and not os.environ.get("NO_COLOR") else text


def status_of(run: Callable[[], int]) -> int:
    """The exit status of a command that ``run`` runs, also where it is interrupted (130).

    Or where nobody takes what it prints (1): a full disk is reported, a closed pipe is not.
    """
    try:
        with _output_watched():
            return run()
    except KeyboardInterrupt:
        return 130
    except _OutputLostError as lost:
        if not isinstance(lost.__cause__, BrokenPipeError):  # who closes a pipe has read enough
            sys.stderr.write(f"tilecast: standard output: {lost}\n")
        return 1


class _OutputLostError(Exception):
    """Nobody takes what a command prints. No OSError: a command would lay it on its input."""


class _Output:
    """Standard output of a command; raises _OutputLostError where it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """See TextIO."""
        try:
            return self._stream.write(text)
        except OSError as fault:
            raise _OutputLostError(fault) from fault

    def flush(self) -> None:
        """See TextIO."""
        try:
            self._stream.flush()
        except OSError as fault:
            raise _OutputLostError(fault) from fault


@contextmanager
def _output_watched() -> Iterator[None]:
    """Let what is printed within go through ``_Output``, to the last of it."""
    stream: TextIO | None = sys.stdout
    if stream is None:  # closed by whoever started us: print is silent then
        yield
        return
    output = _Output(stream)
    sys.stdout = cast("TextIO", output)
    try:
        yield
        output.flush()
    except _OutputLostError:
        # What Python would still write at its end, and fail again, goes nowhere.
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
        raise
    finally:
        sys.stdout = stream


class CommandParser(argparse.ArgumentParser):
    """A parser that takes options anywhere, and whose texts stand in ``texts/commands.toml``.

    Where operands can be none, argparse alone takes the first ones for all of them, and those
    behind an option for unknown arguments. The texts are read when somebody asks for help. ``run``
    does what the command is for.
    """

    def __init__(self, *args: Any, run: Any = None, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", _Paragraphs)
        super().__init__(*args, **kwargs)
        self.register("action", "parsers", _Commands)
        self.set_defaults(command=self.prog, **({} if run is None else {"run": run}))
        self._holds_commands = self._is_inside = False

    def format_help(self) -> str:
        """See argparse."""
        explain(self)
        return super().format_help()

    def add_subparsers(self, **kwargs: Any) -> Any:
        """See argparse; commands are parsed in any order themselves."""
        self._holds_commands = True
        return super().add_subparsers(**kwargs)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """See argparse."""
        if self._is_inside or self._holds_commands:
            return super().parse_known_args(args, namespace)
        self._is_inside = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_inside = False


class _Commands(argparse._SubParsersAction):  # type: ignore[type-arg] # noqa: SLF001 - no public name
    def add_parser(self, name: str, **kwargs: Any) -> Any:
        """See argparse, which lists a command only with a help; ``explain`` fills it in."""
        return super().add_parser(name, **{"help": "", **kwargs})


class _Paragraphs(argparse.HelpFormatter):
    """Keeps paragraphs apart, and lines as they are where they are indented or in columns."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled = (
            part if re.search(r"^ |\S {3}", part, re.MULTILINE) else self._fill(part, width, indent)
            for part in text.strip("\n").split("\n\n")
        )
        return "\n\n".join(filled)

    def _fill(self, text: str, width: int, indent: str) -> str:
        return super()._fill_text(text, width, indent)


def explain(parser: argparse.ArgumentParser) -> None:
    """Give a parser, its arguments and the commands below it their texts."""
    words = parser.prog.partition(" ")[2]
    texts = command_texts()[words]
    about = [for_terminal(texts["text"])]
    if "example" in texts:
        about.append("\n".join(f"  {line}" for line in texts["example"].splitlines()))
    if "status" in texts:
        about.append(for_terminal(texts["status"]))
    parser.description = "\n\n".join(about)
    for action in parser._actions:  # noqa: SLF001 - argparse shows its actions no other way
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for listed in action._choices_actions:  # noqa: SLF001
                listed.help = command_texts()[f"{words} {listed.dest}".strip()]["short"]
        elif not isinstance(action, argparse._HelpAction):  # noqa: SLF001
            action.help = for_terminal(texts[text_key(action)]).replace("%", "%%")


def text_key(action: argparse.Action) -> str:
    """The name under which an argument's text stands: its first long option, or its metavar."""
    long = (name for name in action.option_strings if name.startswith("--"))
    return next(long, None) or str(action.metavar or action.dest)


def for_terminal(text: str) -> str:
    """A text of ``commands.toml`` for a terminal: without marks of code, and with pages named."""
    text = re.sub(r"\[([^]]+)\]\(#[^)]*\)", r"\1", text)
    text = re.sub(r"\[([^]]+)\]\(([\w.-]+)[^)]*\)", r"\1 (docs/\2)", text)
    return text.replace("`", "").replace("**", "")


@cache
def command_texts() -> dict[str, dict[str, str]]:
    """The texts of all commands by their words: ``short``, ``text``, ``example``, ``status``.

    And one for each argument. Links and code are written as in Markdown: the reference in the
    documents is made from the same file.
    """
    file = files("recorder.texts").joinpath("commands.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def keep_what_stands_before(
    child: argparse.ArgumentParser, parent: argparse.ArgumentParser
) -> None:
    """Let an option of ``parent`` that stands before ``child`` hold, where both have it.

    argparse alone puts the child's default in its place, without a word.
    """
    theirs = {action.dest for action in parent._actions if action.option_strings}  # noqa: SLF001
    for action in child._actions:  # noqa: SLF001 - argparse shows its actions no other way
        if action.option_strings and action.dest in theirs:
            action.default = argparse.SUPPRESS


def register_completion(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    whole: argparse.ArgumentParser,
) -> None:
    """Add the sub-command ``completion`` of ``whole``, the parser of all commands."""
    parser = commands.add_parser("completion", run=partial(_run, whole))
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL")


def _run(whole: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    import shtab

    _name_files(whole)
    sys.stdout.write(f"{shtab.complete(whole, shell=args.shell)}\n")
    return 0


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Tell which values are files, those that are read as paths; and what each word is for."""
    import shtab

    explain(parser)
    for action in parser._actions:  # noqa: SLF001 - argparse shows its actions no other way
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for child in action.choices.values():
                _name_files(child)
        elif action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
