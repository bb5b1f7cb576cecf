"""How a program's own log is written: lines for people, or one JSON object a line for machines."""

import contextlib
import faulthandler
import io
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from recorder.recent import Recent

ONE_IN_S, _MOST_KINDS = 60.0, 200


class JsonLines(logging.Formatter):
    """``{"at": ..., "level": ..., "logger": ..., "text": ...}``, with ``fault`` for a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever the message says."""
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "text": record.getMessage(),
        }
        if record.exc_info:
            said["fault"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False)


class FewAlike(logging.Filter):
    """Of records of one kind one a minute, with how many more there were.

    What strangers or a fault can cause thousands of times a second would fill the disk. ``ticks_s``
    never jumps.
    """

    def __init__(self, ticks_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._ticks_s = ticks_s
        self._said: Recent[object, tuple[float, int]] = Recent(_MOST_KINDS)

    def kind(self, record: logging.LogRecord) -> object:
        """What makes a record one of many; None for one that is written in any case."""
        raise NotImplementedError

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        kind = self.kind(record)
        if kind is None:
            return True
        since_s, unsaid = self._said.get(kind, (float("-inf"), 0))
        now_s = self._ticks_s()
        if now_s - since_s < ONE_IN_S:
            self._said[kind] = (since_s, unsaid + 1)
            return False
        self._said[kind] = (now_s, 0)
        if unsaid:
            record.msg = f"{record.msg} (and {unsaid} more like it before)"
        return True


class FewTraces(FewAlike):
    """Few traces of one fault, as without descriptors or memory; what has none passes."""

    def kind(self, record: logging.LogRecord) -> object:
        """The logger, the message up to its values, and where the fault was raised."""
        if not record.exc_info or record.exc_info[1] is None:
            return None
        # asyncio writes what it called into its message: each call would be a fault of its own.
        said = re.split(r"[(\n]", str(record.msg), maxsplit=1)[0]
        return (record.name, said, *_where(record.exc_info[1]))


def _where(fault: BaseException) -> tuple[object, ...]:
    """What tells a fault from others: its type, and the line that raised it."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return (type(fault),)
    return type(fault), trace.tb_frame.f_code.co_filename, trace.tb_lineno


def begin_logs(form: str) -> None:
    """Write this process's log to standard error as ``text`` or ``json``.

    A fault that ends the process at once is reported there too, with where it was: a disk that
    turns read-only under SQLite's shared memory is a bus error.
    """
    with contextlib.suppress(io.UnsupportedOperation):  # standard error is no file, as in a test
        faulthandler.enable()
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.addFilter(FewTraces())
    handler.setFormatter(JsonLines() if form == "json" else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler])


@contextlib.contextmanager
def silenced(name: str) -> Iterator[None]:
    """Nothing below ``CRITICAL`` from logger ``name``: for commands whose own lines say it."""
    log = logging.getLogger(name)
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
