"""Plays from more tiles than a rack may hold (OVERDRAW-5).

After the play a rack holds no tile too many: what it held before is known from the counts alone.
Said only where count, play and bag agree; what follows is for the rule set.
"""

from collections.abc import Sequence
from dataclasses import replace

from recorder.domain.game import Lying
from recorder.domain.tile_account.sensor_reports import (
    Sensed,
    SensorReports,
    count_of,
    in_order,
)
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Press, Turn


def as_held(
    groups: Sequence[Turn],
    presses: Sequence[Press],
    readings: Sequence[Sensed],
    total: int,
) -> tuple[Turn, ...]:
    """The turns; those played from too full a rack with the number of tiles that it held.

    ``total`` is the number of tiles in the set.
    """
    reports = in_order(readings)
    if not reports.has_overfull:
        return tuple(groups)
    pressed = {press.seq: press for press in presses}
    turns: list[Turn] = []
    lying = Lying()
    for group in groups:
        press, on_board = pressed.get(group.ref), sum(len(play.lying) for play in lying.plays)
        lying = lying.after(group.events)
        play = next((play for play in lying.plays[-1:] if play in group.events), None)
        held = 0
        if press is not None and play is not None and play.player == press.player:
            held = _held(len(play.laid), press, presses, reports)
            if not _adds_up(total - on_board - held, press, reports):
                held = 0
        turns.append(replace(group, overfull=held) if held else group)
    return tuple(turns)


def _held(laid: int, press: Press, presses: Sequence[Press], reports: SensorReports) -> int:
    """Tiles on the rack before so many were laid; 0 where they were not counted, or not too many.

    A rack that is drawn to before the press was never as full as that.
    """
    own = [other.at_ms for other in presses if other.player == press.player]
    since_ms = max((at_ms for at_ms in own if at_ms < press.at_ms), default=0)
    last = reports.rack(press.player, press.at_ms + 1)
    held = laid + (count_of(last) or 0) if last is not None and last.at_ms > since_ms else 0
    if held <= RACK_SIZE:
        return 0
    counts = reports.of_rack(press.player, since_ms + 1, press.at_ms + 1)
    return held if held == max(count_of(report) or 0 for report in counts) else 0


def _adds_up(left: int, press: Press, reports: SensorReports) -> bool:
    """Whether the bag and the other rack have no more than the tiles that are ``left``."""
    bag, rack = reports.weight(press.at_ms + 1), reports.rack(1 - press.player, press.at_ms + 1)
    if bag is None or bag.reading is None:
        return True
    return bag.reading.best + (0 if rack is None else count_of(rack) or 0) <= left
