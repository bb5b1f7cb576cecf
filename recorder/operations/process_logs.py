"""How a program's own log is written: lines for people, or one JSON object a line for machines."""

import contextlib
import faulthandler
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime


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


def begin_logs(form: str) -> None:
    """Write this process's log to standard error as ``text`` or ``json``.

    A fault that ends the process at once is told there too, with where it was: a disk that turns
    read-only under SQLite's shared memory is a bus error.
    """
    faulthandler.enable()
    handler = logging.StreamHandler()
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonLines() if form == "json" else plain)
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


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
