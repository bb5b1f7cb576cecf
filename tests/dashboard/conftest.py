"""What all tests of the dashboard share."""

from collections.abc import Iterator
from functools import partial

import pytest
from argon2 import PasswordHasher

from dashboard.auth import accounts


@pytest.fixture(autouse=True, scope="module")
def _quick_passwords() -> Iterator[None]:
    """Passwords are hashed as always, at the least cost: a test signs in more than a person."""
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "PasswordHasher", quick)
        yield
