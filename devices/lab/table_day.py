"""A day at a simulated table: one game after the other, as somebody calls them.

The script never ends by itself; between games the table lies still. Says nothing of pixels or
bytes, and knows no pairing: who plays is for those who call.
"""

import queue
import threading
from collections.abc import Iterator

from devices.lab.game_script import (
    STILL_AFTER_PRESS,
    Happening,
    ResetClock,
    SetRack,
    Show,
    Wait,
    faces,
    script,
)
from recorder.domain.board import CENTRE, EMPTY_BOARD
from recorder.gcg import GcgGame

PAUSE_S = 0.2
BARE = faces(EMPTY_BOARD)


class TableDay:
    """What happens at a table; ``idle`` is set while nothing is left of what any thread called.

    With ``announced`` there is a scorer's box, as in ``game_script.script``.
    """

    def __init__(self, seed: int, *, announced: bool) -> None:
        self.idle = threading.Event()
        self._seed, self._announced = seed, announced
        self._called: queue.SimpleQueue[Iterator[Happening]] = queue.SimpleQueue()

    def play(self, game: GcgGame) -> None:
        """The clocks are set back, and a game is played until they are stopped for good."""
        self._seed += 1
        self._call(self._game(game))

    def clear(self) -> None:
        """The players take the tiles off the board, and off their racks."""
        self._call(_clearing())

    def _call(self, happenings: Iterator[Happening]) -> None:
        self.idle.clear()
        self._called.put(happenings)

    def script(self) -> Iterator[Happening]:
        """Everything that is called, one after the other, and stillness between."""
        yield Show(STILL_AFTER_PRESS, BARE)
        while True:
            try:
                called = self._called.get_nowait()
            except queue.Empty:
                self.idle.set()
                yield Wait(PAUSE_S)
                continue
            yield from called

    def _game(self, game: GcgGame) -> Iterator[Happening]:
        yield ResetClock()
        yield Show(STILL_AFTER_PRESS, BARE)
        yield from script(game, self._seed, announced=self._announced)


def _clearing() -> Iterator[Happening]:
    yield Show(3, BARE, hand=1.0, target=CENTRE)
    for player in (0, 1):
        yield SetRack(player, 0)
    yield Show(2 * STILL_AFTER_PRESS, BARE)
