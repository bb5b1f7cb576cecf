"""Courses of events that a tile account supposes, and how likely they are before any evidence.

Values and their arithmetic; which story follows from which act is in ``account``. A story is a
tuple: thousands are made of each draw, and a dataclass takes several times as long to copy.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import exp, log
from operator import itemgetter
from typing import NamedTuple

from recorder.domain.tile_account.readings import Counts, Zone

MOST_STORIES = 120
WORTH_KEEPING = 16.0
"""Nats behind the likeliest story at which one is dropped."""


class MishapKind(StrEnum):
    """What can go wrong with tiles."""

    OVERDRAW = "overdraw"
    UNDERDRAW = "underdraw"
    OUT_OF_ORDER = "out_of_order"
    LOOSE = "loose"
    SPILLED = "spilled"
    LEFT_LYING = "left_lying"
    RETURNED = "returned"
    FOREIGN = "foreign"
    MISSING = "missing"


CHANCE = {
    MishapKind.OVERDRAW: 1 / 300,
    MishapKind.UNDERDRAW: 1 / 300,
    MishapKind.OUT_OF_ORDER: 1 / 500,
    MishapKind.LOOSE: 1 / 400,
    MishapKind.SPILLED: 1 / 1500,
    MishapKind.LEFT_LYING: 1 / 500,
    MishapKind.RETURNED: 1 / 1500,
    MishapKind.FOREIGN: 1 / 3000,
    MishapKind.MISSING: 1 / 150,
}
"""Chance of each where it can happen: once a draw, an exchange, a disturbance or a game.

No source counts these; they are our judgement, and only set how much evidence it takes.
"""
SPILLED_APART = CHANCE[MishapKind.SPILLED] / 12
"""Chance that just so many tiles fall out, all that was due and some more, for each that was due:
a hand that goes in for one tile seldom tips a bag. Up to seven too many are alike.
"""
UNDUE = 1 / 5000
"""Chance that somebody with no draw to make takes just so many tiles where the bag is lifted."""
GATHERED = 1 / 4
"""Chance that tiles which lie outside, or were drawn too many, are put into the bag where it is
lifted and none is due.
"""
DRAWN_ON = 1 / 4
"""Chance that a player who drew too few draws again, where the bag is lifted and none is due."""
SELDOM = 0.15
"""Share of draws that a player of whom nothing is known lays on the table first."""
_FALLS = dict.fromkeys(MishapKind, 2.0) | {
    MishapKind.SPILLED: 1.0,
    MishapKind.OUT_OF_ORDER: 0.0,
    MishapKind.LEFT_LYING: 0.0,
}
"""The power of its number of tiles by which a mishap is rarer than with one tile.

