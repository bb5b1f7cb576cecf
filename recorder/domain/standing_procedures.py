"""A procedure as it is at a table: with whom, which facts, how far, and how it can end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from recorder.domain.game import GameEvent, TilesBySquare
from recorder.domain.limits import BIGGEST_INTEGER, AtMost, Long, PlayerNumber, Within
from recorder.domain.notices import CodedText, Manner, PlainValue, in_words
from recorder.domain.orders import Outcome

_MOST_STEPS = 40
_MOST_WAYS = 10
NO_WORDS = in_words("")
ADD_TIME, TAKE_TIME = "add_time", "take_time"
"""The steps that give a player seconds, or take them; the order of each sets their clock."""
_AMOUNTS = frozenset({ADD_TIME, TAKE_TIME, "adjust_time", "set_clock", "take_time_at_end"})
"""Steps whose seconds go onto a clock or off it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingStep:
    """One act of a procedure: what is to be done (``code``; ``act`` for people), and by whom.

    ``tiles`` it moves or shows, ``seconds`` allowed for it; None where it has none. ``by`` is the
    player who acts, None where it is either or the director. ``done``: a sensor or the director
    says so. ``until_ms``: when its time is over, None until a director lets it run.
    """

    code: Annotated[str, Long(1, 64)]
    who: Annotated[str, Long(1, 20)]
    act: CodedText = NO_WORDS
    rule: Annotated[str, Long(0, 80)] = ""
    by: PlayerNumber | None = None
    tiles: Annotated[int, Within(0, 1000)] | None = None
    seconds: Annotated[int, Within(0, 100_000)] | None = None
    done: bool = False
    until_ms: Annotated[int, Within(0, BIGGEST_INTEGER)] | None = None


def is_timed(code: str, seconds: int | None) -> bool:
    """Whether a step's seconds are time to act in, and not time that is set or taken."""
    return seconds is not None and code not in _AMOUNTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """One way in which a procedure can be settled.

    ``code`` names the way, empty where there is one only. ``events`` are what the record gets by
    it and does not have yet, in the place of what its turn was or after it; none where the turns
    stay as they are. ``letters`` are recorded tiles that are in truth others, by square.
    ``outcome``: it is the verdict on a challenge of the turn's play, and ``events`` what that
    costs; there is still something to be done at the table then, and the procedure goes on.
    """

    code: Annotated[str, Long(0, 64)] = ""
    events: Annotated[tuple[GameEvent, ...], AtMost(_MOST_WAYS)] = ()
    letters: TilesBySquare = ()
    outcome: Outcome | None = None

    @property
    def goes_on(self) -> bool:
        """Whether the procedure stands open still once its orders are given."""
        return self.outcome in (Outcome.OFF, Outcome.STANDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingProcedure:
    """A procedure that stands open.

    ``key`` names it, also once a director has taken it up. ``group`` is the turn
    that it is about (the row of its press), 0 for none; ``player`` 0 or 1, None where it is about
    neither. ``facts`` are what the rules were asked with and what came of it. ``questions`` are
    what the text leaves to the director. ``settlements`` are the ways in which it can end, the
    likeliest first; a director's orders carry one out. ``until_ms``: when the time allowed now is
    over.
    ``director``: how the director learns of it, as of the notice that it follows from (INT-2).
    """

    key: Annotated[str, Long(1, 80)]
    code: Annotated[str, Long(1, 64)]
    group: Annotated[int, Within(0, BIGGEST_INTEGER)] = 0
    player: PlayerNumber | None = None
    title: CodedText = NO_WORDS
    rule: Annotated[str, Long(0, 80)] = ""
    facts: Mapping[str, PlainValue] = field(default_factory=dict)
    steps: Annotated[tuple[StandingStep, ...], AtMost(_MOST_STEPS)] = ()
    until_ms: Annotated[int, Within(0, BIGGEST_INTEGER)] | None = None
    questions: Annotated[tuple[CodedText, ...], AtMost(40)] = ()
    settlements: Annotated[tuple[Settlement, ...], AtMost(_MOST_WAYS)] = ()
    director: Manner = Manner.SHOW
