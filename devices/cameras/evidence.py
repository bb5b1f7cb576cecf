"""The pictures that observations rest on, in a folder, by the SHA-256 of their bytes.

Bounded: the oldest go first, but none of the newest two hours, for their game may still be
played; then the folder grows past its bound, and says so. Must not know what is on a picture.
"""

import hashlib
import logging
import os
import re
from pathlib import Path

from recorder.domain.errors import DeviceError
from recorder.systems import flush_folder, read_file, replace_file

_LOG = logging.getLogger(__name__)

MOST_BYTES = 2 * 1024**3
YOUNG_S = 2 * 60 * 60
_PRUNE_EVERY = 50


class EvidenceFolder:
    """A folder of JPEGs named by their hash."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self._path = path
        self._most_bytes = most_bytes
        self._kept = 0
        self._is_over = False
        path.mkdir(parents=True, exist_ok=True)

    def keep(self, jpeg: bytes) -> str:
        """The picture's hash; it is on the disk now, before any event that names it."""
        digest = hashlib.sha256(jpeg).hexdigest()
        path = self._file(digest)
        if path.exists():
            os.utime(path)
        else:
            if not path.parent.exists():
                path.parent.mkdir(exist_ok=True)
                flush_folder(self._path)
            replace_file(path, jpeg)
        self._kept += 1
        if self._kept % _PRUNE_EVERY == 1:
            self.prune()
        return digest

    def find(self, digest: str) -> bytes:
        """The picture of that hash. DeviceError when it is not (or no longer) there."""
        if re.fullmatch(r"[0-9a-f]{64}", digest) is None:
            raise DeviceError(f"{digest!r} is not a SHA-256")
        try:
            return read_file(self._file(digest))
        except FileNotFoundError:
            raise DeviceError(f"no picture {digest[:12]}... in {self._path}") from None

    def prune(self) -> int:
        """Delete the oldest until the bound is met; how many went. Age is against the newest."""
        found = sorted((file.stat().st_mtime, file) for file in self._path.glob("??/*.jpg"))
        size = sum(file.stat().st_size for _, file in found)
        gone = 0
        for age, file in found:
            if size <= self._most_bytes or age > found[-1][0] - YOUNG_S:
                break
            size -= file.stat().st_size
            file.unlink()
            gone += 1
        is_over = size > self._most_bytes
        if is_over and not self._is_over:
            limit_mb = self._most_bytes // 1024**2
            _LOG.warning("%s holds %d MB of the last two hours", self._path, size // 1024**2)
            _LOG.warning("its bound is %d MB: give it more room", limit_mb)
        self._is_over = is_over
        return gone

    def _file(self, digest: str) -> Path:
        return self._path / digest[:2] / f"{digest}.jpg"
