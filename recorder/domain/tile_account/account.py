"""The tile account: board, racks, bag and table make the whole set at every moment (rulebook 0.4).

What cannot be seen is supposed: a draw may have brought one too many, a tile may lie on the floor,
a camera may be broken. Every such course of events is a story with its probability; what sources
say makes some likelier (Bayes' rule, nothing else), and the unlikely are dropped. ``judge`` in
``account_finding`` says what follows. All tiles of a story are somewhere: nothing is cut or made.

The way to use it::

    account = open_account(100, sources=("rack_camera_1", "bag_scale"))
    account = draw(play(account, player=0, tiles=0))    # the opening draw: nothing was played
    account = draw(play(account, player=0, tiles=5))    # five tiles laid, five due
    account = read(account, [Counted(source="rack_camera_1", zone=Zone.RACK_1, count=8)])
    judge(account)

Between two acts each source is heard once per zone: its newest reading stands for all of them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log

from recorder.domain.errors import RecorderError
from recorder.domain.tile_account.readings import BROKEN_COUNT, Counts, SourceReading, Taken, Zone
from recorder.domain.tile_account.stories import (
    CHANCE,
    DRAWN_ON,
    SELDOM,
    SPILLED_APART,
    UNDUE,
    Mishap,
    MishapKind,
    TileStory,
    breakages,
    gathered,
    likely,
    mishap_of,
    moved,
    numbers_of,
    supposed,
)
from recorder.domain.tiles import RACK_SIZE

_OUTSIDE = frozenset((MishapKind.LOOSE, MishapKind.SPILLED))
"""Tiles lie where nobody should have them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """All stories that are still likely, the likeliest first.

    ``before`` are the stories before the newest ``readings``; ``earlier`` holds the last reading
    of each source and zone before those. ``current`` names the sources and zones of readings
    since which nothing moved in that zone: to repeat one of them is no news.
    ``off_track``: a play was reported which no story allows; the tiles have to be counted.
    """

    total: int
    sources: tuple[str, ...]
    stories: tuple[TileStory, ...]
    before: tuple[TileStory, ...]
    readings: tuple[SourceReading, ...] = ()
    earlier: tuple[SourceReading, ...] = ()
    current: frozenset[tuple[str, Zone]] = frozenset()
    act: int = 0
    off_track: bool = False


def open_account(total: int, *, sources: Iterable[str] = ()) -> Account:
    """The account before the opening draws: all tiles are in the bag, or one is not, or one more.

    ``total`` is the size of the set, ``sources`` the names that readings will have.
    """
    names = tuple(dict.fromkeys(sources))
    silent = (0.0,) * len(names)
    full = moved((0, 0, 0, total, 0, 0, 0))
    stories = (
        TileStory(log_p=0.0, counts=full, heard=silent),
        TileStory(
            log_p=log(CHANCE[MishapKind.MISSING]),
            counts=moved(full, (Zone.BAG, -1), (Zone.LOST, 1)),
            heard=silent,
            mishaps=(Mishap(kind=MishapKind.MISSING),),
        ),
        TileStory(
            log_p=log(CHANCE[MishapKind.FOREIGN]),
            counts=moved(full, (Zone.BAG, 1), (Zone.FOREIGN, 1)),
            heard=silent,
            mishaps=(Mishap(kind=MishapKind.FOREIGN),),
        ),
    )
    return Account(total=total, sources=names, stories=stories, before=stories)


def play(account: Account, *, player: int, tiles: int) -> Account:
    """``tiles`` from a rack to the board; the player then has to draw.

    With 0 tiles only the draw is due: before the game, or after tiles were given back.
    """
    zone = Zone.rack(player)

    def played(story: TileStory) -> Iterator[TileStory]:
        if story.counts[zone] >= tiles:
            counts = moved(story.counts, (zone, -tiles), (Zone.BOARD, tiles))
            yield story._replace(counts=counts, pending=(*story.pending, player))

    return _act(account, played, (zone, Zone.BOARD))


def draw(account: Account, *, apart: bool = False, laid_first: float = SELDOM) -> Account:
    """Somebody drew: whose turn it was to draw, unless two had to and the wrong one did.

    All that can go wrong in a draw is supposed beside it. Nothing where nobody has to draw.
    ``apart``: the new tiles lie on the table, as courtesy tiles do, until ``take_up``.
    ``laid_first`` is the share of draws that this player lays there in any case, above 0.
    """
    drawers = {player for story in account.stories for player in story.pending}
    stories = _drawn(account.stories, account.sources, account.act, apart=apart, laid=laid_first)
    return _acted(account, stories, (*map(Zone.rack, drawers), Zone.BAG, Zone.TABLE))


