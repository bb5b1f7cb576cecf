"""Pictures that events rest on, where this machine sees the folders that devices keep them in."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

_DIGEST = re.compile(r"[0-9a-f]{64}")


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

    def find(self, digest: str) -> bytes | None:
        """The picture, None when it is not here. What does not hash to its name is not served."""
        if _DIGEST.fullmatch(digest) is None:
            return None
        for path in self._places(digest):
            try:
                data = path.read_bytes()
            except OSError:
                continue
            if hashlib.sha256(data).hexdigest() == digest:
                return data
        return None

    def _places(self, digest: str) -> Iterator[Path]:
        if self._root is None:
            return
        file = f"{digest[:2]}/{digest}.jpg"
        yield self._root / file
        for pattern in (f"*/{file}", f"evidence/*/{file}", f"*/evidence/*/{file}"):
            yield from self._root.glob(pattern)
