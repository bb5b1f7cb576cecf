"""One board under one camera, followed from look to look, and searched for again where in doubt."""

from typing import Protocol

from devices.pictures import Image
from devices.vision.look import BoardReading
from recorder.domain.observations import Corners

_PLAINLY = 0.8
"""The score of a board that is surely where it was found."""
_BETTER = 0.2
"""By so much more a board that is searched for again must score to lie in another place."""
_MOST_SEARCHES = 12
"""So often a weakly found board is searched for again; where it stays the same it lies there."""


class BoardReader(Protocol):
    """The eyes as they are needed here; ``devices.vision.eyes.Eyes`` are such."""

    def read(self, image: Image, *, prior: BoardReading | None = None) -> BoardReading:
        """What is on the picture. ``prior``: the last look of this camera that saw the board."""


class FollowedBoard:
    """What one camera has seen of its board. Not to be shared between threads."""

    def __init__(self, eyes: BoardReader) -> None:
        self._eyes = eyes
        self._searches = 0
        self.last: BoardReading | None = None
        """The last look that found the board."""

    def corners(self) -> Corners | None:
        """Where the board lay in the last look that found it."""
        pose = None if self.last is None else self.last.pose
        return None if pose is None else pose.corners()

    def read(self, image: Image, *, in_haste: bool = False) -> BoardReading:
        """What is on the picture. ``in_haste``: it is not searched for again, which takes a while.

        An empty board may have been found askew, and would be followed there ever after.
        """
        look = self._eyes.read(image, prior=self.last)
        is_weak = self.last is not None and look.score < _PLAINLY
        if is_weak and not in_haste and self._searches < _MOST_SEARCHES:
            self._searches += 1
            anew = self._eyes.read(image)
            if anew.found and anew.score > look.score + _BETTER:
                look = anew
        if look.found:
            self.last = look
        return look