@lru_cache(maxsize=128)
def _drawn(
    stories: tuple[TileStory, ...], sources: tuple[str, ...], act: int, *, apart: bool, laid: float
) -> tuple[TileStory, ...]:
    """What a draw makes of these stories.

    Remembered: no act is slower, games begin alike, and one draw is gone through again and again.
    """

    def drawn(story: TileStory) -> Iterator[TileStory]:
        if not story.pending:
            yield story
            return
        player, *rest = story.pending
        target = Zone.TABLE if apart else Zone.rack(player)
        right = _right_draw(story._replace(pending=tuple(rest)), player, target)
        yield right
        yield from breakages(right, sources)
        due = _due(story.counts, player)
        for wrong in _wrong_draws(right, player, due, target, act):
            yield wrong
            # A draw may go wrong in two ways at once: one tile too many, and another on the floor.
            if wrong.mishaps[-1].kind not in _OUTSIDE:
                yield from _fallen(wrong, player, due, target, act)
        if apart:
            yield from _spilled_draws(right, player, due, act, laid)
        for other in dict.fromkeys(rest):
            tiles = _due(story.counts, other)
            if not tiles:
                continue
            left = (player, *(waits for waits in rest if waits != other))
            mishap = mishap_of(MishapKind.OUT_OF_ORDER, tiles, other, act)
            early = supposed(story, mishap, story.counts)._replace(pending=left)
            yield _right_draw(early, other, Zone.TABLE if apart else Zone.rack(other))

    return likely(after for story in stories for after in drawn(story))


def undo_draw(account: Account, *, player: int, tiles: int) -> Account:
    """A draw that was put back into the bag, rightly, as on a hold: it is due again."""
    rack = Zone.rack(player)

    def undone(story: TileStory) -> Iterator[TileStory]:
        back = min(tiles, story.counts[rack])
        counts = moved(story.counts, (rack, -back), (Zone.BAG, back))
        yield story._replace(counts=counts, pending=(player, *story.pending))

    return _act(account, undone, (rack, Zone.BAG))


def take_up(account: Account, *, player: int, tiles: int | None = None) -> Account:
    """Tiles from the table onto a rack: all that lie there, or so many.

    A negative number lays as many of the rack aside, as for an exchange.
    """
    rack = Zone.rack(player)

    def taken(story: TileStory) -> Iterator[TileStory]:
        count = story.counts[Zone.TABLE] if tiles is None else tiles
        counts = moved(story.counts, (Zone.TABLE, -count), (rack, count))
        if min(counts) >= 0:
            yield story._replace(counts=counts)

    return _act(account, taken, (rack, Zone.TABLE))


def exchange(account: Account, *, player: int, tiles: int) -> Account:
    """``tiles`` drawn and as many put back, all of it done; what may have gone wrong beside it."""
    rack = Zone.rack(player)

    def exchanged(story: TileStory) -> Iterator[TileStory]:
        yield story
        yield from breakages(story, account.sources)
        yield from _miscounted(story, player, tiles, rack, account.act)
        if 0 < tiles <= story.counts[Zone.BAG]:
            mishap = mishap_of(MishapKind.LEFT_LYING, tiles, player, account.act)
            counts = moved(story.counts, (Zone.BAG, -tiles), (Zone.TABLE, tiles))
            yield supposed(story, mishap, counts)

    return _act(account, exchanged, (rack, Zone.BAG, Zone.TABLE))


def disturb(account: Account, *, drew: Iterable[int] = (), is_found: bool = False) -> Account:
    """Something moved that should not: a bag that was lifted with no draw due, a hand, a knock.

    Tiles may have gone from a rack into the bag (RETURN-1), out of the bag (LOOSE-2) or off the
    board (LOOSE-1), and a player who drew too few may draw on. The players of ``drew`` may have
    drawn although they had all their tiles.
    ``is_found``: people know of tiles that lie outside or were drawn too many, and may have put
    them into the bag.
    """

    def disturbed(story: TileStory) -> Iterator[TileStory]:
        yield story
        yield from gathered(story) if is_found else ()
        yield from _drawn_on(story, account.act)
        for kind, mover, source, target in (
            (MishapKind.RETURNED, 0, Zone.RACK_1, Zone.BAG),
            (MishapKind.RETURNED, 1, Zone.RACK_2, Zone.BAG),
            (MishapKind.SPILLED, None, Zone.BAG, Zone.TABLE),
            (MishapKind.LOOSE, None, Zone.BOARD, Zone.LOST),
        ):
            yield from _moved_by(story, kind, mover, (source, target), account.act)
        for player in drew:
            yield from _undue_draws(story, player, account.act)

    return _act(account, disturbed, tuple(Zone))


