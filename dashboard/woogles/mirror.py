"""One game and its copy at Woogles: asks the plan what to do, does it, keeps its state.

A step is a few requests at most. Whatever goes wrong, the next step begins with reading their game.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from dashboard.woogles.client import RefusedError, UnreachableError, Woogles
from dashboard.woogles.kept import GO_ON, LEAVE, REPLACE, STOP, Choice, Kept, MirrorState
from recorder.domain.errors import NotationError
from recorder.domain.game import GameEvent
from recorder.domain.tile_text import read_tiles
from recorder.domain.tiles import TileSet
from recorder.frames.desk import MirrorDifference
from recorder.projections.framed import framed
from recorder.projections.racks import BACK
from recorder.woogles import shapes
from recorder.woogles.letters import Distribution, distribution_of
from recorder.woogles.lexica import letters_of
from recorder.woogles.names import find_in_feed, seat_order
from recorder.woogles.plan import (
    Agreed,
    Divergence,
    InStep,
    NextStep,
    Send,
    ShowRacks,
    compare_games,
    next_step,
    seen_events,
)
from recorder.woogles.shapes import Document
from recorder.woogles.wanted import WantedGame, wanted_game

Place = tuple[str, int, int]
"""Division, round and table of a broadcast."""
NOW, SOON, IDLE = 0, 1, 2
"""How urgent a step is: a turn to send, their game to read again, racks to show."""
_UNKNOWN = -1
_NO_SUCH = "invalid_argument"
_FOR_GOOD = frozenset({_NO_SUCH, "not_found", "permission_denied"})
"""Codes by which they say that a request is wrong; with others they say that they failed."""
_USUAL_RULE, _NO_PATCH = "DOUBLE", "VOID"
"""For a table whose rules name none; and the one that no patch can set, as it is their zero."""
_MOST_LISTED = 50
_PATIENCE = 3
"""So often the same is sent for nothing before a director is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OurGame:
    """A game as the public sees it by now.

    ``challenge`` is their name for the rule of challenges that the table plays by; empty where its
    rules leave that open, or have one that they have not.
    """

    game: str
    table: int
    players: tuple[str, str]
    tile_set: TileSet
    events: tuple[GameEvent, ...] = ()
    racks: tuple[str, str] = ("", "")
    place: tuple[str, int] | None = None
    challenge: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where games go: the tables of a broadcast, or games of their own.

    ``challenge_rule``: instead of the one that the table plays by. ``with_racks``: everybody may
    see racks, as late as the game itself.
    """

    slug: str = ""
    lexicon: str = ""
    challenge_rule: str = ""
    with_racks: bool = False


class Mirror:
    """The copy of one game. One thread at a time may step; any may give it the game."""

    def __init__(
        self,
        ours: OurGame,
        target: Target,
        kept: Kept,
        now_ms: Callable[[], int],
        stand: MirrorState,
    ) -> None:
        self._target, self._kept, self._now_ms = target, kept, now_ms
        self.stand = stand
        self._document: Document | None = None
        self._agreed = Agreed(seen=stand.seen, left=frozenset(stand.left))
        self._futile: tuple[object, int] = (None, 0)
        self._linked = False
        self._urgency: int | None = _UNKNOWN
        self._ours, self._wanted = ours, self._write(ours)
        self._keep(state="stopped" if stand.state == "stopped" else "begins")

    # --- from the log ---

    def take(self, ours: OurGame) -> None:
        """The game has changed."""
        if ours != self._ours:
            self._ours, self._wanted = ours, self._write(ours)
            self._urgency = _UNKNOWN

    def _write(self, ours: OurGame) -> "WantedGame | NotationError":
        try:
            return wanted_game(
                ours.tile_set,
                ours.events,
                names=ours.players,
                with_racks=self._target.with_racks,
            )
        except NotationError as fault:
            return fault

    def choose(self, choice: Choice) -> None:
        """A director has chosen; of a difference that is none any more nothing follows."""
        self._urgency = _UNKNOWN
        if choice.what == STOP:
            self._keep(state="stopped", text="stopped by the director", difference=None)
            return
        if choice.what == GO_ON and self.stand.state in ("stopped", "differs"):
            self._keep(state="begins", text="", difference=None)
            self._document, self._futile = None, (None, 0)
            return
        asked = self.stand.difference
        if asked is None or asked["key"] != choice.difference:
            return
        key = choice.difference
        if choice.what == LEAVE:
            self._agreed = replace(self._agreed, left=self._agreed.left | {key})
        elif choice.what == REPLACE and asked["what"] == "gone":
            self._keep(uid="", seen=())
            self._agreed, self._linked = Agreed(), False
        elif choice.what == REPLACE:
            self._agreed = replace(self._agreed, replace=self._agreed.replace | {key})
        self._futile, self._document = (None, 0), None
        self._keep(state="behind", text="", difference=None, left=tuple(self._agreed.left))

    # --- what there is to do ---

    @property
    def urgency(self) -> int | None:
        """How urgent the next step is; None where there is nothing to do."""
        if self._urgency == _UNKNOWN:
            self._urgency = self._how_urgent()
        return self._urgency

    @property
    def is_tried_again(self) -> bool:
        """Whether a game that they would not make may come yet: what stops it may end by itself."""
        found = self.stand.difference
        return self.stand.state == "differs" and found is not None and GO_ON in found["choices"]

    def _how_urgent(self) -> int | None:
        if self.is_tried_again:
            return SOON
        if self.stand.state in ("stopped", "differs"):
            return None if not self._changed_since() else NOW
        if isinstance(self._wanted, NotationError):
            return None
        if self._document is None:
            return NOW if self._is_behind() or not self._linked else SOON
        step = self._next(self._document, self._wanted)
        if isinstance(step, ShowRacks):
            return IDLE
        return None if isinstance(step, InStep) and self._is_said(step) else NOW

    def _is_behind(self) -> bool:
        return not isinstance(self._wanted, NotationError) and (
            len(self._wanted.events) > self.stand.sent
        )

    def _changed_since(self) -> bool:
        """Whether the game here has changed since a difference was found: it may be gone by now."""
        if self.stand.state == "stopped" or self._document is None:
            return False
        if isinstance(self._wanted, NotationError) or self.stand.difference is None:
            return False
        step = self._next(self._document, self._wanted)
        key = step.key if isinstance(step, Divergence) else ""
        return self.stand.difference["what"] not in ("gone", "players", "claimed", "refused") and (
            key != self.stand.difference["key"]
        )

    def _is_said(self, step: InStep) -> bool:
        state = "waits" if step.waits else "in_step"
        return (
            self.stand.state == state
            and self.stand.over == self._ours.over
            and (
                isinstance(self._wanted, WantedGame)
                and self.stand.turns == len(self._wanted.events)
            )
        )

    def _next(self, document: Document, wanted: WantedGame) -> NextStep:
        racks = (b"", b"")
        if self._target.with_racks:
            first, second = self._ours.racks
            racks = _rack(wanted.distribution, first), _rack(wanted.distribution, second)
        return next_step(wanted, document, self._agreed, racks)

    # --- doing it ---

    def step(self, woogles: Woogles) -> None:
        """Do what is next. UnreachableError as the link raises it; all else is a state."""
        wanted = self._wanted
        self._urgency = _UNKNOWN
        if isinstance(wanted, NotationError):
            self._keep(state="waits", text=str(wanted))
            return
        try:
            if not self.stand.uid:
                self._link(woogles)
                if not self.stand.uid:
                    return
            if self._document is None or self.stand.over:  # long over: anything may have happened
                self._document = self._read(woogles)
                if not self._linked and not self._seated(woogles, self._document):
                    return
            self._advance(woogles, self._document, wanted)
        except _DiffersError as found:
            self._differ(found.difference, found.choices)

    def forget(self) -> None:
        """Something went wrong on the way: nobody knows what they did."""
        self._document, self._urgency = None, _UNKNOWN

    def _advance(self, woogles: Woogles, document: Document, wanted: WantedGame) -> None:
        compared = compare_games(wanted, document, self._agreed)
        if compared.theirs == len(document.events):
            self._agreed = replace(self._agreed, seen=seen_events(document))
        step = self._next(document, wanted)
        sent = compared.ours
        match step:
            case InStep(waits=waits):
                self._keep(
                    state="waits" if waits else "in_step", text=waits, sent=sent, difference=None
                )
            case ShowRacks(call=call):
                self._show(woogles, call)
            case Divergence():
                raise _DiffersError(step)
            case Send():
                self._keep(state="behind", text=step.what, sent=sent, difference=None)
                self._send(woogles, document, step)

    def _show(self, woogles: Woogles, call: shapes.Call) -> None:
        try:
            woogles.ask(call)
        except RefusedError:
            self._without_racks(len(self._agreed.seen))
        self._document = None

    def _without_racks(self, index: int) -> None:
        self._agreed = replace(self._agreed, no_racks=self._agreed.no_racks | {index})

    def _send(self, woogles: Woogles, document: Document, step: Send) -> None:
        self._refuse_to_go_round(document, step)
        self._document = None
        *before, last = step.calls
        for call in before:
            try:
                woogles.ask(call)
            except RefusedError as fault:
                self._refused_for_good(woogles, fault)
                self._without_racks(self.stand.sent)
                return
        if step.replaces:
            self._agreed = replace(self._agreed, seen=self._agreed.seen[: step.index])
        try:
            woogles.ask(last)
        except RefusedError as fault:
            self._refused_for_good(woogles, fault)
            if self._futile[1] >= 2 or last.method != "SendGameEvent":
                ours = step.what or step.named
                raise self._other("refused", fault.message, key=step.key, ours=ours) from fault
            return
        self._kept.note(self.stand.game, self._now_ms(), step.what or step.named)
        self._keep(sent=self.stand.sent + (0 if step.replaces else 1))

    def _refuse_to_go_round(self, document: Document, step: Send) -> None:
        """The same step over the same game, for the third time: it changes nothing."""
        mark = step.index, step.what, seen_events(document)
        count = self._futile[1] + 1 if self._futile[0] == mark else 1
        self._futile = mark, count
        if count > _PATIENCE:
            ours = step.what or "the next turn"
            raise self._other("refused", "nothing changes when it is sent", key=step.key, ours=ours)

    def _refused_for_good(self, woogles: Woogles, fault: RefusedError) -> None:
        """Whether it is the key, or the game: then nothing else that is sent would be taken."""
        check_key(woogles, fault)
        if fault.code not in _FOR_GOOD:
            raise GameFailsError(str(fault)) from fault
        there = self._read(woogles)
        mine = shapes.read_game_ids(woogles.ask(shapes.unfinished_games()))
        if not there.is_over and self.stand.uid not in mine:
            owned = "the game belongs to another account, whose key alone may change it"
            raise self._other("claimed", owned, STOP, key=f"owner {self.stand.uid}")

    def _read(self, woogles: Woogles) -> Document:
        """Their game."""
        try:
            return shapes.read_document(woogles.ask(shapes.get_document(self.stand.uid)))
        except shapes.ShapeError as fault:
            raise self._other("shape", str(fault), REPLACE, STOP, key=f"shape {fault}") from fault
        except RefusedError as fault:
            check_key(woogles, fault)
            if fault.code not in _FOR_GOOD:
                raise GameFailsError(str(fault)) from fault
            gone, key = "the game is not there any more", f"gone {self.stand.uid}"
            raise self._other("gone", gone, REPLACE, STOP, key=key) from fault

    # --- which game is it there ---

    def _link(self, woogles: Woogles) -> None:
        ours, target = self._ours, self._target
        try:
            uid = self._claimed(woogles) if target.slug else self._created(woogles)
        except WrongLettersError as wrong:
            raise self._other("refused", str(wrong), STOP, key=str(wrong)) from wrong
        except RefusedError as fault:
            check_key(woogles, fault)
            if fault.code == "internal" and fault.method != "ClaimGame":
                raise GameFailsError(str(fault)) from fault
            remedy, key = _link_remedy(fault, target), f"link {fault.code} {fault.message}"
            raise self._other("refused", remedy, GO_ON, STOP, key=key) from fault
        site = f"{woogles.site}/anno/{uid}"
        self._keep(uid=uid, site=site, since=self._now_ms(), state="begins", difference=None)
        self._kept.note(ours.game, self._now_ms(), f"table {ours.table} is {uid} there")

    def _created(self, woogles: Woogles) -> str:
        """A new game; an empty one of the same players is one that we made and never heard of."""
        ours, target = self._ours, self._target
        letters = distribution_of(ours.tile_set).name
        if letters_of(target.lexicon) != letters:
            raise WrongLettersError(
                f"the table plays with {letters} tiles, {target.lexicon} wants"
                f" {letters_of(target.lexicon)}: choose another --lexicon"
            )
        for uid in shapes.read_game_ids(woogles.ask(shapes.unfinished_games())):
            there = shapes.read_document(woogles.ask(shapes.get_document(uid)))
            names = [player.real_name for player in there.players]
            if not there.events and seat_order(names, ours.players) == (0, 1):
                return uid
        rule = self._rule or _USUAL_RULE
        call = shapes.create_game(ours.players, target.lexicon, letters, rule)
        return shapes.read_game_id(woogles.ask(call))

    def _claimed(self, woogles: Woogles) -> str:
        ours, slug = self._ours, self._target.slug
        if ours.place is None:
            only_rounds = "a broadcast takes only games of an event's rounds"
            raise self._other("players", only_rounds, STOP, key="no round")
        division, number = ours.place
        games = shapes.read_broadcast_games(
            woogles.ask(shapes.broadcast_games(slug, number, division))
        )
        try:
            place = find_in_feed(games, number, ours.table, ours.players)
        except NotationError as fault:
            key = f"players {ours.table} {number}"
            raise self._other("players", str(fault), GO_ON, STOP, key=key) from fault
        self._keep(place=(place.division, number, place.table_number))
        if place.game_uuid and not self._is_mine(woogles, place.game_uuid):
            taken = f"{place.annotator_username or 'somebody else'} has claimed the table"
            raise self._other("claimed", taken, GO_ON, STOP, key=f"claimed {place.game_uuid}")
        call = shapes.claim_game(slug, number, place.table_number, place.division)
        return shapes.read_game_id(woogles.ask(call))

    def _is_mine(self, woogles: Woogles, uid: str) -> bool:
        """Whether the key's account claimed a game; their list of claims has the newest 50 only."""
        if uid in shapes.read_game_ids(woogles.ask(shapes.unfinished_games())):
            return True
        claims = shapes.my_claimed_games(self._target.slug, _MOST_LISTED)
        claimed = shapes.read_broadcast_games(woogles.ask(claims))
        return uid in {game.game_uuid for game in claimed}

    def _seated(self, woogles: Woogles, document: Document) -> bool:
        """Whether players and rule of challenges there are those here; makes them so if not."""
        names = document.players[0].real_name, document.players[1].real_name
        order = seat_order(names, self._ours.players)
        if order is None or (order == (1, 0) and document.events):
            raise self._other("players", " - ".join(names), STOP, key=f"players {names}")
        letters = distribution_of(self._ours.tile_set).name
        if (tiles := document.letter_distribution) != letters:
            there, key = other_letters(tiles), f"letters {tiles}"
            raise self._other("refused", there, STOP, key=key, ours=f"{letters} tiles")
        rule, theirs = self._rule, document.rule
        if order == (0, 1) and rule in ("", _NO_PATCH, theirs):
            self._linked = True
            return True
        self._document = None
        try:
            woogles.ask(shapes.patch_document(document, order, rule or theirs))
        except RefusedError as fault:
            self._refused_for_good(woogles, fault)
            raise GameFailsError(str(fault)) from fault
        self._linked = True
        if rule not in ("", _NO_PATCH, theirs):
            what = f"challenges by {rule}, as the table plays; the game there had {theirs}"
            self._kept.note(self.stand.game, self._now_ms(), what)
        return False

    @property
    def _rule(self) -> str:
        """The rule of challenges that the game there should have; empty: any."""
        return self._target.challenge_rule or self._ours.challenge

    def _other(
        self, what: str, theirs: str, *choices: str, key: str, ours: str = ""
    ) -> "_DiffersError":
        """A difference for a person to look at; ``ours``: the players where nothing is said."""
        found = Divergence(key=key, what=what, ours=ours or self._names(), theirs=theirs)
        return _DiffersError(found, choices)

    def _names(self) -> str:
        return " - ".join(self._ours.players)

    # --- its state ---

    def _differ(self, found: Divergence, choices: tuple[str, ...] = ()) -> None:
        before = self.stand.difference
        self._keep(
            state="differs",
            text="",
            difference=framed(
                MirrorDifference, found, choices=list(choices or (REPLACE, LEAVE, STOP))
            ),
        )
        if before is None or before["key"] != found.key:
            text = f"{found.what}: {found.theirs} there, {found.ours} here"
            self._kept.note(self.stand.game, self._now_ms(), text)

    def away(self, why: str) -> None:
        """Their service cannot be used for now."""
        if self.stand.state not in ("stopped", "differs", "away"):
            self._keep(state="away", text=why)
        self.forget()

    def _keep(self, **changes: object) -> None:
        turns = 0 if isinstance(self._wanted, NotationError) else len(self._wanted.events)
        stand = replace(
            self.stand,
            players=self._ours.players,
            table=self._ours.table,
            turns=turns,
            seen=self._agreed.seen,
            over=self._ours.over,
        )
        stand = replace(stand, **changes)  # type: ignore[arg-type]
        if stand != self.stand:
            self.stand = replace(stand, changed=self._now_ms())
            self._kept.put(self.stand)


