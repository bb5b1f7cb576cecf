"""The words of forms and plans of incidents, and the answers of the rules in them."""

from recorder.domain.notices import PlainValue
from recorder.texts import load_catalogue, plain_code

YesNo = bool | None
"""What the rules say, None where they do not."""


def form(code: str, **values: PlainValue) -> str:
    """A label, a hint, an answer to choose or a number's name, in the program's language."""
    return load_catalogue().text("form", code, **values)


def valued(code: str) -> str:
    """A word that the rules reckon with, in the program's language."""
    return load_catalogue().text("fact_value", plain_code(code))


def by_rules(answer: YesNo) -> str:
    """An answer that the rules give, or not."""
    return _answer(answer, "rules_do_not_say")


def by_director(answer: YesNo) -> str:
    """An answer that the rules give, or leave to the director."""
    return _answer(answer, "director_says")


def _answer(answer: YesNo, otherwise: str) -> str:
    return form(otherwise if answer is None else "yes" if answer else "no")
