"""An exchange as a machine: announced, laid aside, pressed, drawn, returned, racked (EXCH-1).

Rule sets differ in the order of the last acts and in what an objection is good for; the guards
ask ``exchange`` and ``wrong_exchange``.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recorder.domain.rules.exchange import exchange_count
from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Guard, Machine, Transition
from recorder.domain.rules.unsettled import listed
from recorder.domain.rules.wrong_exchange import ExchangeFacts, ExchangeOutcome, illegal_exchange


class ExchangeState(StrEnum):
    """Where an exchange stands."""

    OPEN = "open"
    ANNOUNCED = "announced"
    LAID = "tiles laid aside"
    PRESSED = "pressed"
    DRAWN = "drawn"
    RACKED = "new tiles racked"
    RETURNED = "old tiles returned"
    RETURNED_FIRST = "old tiles returned first"
    DONE = "done"
    PASSED = "a pass"
    UNCLEAR = "exchange or pass"
    DISPUTED = "disputed"
    SETTLED = "settled"


class ExchangeEvent(StrEnum):
    """What happens in an exchange."""

    ANNOUNCE = "announce"
    LAY = "lay tiles aside"
    PRESS = "press"
    DRAW = "draw"
    RACK = "rack the new tiles"
    RETURN = "return the old tiles"
    OBJECT = "opponent objects"
    RULE = "ruled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeProgress:
    """What the guards look at: the rule set, the number announced, and what happened so far."""

    rules: Rules
    facts: ExchangeFacts
    announced: int | None = None

    @property
    def count(self) -> int | None:
        """How many tiles count, None where that is open."""
        return exchange_count(self.rules, announced=self.announced, laid=self.facts.laid).count

    @property
    def rack_first(self) -> bool:
        """Whether new tiles are racked before the old ones go back."""
        order = listed(self.rules, "exchange.after_press_order")
        back = next((at for at, act in enumerate(order) if act.startswith("return_old")), 0)
        return "new_to_rack" in order[:back]

    @property
    def can_object(self) -> bool:
        """Whether an objection changes anything."""
        none = (ExchangeOutcome.STANDS, ExchangeOutcome.TOO_LATE)
        return illegal_exchange(self.rules, self.facts).outcome not in none


_Guard = Guard[ExchangeProgress]
_S, _E = ExchangeState, ExchangeEvent
_NOTHING: _Guard = Guard("nothing laid, and that is a pass", lambda facts: facts.count == 0)
_OPEN: _Guard = Guard("the text does not say how many", lambda facts: facts.count is None)
_RACK_FIRST: _Guard = Guard("racked first by the rules", lambda facts: facts.rack_first)
_BACK_FIRST: _Guard = Guard("returned first by the rules", lambda facts: not facts.rack_first)
_WRONG: _Guard = Guard("too few in the bag, and in time", lambda facts: facts.can_object)


_AFTER_PRESS = (_S.PRESSED, _S.DRAWN, _S.RACKED, _S.RETURNED, _S.RETURNED_FIRST, _S.DONE)
EXCHANGE: Machine[ExchangeState, ExchangeEvent, ExchangeProgress] = Machine(
    name="exchange",
    title="An exchange",
    initial=_S.OPEN,
    rows=(
        Transition(_S.OPEN, _E.ANNOUNCE, _S.ANNOUNCED, "EXCH-1"),
        Transition(_S.ANNOUNCED, _E.LAY, _S.LAID, "EXCH-1"),
        Transition(_S.LAID, _E.LAY, _S.LAID, "EXCH-1"),
        Transition(_S.ANNOUNCED, _E.PRESS, _S.PASSED, "EXCH-5", _NOTHING),
        Transition(_S.ANNOUNCED, _E.PRESS, _S.UNCLEAR, "EXCH-5", _OPEN),
        Transition(_S.ANNOUNCED, _E.PRESS, _S.PRESSED, "EXCH-7"),
        Transition(_S.LAID, _E.PRESS, _S.UNCLEAR, "EXCH-5", _OPEN),
        Transition(_S.LAID, _E.PRESS, _S.PRESSED, "EXCH-1"),
        Transition(_S.UNCLEAR, _E.RULE, _S.SETTLED, "EXCH-5"),
        Transition(_S.PRESSED, _E.DRAW, _S.DRAWN, "EXCH-1"),
        Transition(_S.PRESSED, _E.RETURN, _S.RETURNED_FIRST, "EXCH-6"),
        Transition(_S.RETURNED_FIRST, _E.DRAW, _S.RETURNED, "EXCH-6"),
        Transition(_S.DRAWN, _E.RACK, _S.RACKED, "EXCH-1", _RACK_FIRST),
        Transition(_S.DRAWN, _E.RACK, _S.RACKED, "EXCH-6"),
        Transition(_S.RACKED, _E.RETURN, _S.DONE, "EXCH-1"),
        Transition(_S.DRAWN, _E.RETURN, _S.RETURNED, "EXCH-1", _BACK_FIRST),
        Transition(_S.DRAWN, _E.RETURN, _S.RETURNED, "EXCH-6"),
        Transition(_S.RETURNED, _E.RACK, _S.DONE, "EXCH-1"),
        *(Transition(state, _E.OBJECT, _S.DISPUTED, "EXCH-3", _WRONG) for state in _AFTER_PRESS),
        *(Transition(state, _E.OBJECT, state, "EXCH-3") for state in _AFTER_PRESS),
        Transition(_S.DISPUTED, _E.RULE, _S.SETTLED, "EXCH-3"),
    ),
)
MACHINES: tuple[Machine[Any, Any, Any], ...] = (EXCHANGE,)
