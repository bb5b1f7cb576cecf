"""What to send next, so that a game there comes to say what the game here says. Pure.

Nothing is remembered but what was agreed: the next step follows from the game as Tilecast has it
and the game as they have it, at every step. So it does not matter which call was lost, who edited
what, or how long their service was away; what cannot be brought together is a ``Divergence``.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from recorder.woogles import shapes
from recorder.woogles.document import available, full_racks, game_document, leave_of
from recorder.woogles.letters import Distribution, sorted_tiles
from recorder.woogles.shapes import Call, Document, TheirEvent
from recorder.woogles.wanted import WantedEvent, WantedGame, played_faces

CATCH_UP = 4
"""From so many turns behind on, the whole game is sent at once."""
_EMPTIED = 14
"""With so many tiles unseen, or fewer, their server fills an empty rack from the bag."""
_TEN = 10
_CAN_EMPTY = 7
"""With so many tiles in the bag, or fewer, a turn can empty it."""
_ENDS = frozenset({shapes.END_POINTS, shapes.END_PENALTY})
_NO_RACKS = (b"", b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """Both games differ in a way that a person has to look at.

    ``key`` names this difference and no other, for a choice that was made of it.
    """

    key: str
    what: str
    ours: str
    theirs: str
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Requests to make one after the other; then their game is read again.

    ``what`` says why, for the journal, where it is more than the next turn. ``index`` is the event
    there that comes of it, ``named`` says it in words, ``key`` names the difference that it ends.
    ``replaces``: the whole game is sent.
    """

    calls: tuple[Call, ...]
    index: int
    key: str
    named: str = ""
    what: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class ShowRacks:
    """Nothing is missing there but racks; may wait."""

    call: Call


@dataclass(frozen=True, slots=True)
class InStep:
    """Both games say the same. ``waits`` says what has to be known before more can be sent."""

    waits: str = ""


NextStep = Send | ShowRacks | InStep | Divergence


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """What is known of a game there beside its document.

    ``seen`` are its events as they were when both games last agreed on them. ``left`` are the
    differences that a director left as they are, ``replace`` those that may be sent over.
    ``no_racks`` are events before which racks were refused.
    """

    seen: tuple[str, ...] = ()
    left: frozenset[str] = frozenset()
    replace: frozenset[str] = frozenset()
    no_racks: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """How far both games say the same: so many of our events, so many of theirs."""

    ours: int
    theirs: int
    left: tuple[str, ...] = field(default=())


def compare_games(game: WantedGame, document: Document, agreed: Agreed) -> Compared:
    """Go through both games until they differ, or both are at their end."""
    ours, theirs = game.events, document.events
    at = there = 0
    left: list[str] = []
    while at < len(ours) or there < len(theirs):
        wanted = ours[at] if at < len(ours) else None
        other = theirs[there] if there < len(theirs) else None
        key = difference_key(at, wanted, other)
        if wanted is not None and other is not None and (says_the_same(wanted.event, other)):
            at, there = at + 1, there + 1
        elif key in agreed.left:
            left.append(key)
            at, there = at + (wanted is not None), there + (other is not None)
        else:
            break
    return Compared(ours=at, theirs=there, left=tuple(left))


def says_the_same(ours: TheirEvent, theirs: TheirEvent) -> bool:
    """Whether an event there says what ours does."""
    if _kind(ours.kind) != _kind(theirs.kind) or ours.player != theirs.player:
        return False
    if ours.points != theirs.points:
        return False
    if ours.kind == shapes.PLAY:
        return ours.laid() == theirs.laid()
    return (
        ours.kind != shapes.EXCHANGE
        or not ours.tiles
        or (sorted(ours.tiles) == sorted(theirs.tiles))
    )


def _kind(kind: str) -> str:
    """A turn lost to a challenge is a pass here: the record says no more of it."""
    return shapes.PASS if kind == shapes.LOST_TURN else kind


def seen_events(document: Document) -> tuple[str, ...]:
    """Their events in a form that is compared with later ones."""
    return tuple(_signature(event) for event in document.events)


def difference_key(index: int, ours: WantedEvent | None, theirs: TheirEvent | None) -> str:
    """The name of one difference."""
    first = "-" if ours is None else _signature(ours.event)
    second = "-" if theirs is None else _signature(theirs)
    return f"{index} {first} {second}"


