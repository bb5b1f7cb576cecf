"""A procedure as it stands at a table: with whom, with which facts, how far. Values, no rule."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from recorder.domain.limits import BIGGEST_INTEGER, AtMost, FreeText, Long, PlayerNumber, Within
from recorder.domain.notices import Manner, PlainValue

_MOST_STEPS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingStep:
    """One act of a procedure: what is to be done (``code``; ``act`` in words), and by whom.

    ``tiles`` it moves or shows, ``seconds`` allowed for it; None where it has none. ``by`` is the
    player who acts, None where it is either or the director. ``done``: a sensor or the director
    says so.
    """

    code: Annotated[str, Long(1, 64)]
    who: Annotated[str, Long(1, 20)]
    act: FreeText = ""
    rule: Annotated[str, Long(0, 80)] = ""
    by: PlayerNumber | None = None
    tiles: Annotated[int, Within(0, 1000)] | None = None
    seconds: Annotated[int, Within(0, 100_000)] | None = None
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingProcedure:
    """A procedure that stands open.

    ``key`` names it: a director's, where an order began it or took it up. ``group`` is the turn
    that it is about (the row of its press), 0 for none; ``player`` 0 or 1, None where it is about
    neither. ``facts`` are what the rules were asked with and what came of it. ``questions`` are
    what the text leaves to the director. ``until_ms``: when the time allowed now is over.
    ``director``: how the director learns of it, as of the notice that it follows from (INT-2).
    """

    key: Annotated[str, Long(1, 80)]
    code: Annotated[str, Long(1, 64)]
    group: Annotated[int, Within(0, BIGGEST_INTEGER)] = 0
    player: PlayerNumber | None = None
    title: FreeText = ""
    rule: Annotated[str, Long(0, 80)] = ""
    facts: Mapping[str, PlainValue] = field(default_factory=dict)
    steps: Annotated[tuple[StandingStep, ...], AtMost(_MOST_STEPS)] = ()
    until_ms: Annotated[int, Within(0, BIGGEST_INTEGER)] | None = None
    questions: Annotated[tuple[FreeText, ...], AtMost(40)] = ()
    director: Manner = Manner.SHOW
