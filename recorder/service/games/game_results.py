"""The result of a game at a table as a result of the event, once it is confirmed.

Both players have signed it, or a director has corrected it since. What a director enters by hand
holds until somebody signs or corrects again. Makes rows; stores none.
"""

import logging
from collections.abc import Sequence

from recorder.domain.event.divisions import EventGame
from recorder.domain.event.orders import EnterResult, EventOrder, ForfeitGame
from recorder.domain.event.register import Register, refusal
from recorder.domain.event.seating import Pairing, seating
from recorder.domain.game import TURNS, Conceded, GameEvent, replay
from recorder.log.port import NewRow
from recorder.orders.event_record import judged_row
from recorder.table.game_recorder import GameRecorder
from recorder.texts.telling import coded_text

log = logging.getLogger("tilecast.recorder")


def result_rows(game_recorder: GameRecorder, register: Register, at: int) -> list[NewRow]:
    """The row that enters the result of a game, none while nothing new is confirmed."""
    pairing, row = game_recorder.plan.started.pairing, game_recorder.confirmed()
    if pairing is None or not row:
        return []
    started = game_recorder.plan.started
    name = f"{started.game}.{row}"
    if any(order.id == name for order in register.orders):
        return []
    known = seating(register.event).game(pairing)
    if known is None or (known.table, known.attempt) != (started.table, pairing.attempt):
        return []
    events = game_recorder.recorded.events
    act = _result(pairing, events, replay(game_recorder.tile_set, events).scores)
    if _stands(act, known):
        return []
    order = EventOrder(id=name, who=f"table {started.table}", act=act, agreed=True)
    reason = refusal(register, order)
    if reason is not None:
        log.error("%s: the result is not entered: %s", started.game, coded_text(reason, "refusal"))
        return []
    return [judged_row(register, order, at)[0]]


def _result(
    pairing: Pairing, events: Sequence[GameEvent], scores: tuple[int, int]
) -> EnterResult | ForfeitGame:
    """How a game ended: by its scores, by a margin in their place, or without having been played.

    A rule set may set a margin and leave the scores alone (END-7, END-11, LATE-4).
    """
    numbers = (pairing.first, pairing.second)
    given_up = next((e for e in reversed(events) if isinstance(e, Conceded)), None)
    margin = None
    if given_up is not None and not given_up.scores:
        margin = -given_up.margin if given_up.player == 0 else given_up.margin
    if (
        given_up is not None
        and margin is not None
        and not any(isinstance(e, TURNS) for e in events)
    ):
        how = "lateness" if given_up.how == "lateness" else "no_show"
        return ForfeitGame(
            division=pairing.division, round=pairing.round, number=numbers[given_up.player],
            how=how, margin=-given_up.margin, other_margin=given_up.margin,
        )  # fmt: skip
    return EnterResult(
        division=pairing.division, round=pairing.round, first=numbers[0], first_score=scores[0],
        second=numbers[1], second_score=scores[1],
        margin=None if margin == scores[0] - scores[1] else margin,
    )  # fmt: skip


def _stands(act: EnterResult | ForfeitGame, known: EventGame) -> bool:
    """Whether the event has this result already."""
    if isinstance(act, ForfeitGame):
        at = known.players.index(act.number)
        return known.forfeited and (known.margins or (0, 0))[at] == act.margin
    scores = {act.first: act.first_score, act.second: act.second_score}
    at = known.players.index(act.first)
    counted = None if known.margins is None else known.margins[at]
    return known.scores == tuple(scores[n] for n in known.players) and counted == act.margin
