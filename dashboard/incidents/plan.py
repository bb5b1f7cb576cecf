"""A plan as a page shows it: steps, questions to the director, and orders that its result would be.

Knows no rule: those are in ``recorder.domain.rules``.
"""

from collections.abc import Mapping

from recorder.domain.errors import NotationError
from recorder.domain.notices import CodedText, coded
from recorder.domain.orders import MOST_TEXT, Act, EntryName
from recorder.frames import desk
from recorder.texts.record import order_in_words
from recorder.texts.telling import RULE_TEXTS, coded_text
from recorder.wire import Json
from recorder.wire.orders import encode_act

MOST_ANSWER = 400
OTHER = "other"


def worded(text: CodedText) -> str:
    """What the rules ask, find or leave open, for people."""
    return coded_text(text, RULE_TEXTS)


def order_offered(act: Act, entries: Mapping[EntryName, str]) -> desk.PlanOrder:
    """An order that a director can confirm; ``entries`` of the record are in words."""
    type_name, data = encode_act(act)
    return {"label": order_in_words(act, entries=entries), "act": {"type": type_name, "data": data}}


def in_own_words(name: str, given: Json) -> desk.Plan:
    """What no procedure is about, as a director words it. NotationError names what is at fault."""
    if name != OTHER:
        raise NotationError(f"no incident {name!r}; there is: {OTHER}")
    title = _text(given, "what") or worded(coded("another_incident"))
    return {
        "title": title,
        "rule": _text(given, "rule"),
        "way": "",
        "player": None,
        "numbers": [],
        "steps": [],
        "questions": [worded(coded("see_what_program_knows"))],
        "orders": [],
        "alternatives": [],
        "ruling": title[:MOST_TEXT],
    }


def _text(given: Json, name: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > MOST_ANSWER:
        raise NotationError(f"{name}: a text of at most {MOST_ANSWER} characters")
    return value.strip()