def _signature(event: TheirEvent) -> str:
    laid = ",".join(
        f"{row}.{column}.{tile}" for (row, column), tile in sorted(event.laid().items())
    )
    tiles = laid if event.kind in (shapes.PLAY, shapes.RETURNED) else event.tiles.hex()
    return f"{event.kind}:{event.player}:{event.points}:{tiles}"


def next_step(
    game: WantedGame,
    document: Document,
    agreed: Agreed,
    racks: tuple[bytes, bytes] = _NO_RACKS,
) -> NextStep:
    """What to do now. ``racks`` are those that everybody may see, as they are at this moment."""
    return _Planner(game, document, agreed, racks).step()


class _Planner:
    """One game at one moment."""

    def __init__(
        self, game: WantedGame, document: Document, agreed: Agreed, racks: tuple[bytes, bytes]
    ) -> None:
        self._game, self._document, self._agreed, self._racks = game, document, agreed, racks
        self._letters: Distribution = game.distribution
        self._at = compare_games(game, document, agreed)

    def step(self) -> NextStep:
        at, there = self._at.ours, self._at.theirs
        ours, theirs = self._game.events, self._document.events
        if there < len(theirs):
            return self._differs(ours[at] if at < len(ours) else None, theirs[there])
        if at < len(ours):
            return self._append(ours[at])
        return self._idle()

    # --- their game is behind ---

    def _append(self, wanted: WantedEvent) -> NextStep:
        at = self._at.ours
        if self._at.left and not self._fits(wanted):
            return self._diverged("cannot_go_on", wanted, None)
        to_send = sum(1 for later in self._game.events[at:] if later.sent)
        if to_send >= CATCH_UP and not self._at.left:
            return self._replace(f"{to_send} turns behind", self._sendable_upto())
        if not wanted.sent:
            return self._replace(wanted.about or _named(wanted, self._game), at + 1)
        if not self._can_come(wanted.event):
            rule = self._document.rule
            return self._replace(f"{rule} there gives other points for a challenge", at + 1)
        if self._document.is_over or not self._fits(wanted):
            return self._replace("another turn order than there", at + 1)
        return Send(
            calls=(*self._racks_before(wanted), self._event_call(wanted)),
            index=len(self._document.events),
            key=difference_key(at, wanted, None),
            named=_named(wanted, self._game),
        )

    def _fits(self, wanted: WantedEvent) -> bool:
        """Whether their game is where this event can be sent: who is on turn, and not over."""
        if wanted.event.kind == shapes.RESIGNED:
            return not self._document.is_over
        challenge = wanted.event.kind in shapes.CHALLENGE_ENDS
        on_turn = 1 - wanted.event.player if challenge else wanted.event.player
        return not self._document.is_over and self._document.player_on_turn == on_turn

    def _can_come(self, event: TheirEvent) -> bool:
        """Whether their rule of challenges can give the points of a challenge that failed."""
        if event.kind != shapes.BONUS:
            return True
        match self._document.rule:
            case "SINGLE":
                return event.points == 0
            case "FIVE_POINT":
                words = self._document.events[-1].words if self._document.events else 1
                return event.points in range(5, 5 * words + 1, 5)
            case "TEN_POINT":
                return event.points == _TEN
        return False

    def _sendable_upto(self) -> int:
        """All but the turn that ends the game: only a turn that is sent marks it as done there."""
        events = self._game.events
        if not events or events[-1].sent:
            over = bool(events) and events[-1].event.kind == shapes.RESIGNED
            return len(events) - over
        return max(at for at, wanted in enumerate(events) if wanted.sent)

    def _event_call(self, wanted: WantedEvent) -> Call:
        event = wanted.event
        sender = 1 - event.player if event.kind in shapes.CHALLENGE_ENDS else event.player
        user = self._document.players[sender].user_id
        return shapes.send_event(self._document.uid, user, event, self._challenged_words(event))

    def _challenged_words(self, event: TheirEvent) -> int:
        """How many words to name, so that a bonus for each of them comes to the same points."""
        last = self._document.events[-1] if self._document.events else None
        if event.kind != shapes.BONUS or last is None or event.points <= 5:
            return 0
        words = event.points // 5 if self._document.rule == "FIVE_POINT" else 0
        return min(words, last.words)

    def _racks_before(self, wanted: WantedEvent) -> tuple[Call, ...]:
        """The racks that must be right there before the turn is sent."""
        at = self._at.ours
        if at in self._agreed.no_racks:
            return ()
        racks = self._wanted_racks(wanted)
        if racks is None or _same_racks(racks, self._document.racks):
            return ()
        return (shapes.set_racks(self._document.uid, racks),)

    def _wanted_racks(self, wanted: WantedEvent) -> tuple[bytes, bytes] | None:
        event, there = wanted.event, self._document.racks
        player = event.player
        unseen = self._unseen()
        if event.kind in shapes.CHALLENGE_ENDS:
            return self._racks_for_challenge(player)
        sizes, bag = self._game.before(self._at.ours)
        ends = [
            later.event
            for later in self._game.events[self._at.ours + 1 :]
            if later.event.kind == shapes.END_PENALTY
        ]
        if len(ends) == len(there) and wanted.is_turn and event.kind != shapes.PLAY:
            racks = {end.player: end.rack for end in ends}
            return racks[0], racks[1]
        if event.kind == shapes.PASS and not sizes[1 - player]:
            return _pair(player, unseen, b"")
        known = _pair(player, self._mover_rack(event), b"")
        if bag <= _CAN_EMPTY:
            return full_racks(self._letters, self._board(), sizes, known)
        if any(known):
            is_inferred = not event.rack and not there[player]
            return None if is_inferred else known
        return known if any(there) else None

    def _mover_rack(self, event: TheirEvent) -> bytes:
        """The whole rack where it may be seen and holds the play, else just what is played."""
        needed = played_faces(event) if event.kind == shapes.PLAY else event.tiles
        rack = event.rack
        holds = not (_count(needed) - _count(rack)) and not (
            _count(rack) - self._letters.unseen(self._board())
        )
        return rack if rack and holds and len(rack) <= 7 else bytes(sorted(needed))

    def _racks_for_challenge(self, player: int) -> tuple[bytes, bytes] | None:
        """Their server takes the leave of a play from the rack: it has to be there."""
        events = [event for event in self._document.events if event.kind == shapes.PLAY]
        if not events:
            return None
        missing = _count(leave_of(events[-1])) - _count(self._document.racks[player])
        if not missing:
            return None
        rack = sorted_tiles(_count(self._document.racks[player]) + missing)
        return _pair(player, rack, self._document.racks[1 - player])

    # --- both games differ ---

    def _differs(self, ours: WantedEvent | None, theirs: TheirEvent) -> NextStep:
        there, seen = self._at.theirs, self._agreed.seen
        key = difference_key(self._at.ours, ours, theirs)
        if key in self._agreed.replace:
            return self._replace("as the director chose", self._sendable_to_replace())
        if there < len(seen):
            if seen[there] == _signature(theirs):  # the record was corrected here since
                return self._replace(self._difference(ours, theirs), self._sendable_to_replace())
            return self._diverged("edited", ours, theirs)
        return self._decided_otherwise(ours, theirs)

    def _sendable_to_replace(self) -> int:
        return len(self._game.events) if self._document.is_over else self._sendable_upto()

    def _decided_otherwise(self, ours: WantedEvent | None, theirs: TheirEvent) -> NextStep:
        """What came of our last call is not what we sent."""
        if ours is None and theirs.kind in _ENDS:
            return InStep("their game has ended; the tiles left are not in the record yet")
        is_play = theirs.kind == shapes.PLAY
        if ours is None or (theirs.kind in _ENDS and ours.event.kind not in _ENDS):
            return self._diverged("edited" if ours is None else "ended", ours, theirs)
        if is_play and ours.event.kind == theirs.kind and ours.event.laid() == theirs.laid():
            return self._scored_otherwise(ours, theirs)
        if _both_challenge(ours, theirs):
            return self._diverged("challenge", ours, theirs)
        if ours.event.kind == theirs.kind and not ours.sent:
            return self._replace(self._difference(ours, theirs), len(self._game.events))
        return self._diverged("edited", ours, theirs)

    def _scored_otherwise(self, ours: WantedEvent, theirs: TheirEvent) -> NextStep:
        """A score agreed at the table that no count gives is known; any other is not."""
        if ours.computed != theirs.points or ours.event.player != theirs.player:
            return self._diverged("score", ours, theirs)
        why = f"the score agreed is {ours.event.points}, they count {theirs.points}"
        return self._replace(f"{why}: {_named(ours, self._game)}", self._at.ours + 1)

    def _diverged(
        self, what: str, ours: WantedEvent | None, theirs: TheirEvent | None
    ) -> Divergence:
        return Divergence(
            key=difference_key(self._at.ours, ours, theirs),
            what=what,
            ours="nothing" if ours is None else _named(ours, self._game),
            theirs="nothing" if theirs is None else event_named(theirs, self._game),
            turn=self._at.ours + 1,
        )

    def _difference(self, ours: WantedEvent | None, theirs: TheirEvent) -> str:
        here = "nothing" if ours is None else _named(ours, self._game)
        return f"{event_named(theirs, self._game)} there is {here} here"

    def _replace(self, why: str, count: int) -> NextStep:
        raw = game_document(self._game, self._document.raw, count)
        at, there = self._at.ours, self._at.theirs
        events, theirs = self._game.events, self._document.events
        ours = events[at] if at < len(events) else None
        key = difference_key(at, ours, theirs[there] if there < len(theirs) else None)
        call = shapes.replace_document(raw)
        return Send(calls=(call,), index=there, key=key, what=why, replaces=True)

    # --- nothing is missing but racks ---

    def _idle(self) -> NextStep:
        still = InStep(self._game.waits)
        if self._document.is_over or self._document.play_state == shapes.FINAL_PASS:
            return still
        unseen = self._unseen()
        if len(unseen) <= _EMPTIED and not all(self._racks):
            return still
        last = self._document.events[-1] if self._document.events else None
        wanted = list(available(self._letters, self._board(), self._racks))
        for player in (0, 1):
            if last is not None and last.kind == shapes.PLAY and last.player == player:
                leave = _count(leave_of(last))
                if leave - _count(wanted[player]):
                    wanted[player] = sorted_tiles(leave)
        racks = wanted[0], wanted[1]
        if len(self._agreed.seen) in self._agreed.no_racks or _same_racks(
            racks, self._document.racks
        ):
            return still
        return ShowRacks(shapes.set_racks(self._document.uid, racks))

    def _board(self) -> bytes:
        return self._document.board.tiles

    def _unseen(self) -> bytes:
        return sorted_tiles(self._letters.unseen(self._board()))


