"""Damaged files of accounts: ``python -m tests.bench.damaged_accounts 10000``."""

import contextlib
import logging
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from argon2 import PasswordHasher

from dashboard.auth.access import Role
from dashboard.auth.accounts import Accounts, DamagedAccountsError, sound_accounts
from tests.dashboard.auth.test_damaged_accounts import damaged, use


def examined(many: int, folder: Path) -> Counter[str]:
    """What became of so many files; a raw exception ends it."""
    logging.disable(logging.CRITICAL)
    model = folder / "model.access"
    with contextlib.closing(Accounts(model)) as accounts:
        accounts._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        accounts.set_user("Root", Role.ADMIN, "long enough", 1)
        accounts.set_user("Dora", Role.DIRECTOR, "long enough", 1)
        accounts.begin("Dora", Role.DIRECTOR, 1)
        accounts.make_link("Dora", 1)
    held, chance, counts = model.read_bytes(), random.Random(1), Counter[str]()
    for number in range(many):
        file = folder / f"{number}.access"
        file.write_bytes(damaged(held, chance))
        try:
            use(file)
            counts["opened"] += 1
        except DamagedAccountsError:
            counts["named"] += 1
        sound_accounts(file).close()
        for made in folder.glob(f"{number}.access*"):
            made.unlink()
    return counts


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(dict(examined(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, Path(place))))
