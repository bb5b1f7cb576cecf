"""A position as CGP, the one-line form that engines of the field take.

Board, racks and scores (the player on turn first), zeros in a row, then what the game is.
"""

from itertools import groupby, takewhile

from recorder.domain.board import name_across
from recorder.domain.errors import NotationError
from recorder.domain.game import GameState, Played, replay
from recorder.domain.rules.ending.six_zeros import Zero, zero_run
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import BLANK, EMPTY, Tiles
from recorder.gcg.model import GcgGame


def position(game: GcgGame, turns: int | None = None) -> str:
    """The position after so many events of the game, by default after all.

    A rack is written when the game says what it is (``GcgGame.racks``, or the rack of the event
    that follows), else left empty: unknown. NotationError when a blank on the board has no known
    letter, for then there is no way to write it.
    """
    count = len(game.moves) if turns is None else turns
    state = replay(game.tile_set, game.events[:count])
    unknown = [name_across(sq) for sq in state.board.occupied() if state.board[sq] is BLANK]
    if unknown:
        where = ", ".join(unknown)
        raise NotationError(f"the letter of the blank on {where} is not known; CGP needs it")
    order = (state.on_turn, 1 - state.on_turn)
    fields = [
        "/".join(_row(row) for row in state.board.lines()),
        "/".join(_rack(game, count, player) for player in order),
        "/".join(str(state.scores[player]) for player in order),
        str(_zeros(state)),
        *_operations(game, state),
    ]
    return " ".join(fields)


def _zeros(state: GameState) -> int:
    """Turns in a row that brought nothing; a legal play that scored 0 and stands is none."""
    run = reversed(zero_run(state.events))
    return sum(1 for _ in takewhile(lambda zero: zero is not Zero.NO_POINTS, run))


def _row(row: Tiles) -> str:
    """A line of the board with numbers for free squares."""
    parts = ((tile, len(list(run))) for tile, run in groupby(row))
    return "".join(str(run) if tile is EMPTY else str(tile) * run for tile, run in parts)


def _rack(game: GcgGame, count: int, player: int) -> str:
    """What is known of a player's rack at that point."""
    if count == len(game.moves):
        return write_tiles(game.racks[player])
    coming = game.moves[count]
    return write_tiles(coming.rack) if coming.event.player == player else ""


def _operations(game: GcgGame, state: GameState) -> list[str]:
    """Word list, letters, and the last play when the last event was one."""
    lexicon = dict(game.pragmata).get("lexicon", "").split()
    operations = [f"lex {lexicon[0]};"] if lexicon else []
    operations.append(f"ld {game.tile_set.name};")
    last = state.events[-1] if state.events else None
    if isinstance(last, Played):
        operations.append(f"lm {last.placement};")
    return operations
