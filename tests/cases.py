"""Cases of one kind, of which `make test` tries the first few and `make test-all` every one."""

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest


def many(count: int) -> int:
    """So many of a kind, or as many as the environment's ``MANY`` says: for a longer run."""
    return int(os.environ.get("MANY", count))


def first_of(count: int, cases: Iterable[Any]) -> list[Any]:
    """The cases for ``parametrize``; those after the first ``count`` are marked ``further``.

    For what is slow and goes the same way through the same parts, case after case.
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=pytest.mark.further if at >= count else (),
        )
        for at, case in enumerate(cases)
    ]


def crossed(longer: Collection[Any], shorter: Collection[Any]) -> list[tuple[Any, Any]]:
    second = list(shorter)
    return [
        (one, second[(at + shift) % len(second)])
        for shift in range(len(second))
        for at, one in enumerate(longer)
    ]