def _drawn_on(story: TileStory, act: int) -> Iterator[TileStory]:
    """Who drew too few draws again: what is due now, or a wrong number once more."""
    for player in (0, 1):
        if any(_filled(mishap, player) for mishap in story.mishaps):
            going_on = story._replace(log_p=story.log_p + log(DRAWN_ON))
            due, rack = _due(story.counts, player), Zone.rack(player)
            right = _right_draw(going_on, player, rack)
            yield right
            yield from _miscounted(right, player, due, rack, act)


def _undue_draws(story: TileStory, player: int, act: int) -> Iterator[TileStory]:
    """A player who has no draw to make drew all the same: any number, not a miscount."""
    rack = Zone.rack(player)
    if player in story.pending or story.counts[rack] < RACK_SIZE:
        return
    for count in range(1, min(RACK_SIZE, story.counts[Zone.BAG]) + 1):
        mishap = mishap_of(MishapKind.OVERDRAW, count, player, act)
        counts = moved(story.counts, (Zone.BAG, -count), (rack, count))
        yield supposed(story, mishap, counts, log(UNDUE))


def settle(account: Account, *, racks: tuple[int, int], bag: int, table: int = 0) -> Account:
    """The tiles were counted: one story is left, and what was wrong is settled.

    The board is that of the likeliest story; tiles missing from the set are out of sight, and every
    source works again. Weigh the bag after it: the weight before it is forgotten.
    """
    best = account.stories[0]
    board = best.counts[Zone.BOARD]
    held = board + sum(racks) + bag + table
    counts = (board, *racks, bag, table, max(0, account.total - held), max(0, held - account.total))
    story = TileStory(
        log_p=0.0,
        counts=counts,
        heard=(0.0,) * len(account.sources),
        pending=best.pending,
    )
    return replace(
        account,
        stories=(story,),
        before=(story,),
        readings=(),
        earlier=(),
        current=frozenset(),
        off_track=False,
    )


def read(account: Account, readings: Iterable[SourceReading]) -> Account:
    """The account after some more readings of this moment; their order does not matter.

    A reading replaces an earlier one of the same source and zone. One of a zone in which nothing
    moved since this source said the same is no news: the same error would count twice.
    RecorderError for a source that the account was not opened with.
    """
    heard = {(reading.source, reading.zone): reading for reading in account.readings}
    for reading in readings:
        if reading.source not in account.sources:
            names = ", ".join(account.sources)
            raise RecorderError(f"the account knows no source {reading.source!r}, only {names}")
        key = reading.source, reading.zone
        if key not in account.current or reading not in account.earlier:
            heard[key] = reading
    kept = tuple(heard.values())
    words = [_Word(reading, account.sources.index(reading.source)) for reading in kept]
    stories = likely(_weighed(story, words) for story in account.before)
    return replace(account, stories=stories, readings=kept)


class _Word:
    """A reading with the place of its source, and its chances by what stories say of its zone."""

    __slots__ = ("_chances", "_reading", "is_weight", "place", "source")

    def __init__(self, reading: SourceReading, place: int) -> None:
        self._reading, self.place = reading, place
        self.source = reading.source
        self.is_weight = isinstance(reading, Taken)
        self._chances: dict[tuple[int, int | None], float] = {}

    def log_chance(self, story: TileStory) -> float:
        """How likely the reading is in a story in which its source works."""
        key = story.counts[self._reading.zone], story.weighed
        if key not in self._chances:
            self._chances[key] = self._reading.log_chance(story.counts, story.weighed)
        return self._chances[key]


def _weighed(story: TileStory, words: Sequence[_Word]) -> TileStory:
    heard, weighed = list(story.heard), story.weighed
    gained = 0.0
    for word in words:
        chance = BROKEN_COUNT if word.source in story.broken else word.log_chance(story)
        heard[word.place] += chance
        gained += chance
        if word.is_weight:
            weighed = story.counts[Zone.BAG]
    return TileStory(
        log_p=story.log_p + gained,
        counts=story.counts,
        heard=tuple(heard),
        mishaps=story.mishaps,
        broken=story.broken,
        pending=story.pending,
        weighed=weighed,
        weighed_before=story.weighed,
    )


