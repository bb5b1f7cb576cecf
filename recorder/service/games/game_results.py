"""The result of a game at a table as a result of the event, once it is confirmed.

Both players have signed it, or a director has corrected it since. What a director enters by hand
holds until somebody signs or corrects again. Makes rows; stores none.
"""

import logging

from recorder.domain.event.orders import EnterResult, EventOrder
from recorder.domain.event.register import Register, refusal
from recorder.domain.event.seating import seating
from recorder.domain.game import replay
from recorder.log.port import NewRow
from recorder.orders.event_record import event_row
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
    first, second = replay(game_recorder.tile_set, game_recorder.recorded.events).scores
    known = seating(register.event).game(pairing)
    if known is None or (known.table, known.attempt) != (started.table, pairing.attempt):
        return []
    scores = {pairing.first: first, pairing.second: second}
    if known.scores == tuple(scores[number] for number in known.players):
        return []
    act = EnterResult(
        division=pairing.division,
        round=pairing.round,
        first=pairing.first,
        first_score=first,
        second=pairing.second,
        second_score=second,
    )
    order = EventOrder(id=name, who=f"table {started.table}", act=act)
    reason = refusal(register, order)
    if reason is not None:
        log.error("%s: the result is not entered: %s", started.game, coded_text(reason, "refusal"))
        return []
    return [event_row(register, order, at)]
