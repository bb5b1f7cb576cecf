"""Command lines whose options stand where people put them: also between and before operands."""

import argparse
from typing import Any


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
