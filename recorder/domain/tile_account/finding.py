"""What the tile account comes to: all well, a source to look after, a question, an alert.

One source alone asks, two that agree alert; a source that others contradict is named, not the
player. Counts that no story explains are reported as they are. Every finding has its odds and what
it rests on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import exp, log

from recorder.domain.notices import CodedText, Notice, PlainValue, coded
from recorder.domain.tile_account.account import Account
from recorder.domain.tile_account.readings import Counted, Counts, Zone
from recorder.domain.tile_account.stories import Mishap, MishapKind, TileStory

EVEN = log(2)
"""Odds of up to two to one are even: nobody is asked about what is less likely."""
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
    """What to do: nothing, look after a source, ask for a count, say that none adds up, alert."""

    QUIET = "quiet"
    DEVICE = "device"
    ASK = "ask"
    COUNT = "count"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFinding:
    """What is likeliest to be wrong, if anything.

    ``log_odds`` are those of ``mishap`` (of all being well, where there is none) against
    everything else, in nats. ``witnesses`` are the sources that speak for it, ``contradicted``
    those that the likeliest story says are wrong. ``counts`` are the tiles by zone in it.
    ``others`` are other explanations with their log odds, the likeliest first. ``said`` are the
    newest counts by zone, for COUNT; several of one zone where sources differ. ``is_least``: all
    that can be counted was counted, so there may be more tiles than the mishap's.
    """

    action: Action
    counts: Counts
    log_odds: float
    mishap: Mishap | None = None
    witnesses: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    evidence: tuple[CodedText, ...] = ()
    others: tuple[tuple[Mishap, float], ...] = ()
    said: Mapping[Zone, tuple[int, ...]] = field(default_factory=dict)
    is_least: bool = False

    @property
    def numbers(self) -> dict[str, PlainValue]:
        """The values of its notice: how sure it is, about how many tiles, or which sources."""
        if self.action is Action.DEVICE:
            return {"sources": " ".join(self.contradicted)}
        if self.action is Action.COUNT:
            return {zone.name.lower(): _either(counts) for zone, counts in self.said.items()}
        if self.mishap is None:
            return {}
        values: dict[str, PlainValue] = {"level": self.action.value, "tiles": self.mishap.count}
        if self.mishap.kind is MishapKind.LEFT_LYING:
            values["case"] = self.mishap.kind.value
        if self.is_least:
            values["case"] = "or_more"
        return values | self._how_sure()

    def _how_sure(self) -> dict[str, PlainValue]:
        """How sure it is in a word, and what is as likely; empty where nothing else explains it."""
        if self.log_odds >= -NEVER:
            return {}
        if self.log_odds >= ALERT:
            return {"sure": "sure"}
        if self.log_odds > EVEN:
            return {"sure": "likely"}
        if not self.others or self.others[0][1] < self.log_odds - EVEN:
            return {"sure": "even", "other": "sensor_error"}
        other = _NOTICES[self.others[0][0].kind]
        is_same = self.mishap is not None and _NOTICES[self.mishap.kind] is other
        return {"sure": "even", "other": "another_number" if is_same else other.value}


def _either(counts: Sequence[int]) -> PlainValue:
    return counts[0] if len(counts) == 1 else " or ".join(map(str, counts))


def notice_of(finding: AccountFinding) -> Notice | None:
    """What ``silence.route`` is to be asked about a finding; None when all is well (INT-2)."""
    match finding.action:
        case Action.QUIET:
            return None
        case Action.DEVICE:
            return Notice.DEVICE_CONTRADICTS
        case Action.COUNT:
            return Notice.COUNTS_DISAGREE
        case _:
            return _NOTICES[finding.mishap.kind] if finding.mishap else Notice.DOUBTFUL_READING


def findings(account: Account) -> tuple[AccountFinding, ...]:
    """What the stories of an account come to: the most likely, and what is wrong beside a sure one.

    What is sure is taken as given for the next; so two overdraws are two findings.
    """
    found = [judge(account)]
    stories = account.stories
    while found[-1].action is Action.ALERT and (sure := found[-1].mishap) is not None:
        stories = tuple(
            story._replace(mishaps=tuple(other for other in story.mishaps if other != sure))
            for story in stories
            if sure in story.mishaps
        )
        beside = judge(replace(account, stories=stories)) if stories else None
        if beside is None or beside.mishap is None:
            break
        found.append(beside)
    return tuple(found)


def is_gone(account: Account, mishap: Mishap) -> bool:
    """Whether it is sure by now that a mishap has been put right, or never was."""
    without = [story for story in account.stories if mishap not in story.mishaps]
    holding = [story for story in account.stories if mishap in story.mishaps]
    return _odds(without, holding) >= ALERT


def judge(account: Account) -> AccountFinding:
    """What the stories of an account come to at this moment.

    An alert needs two sources that speak for it and odds of twenty to one against all being
    well; a question needs one, and even odds. Where another source contradicts it, or two
    contradict all being well, the counts do not add up. With nothing of these, and a source that
    the likeliest story contradicts, that source is to be looked after.
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
        if found.action is Action.ALERT or (found.action is Action.ASK and not found.contradicted):
            return found
        if found.action is Action.ASK and _newly(account, found.contradicted):
            return replace(found, action=Action.COUNT, mishap=None, said=_said(account))
        if found.action is Action.ASK:
            return found
    if len(_newly(account, contradicted)) > 1:
        action = Action.COUNT
    else:
        action = Action.DEVICE if contradicted else Action.QUIET
    return AccountFinding(
        action=action,
        said=_said(account) if action is Action.COUNT else {},
        counts=best.counts,
        log_odds=_odds(well, wrong),
        contradicted=contradicted,
        evidence=_evidence(account, best.counts),
        others=_others(account, frozenset()),
    )


