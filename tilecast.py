"""The composition root: assembles the sub-commands of the packages and wires what crosses them."""

import sys


def main() -> int:
    """Run the command line; returns the exit status (0 done, 1 input at fault, 2 wrong usage)."""
    print("tilecast: no commands yet", file=sys.stderr)
    return 2
