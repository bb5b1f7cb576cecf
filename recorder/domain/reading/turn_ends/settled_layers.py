"""Turns whose press was forgotten, by how their tiles came: a play lay alone, then another came.

What lies at a press can be no one play. Where looks since the last turn show that a part of it had
settled before the rest came, and each part is a play on the board before it, each is a turn, with
the players in turn and no more turns than that needs. The press is that of its player's newest
part: parts before it were not pressed, one after it may still be. All of them are in doubt.
Functions of the fold (``table_fold``).
"""

from dataclasses import replace
from itertools import combinations

from recorder.domain.notices import coded
from recorder.domain.reading.looks import Look, SettledLook
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_state import TableState
from recorder.domain.reading.turn_ends.draw_before_press import ended_unpressed
from recorder.domain.reading.turn_looks import too_much
from recorder.domain.turns import Press


def ended_by_layers(state: TableState, press: Press) -> tuple[TableState, Look | None]:
    """The table before a press, with the turns ended that were laid before the one it ends.

    And the look that shows that one, where another has been laid after it; None where none has.
    """
    look, turns = state.looks.since_press, state.turns
    if not state.looks.settled or look is None or look.moving or turns.unread:
        return state, None
    if is_one_play(turns.read(press, look, as_pressed=True)):
        return state, None
    for count in range(1, len(state.looks.settled) + 1):
        for layers in combinations(state.looks.settled, count):
            if _are_turns(state, press, [*(layer.look for layer in layers), look]):
                return _ended(state, press, layers)
    return state, None


def is_one_play(known: Reconstruction) -> bool:
    """Whether the newest look shows one play and nothing else."""
    turn = known.best.turns[-1]
    return bool(turn.placed) and not too_much(known) and not turn.taken


def _are_turns(state: TableState, press: Press, looks: list[Look]) -> bool:
    """Whether each look shows one play more than the one before it."""
    turns = state.turns
    for number, look in enumerate(looks):
        player = press.player if number % 2 == 0 else 1 - press.player
        known = turns.read(Press(look.seq, look.at_ms, player), look, as_pressed=True)
        if not is_one_play(known):
            return False
        turns = replace(turns, reconstruction=known)
    return True


def _ended(
    state: TableState, press: Press, layers: tuple[SettledLook, ...]
) -> tuple[TableState, Look | None]:
    """The table with the turns of all layers before the one that the press ends."""
    own = len(layers) - len(layers) % 2
    for number, layer in enumerate(layers[:own]):
        player = press.player if number % 2 == 0 else 1 - press.player
        ended = Press(layer.look.seq, layer.look.at_ms, player)
        known = state.turns.read(ended, layer.look, as_pressed=True)
        state = _doubted(ended_unpressed(state, ended, layer.look, known), ended.seq, layer)
    state = _doubted(state, press.seq, layers[min(own, len(layers) - 1)])
    return state, layers[own].look if own < len(layers) else None


def _doubted(state: TableState, ref: int, layer: SettledLook) -> TableState:
    doubt = coded("divided_by_looks", seconds=layer.lay_ms // 1000)
    return replace(state, turns=state.turns.with_doubt(ref, doubt))
