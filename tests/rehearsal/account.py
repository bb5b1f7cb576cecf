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
from tests.outages import HOLE, RIGHT, SILENT, compared, made_turns, notices_of_players


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One game: turns that are recorded as they were made (``right``), or in a named hole.

    ``wrong`` are in words the turns that are neither; ``silent`` counts those of them that are not
    in doubt. ``doubts`` are turns that stand in doubt at the end; ``unsaid`` are the doubts whether
    a turn without tiles was an exchange or a pass, which no camera and no clock can tell;
    ``accusing`` are the notices that speak of a player, in codes. ``delays_ms`` are from each press
    to the first row that it made; ``seen_before_ms`` are those of them that no later look was
    awaited for. Presses that waited for an outage to end are apart: ``waited_ms`` is from its end
    to their row.
    """

    name: str
    turns: int
    right: int
    in_holes: int
    wrong: Sequence[str]
    silent: int
    doubts: int
    unsaid: int
    accusing: Sequence[str]
    lost: int
    doubled: int
    delays_ms: Sequence[int]
    seen_before_ms: Sequence[int]
    waited_ms: Sequence[int] = ()
    first_event_s: float = 0.0
    trouble: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether the record is the game, holes apart, accuses nobody, and nothing was lost."""
        told = self.wrong or self.accusing or self.lost or self.doubled
        return self.right + self.in_holes == self.turns and not told


Span = tuple[int, int]
"""From when to when an outage lasted, in milliseconds since 1970."""


def account(
    name: str,
    played: Sequence[GameEvent],
    rows: Sequence[Row],
    table: int,
    tiles: str,
    outages: Sequence[Span] = (),
) -> Account:
    mine, tile_set = [row for row in rows if row.table == table], load_tile_set(tiles)
    game = RecordedTurns()
    for row in mine:
        game.take(row)
    made = made_turns(played, tile_set)
    found = compared(made, tuple(turn for turn in game.turns if turn.events)).turns
    counts = {kind: len(numbers) for kind, numbers in found.items()}
    lost, doubled = lost_and_doubled(row for row in mine if row.device.startswith(_CLOCKS))
    doubtful = _doubtful(mine)
    answered = press_answers(mine)
    at_once = [answer for answer in answered if not _end_of_outage(answer, outages)]
    return Account(
        name=name,
        turns=len(made),
        right=counts.get(RIGHT, 0),
        in_holes=counts.get(HOLE, 0),
        wrong=[
            f"{turn['n']}: {turn['expected']} recorded as {turn['recorded']}"
            for turn in compare(played, game.events, tile_set).turns
            if not (turn["matched"] or counts.keys() <= {RIGHT, HOLE})
        ],
        silent=counts.get(SILENT, 0),
        doubts=len(doubtful),
        unsaid=sum(kinds == ["quiet_unsaid"] for _, kinds in doubtful),
        accusing=sorted(
            code for code, _, _ in notices_of_players(mine) if code not in _OF_THE_GAMES
        ),
        lost=lost,
        doubled=doubled,
        delays_ms=[answer.delay_ms for answer in at_once],
        seen_before_ms=[answer.delay_ms for answer in at_once if not answer.looks],
        waited_ms=[
            answer.row_ms - end
            for answer in answered
            if (end := _end_of_outage(answer, outages)) and answer.row_ms > end
        ],
    )


_OF_THE_GAMES = ("accidental_press", "blank_unnamed")
"""Asked of a turn without a play, and of a blank without a slip, without an outage too."""
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


def _end_of_outage(answer: PressAnswer, outages: Sequence[Span]) -> int:
    """When the outage ended that fell between a press and its row; 0 when none did."""
    over = [end for begin, end in outages if begin < answer.row_ms and answer.press_ms < end]
    return max(over, default=0)


def p95(delays_ms: Sequence[int]) -> int | None:
    """The delay that 95 of 100 stay below; None without any."""
    if len(delays_ms) < 2:
        return max(delays_ms, default=None)
    return round(statistics.quantiles(delays_ms, n=20, method="inclusive")[-1])
