"""What was said at the table, fitted to the turns that clock and board show.

A board that did not change can be an exchange or a pass (rulebook EXCH-1, PASS-1), and points for
a play that was challenged and stands (CHAL-4) leave no trace at all: somebody has to say so. What
was said also speaks against a play in that turn (``weigh_said``); where the board shows one all the
same, the play stands. What fits no turn becomes a doubt, so that nothing said is dropped in
silence. Order is that of the log.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter
from typing import assert_never

from recorder.domain.game import (
    ChallengeBonus,
    EndRackPoints,
    Exchanged,
    GameEvent,
    Laid,
    NoPlay,
    Passed,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import Say
from recorder.domain.reading.histories.hypotheses import Hypothesis
from recorder.domain.reading.reconstruct import WIDEST, Reconstruction
from recorder.domain.record import Alternative
from recorder.domain.turns import Press, Turn

SAID_NO_PLAY = 4.0
"""Nats that a play loses in a turn of which an exchange or a pass was said: about one button in
fifty is the wrong one."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Something said: its row in the log, when, the player meant (0 or 1), what, its count."""

    seq: int
    at_ms: int
    player: int
    say: Say
    count: int


@dataclass(frozen=True, slots=True)
class Spoken:
    """Everything said, and what it may belong to.

    ``presses`` are all that ended a turn, in order. ``read_with`` gives, for each press that a
    look has shown, the ``ref`` of its group; that of another press where it had no look itself.
    """

    heard: tuple[Heard, ...]
    presses: tuple[Press, ...]
    read_with: Mapping[int, int]

    def neighbours(self, seq: int) -> tuple[Press | None, Press | None]:
        """The last press before a row and the first one after it.

        Where no clock speaks, the row of what was said is the end of the turn itself.
        """
        before = [press for press in self.presses if press.seq <= seq]
        after = [press for press in self.presses if press.seq > seq]
        return (before[-1] if before else None, after[0] if after else None)

    def turns_without_play(self, groups: Iterable[Turn]) -> frozenset[int]:
        """The presses, by row, that end a turn of which an exchange or a pass was said."""
        return frozenset(
            press.seq for press in _by_turn(self, {group.ref: group for group in groups})
        )

    def unread_before(self, seq: int) -> bool:
        """Whether a press before a row still waits for its look."""
        return any(press.seq < seq and press.seq not in self.read_with for press in self.presses)


def said_instead_of_plays(spoken: Spoken, groups: Iterable[Turn]) -> dict[int, GameEvent]:
    """By press, the exchange or the pass that was said of its turn; of several the last."""
    turns = _by_turn(spoken, {group.ref: group for group in groups})
    return {press.seq: _event(said[-1]) for press, said in turns.items()}


def weigh_said(known: Reconstruction, quiet: Collection[int]) -> Reconstruction:
    """The histories ranked again: a play costs more in a turn of which none was said.

    ``quiet`` are the looks, by ``ref``, that end such turns.
    """
    looks = {index for index, look in enumerate(known.looks) if look.ref in quiet}

    def against(history: Hypothesis) -> float:
        plays = [turn for turn in history.turns if turn.look in looks and turn.placed]
        return SAID_NO_PLAY * len(plays)

    return _ranked(known, against)


def _ranked(known: Reconstruction, against: Callable[[Hypothesis], float]) -> Reconstruction:
    pairs = zip(known.costs, known.hypotheses, strict=True)
    ranked = sorted(((cost + against(h), h) for cost, h in pairs), key=itemgetter(0))
    kept = [pair for pair in ranked if pair[0] - ranked[0][0] <= WIDEST]
    return replace(known, hypotheses=tuple(h for _, h in kept), costs=tuple(c for c, _ in kept))


def tell(spoken: Spoken, groups: Iterable[Turn], ending: Turn | None) -> tuple[Turn, ...]:
    """The groups with what was said worked in: in the order given, the ending last.

    An exchange or a pass counts for the turn of its player that it was said in, or right after.
    A bonus is a group of its own, as soon as the turns before it are read; said after the clock
    was stopped for good it belongs to the ending.
    """
    turns = {group.ref: group for group in groups}
    order = list(turns)
    for press, said in _by_turn(spoken, turns).items():
        group = turns[spoken.read_with[press.seq]]
        turns[group.ref] = _turn_as_said(group, press, said)
    for heard in spoken.heard:
        if heard.say is Say.BONUS:
            if spoken.unread_before(heard.seq):
                continue
            if ending is not None and heard.seq > ending.ref:
                ending = _ending_with_bonus(ending, _bonus(heard, (*turns.values(), ending)))
            else:
                turns[heard.seq] = _bonus(heard, turns.values())
                order.insert(sum(ref < heard.seq for ref in order), heard.seq)
            continue
        doubt, ref = _misfit(spoken, heard)
        if doubt and ref in turns:
            turns[ref] = _doubted(turns[ref], heard, doubt)
        elif doubt and ref is None and ending is not None:
            ending = _doubted(ending, heard, doubt)
    ordered = tuple(turns[ref] for ref in order)
    return ordered if ending is None else (*ordered, ending)


