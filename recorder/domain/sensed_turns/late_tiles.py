"""Tiles that came into sight a turn late: laid late, or seen late by a camera that is behind.

Nothing new lay on the board at a press, as far as the looks tell, and nobody said or showed what
the turn was. Tiles that come soon after it may be that player's, be they one play or of two.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from recorder.domain.game import IllegallyPlayed, NoPlay, Played
from recorder.domain.laying_faults import NOT_OF_SHAPE
from recorder.domain.notices import coded
from recorder.domain.reading.turns import Press, ReadTurn

LATE_MS = 10_000
"""Within so long whoever has pressed without a play sees it, and lays what was meant."""
LAIN_MS = 5_000
"""Tiles that lie for so long before the press are perhaps not of whoever presses: that is a turn's
time, of a player who lays nothing."""


def doubted_after_quiet(
    turns: Sequence[ReadTurn], presses: Sequence[Press], lain: Sequence[tuple[int, int, int]]
) -> tuple[ReadTurn, ...]:
    """The turns, those in doubt whose tiles may be of another; what a director has ruled stays.

    ``lain`` are presses, by row, each with the time of the last look before it that showed nothing
    new, and the time since when the board lay still.
    """
    at_ms = {press.seq: press.at_ms for press in presses}
    lay = {seq: (bare_ms, still_ms) for seq, bare_ms, still_ms in lain}
    return (*turns[:1], *(_after(before, turn, at_ms, lay) for before, turn in pairwise(turns)))


def _after(
    before: ReadTurn,
    turn: ReadTurn,
    at_ms: Mapping[int, int],
    lay: Mapping[int, tuple[int, int]],
) -> ReadTurn:
    if turn.rulings or not _is_unsaid(before):
        return turn
    (quiet,) = before.events
    pressed_ms = at_ms.get(turn.ref, 0)
    bare_ms, still_ms = lay.get(turn.ref, (pressed_ms, pressed_ms))
    is_soon = bare_ms - at_ms.get(before.ref, 0) <= LATE_MS
    has_lain = pressed_ms - still_ms >= LAIN_MS
    for event in turn.events:
        match event:
            case IllegallyPlayed(player=player, faults=faults) if player != quiet.player:
                is_two = any(fault not in NOT_OF_SHAPE for fault in faults)
                code = "tiles_of_turn_before" if is_two else ""
            case Played(player=player) if player != quiet.player and is_soon and has_lain:
                code = "play_of_turn_before"
            case _:
                code = ""
        if code:
            return replace(turn, doubts=(*turn.doubts, coded(code, player=quiet.player)))
    return turn


def _is_unsaid(turn: ReadTurn) -> bool:
    """Whether nothing tells what a turn without a play was."""
    is_asked = any(doubt.code == "quiet_unsaid" for doubt in turn.doubts)
    return is_asked and len(turn.events) == 1 and isinstance(turn.events[0], NoPlay)
