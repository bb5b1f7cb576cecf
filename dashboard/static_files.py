"""Static files, compressed where that helps: once for each file, and kept; some joined before.

Their addresses have the version of their content, so what was compressed once stays right.
"""

import gzip
from functools import cached_property
from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from dashboard.joined_files import joined_files

_TEXTS = {".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript"}
_LEAST_BYTES = 500


class CompressedFiles(StaticFiles):
    """As Starlette's, with style sheets and scripts compressed for anyone who takes that.

    What ``joined_files`` makes of them is served with them.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or 404. Range requests get the file as it is."""
        headers = Headers(scope=scope)
        packed = self._packed.get(path)
        takes = "gzip" in headers.get("accept-encoding", "") and "range" not in headers
        if packed is None or scope["method"] not in ("GET", "HEAD"):
            return await super().get_response(path, scope)
        if takes:
            encoded = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(packed, media_type=_TEXTS[Path(path).suffix], headers=encoded)
        if path not in self._joined:
            return await super().get_response(path, scope)
        return Response(self._joined[path], media_type=_TEXTS[Path(path).suffix])

    @cached_property
    def _joined(self) -> dict[str, bytes]:
        folder = Path(str(self.directory))
        return {path: text.encode() for path, text in joined_files(folder).items()}

    @cached_property
    def _packed(self) -> dict[str, bytes]:
        """Compressed files by their path below the folder."""
        folder = Path(str(self.directory))
        texts = {
            file.relative_to(folder).as_posix(): file.read_bytes()
            for file in folder.rglob("*")
            if file.suffix in _TEXTS and file.stat().st_size >= _LEAST_BYTES
        }
        return {
            path: gzip.compress(text, 9, mtime=0) for path, text in (texts | self._joined).items()
        }
