"""What works on a thread of its own, from its start until it is stopped."""

import threading
from abc import ABC, abstractmethod


class OwnThread(ABC):
    """Something that works beside the rest. ``patience_s``: how long its end is waited for."""

    def __init__(self, name: str, patience_s: float | None = None) -> None:
        self._ends, self._patience_s = threading.Event(), patience_s
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self) -> None:
        """End. Harmless where it never began."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join(self._patience_s)

    @abstractmethod
    def _work(self) -> None:
        """Work until ``_ends`` is set."""
