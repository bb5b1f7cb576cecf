"""How long to wait before trying again: twice as long after every failure, up to a limit.

Waits for nothing itself and counts nothing: both are the caller's.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses from ``first`` to ``longest``, in whatever unit the caller waits in.

    >>> [Backoff(0.5, 10.0).after(failures) for failures in (1, 2, 3, 6, 1000)]
    [0.5, 1.0, 2.0, 10.0, 10.0]
    """

    first: float
    longest: float

    def after(self, failures: int) -> float:
        """The pause after so many failures in a row, of which there was at least one."""
        # Sixty-three doublings pass every limit; after a thousand a float overflows.
        return min(self.longest, self.first * 2.0 ** min(failures - 1, 63))
