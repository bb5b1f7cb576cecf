"""Two turns without a play in a row: the opponent's and then the same player's again.

No board shows them, and who lays next is on turn. What there is to see: no tiles come for
far longer than is usual in this game, and arms go to and fro meanwhile, to bag or clock. Neither
alone says anything, for people think long and reach for their racks; how often they do is taken
from the game itself. Where the first tiles were long in coming and another table was shown
meanwhile, arms were not to be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from recorder.domain.notices import CodedText, coded

LONGER = 2.0
"""A pause so many times as long as the middle one, and arms as many times as often to and fro: of
three turns instead of one."""
FEWEST = 3
"""So many other pauses say what is usual."""


@dataclass(frozen=True, slots=True)
class Pause:
    """From the last change on the board to the next player's first tiles, in ms.

    ``returns``: how often the last player's arm came after the next one's meanwhile;
    ``is_hidden``: something else than this board was shown for a part of it.
    """

    ms: int
    returns: int
    is_hidden: bool = False


def pause_before(player: int, arms: Sequence[int], ms: int, *, is_hidden: bool = False) -> Pause:
    """The pause before the first tiles of a player; ``arms`` are whose came, in order."""
    came = [whose for whose, _ in groupby(arms)]
    if player in came:
        came = came[came.index(player) :]
        return Pause(ms, came.count(1 - player), is_hidden)
    return Pause(ms, 0, is_hidden)


def doubts_of_pairs(
    pauses: Sequence[Pause | None], *, is_whole: bool = False
) -> list[tuple[CodedText, ...]]:
    """Of every turn with its pause: whether two turns that nobody saw may lie before it.

    The pause before the first one says nothing of what is usual: a game begins when it begins.
    ``is_whole``: the turns are those of a whole game, and later ones tell what is usual too. Else
    only earlier ones do, so that what was reported of a turn stays.
    """
    doubts: list[tuple[CodedText, ...]] = []
    for at, pause in enumerate(pauses):
        known = enumerate(pauses if is_whole else pauses[:at])
        others = [other for place, other in known if other is not None and place not in (0, at)]
        doubts.append(() if pause is None else _doubts(pause, others, is_first=at == 0))
    return doubts


def _doubts(pause: Pause, others: Sequence[Pause], *, is_first: bool) -> tuple[CodedText, ...]:
    if len(others) < FEWEST:
        return ()
    usual_ms = _middle([other.ms for other in others])
    usual = _middle([other.returns for other in others])
    is_hidden = is_first and pause.is_hidden
    if pause.ms < LONGER * usual_ms or (pause.returns <= LONGER * usual and not is_hidden):
        return ()
    code = "turns_hidden" if is_hidden else "two_turns_unseen"
    seconds, as_a_rule = round(pause.ms / 1000), round(usual_ms / 1000)
    return (coded(code, seconds=seconds, usual=as_a_rule),)


def _middle(numbers: Sequence[int]) -> int:
    return sorted(numbers)[len(numbers) // 2]
