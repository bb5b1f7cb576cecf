"""What the tile account comes to: all well, a source to look after, a question, an alert.

One source alone asks, two that agree alert; a source that others contradict is named, not the
player. Sure is nothing: every finding has its odds and what it rests on.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp, log

from recorder.domain.notices import CodedText, Notice, PlainValue, coded
from recorder.domain.tile_account.account import Account
from recorder.domain.tile_account.readings import Counts
from recorder.domain.tile_account.stories import Mishap, MishapKind, TileStory

ASK = -2.0
"""Nats by which something wrong may be behind all being well, and is asked about."""
ALERT = 3.0
"""Nats by which it must be ahead for an alert (twenty to one)."""
SUPPORTS = 1.5
"""Nats by which what a source said must be likelier for it to count as a witness."""
NEVER = -50.0
"""Log odds that stand for stories that were dropped."""


_TOO_MANY_PLAYED = coded("more_played_than_held")
_NOTICES = {
    MishapKind.OVERDRAW: Notice.OVERDRAW,
    MishapKind.UNDERDRAW: Notice.UNDERDRAW,
    MishapKind.OUT_OF_ORDER: Notice.OUT_OF_ORDER,
    MishapKind.LOOSE: Notice.LOOSE_TILE,
    MishapKind.SPILLED: Notice.SPILL,
    MishapKind.LEFT_LYING: Notice.LOOSE_TILE,
    MishapKind.RETURNED: Notice.IMPROPER_RETURN,
    MishapKind.FOREIGN: Notice.FOREIGN_TILE,
    MishapKind.MISSING: Notice.SET_INCOMPLETE,
}


class Action(StrEnum):
    """What to do: nothing, look after a source, ask for a count, alert."""

    QUIET = "quiet"
    DEVICE = "device"
    ASK = "ask"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFinding:
    """What is likeliest to be wrong, if anything.

    ``log_odds`` are those of ``mishap`` (of all being well, where there is none) against
    everything else, in nats. ``witnesses`` are the sources that speak for it, ``contradicted``
    those that the likeliest story says are wrong. ``counts`` are the tiles by zone in it.
    ``others`` are other explanations with their log odds, the likeliest first.
    """

    action: Action
    counts: Counts
    log_odds: float
    mishap: Mishap | None = None
    witnesses: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    evidence: tuple[CodedText, ...] = ()
    others: tuple[tuple[Mishap, float], ...] = ()

    @property
    def numbers(self) -> dict[str, PlainValue]:
        """The values of its notice: how sure it is, about how many tiles, or which sources."""
        if self.action is Action.DEVICE:
            return {"sources": " ".join(self.contradicted)}
        if self.mishap is None:
            return {}
        values: dict[str, PlainValue] = {"level": self.action.value, "tiles": self.mishap.count}
        if self.mishap.kind is MishapKind.LEFT_LYING:
            values["case"] = self.mishap.kind.value
        return values | _odds_of(self.log_odds)


def notice_of(finding: AccountFinding) -> Notice | None:
    """What ``silence.route`` is to be asked about a finding; None when all is well (INT-2)."""
    match finding.action:
        case Action.QUIET:
            return None
        case Action.DEVICE:
            return Notice.DEVICE_CONTRADICTS
        case _:
            return _NOTICES[finding.mishap.kind] if finding.mishap else Notice.DOUBTFUL_READING


def judge(account: Account) -> AccountFinding:
    """What the stories of an account come to at this moment.

    An alert needs two sources that speak for it and odds of twenty to one against all being
    well; a question needs one. With neither, and a source that the likeliest story contradicts,
    that source is to be looked after.
    """
    best = account.stories[0]
    if account.off_track:
        return _off_track(account)
    well = [story for story in account.stories if not story.mishaps]
    wrong = [story for story in account.stories if story.mishaps]
    likeliest = _likeliest(wrong)
    contradicted = _contradicted(account, best)
    if likeliest is not None:
        found = _suspicion(account, likeliest, well)
        if found.action in (Action.ASK, Action.ALERT):
            return found
    return AccountFinding(
        action=Action.DEVICE if contradicted else Action.QUIET,
        counts=best.counts,
        log_odds=_odds(well, wrong),
        contradicted=contradicted,
        evidence=_evidence(account, best.counts),
        others=_others(account, frozenset()),
    )


def _off_track(account: Account) -> AccountFinding:
    """A play was told that needs more tiles than anybody holds in any story."""
    best = account.stories[0]
    return AccountFinding(
        action=Action.ASK,
        counts=best.counts,
        log_odds=NEVER,
        evidence=(_TOO_MANY_PLAYED, *_evidence(account, best.counts)),
    )


def _suspicion(account: Account, mishap: Mishap, well: list[TileStory]) -> AccountFinding:
    alike = _alike(account, mishap)
    holding = [story for story in account.stories if not alike.isdisjoint(story.mishaps)]
    others = [story for story in account.stories if alike.isdisjoint(story.mishaps)]
    against = _odds([story for story in account.stories if story.mishaps], well)
    witnesses = _witnesses(account, holding[0], well)
    action = Action.QUIET if well else Action.ASK
    if witnesses and against >= ASK:
        action = Action.ALERT if len(witnesses) > 1 and against >= ALERT else Action.ASK
    # What is shown beside the readings is what they should be if all were well.
    should = well[0].counts if well else holding[0].counts
    note = () if well else (_TOO_MANY_PLAYED,)
    return AccountFinding(
        action=action,
        mishap=mishap if len(alike) == 1 else replace(mishap, player=None),
        counts=holding[0].counts,
        log_odds=_odds(holding, others),
        witnesses=witnesses,
        contradicted=_contradicted(account, holding[0]),
        evidence=(*note, *_evidence(account, should)),
        others=_others(account, alike),
    )


def _alike(account: Account, mishap: Mishap) -> frozenset[Mishap]:
    """The mishap, and the same by the other player where no source tells whose tiles they were."""
    if mishap.kind is not MishapKind.RETURNED or mishap.player is None:
        return frozenset((mishap,))
    other = replace(mishap, player=1 - mishap.player)
    weights = (
        sum(exp(story.log_p) for story in account.stories if suspect in story.mishaps)
        for suspect in (other, mishap)
    )
    is_told = _log_odds(*weights) <= -SUPPORTS
    return frozenset((mishap,) if is_told else (mishap, other))


def _likeliest(wrong: Iterable[TileStory]) -> Mishap | None:
    """The mishap that most of the probability speaks for."""
    by_mishap: dict[Mishap, float] = {}
    for story in wrong:
        for mishap in story.mishaps:
            by_mishap[mishap] = by_mishap.get(mishap, 0.0) + exp(story.log_p)
    return max(by_mishap, key=lambda mishap: by_mishap[mishap]) if by_mishap else None


def _witnesses(account: Account, story: TileStory, well: list[TileStory]) -> tuple[str, ...]:
    """The sources whose words fit the story better than the likeliest one without mishap.

    None where no story without mishap is left: then the record of plays speaks for it.
    """
    if not well:
        return ()
    pairs = zip(account.sources, story.heard, well[0].heard, strict=True)
    return tuple(source for source, here, there in pairs if here - there >= SUPPORTS)


def _contradicted(account: Account, story: TileStory) -> tuple[str, ...]:
    """The sources that are broken in a story, or said in this moment what it does not have."""
    wrong = [source for source in account.sources if source in story.broken]
    wrong += [
        reading.source
        for reading in account.readings
        if reading.contradicts(story.counts, story.weighed_before)
    ]
    return tuple(dict.fromkeys(wrong))


def _evidence(account: Account, counts: Counts) -> tuple[CodedText, ...]:
    return tuple(reading.said(counts) for reading in account.readings)


def _others(account: Account, suspected: frozenset[Mishap]) -> tuple[tuple[Mishap, float], ...]:
    weighed = [(exp(story.log_p), story.mishaps) for story in account.stories]
    names = dict.fromkeys(other for _, mishaps in weighed for other in mishaps)
    found = []
    for other in names:
        if other not in suspected:
            holding = sum([weight for weight, mishaps in weighed if other in mishaps])
            rest = sum([weight for weight, mishaps in weighed if other not in mishaps])
            found.append((other, _log_odds(holding, rest)))
    return tuple(sorted(found, key=lambda pair: -pair[1])[:3])


def _odds(these: Iterable[TileStory], those: Iterable[TileStory]) -> float:
    """The log odds of some stories against others, in nats."""
    return _log_odds(
        sum(exp(story.log_p) for story in these), sum(exp(story.log_p) for story in those)
    )


def _log_odds(here: float, there: float) -> float:
    """The same of their weights."""
    if not here:
        return NEVER
    return log(here / there) if there else -NEVER


def _odds_of(log_odds: float) -> dict[str, PlainValue]:
    """The odds in whole numbers, one of them 1; empty where no other explanation is left."""
    if log_odds >= -NEVER:
        return {}
    odds = round(exp(abs(log_odds)))
    return {"odds": odds, "odds_to": 1} if log_odds >= 0 else {"odds": 1, "odds_to": odds}
