"""What an input may do: be read, or be refused by an error that is meant; nothing else."""

import itertools
import logging
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import pytest

from tests.fuzz.mutation import mutants

BROKE = Path(__file__).parent / "broke"
"""Whatever broke something once, as ``<target>-<what>.bin``; each run begins with these."""
LONGEST_S = 20
"""An input that takes longer hangs; a busy machine needs more than it should."""
_BATCH = 50


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads what others send. ``most_mb`` is what all inputs together may cost.

    ``at_once`` inputs are read together. A reader of several sees itself when one of them hangs: it
    waits for ``LONGEST_S`` at most.
    """

    name: str
    samples: Sequence[bytes]
    read: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...] = ()
    most_mb: int = 300
    at_once: int = 1

    def inputs(self, count: int, seed: int) -> Iterator[bytes]:
        """What broke it before, its samples, and ``count`` mutants of them."""
        yield from (path.read_bytes() for path in sorted(BROKE.glob(f"{self.name}-*.bin")))
        yield from self.samples
        yield from mutants(self.samples, count, seed)


@dataclass(slots=True)
class Outcome:
    """What became of the inputs of a target."""

    name: str
    read: int = 0
    refused: int = 0
    faults: list[tuple[bytes, str]] = field(default_factory=list)
    grew_mb: int = 0

    @property
    def is_sound(self) -> bool:
        """No crash, no hang, no memory beyond the target's limit."""
        return not self.faults

    def __str__(self) -> str:
        words = f"{self.name}: {self.read} read, {self.refused} refused, {len(self.faults)} faults"
        return f"{words}, {self.grew_mb} MB more"


def judge(target: Target, inputs: Iterable[bytes]) -> Outcome:
    """Feed the inputs, in their order; each fault is kept with its input and its trace."""
    outcome, before = Outcome(target.name), _peak_mb()
    waiting = iter(inputs)
    with ThreadPoolExecutor(target.at_once) as hands:
        while together := list(itertools.islice(waiting, target.at_once * _BATCH)):
            if target.at_once == 1:
                ends: Iterable[str | None] = (_timed_end(target, data) for data in together)
            else:
                ends = hands.map(lambda data: _end(target, data), together)
            for data, end in zip(together, ends, strict=True):
                if end is None:
                    outcome.refused += 1
                elif end:
                    outcome.faults.append((data, end))
                else:
                    outcome.read += 1
    outcome.grew_mb = _peak_mb() - before
    if outcome.grew_mb > target.most_mb:
        outcome.faults.append((b"", f"{outcome.grew_mb} MB more, {target.most_mb} are allowed"))
    return outcome


def _end(target: Target, data: bytes) -> str | None:
    """Nothing where it was read, None where it was refused, else the trace of the fault."""
    try:
        target.read(data)
    except target.refuses:
        return None
    except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever else it is, it is the fault that is looked for
        return traceback.format_exc()
    return ""


def _timed_end(target: Target, data: bytes) -> str | None:
    try:
        with _time_limit():
            return _end(target, data)
    except _HangError:
        return traceback.format_exc()


def _peak_mb() -> int:
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes // (1_000_000 if sys.platform == "darwin" else 1_000)


class Traces(logging.Handler):
    """What a server writes of faults of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """See ``logging.Handler``."""
        self.written.append(self.format(record))

    def __enter__(self) -> Self:
        for name in (None, "uvicorn.error"):
            logging.getLogger(name).addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        for name in (None, "uvicorn.error"):
            logging.getLogger(name).removeHandler(self)

    def demand_none(self) -> None:
        """AssertionError with what was written since the last time, if anything was."""
        written, self.written = self.written, []
        assert not written, "\n".join(written)


class _HangError(Exception):
    """An input that is not done with in ``LONGEST_S``."""


@contextmanager
def _time_limit() -> Iterator[None]:
    def over(*_: object) -> None:
        raise _HangError

    earlier = signal.signal(signal.SIGALRM, over)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, earlier)
