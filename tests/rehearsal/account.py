"""What a rehearsed game came to: turns, doubts, silent errors, losses, delays; from its log."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from recorder.domain.game import GameEvent
from recorder.domain.record import Corrected, Recorded, TurnNote
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.lab.comparison import compare, event_text, lost_and_doubled
from recorder.log.port import Row
from recorder.tilesets import load_tile_set


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One game: ``wrong`` are the turns recorded otherwise than played, in words.

    ``doubts`` are turns that stand in doubt at the end; ``silent`` counts the wrong ones that are
    not in doubt; ``unsaid`` are the doubts whether a turn without tiles was an exchange or a pass,
    which no camera and no clock can tell. ``delays_ms`` are from each press to the first row that
    it made; ``seen_before_ms`` are those of them that no later look was awaited for. Presses that
    waited while the laptop slept are apart: ``slept_over_ms`` is from its waking to their row.
    """

    name: str
    turns: int
    right: int
    wrong: Sequence[str]
    silent: int
    doubts: int
    unsaid: int
    lost: int
    doubled: int
    delays_ms: Sequence[int]
    seen_before_ms: Sequence[int]
    slept_over_ms: Sequence[int] = ()
    first_event_s: float = 0.0
    trouble: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the record is the game, and nothing was lost."""
        return self.right == self.turns and not (self.wrong or self.lost or self.doubled)


Asleep = tuple[int, int]
"""From when to when a laptop slept, in milliseconds since 1970."""


def account(
    name: str,
    played: Sequence[GameEvent],
    rows: Sequence[Row],
    table: int,
    tiles: str,
    asleep: Sequence[Asleep] = (),
) -> Account:
    """The account of a table's game, by the rows of the log."""
    mine = [row for row in rows if row.table == table]
    game = RecordedTurns()
    for row in mine:
        game.take(row)
    compared = compare(played, game.events, load_tile_set(tiles))
    wrong = [turn for turn in compared.turns if not turn["matched"]]
    lost, doubled = lost_and_doubled(row for row in mine if row.device.startswith(_CLOCKS))
    doubtful = _doubtful(mine)
    answered = press_answers(mine)
    awake = [found for found in answered if not _waking(found, asleep)]
    return Account(
        name=name,
        turns=len(played),
        right=compared.matched,
        wrong=[f"{t['n']}: {t['expected']} recorded as {t['recorded']}" for t in wrong],
        silent=sum(turn["recorded"] not in [text for text, _ in doubtful] for turn in wrong),
        doubts=len(doubtful),
        unsaid=sum(kinds == ["quiet_unsaid"] for _, kinds in doubtful),
        lost=lost,
        doubled=doubled,
        delays_ms=[found.delay_ms for found in awake],
        seen_before_ms=[found.delay_ms for found in awake if not found.looks],
        slept_over_ms=[
            found.row_ms - woken for found in answered if (woken := _waking(found, asleep))
        ],
    )


_CLOCKS = ("clock-", "phone-clock-")


def _doubtful(rows: Sequence[Row]) -> list[tuple[str, list[str]]]:
    """The events, in words, of each turn that stands in doubt in the end, and why, in codes."""
    standing: dict[int, list[tuple[str, list[str]]]] = {}
    origin: dict[int, int] = {}
    for row in rows:
        match row.says:
            case Recorded(event=event, turn=turn):
                standing[row.seq] = _in_doubt([event], turn)
            case Corrected(events=events, turn=turn, supersedes=old):
                first = origin.setdefault(row.seq, origin.get(old, old))
                standing[first] = _in_doubt(events, turn)
    return [found for turns in standing.values() for found in turns]


def _in_doubt(events: Sequence[GameEvent], turn: TurnNote) -> list[tuple[str, list[str]]]:
    if turn.doubt is None:
        return []
    why = [reason.code for reason in turn.doubt.reasons]
    return [(event_text(event), why) for event in events]


@dataclass(frozen=True, slots=True, kw_only=True)
class PressAnswer:
    """A press and the first row about the game after it, in ms since 1970; looks between them."""

    press_ms: int
    row_ms: int
    looks: int

    @property
    def delay_ms(self) -> int:
        """From the press to the row."""
        return self.row_ms - self.press_ms


def press_answers(rows: Sequence[Row]) -> list[PressAnswer]:
    """Each press that a row about the game came after, before the next press."""
    answered, pressed, looks = [], None, 0
    for row in rows:
        if row.type == "clock.press":
            pressed, looks = row.at, 0
        elif row.type in ("board.seen", "board.not_seen"):
            looks += 1
        elif pressed is not None and row.kind in (Kind.RECORDED, Kind.CORRECTED):
            answered.append(PressAnswer(press_ms=pressed, row_ms=row.at, looks=looks))
            pressed = None
    return answered


def _waking(answer: PressAnswer, asleep: Sequence[Asleep]) -> int:
    """When the laptop woke that slept between a press and its row; 0 when none did."""
    over = [end for begin, end in asleep if begin < answer.row_ms and answer.press_ms < end]
    return max(over, default=0)


def p95(delays_ms: Sequence[int]) -> int | None:
    """The delay that 95 of 100 stay below; None without any."""
    if len(delays_ms) < 2:
        return max(delays_ms, default=None)
    return round(statistics.quantiles(delays_ms, n=20, method="inclusive")[-1])
