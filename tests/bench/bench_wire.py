"""How long messages and rows take to be read and written; ``baseline`` is JSON alone, unchecked."""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from recorder.declared.codec import Json
from recorder.declared.json_objects import canonical_json
from recorder.domain.notices import coded
from recorder.domain.record import Alternative, Doubt, Recorded, Statement, TurnNote
from recorder.domain.row_kind import Kind
from recorder.wire.envelope import decode_envelope, encode_envelope
from recorder.wire.observations import decode_observation, encode_observation
from recorder.wire.orders import decode_order, encode_order
from recorder.wire.rows import read_row, write_row
from tests.recorder.wire import wire_samples as samples
from tests.recorder.wire.test_wire_orders import ORDERS

ROUNDS = 40
TIMES = 200
LOOK, PRESS = samples.OBSERVATIONS[1], samples.OBSERVATIONS[4]
ORDER = ORDERS[1]
DOUBTED = Recorded(
    event=samples.EVENTS[0],
    turn=TurnNote(
        group=41,
        log_odds=2.5,
        doubt=Doubt(
            reasons=(coded("another_reading", squares="8D"),),
            squares=("8D",),
            alternatives=(
                Alternative((samples.EVENTS[1],), 2.5),
                Alternative(tuple(samples.EVENTS[4:7]), 4.5),
            ),
        ),
        facts={"hold_ms": 3000},
    ),
)

Figure = dict[str, Any]


def run() -> dict[str, Figure]:
    """Microseconds for one message, from bytes to a value of the domain or back."""
    look, press, order = (sent(*told) for told in encoded())
    row = canonical_json(write_row(DOUBTED))
    return {
        "read a look": compared(lambda: read(look), lambda: json.loads(look)),
        "read a press": compared(lambda: read(press), lambda: json.loads(press)),
        "read an order": compared(lambda: read_order(order), lambda: json.loads(order)),
        "read a row in doubt": compared(lambda: row_of_text(row), lambda: json.loads(row)),
        "write a look": written(LOOK, look),
        "write a press": written(PRESS, press),
        "write a row in doubt": compared(
            lambda: canonical_json(write_row(DOUBTED)), dumping(json.loads(row))
        ),
    }


def encoded() -> list[tuple[str, Json]]:
    """What the messages that are read carry."""
    return [*map(encode_observation, (LOOK, PRESS)), encode_order(ORDER)]


def sent(type_name: str, data: Json) -> bytes:
    """The payload of an event."""
    return encode_envelope(samples.envelope(type=type_name, data=data))


def read(payload: bytes) -> object:
    """What a device saw."""
    event = decode_envelope(samples.EV, payload)
    return decode_observation(event.type, event.data)


def read_order(payload: bytes) -> object:
    """What a director wants."""
    event = decode_envelope(samples.EV, payload)
    return decode_order(event.type, event.data)


def row_of_text(text: str) -> Statement:
    """What a row of the log says."""
    return read_row(Kind.RECORDED, json.loads(text))


def written(what: Any, payload: bytes) -> Figure:
    """An observation to its payload, against writing the same JSON."""
    return compared(lambda: sent(*encode_observation(what)), dumping(json.loads(payload)))


def dumping(value: Any) -> Callable[[], object]:
    """Compact JSON of a value."""
    return lambda: json.dumps(value, separators=(",", ":")).encode()


def compared(ours: Callable[[], object], plain: Callable[[], object]) -> Figure:
    """The two in turns, so that a machine that changes its mood changes it for both."""
    rounds = [(timed(ours), timed(plain)) for _ in range(ROUNDS + 2)][2:]
    taken, baseline = sorted(one for one, _ in rounds), statistics.median(two for _, two in rounds)
    median = statistics.median(taken)
    return {
        "unit": "us",
        "median": round(median, 1),
        "p95": round(statistics.quantiles(taken, n=20)[-1], 1),
        "baseline": round(baseline, 1),
        "ratio": round(median / baseline, 1),
    }


def timed(action: Callable[[], object]) -> float:
    """Microseconds of processor time for one go."""
    began = time.process_time()
    for _ in range(TIMES):
        action()
    return 1e6 * (time.process_time() - began) / TIMES


if __name__ == "__main__":
    for name, figure in run().items():
        print(name, figure)
