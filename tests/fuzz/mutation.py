"""Inputs that nobody meant: samples cut, doubled, mixed, and given values that break programs."""

import copy
import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

NASTY = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n\r\n", b"%00", b"../../etc/passwd",
    b"1e999", b"-1e400", b"NaN", b"-0", b"9" * 400, b"9007199254740991", b"-9223372036854775809",
    b'"\\ud800"', "İı﷽🂡".encode(), b"[" * 600, b'{"a":' * 300, b"null", b"true", b"[]", b"{}",
    b"'", b'"""', b"\\", b"$*0000\n", b"A" * 5000,
)  # fmt: skip
VALUES = (
    None, True, 0, -1, 1, 2, 7, 8, 100, 255, 10**6, 2**31, 2**53, 10**40, 0.5, -1e308, "", "A", "?",
    "ä", "L", "N", "x" * 300, "\ud800", [], [[]], [1, 2, 3], {}, {"code": "x"},
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_MOST_BYTES = 70_000


def mutants(samples: Sequence[bytes], count: int, seed: int) -> Iterator[bytes]:
    """``count`` inputs made of the samples by up to four changes each; the same for one seed."""
    chance = random.Random(seed)
    for _ in range(count):
        data = chance.choice(samples)
        for _ in range(chance.choice((0, 1, 1, 1, 2, 4))):
            data = chance.choice(_CHANGES)(data, chance, samples)
        yield data[:_MOST_BYTES]


def _flipped(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(data), chance.choice((1, 1, 4)))):
        changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + data[end:]


def _ended_early(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    return data[: chance.randint(0, len(data))]


def _repeated(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 2, 50)) + data[end:]


def _joined(data: bytes, chance: random.Random, samples: Sequence[bytes]) -> bytes:
    other = chance.choice(samples)
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _spoilt(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    start, end = _span(data, chance)
    return data[:start] + chance.choice(NASTY) + data[chance.choice((start, end)) :]


def _misnumbered(data: bytes, chance: random.Random, _: Sequence[bytes]) -> bytes:
    numbers = list(_NUMBER.finditer(data))
    if not numbers:
        return data
    found = chance.choice(numbers)
    other = chance.choice((*NASTY[8:15], b"0", b"-1", str(chance.randint(0, 2**31)).encode()))
    return data[: found.start()] + other + data[found.end() :]


def _revalued(data: bytes, chance: random.Random, samples: Sequence[bytes]) -> bytes:
    """JSON, alone or after a first line, that stays JSON: one value is another one, or none."""
    head, line, text = data.rpartition(b"\n")
    try:
        value = json.loads(text)
        places = list(_places(value))
    except (ValueError, RecursionError):
        return _spoilt(data, chance, samples)
    if not places:
        return data
    holder, key = chance.choice(places)
    other, place = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(chance.choice((*VALUES, other[place], other[place])))
    return head + line + json.dumps(value).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if not isinstance(value, dict | list):
        return
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _span(data: bytes, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.choice((1, 2, 8, 64)))


_CHANGES = (
    *(_flipped, _cut, _ended_early, _repeated, _joined, _spoilt, _misnumbered, _misnumbered),
    *[_revalued] * 8,
)
"""Half of the changes leave JSON what it is: they reach what lies behind the readers."""
