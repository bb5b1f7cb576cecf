"""When a frame of a stream was taken: no network and no decoder gives it out at once.

Pure: times come in as numbers. Must not know where a stream comes from.
"""

_DRIFT = 0.0005
"""By so much a camera's quartz may run apart from ours: 500 parts in a million."""
_RELIABLE_MS = 1_500
_MANY = 20


class StreamTime:
    """Lays the times that a stream gives its frames beside ours; theirs may count from anywhere.

    The frame that came quickest shows how the two lie: every other one is as much older as it came
    later. What even the quickest needs from lens to us stays unknown. A stream whose times jump, or
    run more slowly than ours while its frames have to be waited for, is measured again. A frame
    without a time is no jump: before it and after it come frames that waited in a queue.
    """

    def __init__(self) -> None:
        self._offset_ms: float | None = None
        self._arrived_ms, self._position_ms = 0, 0.0
        self._late, self._odd = 0, 0

    def taken_ms(self, arrived_ms: int, position_ms: float, *, waited: bool) -> int:
        """When the frame was taken, by our time, that came at ``arrived_ms``.

        ``position_ms`` is its time in the stream; one that is not after the last says nothing, 0
        least of all: it was taken after the last one.
        ``waited``: it was not there yet when it was asked for, so none lay before it on our side.
        """
        offset_ms = self._offset_ms
        self._odd = self._odd + 1 if position_ms <= self._position_ms else 0
        most_odd = _MANY if position_ms == 0 < self._position_ms else 1
        if offset_ms is not None and 0 < self._odd <= most_odd:
            return round(self._position_ms + offset_ms)
        if offset_ms is None or self._odd:
            offset_ms = arrived_ms - position_ms
        offset_ms += _DRIFT * max(0, arrived_ms - self._arrived_ms)
        offset_ms = min(offset_ms, arrived_ms - position_ms)
        is_late = waited and arrived_ms - position_ms - offset_ms > _RELIABLE_MS
        self._late = self._late + 1 if is_late else 0
        if self._late > _MANY:
            offset_ms, self._late = arrived_ms - position_ms, 0
        self._offset_ms, self._arrived_ms, self._position_ms = offset_ms, arrived_ms, position_ms
        return round(position_ms + offset_ms)
