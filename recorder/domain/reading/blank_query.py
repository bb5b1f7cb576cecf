"""Presses around a blank without a letter: the opponent asks for it, and its owner names it.

A player who is asked for the letter writes it on their own time and presses once more: that is no
turn, nor is the press by which the opponent sent the clock back (TURN-6, BLANK-2, BLANK-4).
"""

from dataclasses import replace

from recorder.domain.game import Laid
from recorder.domain.observations import TurnAct
from recorder.domain.reading.open_questions import OpenQuestions
from recorder.domain.reading.reconstruct import Reconstruction
from recorder.domain.reading.table_clock import TableClock
from recorder.domain.reading.table_turns import Turns
from recorder.domain.tiles import BLANK, Tiles
from recorder.domain.turns import Press

BACK_MS = 10_000
"""Within so long the opponent presses back without having thought about a turn."""


def ends_no_turn(
    turns: Turns, clock: TableClock, open_: OpenQuestions, press: Press, read: Reconstruction
) -> bool:
    """Whether a press that is the newest, read as ``read``, only goes with a blank's letter.

    That happens once for a play, and only where a slip is in sight: elsewhere it looks like a pass,
    until the letter comes (``turned_back``). A player whose own half was set going again after
    their press, for whatever reason, is still in the same turn.
    """
    last = _play_before(turns, press, read)
    if last is None:
        return False
    if last.player == press.player:
        is_set_back = any(back.seq > last.seq for back in clock.set_back)
        return bool(_blanks(turns, last)) or (is_set_back and not turns.is_challenged(last))
    return turns.said.slip.is_seen and _asks(turns, open_, press, last)


def asked_by(
    turns: Turns, open_: OpenQuestions, press: Press, read: Reconstruction
) -> tuple[Press, Reconstruction] | None:
    """A press that may ask for a letter, and what was known before it (see ``turned_back``)."""
    last = _play_before(turns, press, read)
    if last is None or last.player == press.player or not _asks(turns, open_, press, last):
        return None
    return press, turns.reconstruction


def turned_back(
    turns: Turns, open_: OpenQuestions, press: Press, read: Reconstruction
) -> Turns | None:
    """The turns without a press that asked for a letter, once the owner gave it and presses again.

    None where the newest ``press``, read as ``read``, is no such one: then both were turns.
    """
    if open_.blank_query is None or read.best.turns[-1].placed or read.best.turns[-1].taken:
        return None
    asked, known = open_.blank_query
    if turns.presses[-2:] != (asked, press) or asked.player == press.player:
        return None
    written = [entry.seq for entry in turns.said.slip.letters if entry.letter]
    keyed = [
        done.seq
        for done in turns.said.acts
        if done.act is TurnAct.BLANK and done.player == press.player
    ]
    if not any(asked.seq < seq < press.seq for seq in (*written, *keyed)):
        return None
    return replace(
        turns,
        reconstruction=known,
        presses=turns.presses[:-2],
        look_of=tuple(pair for pair in turns.look_of if pair[0] != asked.seq),
        unread=tuple(kept for kept in turns.unread if kept != press),
    )


def _play_before(turns: Turns, press: Press, read: Reconstruction) -> Press | None:
    """The press of a play, where the one after it brought nothing and nobody said what it was."""
    before = [earlier for earlier in turns.presses if earlier.seq < press.seq]
    if not before or read.best.turns[-1].placed or read.best.turns[-1].taken:
        return None
    last, play = before[-1], turns.reconstruction.best.last_play
    if play is None or play.player != last.player:
        return None
    has_said = any(
        heard.player == press.player and heard.seq > last.seq for heard in turns.said.announcements
    )
    return None if has_said else last


def _asks(turns: Turns, open_: OpenQuestions, press: Press, last: Press) -> bool:
    """Whether a press so soon after that of a play with an unnamed blank may ask for the letter."""
    at_once = press.at_ms - last.at_ms <= BACK_MS
    may_be = open_.back_for_blank and open_.sent_back != last.seq
    return may_be and at_once and BLANK in _blanks(turns, last)


def _blanks(turns: Turns, press: Press) -> Tiles:
    """The blanks of the play that a press ended."""
    return tuple(
        tile
        for group in turns.story()
        for event in group.events
        if group.ref == press.seq and isinstance(event, Laid)
        for tile in event.laid.values()
        if tile.is_blank
    )
