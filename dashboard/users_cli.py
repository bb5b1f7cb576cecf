"""``tilecast users``: who may sign in, from the command line of the dashboard's machine."""

import argparse
import contextlib
import getpass
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from dashboard.auth.access import Role
from recorder.domain.errors import NotationError
from recorder.operations.answers import add_json, answer

if TYPE_CHECKING:
    from dashboard.auth.accounts import Accounts

_ROLES = [role.value for role in Role if role not in (Role.VIEWER, Role.OVERLAY)]


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the sub-command ``users``."""
    parser = subparsers.add_parser("users", run=run_users)
    doing = parser.add_subparsers(dest="doing", required=True, metavar="COMMAND")
    listing = doing.add_parser("list")
    setting = doing.add_parser("set")
    removing = doing.add_parser("remove")
    for command in (listing, setting, removing):
        command.add_argument("accounts", type=Path, metavar="FILE")
        add_json(command)
    for command in (setting, removing):
        command.add_argument("name", metavar="NAME")
    setting.add_argument("--role", choices=_ROLES, required=True)
    setting.add_argument("--table", type=int, default=0, metavar="N")
    setting.add_argument("--password-stdin", action="store_true")


def run_users(args: argparse.Namespace) -> int:
    """0 when done, 1 when the name or password is at fault, which stderr says."""
    if args.doing != "set" and not args.accounts.exists():
        raise NotationError(f"{args.accounts}: no such file")
    from dashboard.auth.accounts import Accounts

    with contextlib.closing(Accounts(args.accounts)) as accounts:
        return _do(args, accounts)


def _do(args: argparse.Namespace, accounts: "Accounts") -> int:
    from dashboard.live.log_follower import now_ms

    if args.doing == "list":
        serving, found = accounts.tables_served(), list(accounts.users())
        listed = [
            {"name": name, "role": role, "table": serving.get(name) or None} for name, role in found
        ]
        answer(args, listed, *(_line(name, role, serving) for name, role in found))
    elif args.doing == "set":
        accounts.set_user(args.name, Role(args.role), _password(args), now_ms(), args.table)
        document = {"name": args.name, "role": args.role, "table": args.table or None}
        answer(args, document, f"{args.name} can sign in as {args.role}")
    else:
        if not accounts.remove_user(args.name):
            raise NotationError(f"no user is called {args.name!r}; see: tilecast users list FILE")
        answer(args, {"removed": args.name}, f"{args.name} cannot sign in any more")
    return 0


def _line(name: str, role: str, serving: Mapping[str, int]) -> str:
    serves = f", table {serving[name] or 'none yet'}" if name in serving else ""
    return f"{role:12} {name}{serves}"


def _password(args: argparse.Namespace) -> str:
    if args.password_stdin:
        return sys.stdin.readline().rstrip("\n")
    from dashboard.auth.accounts import LEAST_PASSWORD

    password = getpass.getpass(f"Password for {args.name} ({LEAST_PASSWORD} characters or more): ")
    if getpass.getpass("Once more: ") != password:
        raise NotationError("the two passwords differ: type the same one twice")
    return password