def _turn(spoken: Spoken, heard: Heard, turns: Mapping[int, Turn]) -> Press | None:
    """The press that ended the turn of which an exchange or a pass was said.

    The player's press before it and the one after it can both fit only when a press between them
    got lost; then it is not the one that shows a play.
    """
    mine = [
        press
        for press in spoken.neighbours(heard.seq)
        if press is not None and press.player == heard.player
    ]
    free = [press for press in mine if not _shows_play(spoken, press, turns)]
    return next(iter((*free, *mine)), None)


def _shows_play(spoken: Spoken, press: Press, turns: Mapping[int, Turn]) -> bool:
    group = turns.get(spoken.read_with.get(press.seq, 0))
    return group is not None and _has_play(group, press.player)


def _has_play(group: Turn, player: int) -> bool:
    return any(isinstance(event, Laid) and event.player == player for event in group.events)


def _by_turn(spoken: Spoken, groups: Mapping[int, Turn]) -> dict[Press, list[Heard]]:
    """What was said of each turn that is in a group."""
    turns: dict[Press, list[Heard]] = {}
    for heard in spoken.heard:
        press = _turn(spoken, heard, groups) if heard.say is not Say.BONUS else None
        if press is not None and spoken.read_with.get(press.seq) in groups:
            turns.setdefault(press, []).append(heard)
    return turns


def _turn_as_said(group: Turn, press: Press, said: Sequence[Heard]) -> Turn:
    """A turn with what its player said of it; of several things the last one counts."""
    *others, last = said
    event = _event(last)
    doubts = [
        coded(
            "announced_twice",
            player=other.player,
            first=_notation(other),
            then=_notation(last),
        )
        for other in others
        if (other.say, other.count) != (last.say, last.count)
    ]
    events = group.events
    if _has_play(group, press.player):
        doubts.append(_doubt("announced_and_played", last))
    elif group.ref != press.seq:
        # No look shows this turn by itself: it came before the one that ends the group.
        events = (*events[:-1], event, events[-1])
    else:
        events = (*events[:-1], event)
    return replace(
        group,
        events=events,
        refs=(*group.refs, *(heard.seq for heard in said)),
        doubts=(*group.doubts, *doubts),
        alternatives=tuple(_as_said(other, event) for other in group.alternatives),
    )


def _as_said(other: Alternative, said: GameEvent) -> Alternative:
    """Another reading of the turn, in which it would have been what was said."""
    events = tuple(
        said if isinstance(event, NoPlay) and event.player == said.player else event
        for event in other.events
    )
    return replace(other, events=events)


def _event(heard: Heard) -> GameEvent:
    match heard.say:
        case Say.EXCHANGE:
            return Exchanged(player=heard.player, count=heard.count)
        case Say.PASS:
            return Passed(player=heard.player)
        case Say.BONUS:
            return ChallengeBonus(player=heard.player, points=heard.count)
        case _:
            assert_never(heard.say)


def _misfit(spoken: Spoken, heard: Heard) -> tuple[CodedText | None, int | None]:
    """Why an exchange or a pass fits no turn, if it does not, and the next group.

    ``None`` where no press came after it.
    """
    before, after = spoken.neighbours(heard.seq)
    if heard.player in {press.player for press in (before, after) if press is not None}:
        return None, None
    if after is None:
        return _doubt("announced_at_the_end", heard), None
    return _doubt("announced_out_of_turn", heard), spoken.read_with.get(after.seq, 0)


def _doubted(group: Turn, heard: Heard, doubt: CodedText) -> Turn:
    return replace(group, refs=(*group.refs, heard.seq), doubts=(*group.doubts, doubt))


def _bonus(heard: Heard, groups: Iterable[Turn]) -> Turn:
    """Points for a challenge, with a doubt unless they follow a play of that player."""
    before = [group for group in groups if group.ref < heard.seq]
    events = [
        event
        for group in sorted(before, key=attrgetter("ref"))
        for event in group.events
        if not isinstance(event, EndRackPoints)
    ]
    last = events[-1] if events else None
    doubts: tuple[CodedText, ...] = ()
    if not isinstance(last, Laid | ChallengeBonus) or last.player != heard.player:
        doubts = (coded("bonus_without_play", player=heard.player),)
    elif isinstance(last, ChallengeBonus):
        doubts = (coded("second_bonus", player=heard.player),)
    return Turn(heard.seq, (heard.seq,), (_event(heard),), 0.0, doubts)


def _ending_with_bonus(ending: Turn, bonus: Turn) -> Turn:
    """The challenge of a play-out: its points come before those for the racks."""
    return replace(
        ending,
        refs=(*ending.refs, *bonus.refs),
        events=(*ending.events[:-1], *bonus.events, ending.events[-1]),
        doubts=(*ending.doubts, *bonus.doubts),
    )


def _doubt(code: str, heard: Heard) -> CodedText:
    return coded(code, player=heard.player, said=heard.say.value)


def _notation(heard: Heard) -> str:
    """As score sheets have it: an exchange of three is ``-3``, a pass ``-``."""
    return f"-{heard.count}" if heard.say is Say.EXCHANGE else "-"