class KeyRefusedError(UnreachableError):
    """The key opens nothing any more: nobody's game can be mirrored."""


class GameFailsError(UnreachableError):
    """Their server fails at this game, and may not at the next try, nor at others."""


class WrongLettersError(NotationError):
    """The lexicon is of another language than the tiles."""


class _DiffersError(Exception):
    """Found on the way: a person has to look at it."""

    def __init__(self, difference: Divergence, choices: tuple[str, ...] = ()) -> None:
        super().__init__(difference.what)
        self.difference, self.choices = difference, choices


def check_key(woogles: Woogles, fault: RefusedError) -> None:
    """KeyRefusedError where a refusal is about the key; they say so in no code of its own."""
    if fault.code not in ("unauthenticated", "unknown"):
        return
    if fault.code == "unknown":
        try:
            woogles.ask(shapes.unfinished_games())
        except RefusedError:
            pass
        else:
            return
    raise KeyRefusedError(
        "Woogles does not know the API key: it was mistyped, or reset since. Copy it from"
        " woogles.io, Settings, API, and start tilecast woogles again"
    ) from fault


def _rack(letters: Distribution, tiles: str) -> bytes:
    """The tiles of a rack whose face is shown."""
    try:
        return letters.rack(read_tiles(tiles.replace(str(BACK), "")))
    except NotationError:
        return b""


def other_letters(theirs: str) -> str:
    """What is wrong with a broadcast of other letters than the table's, and what helps."""
    return (
        f"{theirs} tiles: put lexicon and letters of the broadcast right, and unclaim the tables"
        " that were claimed before"
    )


def _link_remedy(fault: RefusedError, target: Target) -> str:
    """What they refused when a game was to be made, and what helps."""
    if fault.method == "CreateAnnotatedGame" and fault.code == _NO_SUCH:
        return (
            f"{fault.message}. Finish or delete the unfinished game at woogles.io/editor, or mirror"
            " to a broadcast (--broadcast), where several games may be open"
        )
    if fault.code == "not_found":
        return f"there is no broadcast {target.slug!r}: its name is the end of its address there"
    if fault.code == "permission_denied":
        return f"the key's account is not an annotator of {target.slug!r}: its director can add it"
    if fault.code in ("internal", "unknown"):
        lexicon = target.lexicon or "of the broadcast"
        return (
            f"{fault.message}: they may not have the lexicon {lexicon}; choose another, such as"
            " NWL23 or CSW24"
        )
    return fault.message
