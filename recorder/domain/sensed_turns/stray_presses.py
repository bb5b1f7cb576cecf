"""Presses by accident: half a play or none was pressed, and the clock sent back (TURN-5).

The opponent presses it back, or the half is set going again without a press; that may be for a
letter or a turned tile too, so only the rest of the play says that it was such an accident.

What was laid then and what comes is one play. While the player has not gone on, both presses are
kept out of the turns where the clock came back at once, or its sender had begun to draw, and
sensors of tiles say that nothing was drawn for what was laid: a player who has drawn, or said a
score, had done. Elsewhere the director is asked, and the play stands until the rest of it is laid:
the other may have passed without a word (TURN-3). With nothing laid two players may have passed in
silence: both turns stand, and the director is asked, until the player plays on; they stay where
nothing counts tiles.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from recorder.domain.game import GameEvent, Laid, NoPlay, Played
from recorder.domain.notices import Notice, TableNotice
from recorder.domain.reading.reconstruct import OUT_OF_TURN
from recorder.domain.reading.turn_acts import ANNOUNCED
from recorder.domain.rules.core.disclosure import noticed
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rulings.procedures import ProcedureRun
from recorder.domain.tile_account.sensor_reports import (
    Sensed,
    SensorReports,
    count_of,
    in_order,
)
from recorder.domain.tiles import EMPTY, RACK_SIZE
from recorder.domain.turns import Press, Turn

NO_PASS_MS = 5_000
"""Nobody thinks about a play, and passes without a word, in so short a time."""
SENT_BACK_MS = 10_000
"""Within so long after a press the opponent sends the clock back, and does not pass."""
SEEN_LATE_MS = 30_000
"""The same where a rack is counted: who has not drawn for so long had not done."""
_NEVER = 1 << 62
_DONE = frozenset({ANNOUNCED, "challenge_after_ms", "hold_after_ms"})
"""What is only said of a play that is complete."""


@dataclass(frozen=True, slots=True)
class StrayPress:
    """The press that ended no turn, the one that sent the clock back, what the opponent drew.

    ``is_plain``: it can have been no turn. ``is_bare``: no tile was laid. ``is_watched``: a sensor
    would have reported tiles exchanged.
    """

    press: Press
    back: Press
    drawn: int = 0
    is_plain: bool = True
    is_bare: bool = False
    is_watched: bool = True


def stray_presses(
    groups: Sequence[Turn], presses: Sequence[Press], sensed: Sequence[Sensed], total: int
) -> tuple[StrayPress, ...]:
    """All accidental presses: what was laid by them is half a play, as far as anything shows.

    ``total`` is the number of tiles in the set: once the bag is empty nobody draws.
    """
    turns, reports = {group.ref: group for group in groups}, in_order(sensed)
    found: list[StrayPress] = []
    for number, (press, back) in enumerate(pairwise(presses)):
        laid = None if press.is_set else _laid(turns.get(press.seq), _answer(turns, back))
        counted = _is_counted(press.player, reports)
        within_ms = SEEN_LATE_MS if laid and counted else SENT_BACK_MS
        if (
            laid is None
            or press.player == back.player
            or back.at_ms - press.at_ms > within_ms
            or _laid_before(groups, press) >= total - 2 * RACK_SIZE
            or (not laid and _is_run_of_passes(turns, presses, number))
            or _has_drawn(press, _next_ms(back, presses), reports, bare=not laid)
        ):
            continue
        drawn = _drawn(press, back, reports)
        is_sure = drawn > 0 or back.at_ms - press.at_ms <= NO_PASS_MS
        plain = counted and laid > 0 and is_sure and not back.is_set
        watched = counted or bool(reports.weights(0, _NEVER))
        found.append(StrayPress(press, back, drawn, plain, is_bare=not laid, is_watched=watched))
    return tuple(found)


def _answer(turns: Mapping[int, Turn], back: Press) -> tuple[GameEvent, ...] | None:
    """What the other player did before the clock was sent back, None while that is not known."""
    if back.is_set:
        return (NoPlay(player=back.player),)
    answer = turns.get(back.seq)
    return None if answer is None else answer.events


def _laid(play: Turn | None, answer: tuple[GameEvent, ...] | None) -> int | None:
    """The tiles laid at a press after which the other player did and said nothing.

    None where something was said or done that points to a turn.
    """
    if play is None or answer is None or play.facts.keys() & _DONE:
        return None
    match (*play.events, *answer):
        case (Played() as laid, NoPlay()):
            return len(laid.laid)
        case (NoPlay(), NoPlay()):
            return 0
        case _:
            return None


def _is_run_of_passes(turns: Mapping[int, Turn], presses: Sequence[Press], number: int) -> bool:
    """Whether the press of that number and its answer stand among others without a tile."""

    def is_quiet(press: Press) -> bool:
        turn = turns.get(press.seq)
        return turn is not None and all(isinstance(event, NoPlay) for event in turn.events)

    before, after = presses[max(0, number - 1) : number], presses[number + 2 : number + 3]
    near = [last for last in before if presses[number].at_ms - last.at_ms <= SENT_BACK_MS]
    return any(is_quiet(press) for press in (*near, *after))


def _laid_before(groups: Sequence[Turn], press: Press) -> int:
    """Tiles that lay on the board before the turn of a press."""
    events = [event for group in groups if group.ref < press.seq for event in group.events]
    laid = [len(event.lying) for event in events if isinstance(event, Laid)]
    return sum(laid)


def _next_ms(back: Press, presses: Sequence[Press]) -> int | None:
    return next((press.at_ms for press in presses if press.at_ms > back.at_ms), None)


def _is_counted(player: int, reports: SensorReports) -> bool:
    return reports.rack(player, _NEVER) is not None


def _has_drawn(press: Press, until_ms: int | None, reports: SensorReports, *, bare: bool) -> bool:
    """Whether tiles were drawn for what was laid at a press; for nothing (``bare``): exchanged.

    The player's rack shows; where nothing counts it, a bag that was lifted or lost tiles.
    """
    end_ms = _NEVER if until_ms is None else until_ms
    if bare or not _is_counted(press.player, reports):
        lift = reports.lift_after(press.at_ms + 1)
        is_lifted = lift is not None and lift.at_ms < end_ms
        weights = reports.weights(press.at_ms + 1, end_ms)
        return is_lifted or any(report.out > 0 for report in weights)
    before = reports.rack(press.player, min(press.at_ms + 1, end_ms))
    held = RACK_SIZE if before is None else count_of(before) or 0
    after = reports.of_rack(press.player, press.at_ms + 1, end_ms)
    return held >= RACK_SIZE or any((count_of(report) or 0) > held for report in after)


def _drawn(press: Press, back: Press, reports: SensorReports) -> int:
    before, after = reports.rack(back.player, press.at_ms + 1), reports.rack(back.player, _NEVER)
    if before is None or after is None:
        return 0
    return max(0, (count_of(after) or 0) - (count_of(before) or 0))


def as_meant(
    groups: Sequence[Turn],
    presses: Sequence[Press],
    sensed: Sequence[Sensed],
    total: int,
    stands: Collection[int] = (),
) -> tuple[Turn, ...]:
    """The turns without those of accidental presses, and with what was laid then.

    ``stands`` are the presses, by row, that a director lets stand.
    """
    turns = tuple(groups)
    for stray in stray_presses(groups, presses, sensed, total):
        if stray.press.seq not in stands:
            turns = _without(turns, stray)
    return turns


def _without(turns: tuple[Turn, ...], stray: StrayPress) -> tuple[Turn, ...]:
    refs = [group.ref for group in turns]
    if stray.press.seq not in refs:
        return turns
    at = refs.index(stray.press.seq)
    later = turns[at + 1 + (not stray.back.is_set) :]
    if not later:
        return turns[:at] if stray.is_plain else turns
    if stray.is_bare:
        plays_on = any(
            isinstance(event, Laid) and event.player == stray.press.player
            for event in later[0].events
        )
        # Unwatched, both may have exchanged: their turns stay, each doubtful.
        return (*turns[:at], *later) if plays_on and stray.is_watched else turns
    whole = _joined(turns[at], later[0])
    return turns if whole is None else (*turns[:at], whole, *later[1:])


def _joined(half: Turn, rest: Turn) -> Turn | None:
    """Both parts as one play, None where they are two."""
    (first,) = half.events
    second = rest.events[0] if rest.events else None
    if not isinstance(first, Played) or not isinstance(second, Played):
        return None
    squares, laid = second.placement.squares(), first.laid
    if second.player != first.player or not laid.keys() <= set(squares):
        return None
    word = tuple(
        laid.get(square, tile) if tile == EMPTY else tile
        for square, tile in zip(squares, second.placement.word, strict=True)
    )
    whole = replace(second, placement=replace(second.placement, word=word))
    doubts = tuple(doubt for doubt in rest.doubts if doubt != OUT_OF_TURN)
    refs = (*half.refs, *rest.refs)
    return replace(rest, events=(whole, *rest.events[1:]), refs=refs, doubts=doubts)


def stray_notices(
    groups: Sequence[Turn],
    presses: Sequence[Press],
    sensed: Sequence[Sensed],
    total: int,
    rules: Rules,
    stands: Collection[int] = (),
) -> tuple[TableNotice, ...]:
    """The accidental press that is still to be put right: nobody has pressed since.

    A half that was set going again may have been so for a letter or a turned tile: nothing is
    reported.
    """
    return tuple(
        noticed(
            rules,
            Notice.ACCIDENTAL_PRESS,
            (stray.press.seq, stray.back.seq),
            player=stray.press.player,
            numbers={"drawn": stray.drawn},
        )
        for stray in stray_presses(groups, presses, sensed, total)
        if stray.back == presses[-1] and stray.press.seq not in stands and not stray.back.is_set
    )


def left_standing(presses: Sequence[Press], runs: Iterable[ProcedureRun]) -> frozenset[int]:
    """The presses, by row, of which a director has dropped the procedure: they were turns.

    Such a procedure is about the press before the one that sent the clock back.
    """
    return frozenset(
        before[-2].seq
        for run in runs
        if run.is_dropped and run.act.code == Notice.ACCIDENTAL_PRESS.value
        if len(before := [press for press in presses if press.seq < run.row]) > 1
    )
