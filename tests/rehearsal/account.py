"""What a rehearsed game came to: turns, doubts, silent errors, losses, delays; from its log."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from recorder.comparison import compare, event_text, lost_and_doubled
from recorder.domain.game import GameEvent
from recorder.domain.record import Corrected, Kind, Recorded
from recorder.log.port import Row
from recorder.table.reconcile import RecordedGame
from recorder.tilesets import load_tile_set


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One game: ``wrong`` are the turns recorded otherwise than played, in words.

    ``doubts`` are turns that stand in doubt at the end; ``silent`` counts the wrong ones that are
    not in doubt. ``delays_ms`` are from each press to the first row that it made;
    they say how quick the programs are where there was no ``trouble``.
    """

    name: str
    turns: int
    right: int
    wrong: Sequence[str]
    silent: int
    doubts: int
    lost: int
    doubled: int
    delays_ms: Sequence[int]
    first_event_s: float = 0.0
    trouble: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the record is the game, and nothing was lost."""
        return self.right == self.turns and not (self.wrong or self.lost or self.doubled)


def account(
    name: str, played: Sequence[GameEvent], rows: Sequence[Row], table: int, tiles: str
) -> Account:
    """The account of a table's game, by the rows of the log."""
    mine = [row for row in rows if row.table == table]
    game = RecordedGame()
    for row in mine:
        game.take(row)
    compared = compare(played, game.events, load_tile_set(tiles))
    wrong = [turn for turn in compared.turns if not turn["matched"]]
    lost, doubled = lost_and_doubled(row for row in mine if row.device.startswith(_CLOCKS))
    doubtful = _doubtful(mine)
    return Account(
        name=name,
        turns=len(played),
        right=compared.matched,
        wrong=[f"{t['n']}: {t['expected']} recorded as {t['recorded']}" for t in wrong],
        silent=sum(turn["recorded"] not in doubtful for turn in wrong),
        doubts=len(doubtful),
        lost=lost,
        doubled=doubled,
        delays_ms=press_delays(mine),
    )


_CLOCKS = ("clock-", "phone-clock-")


def _doubtful(rows: Sequence[Row]) -> list[str]:
    """The events, in words, of each turn that stands in doubt in the end."""
    standing: dict[int, list[str]] = {}
    origin: dict[int, int] = {}
    for row in rows:
        match row.says:
            case Recorded(event=event, turn=turn):
                standing[row.seq] = [event_text(event)] if turn.doubt else []
            case Corrected(events=events, turn=turn, supersedes=old):
                first = origin.setdefault(row.seq, origin.get(old, old))
                standing[first] = [event_text(event) for event in events if turn.doubt]
    return [text for texts in standing.values() for text in texts]


def press_delays(rows: Sequence[Row]) -> list[int]:
    """Milliseconds from each press to the first row about the game after it."""
    delays, pressed = [], None
    for row in rows:
        if row.type == "clock.press":
            pressed = row.at
        elif pressed is not None and row.kind in (Kind.RECORDED, Kind.CORRECTED):
            delays.append(row.at - pressed)
            pressed = None
    return delays


def p95(delays_ms: Sequence[int]) -> int:
    """The delay that 95 of 100 stay below; 0 without any."""
    if len(delays_ms) < 2:
        return max(delays_ms, default=0)
    return round(statistics.quantiles(delays_ms, n=20, method="inclusive")[-1])
