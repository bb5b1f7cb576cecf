"""What is wrong with a feed, and where: a value for people and programs alike."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedFault:
    """A fault with its place, and what was made of it.

    ``code`` is for programs, ``message`` for people; ``warning``: nothing was left out for it.
    ``player`` and ``round`` are numbers from 1, ``line`` that of the text; None where there is
    none.
    """

    code: str
    message: str
    division: str | None = None
    player: int | None = None
    name: str | None = None
    round: int | None = None
    line: int | None = None
    warning: bool = False

    @property
    def place(self) -> str:
        """Where it is, in words; empty for the whole feed."""
        parts = (
            self.line is not None and f"line {self.line}",
            self.division is not None and f"division {self.division}",
            self.round is not None and f"round {self.round}",
            self.player is not None and f"player {self.player} {self.name or ''}".strip(),
        )
        return ", ".join(part for part in parts if part)

    def __str__(self) -> str:
        """Place and message in a line."""
        return f"{self.place}: {self.message}" if self.place else self.message

    def as_json(self) -> dict[str, Any]:
        """JSON values: every key is always there."""
        return {
            "fault": self.code,
            "severity": "warning" if self.warning else "error",
            "division": self.division,
            "round": self.round,
            "player": self.player,
            "name": self.name,
            "line": self.line,
            "place": self.place,
            "message": self.message,
        }
