"""Commands on a venue as a whole: ``tilecast init``, ``venue``, ``status``.

Registered by the program's entry point; nothing heavy is imported until a command runs.
"""

from typing import TYPE_CHECKING

from venue import init_cli, venue_cli

if TYPE_CHECKING:
    import argparse


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this package's commands to the program's parser."""
    init_cli.register(subparsers)
    venue_cli.register(subparsers)
