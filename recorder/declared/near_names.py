"""A name that nobody knows: which known one may have been meant."""

from collections.abc import Collection
from difflib import get_close_matches


def meant(name: str, known: Collection[str]) -> str:
    """The question, whether it was that, for a complaint; empty where none is near."""
    near = get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]}?)" if near else ""
