"""The first accounts of a venue: its administrator, and a scorer for the phones of each table."""

import secrets
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts


def make_first_accounts(path: Path, tables: Iterable[int]) -> tuple[str | None, list[str]]:
    """The administrator's password, None where one exists, and a link's key for each table.

    The accounts go to the file ``path``; a scorer whose table has one gets new keys.
    """
    with closing(Accounts(path)) as accounts:
        now = time.time_ns() // 1_000_000
        password = accounts.first_password(now)
        links = []
        for table in tables:
            name = f"table-{table}"
            accounts.set_user(name, Role.SCORER, secrets.token_urlsafe(24), now, table)
            links.append(accounts.make_link(name, now))
    return password, links