A player who miscounts is off by one, a bag that tips gives any number. The number drawn out of
order or laid aside for an exchange is as many as were due.
"""
_BREAKS = 1 / 3000
"""Chance that a source breaks, once a draw."""
_LOG_CHANCE = {kind: log(chance) for kind, chance in CHANCE.items()}
_LOG_BREAKS = log(_BREAKS)
_LOG_P = itemgetter(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishap:
    """One thing gone wrong: with how many tiles, by whom (0, 1, None for nobody), in which act."""

    kind: MishapKind
    count: int = 1
    player: int | None = None
    act: int = 0


@lru_cache(maxsize=4096)
def mishap_of(kind: MishapKind, count: int, player: int | None, act: int) -> Mishap:
    """The mishap; the same one for all stories, for they are told apart by what went wrong."""
    return Mishap(kind=kind, count=count, player=player, act=act)


class TileStory(NamedTuple):
    """One course of events. ``log_p`` is its log probability up to a common constant.

    ``pending`` are the players who have to draw, in order; ``weighed`` the tiles in the bag when
    it was weighed last, ``weighed_before`` those of the time before; ``broken`` the sources that
    do not work; ``heard`` the log chance of all that each source said, in the order of the
    account's sources.
    """

    log_p: float
    counts: Counts
    heard: tuple[float, ...]
    mishaps: tuple[Mishap, ...] = ()
    broken: frozenset[str] = frozenset()
    pending: tuple[int, ...] = ()
    weighed: int | None = None
    weighed_before: int | None = None


def likely(stories: Iterable[TileStory]) -> tuple[TileStory, ...]:
    """The likely ones of some stories, the likeliest first.

    Stories that differ in nothing but their past are made one. The likeliest in which nothing
    went wrong always stays: all others are measured by it.
    """
    same: dict[object, TileStory] = {}
    for story in stories:
        present = (story.counts, story.mishaps, story.broken, story.pending, story.weighed)
        there = same.get(present)
        same[present] = story if there is None else _either(story, there)
    ranked = sorted(same.values(), key=_LOG_P, reverse=True)
    if not ranked:
        return ()
    top = ranked[0].log_p
    kept = [story for story in ranked[:MOST_STORIES] if top - story.log_p <= WORTH_KEEPING]
    well = next((story for story in ranked if not story.mishaps), None)
    if well is not None and not any(not story.mishaps for story in kept):
        kept.append(well)
    return tuple([TileStory(story.log_p - top, *story[1:]) for story in kept])


def _either(story: TileStory, other: TileStory) -> TileStory:
    """Two stories that differ in nothing but their past, as one."""
    likelier, less = (story, other) if story.log_p > other.log_p else (other, story)
    log_p = likelier.log_p + log(1 + exp(less.log_p - likelier.log_p))
    return TileStory(log_p, *likelier[1:])


def breakages(story: TileStory, sources: Iterable[str]) -> Iterator[TileStory]:
    """The same course of events with one more source broken."""
    for source in sources:
        if source not in story.broken:
            broken = story.broken | {source}
            log_p, counts, heard, mishaps, _, pending, weighed, before = story
            log_p += _LOG_BREAKS
            yield TileStory(log_p, counts, heard, mishaps, broken, pending, weighed, before)


@lru_cache(maxsize=1024)
def chance_of(kind: MishapKind, count: int) -> float:
    """The log chance that a mishap happens with just so many tiles."""
    return _LOG_CHANCE[kind] - _FALLS[kind] * log(count)


def numbers_of(story: TileStory, kind: MishapKind, most: int) -> Iterator[tuple[int, float]]:
    """With how many tiles a mishap may happen, up to ``most``, and the log chance of each.

    Only those with which the story stays worth keeping.
    """
    for count in range(1, most + 1):
        chance = chance_of(kind, count)
        if story.log_p + chance < -WORTH_KEEPING:
            return
        yield count, chance


def supposed(
    story: TileStory, mishap: Mishap, counts: Counts, log_chance: float | None = None
) -> TileStory:
    """The story with one more mishap, as much less likely, after which the tiles are there.

    ``log_chance`` is that of this very mishap, where its kind and count do not say it.
    """
    if log_chance is None:
        log_chance = chance_of(mishap.kind, mishap.count)
    log_p, _, heard, mishaps, broken, pending, weighed, before = story
    log_p, mishaps = log_p + log_chance, (*mishaps, mishap)
    return TileStory(log_p, counts, heard, mishaps, broken, pending, weighed, before)


def gathered(story: TileStory) -> Iterator[TileStory]:
    """What is known to be wrong is put into the bag, and is wrong no more.

    Tiles that had fallen out of bag or hand (LOOSE-1), or those that a player had too many.
    """
    places = {MishapKind.LOOSE: Zone.LOST, MishapKind.SPILLED: Zone.TABLE}
    for mishap in story.mishaps:
        zone = places.get(mishap.kind)
        if mishap.kind is MishapKind.OVERDRAW and mishap.player is not None:
            zone = Zone.rack(mishap.player)
        if zone is not None and story.counts[zone] >= mishap.count:
            yield story._replace(
                log_p=story.log_p + log(GATHERED),
                counts=moved(story.counts, (zone, -mishap.count), (Zone.BAG, mishap.count)),
                mishaps=tuple(other for other in story.mishaps if other is not mishap),
            )


def moved(counts: Counts, *changes: tuple[Zone, int]) -> Counts:
    """The counts with so many tiles more (or less) in some zones."""
    new = list(counts)
    for zone, change in changes:
        new[zone] += change
    board, first, second, bag, table, lost, foreign = new
    return board, first, second, bag, table, lost, foreign
