"""The commands of calibration: what is printed for a table, and the guides that set one up."""

from typing import Any

_Subparsers = Any
"""``argparse._SubParsersAction``, which argparse does not export."""


def register(subparsers: _Subparsers) -> None:
    """Add ``printables`` and ``calibrate``."""
    from calibration.guide import cli as guide_cli
    from calibration.printables import cli as printables_cli

    printables_cli.register(subparsers)
    guide_cli.register(subparsers)
