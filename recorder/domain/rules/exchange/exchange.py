"""Exchanges and passes as they should be: allowed or not, and how many tiles.

Also what a press without a play was (TURN-1, EXCH-2, EXCH-5 to EXCH-7, PASS-1). What a wrong
exchange leads to is in ``wrong_exchange``. Which letters are exchanged nobody needs to know here.
"""

from dataclasses import dataclass

from recorder.domain.errors import RecorderError
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, ask_remedy, has_remedy
from recorder.domain.rules.core.procedure import EITHER, Procedure, into_bag
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.tiles import RACK_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeCheck:
    """Tiles in the ``bag`` by the account, tiles ``needed``, and whether an exchange is allowed.

    For the director: the players have to see to it themselves.
    """

    bag: int
    needed: int | None
    allowed: bool | None
    open_questions: tuple[CodedText, ...] = ()


def may_exchange(
    rules: Rules, *, total: int, board: int, racks: tuple[int, int] = (RACK_SIZE, RACK_SIZE)
) -> ExchangeCheck:
    """Whether the bag holds enough for an exchange (EXCH-2).

    ``total`` is the size of the set, ``board`` the number of tiles there; what a rack is short of
    seven is in the bag. RecorderError when the numbers exceed the set.
    """
    bag = total - board - sum(racks)
    if bag < 0:
        raise RecorderError(f"{board} tiles and racks of {racks} are more than a set of {total}")
    needed = rules.get_whole("exchange.min_bag")
    return ExchangeCheck(
        bag=bag,
        needed=needed,
        allowed=None if needed is None else bag >= needed,
        open_questions=ask(rules, "exchange.min_bag"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeCount:
    """How many tiles an exchange is of; None where the director has to say. 0 is a pass."""

    count: int | None
    open_questions: tuple[CodedText, ...] = ()

    @property
    def is_pass(self) -> bool:
        """Whether the turn is a pass after all."""
        return self.count == 0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietFacts:
    """A press with an unchanged board. None is what no sensor or scorer says.

    ``said`` is ``Zero.EXCHANGE`` or ``Zero.PASS`` as announced, ``number`` the tiles named;
    ``laid`` lay aside at the press; ``out`` and ``back`` left and entered the bag after it.
    Presses that end no turn are ruled out before (``press``, ``starting``).
    """

    said: Zero | None = None
    number: int | None = None
    laid: int | None = None
    out: int | None = None
    back: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietTurn:
    """What a quiet turn was, and how many tiles were exchanged (None: none, or nobody knows)."""

    kind: Zero
    count: int | None = None
    open_questions: tuple[CodedText, ...] = ()


def quiet_turn(rules: Rules, facts: QuietFacts) -> QuietTurn:
    """Whether a turn without a play was an exchange or a pass (TURN-1, PASS-1, EXCH-5, EXCH-7).

    Announced is enough for an exchange, even with nothing laid aside, unless the rule set makes
    that a pass; an exchange that the bag does not allow is one all the same (EXCH-3). What is
    neither announced nor seen stays undecided, with a question to the scorer.
    """
    if facts.said is Zero.EXCHANGE:
        laid = _laid(facts)
        if laid is None:
            question = coded("exchange_announced_how_many_tiles")
            return QuietTurn(kind=Zero.EXCHANGE, open_questions=(question,))
        found = exchange_count(rules, announced=facts.number, laid=laid)
        kind = Zero.PASS if found.is_pass else Zero.EXCHANGE
        return QuietTurn(kind=kind, count=found.count or None, open_questions=found.open_questions)
    moved = facts.laid or facts.out or facts.back
    if facts.said is Zero.PASS:
        question = coded("pass_announced_but_moved", moved=moved or 0)
        return QuietTurn(kind=Zero.PASS, open_questions=(question,) if moved else ())
    if moved:
        question = coded("nothing_announced_were_laid_aside", moved=moved)
        return QuietTurn(kind=Zero.EXCHANGE, count=moved, open_questions=(question,))
    return QuietTurn(kind=Zero.UNDECIDED, open_questions=(coded("nothing_announced_no_tile_seen"),))


def _laid(facts: QuietFacts) -> int | None:
    """The tiles laid aside; the bag shows where nothing watches the table, else what was said."""
    if facts.laid is not None:
        return facts.laid
    moved = [count for count in (facts.out, facts.back) if count is not None]
    return max(moved) if moved else facts.number
