"""A known game beside the game that was recorded of it, turn by turn.

For demonstrations and tests, where the truth is known. Pure. What no sensor can know is not held
against the recorder: the letter of a blank without a slip, a score that was agreed wrongly.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from recorder.domain.board import name_across
from recorder.domain.game import (
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    GameState,
    IllegallyPlayed,
    NoPlay,
    Passed,
    Played,
    TimePenalty,
    Withdrawn,
    apply,
    new_game,
    replay,
)
from recorder.domain.record import Corrected, GameStarted, Recorded
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.closing import GameEnd, closing, out_player, overtime
from recorder.domain.scoring import laying_points, score
from recorder.domain.tiles import Tile, TileSet, face
from recorder.gcg import GcgGame
from recorder.log.port import Row
from recorder.rulesets import rules_of_game
from recorder.table.notices import told_aloud
from recorder.texts import load_catalogue
from recorder.texts.telling import coded_text

_TROUBLE = (
    *("device.lost", "device.back", "device.missing"),
    *("clock.doubt", "camera.doubt", "board.not_seen", "recorder.refused"),
)
_AFTER_THE_GAME = (EndRackPoints, EndRackPenalty, TimePenalty)


@dataclass(frozen=True, slots=True)
class Comparison:
    """``turns`` as in the demo's JSON; ``expected_final`` by the rules."""

    turns: tuple[dict[str, Any], ...]
    final: tuple[int, int]
    expected_final: tuple[int, int]

    @property
    def matched(self) -> int:
        """How many turns were recorded as played."""
        return sum(turn["matched"] for turn in self.turns)


def compare(
    played: Sequence[GameEvent],
    recorded: Sequence[GameEvent],
    tile_set: TileSet,
    *,
    rules: Rules | None = None,
    remaining_ms: tuple[int, int] = (0, 0),
) -> Comparison:
    """Put the events of a game beside those recorded of it, in order.

    Without ``rules`` the end counts as it is written down. With them it does as at the table,
    whatever convention and clock the record has: the tiles left of a game that was played out, and
    what a clock costs that showed so much in the end.
    """
    rescored = rescore(played, tile_set)
    pairs = zip_longest(_turns(rescored), _turns(recorded))
    turns = tuple(
        {
            "n": number,
            "matched": is_same(expected, found),
            "expected": None if expected is None else event_text(expected),
            "recorded": None if found is None else event_text(found),
        }
        for number, (expected, found) in enumerate(pairs, 1)
    )
    ended: list[GameEvent] = [event for event in rescored if isinstance(event, _AFTER_THE_GAME)]
    if rules is not None and ended:
        ended = _ended(replay(tile_set, _turns(rescored)), ended, rules, remaining_ms)
    return Comparison(
        turns=turns,
        final=replay(tile_set, recorded).scores,
        expected_final=replay(tile_set, [*_turns(rescored), *ended]).scores,
    )


def _ended(
    state: GameState, written: Sequence[GameEvent], rules: Rules, remaining_ms: tuple[int, int]
) -> list[GameEvent]:
    """The end by the rules of the table; racks that only the record knows as they are written."""
    if out_player(state) is not None:
        end = GameEnd(ref=0, refs=(), remaining_ms=remaining_ms)
        return list(closing(end, state, rules).events)
    cost, _ = overtime(remaining_ms, rules)
    return [*(event for event in written if not isinstance(event, TimePenalty)), *cost]


def compare_rows(game: GcgGame, rows: Sequence[Row], remaining_ms: tuple[int, int]) -> Comparison:
    """A game beside the log of it, with what the clock costs that showed so much in the end."""
    started = next(row.says for row in rows if isinstance(row.says, GameStarted))
    rules, recorded = rules_of_game(started), recorded_events(rows)
    return compare(game.events, recorded, game.tile_set, rules=rules, remaining_ms=remaining_ms)