def _pair(player: int, rack: bytes, other: bytes) -> tuple[bytes, bytes]:
    return (rack, other) if player == 0 else (other, rack)


def _both_challenge(ours: WantedEvent, theirs: TheirEvent) -> bool:
    ends = shapes.CHALLENGE_ENDS
    return ours.event.kind in ends and theirs.kind in ends


def _count(tiles: bytes) -> Counter[int]:
    return Counter(tiles)


def _same_racks(racks: Sequence[bytes], there: Sequence[bytes]) -> bool:
    return all(sorted(rack) == sorted(other) for rack, other in zip(racks, there, strict=True))


def _named(wanted: WantedEvent, game: WantedGame) -> str:
    named = event_named(wanted.event, game)
    return f"{named} ({wanted.about})" if wanted.about else named


def event_named(event: TheirEvent, game: WantedGame) -> str:
    """An event as people read it."""
    who, letters = game.names[event.player], game.distribution
    if event.kind == shapes.PLAY:
        word = letters.text(event.tiles, nothing=".")
        return f"{who}: {event.position} {word} {event.points:+d}"
    if event.kind == shapes.EXCHANGE:
        tiles = letters.text(event.tiles) or "tiles unknown"
        return f"{who}: exchange ({tiles})"
    texts = {
        shapes.RETURNED: f"play challenged off {event.points:+d}",
        shapes.PASS: "pass",
        shapes.LOST_TURN: "turn lost by a challenge",
        shapes.BONUS: f"challenge failed {event.points:+d}",
        shapes.END_POINTS: f"tiles left {event.points:+d}",
        shapes.END_PENALTY: f"own tiles left {event.points:+d}",
        shapes.TIME_PENALTY: f"points off {event.points:+d}",
        shapes.RESIGNED: "resigns",
    }
    return f"{who}: {texts.get(event.kind, event.kind)}"
