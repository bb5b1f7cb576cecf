"""Which letters go with a lexicon of theirs: found by how its name begins."""

from collections.abc import Mapping
from types import MappingProxyType

from recorder.domain.errors import NotationError

_LETTERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("NWL", "NSWL", "TWL", "OWL", "CSW", "CEL", "ECWL"), "english"),
        **dict.fromkeys(("RD", "DEUTSCH", "CGL"), "german"),
        **dict.fromkeys(("FISE", "FILE"), "spanish"),
        "OSPS": "polish",
        "NSF": "norwegian",
        "FRA": "french",
        "DISC": "catalan",
        "SLV": "slovene",
    }
)


def letters_of(lexicon: str) -> str:
    """The letter distribution that Woogles takes a lexicon with.

    NotationError where it takes none: a game with such a lexicon is refused there.

    >>> letters_of("NWL23"), letters_of("RD29")
    ('english', 'german')
    """
    for start, letters in _LETTERS.items():
        if lexicon.upper().startswith(start):
            return letters
    known = "NWL23, CSW24, ECWL, RD29, FRA24, FILE2017, NSF25, DISC2, OSPS52, SLV26"
    raise NotationError(f"Woogles knows no lexicon {lexicon!r}; it has {known}")