def rescore(events: Sequence[GameEvent], tile_set: TileSet) -> list[GameEvent]:
    """The same events with every play, and every withdrawal, at the score that the rules give."""
    state = new_game(tile_set)
    result: list[GameEvent] = []
    for event in events:
        now: GameEvent = event
        if isinstance(event, Played):
            points = score(state.board, event.placement, tile_set)
            now = Played(event.player, event.placement, points, event.rack)
        elif isinstance(event, IllegallyPlayed):
            now = replace(event, score=laying_points(state.board, event.laid, tile_set))
        elif isinstance(event, Withdrawn) and state.standing:
            now = Withdrawn(event.player, state.standing[-1].score)
        state = apply(state, now)
        result.append(now)
    return result


def is_same(expected: GameEvent | None, found: GameEvent | None) -> bool:
    """Whether the recorded event is the one that happened, as far as sensors can tell."""
    if isinstance(expected, Played) and isinstance(found, Played):
        same_tiles = _faces(expected) == _faces(found)
        return same_tiles and (expected.player, expected.score) == (found.player, found.score)
    if isinstance(expected, Exchanged | Passed | NoPlay) and isinstance(found, NoPlay):
        return expected.player == found.player
    if isinstance(expected, Exchanged) and isinstance(found, Exchanged):
        return (expected.player, expected.count) == (found.player, found.count)
    if isinstance(expected, Passed) and isinstance(found, Passed):
        return expected.player == found.player
    if isinstance(expected, IllegallyPlayed) and isinstance(found, IllegallyPlayed):
        return (expected.player, expected.tiles) == (found.player, found.tiles)
    return expected is not None and expected == found


def _turns(events: Sequence[GameEvent]) -> list[GameEvent]:
    return [event for event in events if not isinstance(event, _AFTER_THE_GAME)]


def _faces(event: Played) -> dict[int, Tile]:
    return {square: face(tile) for square, tile in event.placement.new_tiles().items()}


def event_text(event: GameEvent) -> str:
    """An event in a few characters: player, what, points."""
    match event:
        case Played(player=player, placement=placement, score=points):
            return f"{player + 1} {placement} {points:+d}"
        case IllegallyPlayed(player=player, score=points):
            laid = " ".join(f"{name_across(sq)}={tile}" for sq, tile in event.tiles)
            return f"{player + 1} illegal {laid} {points:+d}"
        case _:
            return f"{event.player + 1} {type(event).__name__}"


def recorded_events(rows: Iterable[Row]) -> tuple[GameEvent, ...]:
    """The game as the rows of a log have it, corrections followed."""
    recorded = RecordedTurns()
    for row in rows:
        recorded.take(row)
    return recorded.events


def lost_and_doubled(rows: Iterable[Row]) -> tuple[int, int]:
    """How many numbers of devices are missing in a log, and how many stand there twice."""
    numbers: dict[tuple[str, str], Counter[int]] = {}
    for row in rows:
        if row.key is not None:
            numbers.setdefault(row.key[:2], Counter())[row.key[2]] += 1
    lost = sum(max(seen) - len(seen) for seen in numbers.values())
    return lost, sum(seen.total() - len(seen) for seen in numbers.values())


def told_director(rows: Iterable[Row]) -> list[str]:
    """Everything that the director was shown, in order: doubts, notices, devices."""
    lines: list[str] = []
    for row in rows:
        says, aloud = row.says, told_aloud(row)
        if isinstance(says, Corrected):
            why = load_catalogue().text("correction", says.reason.value)
            lines.append(f"{row.seq}: corrects {says.supersedes}: {why}")
        if aloud is not None:
            lines.append(f"{row.seq}: {aloud}")
        elif isinstance(says, Recorded | Corrected) and says.turn.doubt is not None:
            lines += [
                f"{row.seq}: {coded_text(reason, 'doubt')}" for reason in says.turn.doubt.reasons
            ]
        elif row.kind is Kind.OBSERVED and row.type in _TROUBLE:
            lines.append(f"{row.seq}: {row.type} {row.body['data']}")
    return lines
