"""The options by which a program says how it does: the same for each of them."""

import argparse
from dataclasses import dataclass

from recorder.declared.port_number import port_number

LOG_FORMS = ("text", "json")
"""Lines for people, or one JSON object a line."""


def add_operations(parser: argparse.ArgumentParser) -> None:
    """Add ``--monitor`` and ``--logs``."""
    parser.add_argument("--monitor", type=read_address, metavar="ADDRESS")
    parser.add_argument("--logs", choices=LOG_FORMS, default="text")


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """Where a monitor listens; port 0 takes a free one."""

    host: str
    port: int


def read_address(text: str) -> ListenAddress:
    """An address as ``9101`` (of this machine), ``10.0.0.5:9101`` or ``[::1]:9101``.

    For the command line: argparse says what is wrong.
    """
    host, _, port = text.rpartition(":")
    return ListenAddress(host.strip("[]") or "127.0.0.1", port_number(port))