def _newly(account: Account, sources: Iterable[str]) -> tuple[str, ...]:
    """Those of some sources that were not known to be broken before the newest readings."""
    known = account.before[0].broken
    return tuple(source for source in sources if source not in known)


def _said(account: Account) -> dict[Zone, tuple[int, ...]]:
    """What was counted last of bag, racks and board; by the likeliest story where nobody counts."""
    counted: dict[Zone, set[int]] = {}
    for reading in {
        (report.source, report.zone): report for report in (*account.earlier, *account.readings)
    }.values():
        if reading.best is not None:
            counted.setdefault(reading.zone, set()).add(reading.best)
    counts = account.stories[0].counts
    zones = (Zone.BAG, Zone.RACK_1, Zone.RACK_2, Zone.BOARD)
    return {zone: tuple(sorted(counted.get(zone, {counts[zone]}))) for zone in zones}


def _off_track(account: Account) -> AccountFinding:
    """A play was reported that needs more tiles than anybody holds in any story."""
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
    if witnesses and against >= -EVEN:
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
        is_least=_is_least(account, mishap, witnesses),
        contradicted=_contradicted(account, holding[0]),
        evidence=(*note, *_evidence(account, should)),
        others=_others(account, alike),
    )


def _is_least(account: Account, mishap: Mishap, witnesses: Sequence[str]) -> bool:
    """Whether all that speaks for an overdraw are counts of a rack that can go no higher."""
    said = [reading for reading in account.readings if reading.source in witnesses]
    is_full = all(isinstance(reading, Counted) and reading.is_full for reading in said)
    return mishap.kind is MishapKind.OVERDRAW and bool(said) and is_full


def _alike(account: Account, mishap: Mishap) -> frozenset[Mishap]:
    """The mishap, and the same by the other player where no source shows whose tiles they were."""
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
    holding: dict[Mishap, float] = {}
    total = 0.0
    for story in account.stories:
        weight = exp(story.log_p)
        total += weight
        for other in dict.fromkeys(story.mishaps):
            holding[other] = holding.get(other, 0.0) + weight
    found = [
        (other, _log_odds(weight, max(0.0, total - weight)))
        for other, weight in holding.items()
        if other not in suspected
    ]
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