def _act(
    account: Account, happens: Callable[[TileStory], Iterator[TileStory]], touched: tuple[Zone, ...]
) -> Account:
    """What an act makes of all stories."""
    stories = likely(after for story in account.stories for after in happens(story))
    return _acted(account, stories, touched)


def _acted(account: Account, stories: tuple[TileStory, ...], touched: tuple[Zone, ...]) -> Account:
    """After an act that led to these stories; where it fits none, they stay: off track."""
    said = {
        (reading.source, reading.zone): reading for reading in (*account.earlier, *account.readings)
    }
    off_track = account.off_track or not stories
    read_now = {(reading.source, reading.zone) for reading in account.readings}
    current = {key for key in account.current | read_now if key[1] not in touched}
    return replace(
        account,
        stories=stories or account.stories,
        before=stories or account.stories,
        readings=(),
        earlier=tuple(said.values()),
        current=frozenset(current),
        act=account.act + 1,
        off_track=off_track,
    )


def _due(counts: Counts, player: int) -> int:
    return max(0, min(RACK_SIZE - counts[Zone.rack(player)], counts[Zone.BAG]))


def _right_draw(story: TileStory, player: int, target: Zone) -> TileStory:
    """What is due, and no underdraw of that player any more."""
    due = _due(story.counts, player)
    return story._replace(
        counts=moved(story.counts, (Zone.BAG, -due), (target, due)),
        mishaps=tuple(mishap for mishap in story.mishaps if not _filled(mishap, player)),
    )


def _wrong_draws(
    right: TileStory, player: int, due: int, target: Zone, act: int
) -> Iterator[TileStory]:
    """All that can go wrong in one way with a draw that would have gone right so."""
    yield from _miscounted(right, player, due, target, act)
    yield from _fallen(right, player, due, target, act)


def _miscounted(
    right: TileStory, player: int, due: int, target: Zone, act: int
) -> Iterator[TileStory]:
    """Too many tiles drawn, any number that the bag has; or too few of those that were due."""
    yield from _moved_by(right, MishapKind.OVERDRAW, player, (Zone.BAG, target), act)
    yield from _moved_by(right, MishapKind.UNDERDRAW, player, (target, Zone.BAG), act, most=due)


def _fallen(drawn: TileStory, player: int, due: int, target: Zone, act: int) -> Iterator[TileStory]:
    """Tiles that did not get where they should: out of the hand, or beside it out of the bag."""
    lost = (target, Zone.LOST)
    yield from _moved_by(drawn, MishapKind.LOOSE, player, lost, act, most=due)
    if target is not Zone.TABLE:
        yield from _moved_by(drawn, MishapKind.SPILLED, player, (Zone.BAG, Zone.TABLE), act)


def _moved_by(
    story: TileStory,
    kind: MishapKind,
    player: int | None,
    way: tuple[Zone, Zone],
    act: int,
    *,
    most: int | None = None,
) -> Iterator[TileStory]:
    """The mishap with every number of tiles that is likely enough, up to ``most``."""
    source, target = way
    there = story.counts[source]
    most = there if most is None else min(most, there)
    for count, chance in numbers_of(story, kind, most):
        counts = moved(story.counts, (source, -count), (target, count))
        yield supposed(story, mishap_of(kind, count, player, act), counts, chance)


def _spilled_draws(
    right: TileStory, player: int, due: int, act: int, laid_first: float
) -> Iterator[TileStory]:
    """All that was due fell onto the table, and some more with it (SPILL-1).

    Where this player lays down what was drawn in any case, that it lies there says little.
    """
    if not due:
        return
    for surplus in range(1, min(RACK_SIZE, right.counts[Zone.BAG]) + 1):
        mishap = mishap_of(MishapKind.SPILLED, due + surplus, player, act)
        counts = moved(right.counts, (Zone.BAG, -surplus), (Zone.TABLE, surplus))
        yield supposed(right, mishap, counts, log(due * SPILLED_APART / laid_first))


def _filled(mishap: Mishap, player: int) -> bool:
    """Whether a right draw makes up for it."""
    return mishap.kind is MishapKind.UNDERDRAW and mishap.player == player
