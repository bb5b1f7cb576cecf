"""Tiles that came into sight a turn late: laid late, or seen late by a camera that is behind.

Nothing new lay on the board at a press, as far as the looks tell, and nobody said what the turn
was. Tiles that come after it may be that player's, be they one play or of two: racks that are
counted tell whose they were, else how long they lay, or that the clock was sent back for them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.game import IllegallyPlayed, Laid, NoPlay, Passed, Played
from recorder.domain.laying_faults import NOT_OF_SHAPE
from recorder.domain.notices import CodedText, coded
from recorder.domain.reading.looks import HAND_MS
from recorder.domain.sensed_turns.quiet_turns import gone_from_rack
from recorder.domain.tile_account.sensor_reports import Sensed, SensorReports, in_order
from recorder.domain.tile_account.sensor_spans import Span
from recorder.domain.turns import Press, Turn

SOON_MS = 10_000
"""So soon presses again who has the clock sent back, after a press without a play."""
LAIN_MS = 5_000
"""Tiles that lie for so long before the press are perhaps not of the player who presses: that is a
turn's time, of a player who lays nothing."""
_UNSEEN = frozenset({"quiet_unsaid"})
_UNSAID = _UNSEEN | {"pass_unsaid"}


def doubted_after_quiet(
    turns: Sequence[Turn],
    presses: Sequence[Press],
    lain: Sequence[tuple[int, int, int]],
    readings: Sequence[Sensed],
) -> tuple[Turn, ...]:
    """The turns, those in doubt whose tiles may be of another; what a director has ruled stays.

    ``lain`` are presses, by row, each with the time of the last look before it that showed nothing
    new, and the time since when the board lay still; ``readings`` is what sensors said of tiles.
    """
    table = _Table(
        {press.seq: press.at_ms for press in presses},
        {seq: (bare_ms, still_ms) for seq, bare_ms, still_ms in lain},
        in_order(readings),
    )
    after = (*turns[2:], None)
    doubted = (table.doubted(*three) for three in zip(turns, turns[1:], after, strict=False))
    return (*turns[:1], *doubted)


@dataclass(frozen=True, slots=True)
class _Table:
    """When each press was, the times of ``lain`` by press, and what sensors said."""

    at_ms: Mapping[int, int]
    lain: Mapping[int, tuple[int, int]]
    reports: SensorReports

    def doubted(self, before: Turn, turn: Turn, after: Turn | None) -> Turn:
        """A turn with the doubt whose its tiles are, where the one before was without any."""
        if turn.rulings or not _is_quiet(before, _UNSAID):
            return turn
        (quiet,) = before.events
        laid = next((event for event in turn.events if isinstance(event, Laid)), None)
        if laid is None or laid.player == quiet.player:
            return turn
        firm = self._of_racks(before, turn, laid)
        weighed = None if firm else self._of_looks(before, turn, laid)
        if firm is None and weighed is None and self._is_sent_back(before, turn, after):
            firm = coded("play_of_turn_before", player=quiet.player)
        return replace(
            turn,
            doubts=turn.doubts if weighed is None else (*turn.doubts, weighed),
            firm=turn.firm if firm is None else (*turn.firm, firm),
        )

    def _of_racks(self, before: Turn, turn: Turn, laid: Laid) -> CodedText | None:
        """The rack of the player who pressed before lost tiles since, the other not all."""
        if before.ref not in self.at_ms or turn.ref not in self.at_ms:
            return None
        span = Span(self.at_ms[before.ref], self.at_ms[turn.ref] + 1, self.reports)
        own, other = (gone_from_rack(span, player) for player in (laid.player, 1 - laid.player))
        if not other or (own is not None and own >= len(laid.laid)):
            return None
        return coded("tiles_of_other_rack", player=1 - laid.player, tiles=other)

    def _of_looks(self, before: Turn, turn: Turn, laid: Laid) -> CodedText | None:
        """What was laid is no one play, or lay there for long."""
        if not _is_quiet(before, _UNSEEN):
            return None
        match laid:
            case IllegallyPlayed(faults=faults) if any(f not in NOT_OF_SHAPE for f in faults):
                return coded("tiles_of_turn_before", player=1 - laid.player)
            case Played() if self._has_lain(before, turn):
                return coded("play_of_turn_before", player=1 - laid.player)
        return None

    def _has_lain(self, before: Turn, turn: Turn) -> bool:
        """Whether its first tiles came soon after the press before, and lay there for long.

        Later ones are not told from a turn of its own: that each turn without a play costs a second
        doubt would say less. A look that shows the old board after the press before says that its
        player had placed nothing: then only tiles that lie there before a hand can are theirs.
        """
        pressed_ms, before_ms = self.at_ms.get(turn.ref, 0), self.at_ms.get(before.ref, 0)
        bare_ms, still_ms = self.lain.get(turn.ref, (pressed_ms, pressed_ms))
        is_theirs = bare_ms <= before_ms or still_ms - before_ms <= HAND_MS
        return is_theirs and pressed_ms - bare_ms >= LAIN_MS

    def _is_sent_back(self, before: Turn, turn: Turn, after: Turn | None) -> bool:
        """Whether the other player pressed again at once, with nothing new on the board."""
        if after is None or not (_is_quiet(before, _UNSEEN) and _is_quiet(after, _UNSEEN)):
            return False
        never_ms = self.at_ms.get(turn.ref, 0) + SOON_MS + 1
        return self.at_ms.get(after.ref, never_ms) < never_ms


def _is_quiet(turn: Turn, codes: frozenset[str]) -> bool:
    """Whether a turn had no play, and is in doubt for one of these reasons."""
    is_asked = any(doubt.code in codes for doubt in turn.doubts)
    return is_asked and len(turn.events) == 1 and isinstance(turn.events[0], NoPlay | Passed)
