"""Pictures that events rest on, where this machine sees the folders that devices keep them in."""

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOST_BYTES = 64_000_000
_NEVER_WAIT = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """Digests of pictures: as they were taken, with other content, and not there."""

    whole: tuple[str, ...]
    changed: tuple[str, ...]
    missing: tuple[str, ...]


class Pictures:
    """Folders of JPEGs named by their SHA-256; ``root`` None: this dashboard sees none.

    ``root`` may be a device's own folder, the folder ``evidence`` above those of several devices,
    or an agent's folder above that.
    """

    def __init__(self, root: Path | None) -> None:
        self._root = root

    @property
    def are_visible(self) -> bool:
        """Whether a folder was named and is there."""
        return self._root is not None and self._root.is_dir()

    def look_for(self, digests: Iterable[str]) -> "Looked":
        """How the pictures of these digests are by now."""
        whole, changed, missing = [], [], []
        for digest in digests:
            if self.find(digest) is not None:
                whole.append(digest)
            elif any(path.exists() for path in self._places(digest)):
                changed.append(digest)
            else:
                missing.append(digest)
        return Looked(whole=tuple(whole), changed=tuple(changed), missing=tuple(missing))

    def find(self, digest: str) -> bytes | None:
        """The picture, None when it is not here. What does not hash to its name is not served."""
        if _DIGEST.fullmatch(digest) is None:
            return None
        for path in self._places(digest):
            data = _content(path)
            if data is not None and hashlib.sha256(data).hexdigest() == digest:
                return data
        return None

    def _places(self, digest: str) -> Iterator[Path]:
        if self._root is None:
            return
        file = f"{digest[:2]}/{digest}.jpg"
        yield self._root / file
        for pattern in (f"*/{file}", f"evidence/*/{file}", f"*/evidence/*/{file}"):
            yield from self._root.glob(pattern)


def _content(path: Path) -> bytes | None:
    """A file that is one: a link, a pipe or a device that somebody put there may never end."""
    try:
        file = os.open(path, os.O_RDONLY | _NEVER_WAIT)
        with os.fdopen(file, "rb") as opened:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
                return None
            return opened.read(_MOST_BYTES)
    except OSError:
        return None
