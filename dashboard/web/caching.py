"""What caches may keep: how long, by address, and answers that know whether they have changed.

Public answers alone: nothing that depends on who asks, no key, no cookie. Any cache between here
and a page at home, a browser's, a reverse proxy's, a CDN's, may hand them on. All else is never
kept.
"""

import gzip
import hashlib
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

FOR_EVER = "public, max-age=31536000, immutable"
"""Of an address that has the version of its content."""
LIVE = "public, max-age=1, stale-while-revalidate=1, stale-if-error=60"
"""Of what changes with the game. A cache asks once a second for everybody behind it."""
PAGE = "public, max-age=30, stale-if-error=600"
"""Of a page that has nothing of a game, or of a finished one."""
NEVER = "no-store"
NOW_HEADER = "Tilecast-Now"
_BY_PLACE = {
    "/static/": FOR_EVER,
    "/flag/": "public, max-age=86400",
    "/branding/": PAGE,
    "/face/": PAGE,
    "/event/data.json": "public, max-age=5",
    "/event/rounds.json": "public, max-age=5",
}
_OWN_WORD = ("/public/", "/watch")
"""Where an answer may say itself how long it is kept."""
_LEAST_PACKED_BYTES = 500


def kept_how_long(path: str, status: int, own: str | None) -> str:
    """The ``Cache-Control`` of an answer; ``own`` is what the answer says itself.

    A fault is never kept: what is missing now may be there in a second.
    """
    if status >= 400:
        return NEVER
    if own and path.startswith(_OWN_WORD):
        return own
    return next((kept for place, kept in _BY_PLACE.items() if path.startswith(place)), NEVER)


@dataclass(frozen=True, slots=True)
class CachedText:
    """A JSON text with its mark, packed once for everybody who takes it so."""

    text: str
    plain: bytes
    packed: bytes
    etag: str

    @classmethod
    def of(cls, text: str) -> "CachedText":
        """Mark and pack a text. The mark is weak: it is that of both forms."""
        plain = text.encode()
        packed = gzip.compress(plain, 6, mtime=0) if len(plain) >= _LEAST_PACKED_BYTES else b""
        return cls(text, plain, packed, f'W/"{digest_of(plain)}"')

    def answer(self, request: Request, kept: str, now: int | None = None) -> Response:
        """The text, or 304 where the one who asks has it; ``now`` is the time that it lives in."""
        headers = {
            "Cache-Control": kept,
            "ETag": self.etag,
            "Vary": "Accept-Encoding",
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": NOW_HEADER,
        }
        if now is not None:
            headers[NOW_HEADER] = str(now)
        if self._is_had(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if self.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(self.packed, media_type="application/json", headers=headers)
        return Response(self.plain, media_type="application/json", headers=headers)

    def _is_had(self, marks: str) -> bool:
        bare = self.etag.removeprefix("W/")
        return marks.strip() == "*" or bare in {
            mark.strip().removeprefix("W/") for mark in marks.split(",")
        }


def digest_of(content: bytes) -> str:
    """The version of a content, short enough for an address."""
    return hashlib.sha256(content).hexdigest()[:16]
