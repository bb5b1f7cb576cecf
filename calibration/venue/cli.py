"""Commands on a venue as a whole: ``tilecast init``, ``venue``, ``status``.

Registered by the program's entry point; nothing heavy is imported until a command runs.
"""

from typing import TYPE_CHECKING

from calibration.venue import init_cli, venue_cli

if TYPE_CHECKING:
    import argparse

    from calibration.venue.readiness import CheckKeys
    from calibration.venue.setup.founding import MakeAccounts


def register(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",
    make_accounts: "MakeAccounts",
    check_keys: "CheckKeys",
) -> None:
    """Add this package's commands; the dashboard makes its first accounts, and checks its keys."""
    init_cli.register(subparsers, make_accounts)
    venue_cli.register(subparsers, make_accounts, check_keys)
