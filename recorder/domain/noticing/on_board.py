"""Tiles that do not lie as the record has them: moved, gone, another letter (PLACE-6).

A play is what it was at its press (TURN-3), so the record stays, and the board is reported. While
the clocks stand tiles are taken off and put right: what was seen before the stop goes on counting.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from recorder.domain.board import Square, name_across
from recorder.domain.game import Laid, Played, Withdrawn
from recorder.domain.notices import (
    MAY_BE_MISREAD,
    Manner,
    Notice,
    Phase,
    TableNotice,
    coded,
)
from recorder.domain.noticing.clocks import Alarm
from recorder.domain.reading.histories.clearing import CLEARED
from recorder.domain.reading.histories.standing import board_shown
from recorder.domain.reading.looks import Look
from recorder.domain.reading.table_state import TableState
from recorder.domain.rules.core.disclosure import noticed, route
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.rules.placement.board_check import Difference, DifferenceKind, differences
from recorder.domain.rulings.game_as_ruled import RuledGame
from recorder.domain.rulings.tiles_left_on_board import is_answered
from recorder.domain.tile_text import write_tiles
from recorder.domain.tiles import RACK_SIZE, face
from recorder.domain.turns import Turn

LIES_SO_MS = 3_000
"""So long a tile must lie otherwise between two presses: hands put right what they have knocked."""


def board_alarms(ruled: RuledGame, table: TableState, rules: Rules) -> tuple[Alarm, ...]:
    """What lies otherwise than recorded, and from when on it is reported.

    What a director has put on the board by an order is not looked for, nor anything where turns
    were not seen.
    """
    look, last = table.witness, _last_turn(ruled)
    # Who stops the clock before the look that shows the turn: the look before has not seen it.
    if look is None or last is None or look.seq < last.look:
        return ()
    by_order = frozenset(
        sq
        for group in ruled.groups
        for event in group.events
        if group.rulings and isinstance(event, Laid)
        for sq in event.laid
    )
    record = ruled.state.board
    unruled = [
        difference
        for difference in differences(record, board_shown(record, look.squares))
        if difference.square not in by_order
    ]
    if _are_turns_unseen(unruled):
        return ()
    laid = _laid_in(last)
    if _is_laid_over(unruled, laid):
        unruled = [difference for difference in unruled if difference.square not in laid]
    wrong = _wrongly_off(ruled, table, look)
    if wrong:
        gone = {found.square for found in wrong}
        unruled = [difference for difference in unruled if difference.square not in gone]
        ran_ms = 0 if table.clock.now.running is None else table.clock.now.at_ms
        # A look at the whole play may be from before it was taken off and the clock started.
        since_ms = max(look.same_since_ms, ran_ms if laid <= gone else 0)
        told_ms = max(since_ms + LIES_SO_MS, ran_ms)
        notice = _notice(_Found(Notice.WRONG_REMOVAL, tuple(sorted(gone))), last, look, rules)
        notice = replace(notice, player=last.events[0].player, numbers={"tiles": len(gone)})
        wrongly_off = Alarm(told_ms, notice, stays=True)
        return (wrongly_off, *_alarms(unruled, ruled, last, look, rules))
    return (*_built_on(ruled, table, look, rules), *_alarms(unruled, ruled, last, look, rules))


def _are_turns_unseen(unruled: Sequence[Difference]) -> bool:
    """Whether more tiles are new than one play has: nobody is accused of what was not seen."""
    kinds = [difference.kind for difference in unruled]
    added, changed = kinds.count(DifferenceKind.ADDED), kinds.count(DifferenceKind.CHANGED)
    return bool(added) and added + changed > RACK_SIZE


def _is_laid_over(unruled: Sequence[Difference], laid: frozenset[Square]) -> bool:
    """Whether most of a play came off, and another tile lies there: the next play is being laid.

    Its press shows what came of this one.
    """
    about = [difference for difference in unruled if difference.square in laid]
    changed = [found for found in about if found.kind is DifferenceKind.CHANGED]
    is_off = 2 * len(about) > len(laid) > len(changed)
    letters = {face(difference.tile) for difference in about}
    return is_off and any(face(found.seen) not in letters for found in changed)


def _laid_in(turn: Turn) -> frozenset[Square]:
    return frozenset(sq for event in turn.events if isinstance(event, Laid) for sq in event.lying)


def _built_on(ruled: RuledGame, table: TableState, look: Look, rules: Rules) -> Iterator[Alarm]:
    """What was left of a play that came off, once the other player has made a turn on that board.

    When both have, it stays (CHAL-9).
    """
    for at, off in enumerate(ruled.groups):
        back = off.events[-1] if off.events else None
        later = ruled.groups[at + 1 :]
        if isinstance(back, Withdrawn) and back.left and not is_answered(back.player, later):
            found = _Found(Notice.WRONG_REMOVAL, back.left)
            notice = _notice(found, off, look, rules)
            notice = replace(notice, player=back.player, numbers={"tiles": len(back.left)})
            yield Alarm(table.turns.presses[-1].at_ms, notice)


def _wrongly_off(ruled: RuledGame, table: TableState, look: Look) -> list[Difference]:
    """Once a play has been removed and the clock has run: what of it still lies, what else is gone.

    Another tile on one of its squares is the next player's, and so is any once all were seen bare.
    """
    events = [event for group in ruled.groups for event in group.events]
    if not events or not isinstance(events[-1], Withdrawn):
        return []
    off = next(group for group in reversed(ruled.groups) if group.events)
    if table.clock.now.running is None and (table.clock.stop_row or 0) < max(
        off.refs + off.rulings
    ):
        return []
    play = next(event for event in reversed(events) if isinstance(event, Laid))
    were_bare = (
        bool(table.turns.presses) and table.turns.taken_off.at_ms >= table.turns.presses[-1].at_ms
    )
    laid = {} if were_bare else play.laid
    still = {sq for sq, tile in laid.items() if look.squares.best(sq) == face(tile)}
    found = differences(ruled.state.board, board_shown(ruled.state.board, look.squares))
    wrong = [
        difference
        for difference in found
        if difference.kind is DifferenceKind.MISSING
        or (difference.kind is DifferenceKind.ADDED and difference.square in still)
    ]
    return wrong if len(wrong) < CLEARED else []


def _alarms(
    unruled: list[Difference], ruled: RuledGame, last: Turn, look: Look, rules: Rules
) -> tuple[Alarm, ...]:
    """Of the newest play at once where its own look shows it, else once it has lain so a while."""
    found = list(_found(unruled, last))
    whole = {
        sq
        for difference in found
        if difference.code is Notice.CHANGED_AFTER_PRESS
        for sq in difference.squares
    }
    at_once_ms = 0 if look.seq == last.look else LIES_SO_MS
    alarms = [
        Alarm(
            look.since_ms(difference.squares) + at_once_ms,
            _notice(difference, _turn_of(difference, ruled, last), look, rules),
            stays=True,
        )
        for difference in found
    ]
    changed = {
        difference.square: difference
        for difference in unruled
        if difference.kind is DifferenceKind.CHANGED and difference.square not in whole
    }
    return (*alarms, *_other_letters(changed, ruled, look, rules))


def _other_letters(
    changed: dict[Square, Difference], ruled: RuledGame, look: Look, rules: Rules
) -> Iterator[Alarm]:
    """Tiles that read as another letter: swapped since, or misread at first.

    Its rows are the turn that laid the tiles with its look, the later turns whose words have them
    too, and the look now. Only of the newest play, if it was not misread, are players informed.
    """
    routing = route(rules, Notice.CHANGED_AFTER_PRESS, Phase.PLAYING)
    is_newest = True
    for at in reversed(range(len(ruled.groups))):
        group = ruled.groups[at]
        lying = {sq for event in group.events if isinstance(event, Laid) for sq in event.lying}
        squares = tuple(sorted(lying & changed.keys()))
        if squares:
            found = [changed.pop(sq) for sq in squares]
            misread = _may_be_misread(squares, group, look)
            touched = [later for later in ruled.groups[at + 1 :] if _has_any(later, squares)]
            notice = TableNotice(
                ref=group.ref,
                refs=tuple(
                    dict.fromkeys(
                        (group.ref, group.look, *(later.ref for later in touched), look.seq)
                    )
                ),
                code=Notice.CHANGED_AFTER_PRESS,
                squares=tuple(map(name_across, squares)),
                numbers={
                    "case": MAY_BE_MISREAD if misread else "other_letter",
                    "was": " ".join(str(difference.tile) for difference in found),
                    "seen": " ".join(str(difference.seen) for difference in found),
                },
                evidence=(
                    coded("words_with_it", words=", ".join(map(_words_of, (group, *touched)))),
                ),
                routing=routing
                if is_newest and not misread
                else replace(routing, director=Manner.ALERT, players=False),
            )
            yield Alarm(look.since_ms(squares) + LIES_SO_MS, notice, stays=True)
        is_newest = is_newest and not lying


def _may_be_misread(squares: Sequence[Square], turn: Turn, look: Look) -> bool:
    """Whether no look after that of their turn showed the recorded letters.

    Not where a hand reached for nothing else than these tiles: it swapped them.
    """
    reread = dict(look.reread)
    return all(reread.get(sq, turn.look + 1) <= turn.look for sq in squares)


def _has_any(group: Turn, squares: tuple[Square, ...]) -> bool:
    """Whether the main word of a turn goes through one of these squares."""
    words = (event.placement.squares() for event in group.events if isinstance(event, Played))
    return any(sq in word for word in words for sq in squares)


def _words_of(turn: Turn) -> str:
    """The main word of a turn, or the tiles that it put on the board against the rules."""
    return " ".join(
        write_tiles(event.placement.word if isinstance(event, Played) else event.laid.values())
        for event in turn.events
        if isinstance(event, Laid)
    )


def _last_turn(ruled: RuledGame) -> Turn | None:
    return next((group for group in reversed(ruled.groups) if group.look), None)


@dataclass(frozen=True, slots=True)
class _Found:
    code: Notice
    squares: tuple[Square, ...]


_CODES: Mapping[Notice, DifferenceKind] = {
    Notice.TILE_MOVED: DifferenceKind.MOVED,
    Notice.TILE_GONE: DifferenceKind.MISSING,
}


def _found(unruled: list[Difference], last: Turn) -> Iterator[_Found]:
    gone = [
        difference
        for difference in unruled
        if difference.kind in (DifferenceKind.MISSING, DifferenceKind.MOVED)
    ]
    if len(gone) >= CLEARED:
        return
    laid = _laid_in(last)
    changed = _changed_whole(unruled, laid)
    if changed:
        yield _Found(Notice.CHANGED_AFTER_PRESS, changed)
        gone = [difference for difference in gone if difference.square not in laid]
    for code, kind in _CODES.items():
        squares = tuple(difference.square for difference in gone if difference.kind is kind)
        if squares:
            yield _Found(code, squares)


def _changed_whole(unruled: list[Difference], laid: frozenset[Square]) -> tuple[Square, ...]:
    """The squares of the last play if it was shifted, or all of it taken off.

    A single tile of it that is gone, or has slid, was knocked.
    """
    about = [
        difference
        for difference in unruled
        if difference.square in laid and difference.kind is not DifferenceKind.ADDED
    ]
    kinds = {difference.kind for difference in about}
    all_gone = bool(laid) and laid == {difference.square for difference in about}
    is_whole = (DifferenceKind.CHANGED in kinds or all_gone) and kinds != {DifferenceKind.CHANGED}
    return tuple(difference.square for difference in about) if is_whole else ()


def _turn_of(found: _Found, ruled: RuledGame, last: Turn) -> Turn:
    """The turn whose tiles these are: one still off its square at the next press is no news."""
    if found.code is Notice.CHANGED_AFTER_PRESS:
        return last
    squares = set(found.squares)
    laid_them = (
        group
        for group in reversed(ruled.groups)
        if any(isinstance(event, Laid) and squares & set(event.lying) for event in group.events)
    )
    return next(laid_them, last)


def _notice(found: _Found, turn: Turn, look: Look, rules: Rules) -> TableNotice:
    is_theirs = found.code is Notice.CHANGED_AFTER_PRESS and not turn.doubts
    player = turn.events[0].player if is_theirs else None
    rows, squares = (turn.ref, look.seq), found.squares
    return noticed(rules, found.code, rows, player=player, squares=squares)
