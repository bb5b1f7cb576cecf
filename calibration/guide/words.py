"""The guided calibrations' own sentences, in the language of the program."""

from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue


def words(code: str, **values: PlainValue) -> str:
    """The sentence for a code of the catalogue's ``guide_says``."""
    return load_catalogue().text("guide_says", code, **values)
