"""The states of a blank's letter, from the tile on the board to what can no longer change."""

from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Machine, Transition


class BlankState(StrEnum):
    """Where the designation of a blank stands."""

    UNDECLARED = "undeclared"
    DECLARED = "declared"
    UNCLEAR = "unclear"
    MISSING = "missing"
    LATE = "late"
    FIXED = "fixed"
    DISPUTED = "disputed"
    SETTLED = "settled"
    WITHDRAWN = "withdrawn"


class BlankEvent(StrEnum):
    """What happens to it."""

    MARKED = "marked"
    MARKED_UNCLEARLY = "marked unclearly"
    PRESSED = "pressed"
    DISPUTED = "disputed"
    RULED = "ruled"
    OVERRULED = "overruled"
    TAKEN_OFF = "play taken off"


def _may_overrule(rules: Rules) -> bool:
    return rules.get("blank.director_override") is True


def _record_decides(rules: Rules) -> bool:
    return rules.get("blank.record_determinative") is True


_S, _E = BlankState, BlankEvent
DESIGNATION: Machine[BlankState, BlankEvent, Rules] = Machine(
    name="designation",
    title="The letter of a blank",
    initial=_S.UNDECLARED,
    rows=(
        Transition(source=_S.UNDECLARED, on=_E.MARKED, target=_S.DECLARED, rule="BLANK-1"),
        Transition(
            source=_S.UNDECLARED, on=_E.MARKED_UNCLEARLY, target=_S.UNCLEAR, rule="BLANK-1"
        ),
        Transition(source=_S.UNDECLARED, on=_E.PRESSED, target=_S.MISSING, rule="BLANK-2"),
        Transition(
            source=_S.UNDECLARED, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"
        ),
        Transition(source=_S.DECLARED, on=_E.MARKED, target=_S.UNCLEAR, rule="BLANK-1"),
        Transition(source=_S.DECLARED, on=_E.PRESSED, target=_S.FIXED, rule="BLANK-9"),
        Transition(source=_S.DECLARED, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
        Transition(source=_S.UNCLEAR, on=_E.PRESSED, target=_S.UNCLEAR, rule="BLANK-4"),
        Transition(source=_S.UNCLEAR, on=_E.MARKED, target=_S.UNCLEAR, rule="BLANK-4"),
        Transition(source=_S.UNCLEAR, on=_E.DISPUTED, target=_S.DISPUTED, rule="BLANK-5"),
        Transition(source=_S.UNCLEAR, on=_E.RULED, target=_S.SETTLED, rule="BLANK-4"),
        Transition(source=_S.UNCLEAR, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
        Transition(source=_S.MISSING, on=_E.MARKED, target=_S.LATE, rule="BLANK-1"),
        Transition(
            source=_S.MISSING, on=_E.MARKED_UNCLEARLY, target=_S.UNCLEAR, rule="BLANK-1"
        ),
        Transition(source=_S.MISSING, on=_E.DISPUTED, target=_S.DISPUTED, rule="BLANK-5"),
        Transition(source=_S.MISSING, on=_E.RULED, target=_S.SETTLED, rule="BLANK-4"),
        Transition(source=_S.MISSING, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
        Transition(source=_S.LATE, on=_E.MARKED, target=_S.LATE, rule="BLANK-9"),
        Transition(source=_S.LATE, on=_E.DISPUTED, target=_S.DISPUTED, rule="BLANK-5"),
        Transition(source=_S.LATE, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
        Transition(source=_S.FIXED, on=_E.MARKED, target=_S.FIXED, rule="BLANK-9"),
        Transition(
            source=_S.FIXED, on=_E.DISPUTED, target=_S.FIXED, rule="BLANK-7",
            when=_record_decides, label="the record decides",
        ),
        Transition(source=_S.FIXED, on=_E.DISPUTED, target=_S.DISPUTED, rule="BLANK-7"),
        Transition(
            source=_S.FIXED, on=_E.OVERRULED, target=_S.SETTLED, rule="BLANK-5",
            when=_may_overrule, label="the director may override",
        ),
        Transition(source=_S.FIXED, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
        Transition(source=_S.DISPUTED, on=_E.RULED, target=_S.SETTLED, rule="BLANK-5"),
        Transition(source=_S.SETTLED, on=_E.TAKEN_OFF, target=_S.WITHDRAWN, rule="BLANK-9"),
    ),
)  # fmt: skip
MACHINES = (DESIGNATION,)
