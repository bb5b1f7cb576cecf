"""Orders as rows of version 1 have them: signatures and procedures in the text of notes.

Such rows stay in their logs for ever. In rows of later versions a note is a note, whatever it says.
"""

import json
import re
from dataclasses import replace
from typing import Any

from recorder.domain.notices import PlainValue
from recorder.domain.orders import Act, BeginProcedure, Note, Sign, TableOrder

_SIGNED = re.compile(r"result slip signed by player ([12])\b")
_OPEN = "procedure open: "
_KEPT = ' {"key":'
_TITLE = "title"
"""The fact under which an open procedure keeps the words that it was noted with."""


def modern(given: TableOrder) -> TableOrder:
    """The order that a row of version 1 stands for."""
    return replace(
        given,
        order=replace(given.order, act=_modern_act(given.order.act, given.order.id)),
    )


def _modern_act(act: Act, order: str) -> Act:
    if not isinstance(act, Note):
        return act
    if signed := _SIGNED.match(act.text):
        return Sign(player=int(signed[1]) - 1)
    if act.text.startswith(_OPEN):
        return _procedure(act.text.removeprefix(_OPEN), order)
    return act


def _procedure(text: str, order: str) -> BeginProcedure:
    title, kept, _ = text.partition(_KEPT)
    state = _state(text[len(title) :]) if kept else {}
    facts = state.get("facts", {})
    return BeginProcedure(
        key=str(state.get("key", order)),
        code=str(state.get("incident", "")),
        facts={_TITLE: title, **{str(name): _plain(value) for name, value in facts.items()}},
        way=_whole(state.get("way")),
        steps=_whole(state.get("steps")),
        done=_places(state.get("done")),
        left_out=_places(state.get("off")),
        text=str(state.get("text", "")),
        rule=str(state.get("rule", "")),
    )


def _state(text: str) -> dict[str, Any]:
    """What an earlier page kept behind the title; nothing where it was cut off."""
    try:
        state = json.loads(text)
    except ValueError:
        return {}
    usable = isinstance(state, dict) and isinstance(state.get("facts", {}), dict)
    return state if usable else {}


def _plain(value: object) -> PlainValue:
    return value if isinstance(value, bool | int) else str(value)


def _whole(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 100 else 0


def _places(value: object) -> tuple[int, ...]:
    return (
        tuple(place for place in value if isinstance(place, int)) if isinstance(value, list) else ()
    )
