"""What is to be done at the table, as steps that people or sensors check off.

Beside the steps: whether something may be done.
"""

from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Self

from recorder.domain.game import GameEvent
from recorder.domain.notices import CodedText, PlainValue, coded


class Who(StrEnum):
    """Who acts. The offender is the player about whom the procedure is."""

    PLAYER = "player"
    OPPONENT = "opponent"
    EITHER = "either"
    DIRECTOR = "director"

    def __call__(
        self,
        code: str,
        act: str | CodedText,
        rule: str = "",
        *,
        tiles: int | None = None,
        seconds: int | None = None,
        done_when: str = "",
        **values: PlainValue | CodedText,
    ) -> "Step":
        """A step of this actor; ``values`` are those of its act."""
        said = coded(act, **values) if isinstance(act, str) else act
        return Step(self, code, said, rule, tiles=tiles, seconds=seconds, done_when=done_when)


PLAYER, OPPONENT, EITHER, DIRECTOR = Who


@dataclass(frozen=True, slots=True)
class Step:
    """One act at the table: who does what, in words, by which rule.

    ``code`` says what is done, for programs and texts: ``return_tiles``; ``act`` is the sentence
    for people, ``rule`` the rulebook's entry, empty for that of its procedure. ``tiles`` it moves
    or shows, ``seconds`` allowed; None without. ``done_when`` names the fact that a sensor can
    report for it (``rack=7``, ``bag+2``), empty where only people can.
    """

    who: Who
    code: str
    act: CodedText
    rule: str
    _: KW_ONLY
    tiles: int | None = None
    seconds: int | None = None
    done_when: str = ""


def into_bag(
    who: Who,
    act: str | CodedText,
    tiles: int,
    rule: str = "",
    *,
    code: str = "return_tiles",
    seconds: int | None = None,
    **values: PlainValue | CodedText,
) -> Step:
    """An act by which so many tiles go into the bag; a scale below it sees it done."""
    done = f"bag+{tiles}"
    return who(code, act, rule, tiles=tiles, seconds=seconds, done_when=done, **values)


def out_of_bag(
    who: Who,
    act: str | CodedText,
    tiles: int,
    rule: str = "",
    *,
    code: str = "draw_tiles",
    **values: PlainValue | CodedText,
) -> Step:
    """An act by which so many tiles are drawn; a scale below the bag sees it done."""
    done = f"bag-{tiles}"
    return who(code, act, rule, tiles=tiles, seconds=None, done_when=done, **values)


@dataclass(frozen=True, slots=True)
class Procedure:
    """What follows from something that happened, by the rule set in force.

    ``steps`` in order; empty when nothing is to be done. ``events`` are what the record gets once
    it is done, as far as it is settled. ``open_questions`` are what the text does not settle: with
    any of them, the director decides. What is worked out beside these is in subclasses.
    """

    rule: str
    title: CodedText
    _: KW_ONLY
    steps: tuple[Step, ...] = ()
    events: tuple[GameEvent, ...] = ()
    open_questions: tuple[CodedText, ...] = ()

    def __post_init__(self) -> None:
        own = (step if step.rule else replace(step, rule=self.rule) for step in self.steps)
        object.__setattr__(self, "steps", tuple(own))

    @property
    def for_director(self) -> bool:
        """Whether the text leaves something to the director."""
        return bool(self.open_questions)

    @property
    def seconds(self) -> int | None:
        """The time that somebody has to choose or to react; None without a limit."""
        return next((step.seconds for step in self.steps if step.seconds), None)

    def asking(self, *questions: CodedText) -> Self:
        """The same with further questions to the director."""
        return replace(self, open_questions=(*self.open_questions, *questions))

    def then(self, *steps: Step) -> Self:
        """The same with further steps at the end."""
        return replace(self, steps=(*self.steps, *steps))


@dataclass(frozen=True, slots=True)
class TilePlan(Procedure):
    """A procedure that moves tiles, and how many; 0 and None where it moves none so.

    ``revealed`` tiles are seen by somebody else than their player, out of a ``pool``. ``surplus``
    are too many. ``drawn`` come out of the bag, ``returned`` go into it; ``drawer`` is who draws
    (0 or 1). ``score_change`` are points for the player, never positive. ``too_late``: nothing can
    be corrected any more.
    """

    _: KW_ONLY
    surplus: int = 0
    pool: int = 0
    revealed: int = 0
    drawn: int = 0
    returned: int = 0
    drawer: int | None = None
    score_change: int = 0
    too_late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether something may be done: yes, no, or None, which is for the director to say."""

    allowed: bool | None
    rule: str
    why: CodedText
    open_questions: tuple[CodedText, ...] = ()
