"""How many of a kind are open at a time."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def counted(counts: Counter[str], kind: str) -> Iterator[None]:
    """Count one more of a kind while the block runs; a kind of which none is left is forgotten."""
    counts[kind] += 1
    try:
        yield
    finally:
        counts[kind] -= 1
        if not counts[kind]:
            del counts[kind]
