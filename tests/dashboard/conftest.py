"""What all tests of the dashboard share."""

from collections.abc import Iterator

import pytest

from dashboard.auth import accounts
from tests.programs import QUICK_PASSWORDS


@pytest.fixture(autouse=True, scope="module")
def _quick_passwords() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "PasswordHasher", QUICK_PASSWORDS)
        yield
