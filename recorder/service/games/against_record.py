"""What the games at the tables say against an order about the event: seen before it counts.

A result that is entered by hand is held against the record of its table. Turns that still wait for
a picture are named with it, for no look is read after it, and again before the next round is
paired. Reads; stores nothing.
"""

from collections.abc import Callable, Iterator

from recorder.domain.event.divisions import Event, EventGame
from recorder.domain.event.orders import EnterResult, EventAct, PublishRound
from recorder.domain.game import TURNS, replay
from recorder.domain.notices import CodedText, coded
from recorder.table.game_recorder import GameRecorder

At = Callable[[int], GameRecorder | None]
"""The game that a table has on; None where there is no such table, or no game at it."""


def against_record(act: EventAct, event: Event, at: At) -> Iterator[CodedText]:
    """What speaks against an order."""
    match act:
        case EnterResult(second=second) if second:
            yield from _of_result(act, event, at)
        case PublishRound():
            division = event.division(act.division)
            for game in () if division is None else division.games:
                found = _recorded(act.division, game, at) if game.round == act.round - 1 else None
                if found is not None:
                    yield from _unread(found)


def _of_result(act: EnterResult, event: Event, at: At) -> Iterator[CodedText]:
    division = event.division(act.division)
    game = division and division.game(act.round, frozenset((act.first, act.second)))
    found = _recorded(act.division, game, at) if game else None
    if found is None:
        return
    yield from _unread(found)
    if not any(isinstance(event, TURNS) for event in found.recorded.events):
        return
    pairing = found.plan.started.pairing
    scores = replay(found.tile_set, found.recorded.events).scores
    if pairing is not None and act.first != pairing.first:
        scores = scores[::-1]
    if scores != (act.first_score, act.second_score):
        table = found.plan.started.table
        yield coded("table_recorded", table=table, first=scores[0], second=scores[1])


def _unread(found: GameRecorder) -> Iterator[CodedText]:
    if turns := len(found.state.turns.unread):
        yield coded("turns_unread", table=found.plan.started.table, turns=turns)


def _recorded(division: str, game: EventGame, at: At) -> GameRecorder | None:
    """The record of a game at its table, while the table has it on."""
    found = at(game.table) if game.table else None
    pairing = None if found is None else found.plan.started.pairing
    if pairing is None or pairing.division.casefold() != division.casefold():
        return None
    same = (pairing.round, frozenset((pairing.first, pairing.second)))
    return found if same == (game.round, frozenset(game.players)) else None
