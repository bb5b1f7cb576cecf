"""The key that recorder and consoles share: 64 hexadecimal digits in a file, its owner's alone."""

import os
import re
import secrets
from pathlib import Path

from recorder.domain.errors import NotationError
from recorder.systems import read_file

KEY_NAME = "console.key"
"""The key's file beside the log of a recorder that starts its own broker."""
_KEY = re.compile("[0-9a-f]{64}")


def read_key(path: Path) -> bytes:
    """The key in a file. NotationError when there is none, or when others may read it."""
    try:
        text = read_file(path).decode("ascii", "replace").strip()
        open_to_others = os.name == "posix" and path.stat().st_mode & 0o077
    except OSError as err:
        raise NotationError(f"{path}: the consoles' key cannot be read: {err.strerror}") from err
    if not _KEY.fullmatch(text):
        raise NotationError(f"{path}: a consoles' key is one line of 64 hexadecimal digits")
    if open_to_others:
        raise NotationError(f"{path}: others may read the consoles' key; chmod 600 it")
    return bytes.fromhex(text)


def make_key(path: Path) -> None:
    """A new key in a new file for its owner alone; an existing file stays as it is."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(32)}\n")
    except FileExistsError:
        return
    except OSError as err:
        raise NotationError(f"{path}: the consoles' key cannot be written: {err.strerror}") from err
