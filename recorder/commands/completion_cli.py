"""``tilecast completion``: what makes a shell complete commands, options and files."""

import argparse
from functools import partial
from pathlib import Path

SHELLS = ("bash", "zsh", "tcsh")


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
    print(shtab.complete(whole, shell=args.shell))
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
