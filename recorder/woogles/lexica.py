"""What a game there is made with: the letters of a lexicon, and a rule of challenges."""

from collections.abc import Mapping
from types import MappingProxyType

from recorder.domain.errors import NotationError
from recorder.domain.rules.challenge.penalties import System

_ENGLISH = ("NWL", "NSWL", "TWL", "OWL", "CSW", "AMERICA", "CEL", "ECWL", "IWI")
_LETTERS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(_ENGLISH, "english"),
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


_RULES: Mapping[System, str] = MappingProxyType(
    {
        System.VOID: "VOID",
        System.SINGLE: "SINGLE",
        System.DOUBLE: "DOUBLE",
        System.PER_WORD_5: "FIVE_POINT",
        System.PER_TURN_5: "FIVE_POINT",
        System.PER_WORD_10: "TEN_POINT",
        System.PER_TURN_10: "TEN_POINT",
    }
)


def challenge_rule_of(system: System | None) -> str:
    """Their rule of challenges for a system of penalties; empty where they have none.

    >>> challenge_rule_of(System.PER_WORD_5), challenge_rule_of(System.DINGLE)
    ('FIVE_POINT', '')
    """
    return "" if system is None else _RULES.get(system, "")
