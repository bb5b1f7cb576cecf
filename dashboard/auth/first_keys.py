"""The first accounts of a venue: its administrator, and a scorer for the phones of each table."""

import secrets
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts


def make_first_accounts(
    path: Path, tables: Iterable[int], gone: Iterable[int] = ()
) -> tuple[str | None, list[str]]:
    """The administrator's password, None where one exists, and a link's key for each table.

    The accounts go to the file ``path``; a scorer whose table has one gets new keys. Phones of
    tables that are ``gone`` have no account any more, and no link.
    """
    with closing(Accounts(path)) as accounts:
        now = time.time_ns() // 1_000_000
        served, lost = accounts.tables_served(), set(gone)
        for name in [name for name, table in served.items() if table in lost]:
            accounts.remove_user(name)
        password = accounts.first_password(now)
        links = [accounts.make_link(_make_scorer(accounts, table, now), now) for table in tables]
    return password, links


def scorer_of(accounts: Accounts, table: int, now: int) -> str:
    """The name of a table's account for its phones: made where there is none."""
    served, roles = accounts.tables_served(), dict(accounts.users())
    for name, role in roles.items():
        if role is Role.SCORER and served.get(name) == table:
            return name
    return _make_scorer(accounts, table, now)


def _make_scorer(accounts: Accounts, table: int, now: int) -> str:
    name = f"table-{table}"
    accounts.set_user(name, Role.SCORER, secrets.token_urlsafe(24), now, table)
    return name
