"""An MP4 whose frames last otherwise than they were written: uneven times, as of a telephone."""

import struct
from collections.abc import Sequence

_INSIDE = (b"moov", b"trak", b"mdia", b"minf", b"stbl")


def with_times(movie: bytes, runs: Sequence[tuple[int, int]]) -> bytes:
    """The same frames, so many of so many milliseconds each: (ms, count) in order.

    Only where the index comes after the pictures, as OpenCV writes it: no offset changes.
    """
    movie = movie.replace(b"edts", b"free")  # it says how long the film was
    (timescale,) = struct.unpack_from(">I", movie, movie.index(b"mdhd") + 16)
    at, end, grown = 0, len(movie), []
    while at < end:
        size, kind = struct.unpack(">I4s", movie[at : at + 8])
        if kind in _INSIDE:
            grown.append(at)
            at += 8
        elif kind == b"stts":
            entries = b"".join(
                struct.pack(">II", count, ms * timescale // 1000) for ms, count in runs
            )
            head = struct.pack(">I4sII", 16 + len(entries), b"stts", 0, len(runs))
            made = bytearray(movie[:at] + head + entries + movie[at + size :])
            for box in grown:
                (old,) = struct.unpack(">I", made[box : box + 4])
                made[box : box + 4] = struct.pack(">I", old + 16 + len(entries) - size)
            return bytes(made)
        else:
            at += size
    raise AssertionError("no times in it")
