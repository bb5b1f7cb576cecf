"""The file with what a program of a venue says: its last words, and that it stays short.

What a broker says is chosen by strangers: two lines for each connection, 1 GB in an hour.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

MOST_BYTES = 8_000_000
"""Of a program's log; as much again is kept of what it said before."""


def tail(path: Path, most: int) -> str:
    """The last bytes of a file as text; empty where there is none."""
    with suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - most))
        return file.read().decode("utf-8", "replace")
    return ""


def shorten(path: Path) -> None:
    """Move what is in a log that is too long to ``NAME.log.old``, and begin it again.

    Its program goes on writing at the new end of the same file. What it writes between the copy
    and the cut, some lines at most, is lost.
    """
    with suppress(OSError):
        if path.stat().st_size > MOST_BYTES:
            shutil.copy(path, path.with_name(f"{path.name}.old"))
            os.truncate(path, 0)
