"""The number of a port on the command line: refused by argparse where no port can have it."""

import argparse

MOST_PORT = 65_535


def port_number(text: str) -> int:
    """0 (a free one) to 65535; argparse says it where it is not."""
    try:
        port = int(text)
    except ValueError:
        port = -1
    if not 0 <= port <= MOST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {MOST_PORT}, not {text!r}")
    return port
