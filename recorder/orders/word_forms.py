"""Orders whose words are the fields of what they say, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Formed = TypeVar("Formed")


def word_form(
    kind: Callable[..., Formed],
    form: str,
    readers: Mapping[str, Callable[[str], object]],
    number: Callable[[str], object] = int,
    **fixed: object,
) -> Callable[[Sequence[str]], Formed]:
    """What reads the words of ``form``, names of fields, as a ``kind``; ``name?`` may be left out.

    ``readers`` read the fields that are no ``number``; ``fixed`` are those that no word says. What
    it makes raises ValueError for too few or too many words.
    """
    names = [name.rstrip("?") for name in form.split()]
    least = len(names) - form.count("?")

    def read(words: Sequence[str]) -> Formed:
        if not least <= len(words) <= len(names):
            raise ValueError(words)
        said = zip(names, words, strict=False)
        return kind(**fixed, **{name: readers.get(name, number)(word) for name, word in said})

    return read
