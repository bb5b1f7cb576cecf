"""``python -m tests.attacks``: every attack on a venue as ``tilecast init`` makes it, and a table.

Status 1 when one of them gets through.
"""

import sys
import tempfile
import traceback
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.attacks.attack import Severity, open_target
from tests.attacks.every_attack import ATTACKS


def main() -> int:
    fell: Counter[Severity] = Counter()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        target = open_target(stack, Path(name))
        for tried in ATTACKS:
            try:
                tried.attempt(target)
                print(f"held  {tried.severity:8} {tried.name}", flush=True)
            except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever it is, it fell
                fell[tried.severity] += 1
                print(f"FELL  {tried.severity:8} {tried.name}", flush=True)
                traceback.print_exc()
    print(f"{len(ATTACKS)} attacks, {fell.total()} got through")
    return 1 if fell else 0


if __name__ == "__main__":
    sys.exit(main())
