"""Exchanges and passes as they should be: allowed or not, and how many tiles.

EXCH-2, EXCH-5 to EXCH-7. What a wrong exchange leads to is in ``wrong_exchange``. Which letters are
exchanged nobody needs to know here.
"""

from dataclasses import dataclass

from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import EITHER, Procedure, into_bag
from recorder.domain.tiles import RACK_SIZE


def may_exchange(rules: Rules, bag: int) -> bool | None:
    """Whether the bag holds enough for an exchange (EXCH-2); None where the set does not say.

    For the director: the players have to see to it themselves.
    """
    needed = rules.get_whole("exchange.min_bag")
    return None if needed is None else bag >= needed


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeCount:
    """How many tiles an exchange is of; None where the director has to say. 0 is a pass."""

    count: int | None
    open_questions: tuple[CodedText, ...] = ()


def exchange_count(rules: Rules, *, announced: int | None, laid: int) -> ExchangeCount:
    """How many tiles are exchanged when ``laid`` lie aside at the press (EXCH-5, EXCH-7).

    ``announced`` is the number said, None when none was heard. An exchange was announced.
    """
    if laid == 0:
        return _nothing_laid(rules, announced)
    if announced in (None, laid):
        return ExchangeCount(count=laid)
    mismatch = rules.get("exchange.mismatch")
    if mismatch in ("table_tiles_prevail", "table_tiles_all_and_only"):
        return ExchangeCount(count=laid)
    if mismatch == "number_fixed_at_press":
        question = coded("press_fixes_number_said_laid", announced=announced or 0, laid=laid)
        return ExchangeCount(count=laid, open_questions=(question,))
    return ExchangeCount(count=None, open_questions=ask(rules, "exchange.mismatch"))


def _nothing_laid(rules: Rules, announced: int | None) -> ExchangeCount:
    if announced == RACK_SIZE and has_remedy(rules, "exchange.procedure"):
        return ExchangeCount(count=RACK_SIZE)
    asked = ask_remedy(rules, "exchange.mismatch", "table_tiles_prevail")
    return ExchangeCount(count=None if asked else 0, open_questions=asked)


def forgotten_pile(rules: Rules, *, count: int) -> Procedure:
    """What is done with old tiles that never went into the bag (EXCH-6)."""
    rule = "EXCH-6"
    steps = (
        EITHER("show_tiles", "both_look_them", rule, tiles=count),
        into_bag(EITHER, "put_pile_into_bag", count, rule, count=count),
    )
    questions = ask_remedy(rules, "exchange.procedure")
    return Procedure(
        rule,
        coded("exchange_were_left_lying", count=count),
        steps=() if questions else steps,
        open_questions=questions,
    )
