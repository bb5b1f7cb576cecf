"""Rows on their way into the log: waiting for a log that refuses for a while, never for good.

A full disk passes; a row that no log can store does not, and waiting for it would stop every table.
Must not know the bus or the game.
"""

import logging
import threading
from collections.abc import Callable, Sequence

from recorder.domain.errors import RecorderError
from recorder.log.port import (
    DamagedLogError,
    EventLog,
    LogGoneError,
    NewRow,
    Row,
    UnfitRowError,
)

RETRY_S = 1.0

log = logging.getLogger("tilecast.recorder")


class LogWriter:
    """Appends for one recorder; ``stopping`` ends the waiting."""

    def __init__(self, store: EventLog, stopping: threading.Event) -> None:
        self._store = store
        self._stopping = stopping
        self.refusing = False
        self.fault = ""
        """Why the log refuses now, with what helps; empty while it stores."""

    def append(self, drafts: Sequence[NewRow]) -> list[Row | None]:
        """Store rows, waiting for as long as the log refuses.

        UnfitRowError, with nothing stored, for rows that no log can store; LogGoneError where the
        log is another one now, DamagedLogError where it is damaged; any other RecorderError once
        the recorder stops.
        """
        warned = False
        while True:
            try:
                stored = self._store.append(drafts)
                break
            except (UnfitRowError, LogGoneError, DamagedLogError):
                raise
            except RecorderError as error:
                self.fault = f"cannot store what devices say: {error}"
                if not warned:
                    log.error("the log refuses: %s; trying again every second", error)  # noqa: TRY400 - the reason is the message
                    warned = self.refusing = True
                if self._stopping.wait(RETRY_S):
                    raise
        self.refusing, self.fault = False, ""
        if warned:
            log.info("the log accepts again")
        return stored

    def append_fit(
        self, drafts: Sequence[NewRow], instead: Callable[[NewRow, str], NewRow]
    ) -> list[Row | None]:
        """The same row by row where one is unfit: ``instead`` gives what is stored in its place."""
        try:
            return self.append(drafts)
        except UnfitRowError:
            return [self._one(draft, instead) for draft in drafts]

    def _one(self, draft: NewRow, instead: Callable[[NewRow, str], NewRow]) -> Row | None:
        try:
            return self.append([draft])[0]
        except UnfitRowError as fault:
            return self.append([instead(draft, str(fault))])[0]
