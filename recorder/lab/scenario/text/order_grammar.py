"""Lines that begin with ``director``: an order as the page gives it, with two short cuts.

A turn may be named by its number in place of its entry. A procedure that is begun needs no key,
and what is no field of the order is a fact of it; ``[26, 6]`` is the text "26 6".
``settle`` ends one as its page offers.
"""

import json
from typing import Any

from recorder.domain.errors import DeviceError, NotationError
from recorder.lab.scenario.codes import PROCEDURES, known
from recorder.lab.scenario.player_numbers import renumbered
from recorder.lab.scenario.steps import GiveOrder, Happening, SettleProcedure
from recorder.lab.scenario.text.words import LineWords
from recorder.wire.orders import ORDER_TYPES, decode_order

BEGIN = "order.procedure.begin"
_SHORT = "procedure"
_SETTLE = "settle"
_FIELDS = frozenset(("key", "code", "notice", "facts", "way", "steps", "done", "left_out"))
_FIELDS_OF_ALL = frozenset(("id", "who", "game", "supersedes", "text", "rule"))
_CHECKED = {"id": "x", "who": "x", "table": 1, "key": "x"}
"""What an order has that a line need not say."""


def read_order_line(words: LineWords) -> Happening:
    """The order after ``director``. NotationError says what is wrong with it."""
    name = words.next("an order, as correct")
    if name == _SETTLE:
        code = known(words.next("the code of an open procedure"), PROCEDURES, "code of a procedure")
        way = words.next() if words.left() else ""
        words.end()
        return SettleProcedure(code, way)
    type_name = BEGIN if name == _SHORT else f"order.{name}"
    if type_name not in ORDER_TYPES:
        allowed = ", ".join(known.removeprefix("order.") for known in ORDER_TYPES)
        raise NotationError(f"there is no order {name!r}; there are {_SHORT}, {_SETTLE}, {allowed}")
    text = words.rest()
    try:
        data = json.loads(text) if text else {}
    except ValueError as fault:
        raise NotationError(f"director {name}: no JSON object: {fault}") from fault
    if not isinstance(data, dict):
        raise NotationError(f"director {name}: a JSON object is needed, as {{}}")
    data = renumbered(data, _from_zero)
    if name == _SHORT:
        data = _with_facts(data)
        known(str(data.get("code", "")), PROCEDURES, "code of a procedure")
    _check(type_name, data)
    return GiveOrder(type_name, data)


def _from_zero(player: Any) -> int:
    if player not in (1, 2) or isinstance(player, bool):
        raise NotationError(f"player is {player!r}; players are 1 and 2")
    return int(player) - 1


def _with_facts(data: dict[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in data.items() if name in _FIELDS | _FIELDS_OF_ALL}
    facts = {name: _plain(value) for name, value in data.items() if name not in fields}
    return {**fields, "facts": {**facts, **fields.get("facts", {})}}


def _plain(value: Any) -> Any:
    """A fact as the page gives it: several values are one text, with spaces between."""
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _check(type_name: str, data: dict[str, Any]) -> None:
    """Refuse what the recorder could not read; ``turn`` stands for an entry."""
    fields = {name: value for name, value in data.items() if name != "turn"}
    turn = data.get("turn")
    if turn is not None:
        if type(turn) is not int or turn < 0:
            raise NotationError(f"turn is {turn!r}; the number of a turn is needed")
        fields.setdefault("entry", turn)
    try:
        decode_order(type_name, {**_CHECKED, **fields})
    except DeviceError as fault:
        raise NotationError(f"director: {fault}") from fault
