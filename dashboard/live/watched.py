"""What spectators see beyond the public frame: the score sheet, and a glimpse of every table.

Pure, and public: no rack, no doubt, nothing that the public's fold does not have yet.
"""

from collections.abc import Sequence

from recorder.projections.sheet import SheetLine
from recorder.wire import Json

_HIDDEN = ("faults", "total")
_PLAY = ("n", "kind", "player", "position", "word", "score", "squares")


def public_line(line: SheetLine) -> Json:
    """A line of the score sheet as everybody may see it."""
    shown = line.in_public().as_json()
    return {key: value for key, value in shown.items() if key not in _HIDDEN}


class SheetKept:
    """The sheet by line from 0, so that a turn patches one key; made again only when it changes."""

    def __init__(self) -> None:
        self._lines: Sequence[SheetLine] = ()
        self._sheet: Json = {}

    def of(self, lines: Sequence[SheetLine]) -> Json:
        """The lines as JSON values by their number as text."""
        if lines != self._lines:
            self._lines = lines
            self._sheet = {str(at): public_line(line) for at, line in enumerate(lines)}
        return self._sheet


def glimpse(frame: Json) -> Json:
    """A table among many: players, clocks, board and the last play of a public frame."""
    return {
        "table": frame["table"],
        "game": frame["game"],
        "phase": frame["phase"],
        "players": frame["players"],
        "clock": frame["clock"],
        "board": frame["board"],
        "last_play": _play(frame["last_play"]),
        "result": frame["result"],
        "turns": frame["turns"],
        "event": frame.get("event"),
    }


def _play(play: Json | None) -> Json | None:
    if play is None:
        return None
    return {**{key: play[key] for key in _PLAY}, "words": play["words"][:1], "count": play["count"]}
