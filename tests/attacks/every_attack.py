"""The list of attacks with all that the modules beside this one put into it."""

from tests.attacks import (  # noqa: F401 - they fill the list
    on_air,
    on_broker,
    on_broker_state,
    on_caches,
    on_doors,
    on_lines,
    on_machine,
    on_pages,
    on_shares,
)
from tests.attacks.attack import ATTACKS

__all__ = ["ATTACKS"]
