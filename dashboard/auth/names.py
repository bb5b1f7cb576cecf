"""Names of accounts: one form for each, and none that looks like somebody else's.

Pure. Orders have the name of who gave them, so a name must be told from others by eye. Not checked:
letters of one alphabet that look alike in some fonts (``rn`` and ``m``).
"""

import unicodedata

from recorder.texts import TextError

_LONGEST_NAME = 40
_ALPHABETS = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC"}
"""Of these, letters of one look like letters of another."""
_UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10)}
"""Letters and marks that draw nothing, though Unicode calls them printable."""
_LOOKS_LIKE = str.maketrans(
    "аеорсухѕіјԁһԛԝвкмнтьαορνυικτχβεζημγ01\u0131г",  # noqa: RUF001 - they look alike
    "aeopcyxsijdhqwbkmhtbaopvuiktxbezhmyollr",
)
"""Unicode's confusable letters (UTS 39), as far as whole names can be written with them."""


def normal_name(name: str) -> str:
    """A name as it is kept: typed with another blank, composed or as wide, it is the same."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def checked_name(name: str) -> str:
    """The normal form of a name for an account. NotationError where it could mislead."""
    is_printable, name = name.isprintable(), normal_name(name)
    if not 0 < len(name) <= _LONGEST_NAME or not is_printable:
        raise TextError("name_length", most=_LONGEST_NAME)
    if any(ord(sign) in _UNSEEN for sign in name) or unicodedata.combining(name[0]):
        raise TextError("name_unseen")
    if len({_alphabet(sign) for sign in name} & _ALPHABETS) > 1:
        raise TextError("name_alphabets")
    return name


def likeness(name: str) -> str:
    """What two names have in common that people take for one another: case, dots, lookalikes."""
    bare = "".join(sign for sign in normal_name(name).casefold() if sign.isalnum())
    return bare.translate(_LOOKS_LIKE).replace("i", "l")


def _alphabet(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
