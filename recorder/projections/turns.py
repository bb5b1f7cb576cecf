"""The turns of a game as everybody may see them, one JSON object a line."""

import json
from collections.abc import Iterable

from recorder.domain.game import GameEvent, new_game
from recorder.domain.tiles import TileSet
from recorder.frames.public import PublicLine
from recorder.projections.sheet import SheetLine, next_line


def public_turns(tile_set: TileSet, events: Iterable[GameEvent]) -> list[PublicLine]:
    """The lines of the score sheet, without racks and doubts.

    RecorderError when the events cannot have happened one after the other.
    """
    state, lines = new_game(tile_set), list[SheetLine]()
    for event in events:
        state, line = next_line(state, event, lines[-1].n if lines else 0)
        lines.append(line)
    return [line.as_public() for line in lines]


def json_lines(turns: Iterable[PublicLine]) -> str:
    """The turns as JSON Lines."""
    return "".join(f"{json.dumps(turn, ensure_ascii=False)}\n" for turn in turns)
