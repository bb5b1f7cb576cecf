"""The states of a blank's letter, from the tile on the board to what can no longer change."""

from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Guard, Machine, Transition


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
_BY_RECORD = Guard("the record decides", _record_decides)
_OVERRIDE = Guard("the director may override", _may_overrule)

DESIGNATION: Machine[BlankState, BlankEvent, Rules] = Machine(
    name="designation",
    title="The letter of a blank",
    initial=_S.UNDECLARED,
    rows=(
        Transition(_S.UNDECLARED, _E.MARKED, _S.DECLARED, "BLANK-1"),
        Transition(_S.UNDECLARED, _E.MARKED_UNCLEARLY, _S.UNCLEAR, "BLANK-1"),
        Transition(_S.UNDECLARED, _E.PRESSED, _S.MISSING, "BLANK-2"),
        Transition(_S.UNDECLARED, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.DECLARED, _E.MARKED, _S.UNCLEAR, "BLANK-1"),
        Transition(_S.DECLARED, _E.PRESSED, _S.FIXED, "BLANK-9"),
        Transition(_S.DECLARED, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.UNCLEAR, _E.PRESSED, _S.UNCLEAR, "BLANK-4"),
        Transition(_S.UNCLEAR, _E.MARKED, _S.UNCLEAR, "BLANK-4"),
        Transition(_S.UNCLEAR, _E.DISPUTED, _S.DISPUTED, "BLANK-5"),
        Transition(_S.UNCLEAR, _E.RULED, _S.SETTLED, "BLANK-4"),
        Transition(_S.UNCLEAR, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.MISSING, _E.MARKED, _S.LATE, "BLANK-1"),
        Transition(_S.MISSING, _E.MARKED_UNCLEARLY, _S.UNCLEAR, "BLANK-1"),
        Transition(_S.MISSING, _E.DISPUTED, _S.DISPUTED, "BLANK-5"),
        Transition(_S.MISSING, _E.RULED, _S.SETTLED, "BLANK-4"),
        Transition(_S.MISSING, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.LATE, _E.MARKED, _S.LATE, "BLANK-9"),
        Transition(_S.LATE, _E.DISPUTED, _S.DISPUTED, "BLANK-5"),
        Transition(_S.LATE, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.FIXED, _E.MARKED, _S.FIXED, "BLANK-9"),
        Transition(_S.FIXED, _E.DISPUTED, _S.FIXED, "BLANK-7", _BY_RECORD),
        Transition(_S.FIXED, _E.DISPUTED, _S.DISPUTED, "BLANK-7"),
        Transition(_S.FIXED, _E.OVERRULED, _S.SETTLED, "BLANK-5", _OVERRIDE),
        Transition(_S.FIXED, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
        Transition(_S.DISPUTED, _E.RULED, _S.SETTLED, "BLANK-5"),
        Transition(_S.SETTLED, _E.TAKEN_OFF, _S.WITHDRAWN, "BLANK-9"),
    ),
)
MACHINES = (DESIGNATION,)
