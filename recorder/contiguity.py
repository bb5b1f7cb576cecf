"""Which numbers of devices are stored, so that each hears up to which none is missing. Pure."""

MessageKey = tuple[str, str, int]
"""Device, boot, number: what makes an observation unique for ever."""


class Contiguity:
    """The highest gapless number of every ``(dev, boot)``, kept while numbers arrive in any order.

    Numbers beyond a gap are remembered until the gap closes.
    """

    def __init__(self) -> None:
        self._upto: dict[tuple[str, str], int] = {}
        self._beyond: dict[tuple[str, str], set[int]] = {}

    def add(self, key: MessageKey) -> None:
        """A number was stored."""
        dev, boot, number = key
        source = (dev, boot)
        upto = self._upto.get(source, 0)
        if number != upto + 1:
            if number > upto:
                self._beyond.setdefault(source, set()).add(number)
            return
        self._raise(source, number)

    def upto(self, dev: str, boot: str, *, floor: int = 0) -> int:
        """The highest number with none missing between it and ``floor``."""
        source = (dev, boot)
        if floor > self._upto.get(source, 0):
            self._raise(source, floor)
        return self._upto.get(source, 0)

    def missing(
        self, dev: str, boot: str, *, upto: int, after: int | None
    ) -> tuple[int, int, int] | None:
        """See ``EventLog.missing``."""
        reached, beyond = self._upto.get((dev, boot), 0), self._beyond.get((dev, boot), set())
        if after is None:
            after = max(beyond, default=reached) or upto
        came = sorted(number for number in beyond if max(after, reached) < number <= upto)
        first, last = max(after, reached) + 1, upto
        count = last - first + 1 - len(came)
        if count <= 0:
            return None
        while came and came[0] == first:
            first += 1
            came.pop(0)
        while came and came[-1] == last:
            last -= 1
            came.pop()
        return first, last, count

    def _raise(self, source: tuple[str, str], upto: int) -> None:
        self._upto[source] = upto
        if source not in self._beyond:
            return
        beyond = {number for number in self._beyond.pop(source) if number > upto}
        while upto + 1 in beyond:
            upto += 1
            beyond.discard(upto)
        self._upto[source] = upto
        if beyond:
            self._beyond[source] = beyond
