"""The words of forms and plans of incidents, and the answers of the rules in them."""

from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue


def form(code: str, **values: PlainValue) -> str:
    """A label, a hint, an answer to choose or a number's name, in the program's language."""
    return load_catalogue().text("form", code, **values)
