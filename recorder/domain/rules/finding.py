"""Two small answers: what was found at the table, and whether something may be done.

Both are for the director and the log. Who else may hear of it is for ``silence``.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that the sensors or the scorer saw.

    ``alarm``: the director is told now; else it is only logged. ``tiles`` is how many tiles it is
    about, None where it is not about tiles.
    """

    rule: str
    text: str
    alarm: bool = True
    tiles: int | None = None
    open_questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether something may be done: yes, no, or None, which is for the director to say."""

    allowed: bool | None
    rule: str
    why: str
    open_questions: tuple[str, ...] = ()
