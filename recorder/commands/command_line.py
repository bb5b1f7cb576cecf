"""The command line as people type it: options anywhere, no colours, completion in the shell."""

import argparse
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

NO_COLOUR = ("--no-color", "--no-colour")
SHELLS = ("bash", "zsh", "tcsh")


def without_colours(given: list[str]) -> list[str]:
    """The words without the option that takes colours away, which holds for every command."""
    end = given.index("--") if "--" in given else len(given)
    kept = [word for word in given[:end] if word not in NO_COLOUR]
    if len(kept) < end:
        os.environ["NO_COLOR"] = "1"  # which rich, argparse and what we start go by
    return kept + given[end:]


class AnyOrderParser(argparse.ArgumentParser):
    """A parser that takes options anywhere, however many operands there may be.

    Where operands can be none, argparse alone takes the first ones for all of them, and those
    behind an option for unknown arguments.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._holds_commands = self._is_inside = False

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


def register_completion(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    whole: argparse.ArgumentParser,
) -> None:
    """Add the sub-command ``completion`` of ``whole``, the parser of all commands."""
    parser = commands.add_parser(
        "completion",
        help="make the shell complete commands and options",
        description="Prints what bash, zsh or tcsh reads to complete commands, options, their"
        " values and file names.",
    )
    parser.add_argument("shell", choices=SHELLS, help="for which shell")
    parser.set_defaults(run=partial(_run, whole))


def _run(whole: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    import shtab

    _name_files(whole)
    sys.stdout.write(f"{shtab.complete(whole, shell=args.shell)}\n")
    return 0


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Tell which values are files: those that are read as paths."""
    import shtab

    for action in parser._actions:  # noqa: SLF001 - argparse shows its actions no other way
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for child in action.choices.values():
                _name_files(child)
        elif action.type is Path:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
