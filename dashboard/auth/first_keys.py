"""The first accounts of a venue: its administrator, and a scorer for the phones of each table."""

import secrets
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts
from dashboard.live.log_follower import now_ms


def make_first_accounts(path: Path, tables: Iterable[int]) -> tuple[str | None, list[str]]:
    """The administrator's password, None where one exists, and a link's key for each table.

    The accounts go to the file ``path``; a scorer whose table has one gets new keys.
    """
    with closing(Accounts(path)) as accounts:
        now = now_ms()
        password = accounts.first_password(now)
        links = []
        for table in tables:
            name = f"table-{table}"
            accounts.set_user(name, Role.SCORER, secrets.token_urlsafe(24), now, table)
            links.append(accounts.make_link(name, now))
    return password, links
