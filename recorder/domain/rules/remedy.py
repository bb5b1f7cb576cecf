"""Time given to a player or taken from one, beside the steps of a procedure.

Numbers only: the clock is set by people, and the record learns of it from the clock.
"""

from dataclasses import dataclass

from recorder.domain.rules.procedure import Procedure, Who


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeChange:
    """Seconds for somebody's clock, negative when they are taken away.

    ``optional``: the director may grant it, or it is one of several ways; else it is due.
    """

    who: Who
    seconds: int
    rule: str
    optional: bool = False

    def applied(self, left_ms: int) -> int:
        """What a clock with this time left shows after the change."""
        return left_ms + 1000 * self.seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """A procedure together with the changes of time that belong to it."""

    procedure: Procedure
    times: tuple[TimeChange, ...] = ()
