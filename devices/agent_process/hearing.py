"""Whether a recorder hears a device: it answers every heartbeat, so silence says something.

A broker takes what an access list forbids, and drops it without a word, be it to be said or to be
heard; the device cannot tell that from a recorder that is not there. So it says all of it, and that
nothing is lost.
"""

UNHEARD_MS = 15_000
"""So long nobody may answer before it is said: a recorder starts again in less."""
UNHEARD = (
    "no recorder answers: none runs for this venue on this broker, no table of its file names the"
    " device, or an access list of the broker drops what it says (below up/{device}/) or what it is"
    " told (below down/{device}/); tilecast doctor --device {device} tells which. What it says is"
    " kept"
)


class Hearing:
    """Follows the answers to the heartbeats of ``device``. Pure: the caller gives the time."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._since_ms: int | None = None
        self._is_told = False

    def answered(self) -> None:
        """A recorder answered."""
        self._since_ms = None

    def cut_off(self) -> None:
        """The connection is lost: no answer can come, and that is said elsewhere."""
        self._since_ms, self._is_told = None, False

    def beats(self, now_ms: int) -> str:
        """A heartbeat leaves: that nobody answers, or somebody does again, once; else empty."""
        if self._since_ms is None:
            was_told, self._is_told, self._since_ms = self._is_told, False, now_ms
            return "a recorder answers" if was_told else ""
        if self._is_told or now_ms - self._since_ms < UNHEARD_MS:
            return ""
        self._is_told = True
        return UNHEARD.format(device=self._device)
