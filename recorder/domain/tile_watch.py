"""Turns and sensors in the order of the tile account: which reading speaks of which draw.

A draw is read when it is over: the bag lies weighed again and the rack has settled, or the
opponent has pressed. What a sensor says in the middle of it says nothing. Times are data; a turn
whose draw is not over yet is left for later.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from recorder.domain.errors import RecorderError
from recorder.domain.game import Exchanged, GameEvent, Played, Withdrawn
from recorder.domain.groups import Group
from recorder.domain.observations import (
    BagLifted,
    BagWeighed,
    CountEstimate,
    Observation,
    RackCounted,
    RackSeen,
    Side,
)
from recorder.domain.rules import account
from recorder.domain.rules.account import Account
from recorder.domain.rules.account_finding import Action, Finding, judge
from recorder.domain.rules.account_readings import Counted, Estimated, Reading, Zone

SETTLED_MS = 3_000
"""A rack that has said nothing new for this long has been drawn to."""
SCALE = "bag scale"
_CAMERA, _COUNTER = "rack camera", "rack counter"
SOURCES = (
    SCALE, f"{_CAMERA} 1", f"{_CAMERA} 2", f"{_COUNTER} 1", f"{_COUNTER} 2",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensed:
    """What a sensor of tiles said: the row, when, and the reading; a bag that was lifted has none.

    ``player`` is whose rack it is about, None for the bag.
    """

    seq: int
    at_ms: int
    reading: Reading | None
    player: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOfTiles:
    """A turn as the account needs it: its group, when it was pressed, what its events moved."""

    group: Group
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TileFinding:
    """What the account came to after a draw: the turn's ``ref`` and the rows that say so."""

    ref: int
    refs: tuple[int, ...]
    finding: Finding


def sensed(
    seq: int, at_ms: int, observation: Observation, player_at: Callable[[Side], int | None]
) -> Sensed | None:
    """An observation as a reading of the account, None when it says nothing of tiles."""
    match observation:
        case RackSeen(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _CAMERA, count)
        case RackCounted(side=side, count=count):
            return _rack(seq, at_ms, player_at(side), _COUNTER, count)
        case BagWeighed(settled=True, tiles=CountEstimate() as tiles):
            chances = {tiles.count: tiles.probability, **dict(tiles.alternatives)}
            reading = Estimated(source=SCALE, zone=Zone.BAG, chances=chances)
            return Sensed(seq=seq, at_ms=at_ms, reading=reading)
        case BagLifted():
            return Sensed(seq=seq, at_ms=at_ms, reading=None)
        case _:
            return None


def _rack(seq: int, at_ms: int, player: int | None, kind: str, count: int) -> Sensed | None:
    if player is None:
        return None
    reading = Counted(source=f"{kind} {player + 1}", zone=Zone.rack(player), count=count)
    return Sensed(seq=seq, at_ms=at_ms, reading=reading, player=player)


@dataclass(frozen=True, slots=True)
class Watched:
    """All findings so far, and whether the newest draw may still be going on."""

    found: tuple[TileFinding, ...] = ()
    drawing: bool = False


def watch(
    turns: Sequence[TurnOfTiles], readings: Sequence[Sensed], total: int, now_ms: int
) -> Watched:
    """What the account finds after each draw that is over, where it finds something new.

    ``turns`` and ``readings`` by time; ``total`` is the size of the tile set. Nothing without
    sensors. The first finding of a mishap stands for it; an alert may follow a question.
    """
    if not any(one.reading is not None for one in readings):
        return Watched()
    found: list[TileFinding] = []
    now = _opened(total)
    for index, turn in enumerate(turns):
        until = turns[index + 1].at_ms if index + 1 < len(turns) else None
        heard = [one for one in readings if turn.at_ms <= one.at_ms < (until or now_ms + 1)]
        if until is None and not _is_over(turn, heard, now_ms):
            return Watched(tuple(found), drawing=True)
        try:
            now = _after(now, turn.group.events)
            last = _last_words(heard)
            now = account.read(now, [one.reading for one in last if one.reading is not None])
        except RecorderError:
            break  # the record holds what no account can; its own doubts say so
        finding = judge(now)
        if _is_new(finding, found):
            refs = (turn.group.ref, *(one.seq for one in last))
            found.append(TileFinding(ref=turn.group.ref, refs=refs, finding=finding))
    return Watched(tuple(found))


def _opened(total: int) -> Account:
    """Both opening draws are done; nobody has read anything yet."""
    now = account.open_account(total, sources=SOURCES)
    for player in (0, 1):
        now = account.draw(account.play(now, player=player, tiles=0))
    return now


def _after(now: Account, events: Iterable[GameEvent]) -> Account:
    for event in events:
        match event:
            case Played(player=player, placement=placement):
                tiles = len(placement.new_tiles())
                now = account.draw(account.play(now, player=player, tiles=tiles))
            case Exchanged(player=player, count=count):
                now = account.exchange(now, player=player, tiles=count)
            case Withdrawn():
                # Courtesy tiles and refilled racks go back by hand: what is where is not known.
                now = account.disturb(now)
    return now


def _is_over(turn: TurnOfTiles, heard: Sequence[Sensed], now_ms: int) -> bool:
    """Whether the draw after the newest turn can be read."""
    drew = {event.player for event in turn.group.events if isinstance(event, Played | Exchanged)}
    racks = [one for one in heard if one.player in drew]
    lifted = [one.at_ms for one in heard if one.player is None and one.reading is None]
    weighed = [one.at_ms for one in heard if one.player is None and one.reading is not None]
    if lifted and (not weighed or weighed[-1] < lifted[-1]):
        return False
    if lifted and racks and racks[-1].at_ms >= lifted[0]:
        return True
    newest = max((one.at_ms for one in heard), default=None)
    return newest is not None and now_ms - newest >= SETTLED_MS


def _last_words(heard: Sequence[Sensed]) -> list[Sensed]:
    """The newest reading of every source and zone."""
    last = {(one.reading.source, one.reading.zone): one for one in heard if one.reading is not None}
    return list(last.values())


def _is_new(finding: Finding, found: Sequence[TileFinding]) -> bool:
    if finding.action is Action.QUIET:
        return False
    same = (finding.mishap, finding.contradicted if finding.mishap is None else ())
    return all(
        same != (one.finding.mishap, one.finding.contradicted if one.finding.mishap is None else ())
        or (finding.action is Action.ALERT and one.finding.action is Action.ASK)
        for one in found
    )
