"""A game as a score sheet in plain text: tags as PGN has them, then a line for each turn of both.

For reading, mail and forums. No program of ours reads it back: GCG is the form for that.
"""

from collections.abc import Mapping

from recorder.domain.game import TURNS, Withdrawn, apply, new_game
from recorder.gcg.model import GcgGame
from recorder.gcg.writer import body_of

_COLUMN = 34


def score_sheet_text(game: GcgGame, tags: Mapping[str, str] | None = None) -> str:
    """The sheet; ``tags`` are more to say of the game, such as its event, round and table.

    RecorderError when the events cannot have happened one after the other.
    """
    first, second = game.names
    state, rows = new_game(game.tile_set), list[list[str]]()
    for move in game.moves:
        state = apply(state, move.event)
        body, points = body_of(move.event)
        player, total = move.event.player, state.scores[move.event.player]
        text = f"{body} {points:+d} {total}" if body else "resigns"
        begins = isinstance(move.event, TURNS) and not isinstance(move.event, Withdrawn)
        if begins and (not rows or player == 0 or rows[-1][player]):
            rows.append(["", ""])
        if not rows:
            rows.append(["", ""])
        rows[-1][player] = f"{rows[-1][player]}; {text}" if rows[-1][player] else text
    named = {
        **(tags or {}),
        "First": first,
        "Second": second,
        "Result": f"{state.scores[0]}-{state.scores[1]}",
        "Tiles": game.tile_set.name,
        **{key.title(): text for key, text in game.pragmata if key in ("lexicon", "title")},
    }
    lines = [f'[{key} "{text}"]' for key, text in named.items() if text]
    lines.append("")
    lines += [
        f"{number:>3}. {left:<{_COLUMN}} {right}".rstrip()
        for number, (left, right) in enumerate(rows, 1)
    ]
    return "\n".join(lines) + "\n"
