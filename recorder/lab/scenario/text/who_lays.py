"""Who lays tiles while the wrong half of a clock runs: the player who presses next, though in vain.

A line that lays tiles and names no player (``by 2``) is about the player on the clock. A press
of a half that does not run moves nothing, and says one thing: that player has laid what was laid
last.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.lab.scenario import steps
from recorder.lab.scenario.expectations import Expectation
from recorder.lab.scenario.steps import Happening

_Said = Happening | Expectation
_TURNS_CLOCK = (steps.StartClocks, steps.StopClocks, steps.RunClock, steps.SwapClocks)


def with_players(said: Sequence[_Said], first: int) -> list[_Said]:
    """What lines say, tiles that are laid before a press in vain with who presses so.

    ``first`` is the player who moves first.
    """
    found: list[_Said] = []
    running: int | None = None
    for place, what in enumerate(said):
        if isinstance(what, steps.LayTiles) and not what.player and running is not None:
            player = _presses_in_vain(running, said[place + 1 :])
            found.append(replace(what, player=player))
        else:
            found.append(what)
        running = _runs_after(what, running, first)
    return found


def _presses_in_vain(running: int, later: Sequence[_Said]) -> int:
    """Who presses next, where that half does not run; 0 where the clock says who lays."""
    for what in later:
        match what:
            case steps.PressClock(player=player):
                return 0 if player == running else player
            case steps.DrawTiles(player=player) if player == running:
                return 0
            case _ if isinstance(what, _TURNS_CLOCK):
                return 0
    return 0


def _runs_after(what: _Said, running: int | None, first: int) -> int | None:
    match what:
        case steps.StartClocks():
            return first
        case steps.StopClocks():
            return None
        case steps.RunClock(player=player):
            return player
        case steps.SwapClocks() if running is not None:
            return 3 - running
        case steps.PressClock(player=player) if running in (None, player):
            return 3 - player
        case _:
            return running
