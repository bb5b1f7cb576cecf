"""What bag scale, rack counter, slip camera and clock comparison say, as JSON, and back.

A part of ``recorder.wire.observations``, which names the types; nothing else imports it.
"""

import re
from collections.abc import Callable, Mapping
from typing import assert_never

from recorder.domain.instruments import (
    BagLifted,
    BagReturned,
    BagWeighed,
    CountEstimate,
    SlipEntry,
    SlipMark,
    SlipSeen,
)
from recorder.domain.observations import ClockDoubted, ClockFault, ClockSynced, RackCounted, Side
from recorder.wire.fields import LONGEST_MS, Fields, Json
from recorder.wire.topics import NAME

SensorObservation = (
    BagWeighed | BagLifted | BagReturned | RackCounted | SlipSeen | ClockSynced | ClockDoubted
)

_PICTURE = re.compile(r"([0-9a-f]{64})?")
_PLACES = re.compile(r"[#.]{1,10}")
_LETTER = re.compile(r"[A-ZÄÖÜ]?")
_LETTERS = re.compile(r"[A-ZÄÖÜ]{0,29}")
_REFERENCE = re.compile(r"agent|recorder")
_MOST_GRAMS = 10_000.0
_MOST_TILES = 200
_MOST_SLIP_ROWS = 8


def encode_sensed(sensed: SensorObservation) -> tuple[str, Json]:
    """The type name and the JSON object of an observation of these sensors."""
    told: tuple[str, Json]
    match sensed:
        case BagWeighed():
            told = "bag.weight", _bag_data(sensed)
        case BagLifted(grams=grams):
            told = "bag.lifted", {"grams": grams}
        case BagReturned(away_ms=away_ms):
            told = "bag.returned", {"away_ms": away_ms}
        case RackCounted(side=side, places=places, count=count, confidence=confidence):
            data = {"side": side.value, "places": places, "count": count}
            told = "rack.count", {**data, "confidence": confidence}
        case SlipSeen(entries=entries, picture=picture, challenge=challenge):
            rows = [_entry_data(entry) for entry in entries]
            told = "slip.seen", {"entries": rows, "picture": picture, "challenge": challenge}
        case ClockSynced():
            told = "time.sync", _sync_data(sensed)
        case ClockDoubted(device=device, fault=fault, detail=detail):
            told = "clock.doubt", {"device": device, "fault": fault.value, "detail": detail}
        case _:
            assert_never(sensed)
    return told


def _bag_data(seen: BagWeighed) -> Json:
    return {
        "grams": seen.grams,
        "spread_g": seen.spread_g,
        "settled": seen.settled,
        "taken": _estimate_data(seen.taken),
        "tiles": _estimate_data(seen.tiles),
    }


def _estimate_data(estimate: CountEstimate | None) -> Json | None:
    if estimate is None:
        return None
    others = [[count, probability] for count, probability in estimate.alternatives]
    return {
        "count": estimate.count,
        "probability": estimate.probability,
        "alternatives": others,
    }


def _entry_data(entry: SlipEntry) -> Json:
    return {
        "mark": entry.mark.value,
        "letter": entry.letter,
        "confidence": entry.confidence,
        "marked": entry.marked,
    }


def _sync_data(sync: ClockSynced) -> Json:
    return {
        "reference": sync.reference,
        "device_ms": sync.device_ms,
        "offset_ms": sync.offset_ms,
        "error_ms": sync.error_ms,
        "drift_ppm": sync.drift_ppm,
    }


def _bag_weight(fields: Fields) -> BagWeighed:
    return BagWeighed(
        grams=fields.number("grams", -_MOST_GRAMS, _MOST_GRAMS),
        spread_g=fields.number("spread_g", 0, _MOST_GRAMS),
        settled=fields.flag("settled"),
        taken=_estimate(fields, "taken", -_MOST_TILES),
        tiles=_estimate(fields, "tiles", 0),
    )


def _estimate(fields: Fields, name: str, least: int) -> CountEstimate | None:
    if not fields.has(name):
        return None
    part = Fields(fields.object(name), f"bag.weight {name}")
    return CountEstimate(
        count=part.integer("count", least, _MOST_TILES),
        probability=part.number("probability", 0, 1),
        alternatives=tuple(
            (_whole(part, count), share) for count, share in part.pairs("alternatives", most=10)
        ),
    )


def _whole(fields: Fields, count: float) -> int:
    if count != int(count):
        raise fields.fault("alternatives", "pairs of a whole count and its probability")
    return int(count)


def _bag_lifted(fields: Fields) -> BagLifted:
    known = fields.has("grams")
    return BagLifted(grams=fields.number("grams", -_MOST_GRAMS, _MOST_GRAMS) if known else None)


def _bag_returned(fields: Fields) -> BagReturned:
    return BagReturned(away_ms=fields.integer("away_ms", 0, LONGEST_MS))


def _rack_count(fields: Fields) -> RackCounted:
    side = fields.choice("side", Side)
    if side is Side.NONE:
        raise fields.fault("side", "L or R: a rack is one player's")
    places = fields.matching("places", _PLACES)
    fields.integer("count", places.count("#"), places.count("#"))
    return RackCounted(side=side, places=places, confidence=fields.number("confidence", 0, 1))


def _slip_seen(fields: Fields) -> SlipSeen:
    rows = fields.objects("entries", most=_MOST_SLIP_ROWS)
    return SlipSeen(
        entries=tuple(_slip_entry(Fields(row, "slip.seen entry")) for row in rows),
        picture=fields.matching("picture", _PICTURE),
        challenge=fields.matching("challenge", _PICTURE),
    )


def _slip_entry(fields: Fields) -> SlipEntry:
    mark, letter = fields.choice("mark", SlipMark), fields.matching("letter", _LETTER)
    if (mark is SlipMark.LETTER) != bool(letter):
        raise fields.fault("letter", "a letter with the mark 'letter', else empty")
    return SlipEntry(
        mark=mark,
        letter=letter,
        confidence=fields.number("confidence", 0, 1),
        marked=fields.matching("marked", _LETTERS),
    )


def _time_sync(fields: Fields) -> ClockSynced:
    return ClockSynced(
        reference=fields.matching("reference", _REFERENCE),
        device_ms=fields.integer("device_ms"),
        offset_ms=fields.number("offset_ms"),
        error_ms=fields.number("error_ms", 0, LONGEST_MS),
        drift_ppm=fields.number("drift_ppm", -1e6, 1e6) if fields.has("drift_ppm") else None,
    )


def _clock_doubt(fields: Fields) -> ClockDoubted:
    return ClockDoubted(
        device=fields.matching("device", NAME),
        fault=fields.choice("fault", ClockFault),
        detail=fields.text("detail", least=1),
    )


SENSED_TYPES: Mapping[str, Callable[[Fields], SensorObservation]] = {
    "bag.weight": _bag_weight,
    "bag.lifted": _bag_lifted,
    "bag.returned": _bag_returned,
    "rack.count": _rack_count,
    "slip.seen": _slip_seen,
    "time.sync": _time_sync,
    "clock.doubt": _clock_doubt,
}
"""The types of these sensors and how each is read."""
