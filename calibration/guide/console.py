"""The command line as the person of a guided calibration: lines out, lines in.

Reads its input byte by byte, so that nothing waits unseen in a buffer when it asks whether the
person has answered.
"""

import os
import re
import select
import sys
from collections.abc import Callable, Sequence
from functools import partial

from devices.pictures import Image

_say = partial(print, flush=True)
_NUMBER = re.compile(r"[0-9]+([.][0-9]+)?")


class Console:
    """A ``Dialogue`` that says lines and reads standard input. ``unattended``: waits for nobody."""

    def __init__(self, *, unattended: bool = False, say: Callable[[str], None] = _say) -> None:
        self._say = say
        self._unattended = unattended
        self._standing = ""
        self._shown = ""

    def tell(self, line: str) -> None:
        """See ``Dialogue``."""
        self._say(line)

    def ask(self, request: str) -> str:
        """See ``Dialogue``. The end of the input counts as an empty answer."""
        self._say(f"> {request}")
        return "" if self._unattended else _read_line()

    def is_answered(self, request: str) -> bool:
        """See ``Dialogue``."""
        if self._unattended:
            return True
        if os.name == "nt":  # standard input cannot be polled there
            self.ask(request)
            return True
        if request != self._standing:
            self._standing = request
            self._say(f"> {request}, then press Enter")
        ready, _, _ = select.select([sys.stdin.fileno()], [], [], 0)
        if ready:
            _read_line()
        return bool(ready)

    def keep_on(self) -> None:
        """See ``Dialogue``. On a command line Ctrl-C ends everything."""

    def show(
        self,
        picture: Image,  # noqa: ARG002 words only
        lines: Sequence[str],
        faults: Sequence[str] = (),
    ) -> None:
        """See ``Dialogue``. Said again only when something but its figures has changed."""
        text = "\n".join(f"  {line}" for line in faults or lines)
        if _NUMBER.sub("#", text) != self._shown:
            self._say(text)
        self._shown = _NUMBER.sub("#", text)


def _read_line() -> str:
    line = bytearray()
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += byte
    return line.decode("utf-8", "replace").strip()
