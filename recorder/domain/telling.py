"""What happened, in the words of a score keeper: for doubts, reasons and the director's page."""

from collections.abc import Iterable

from recorder.domain.game import (
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Withdrawn,
)


def describe(event: GameEvent) -> str:
    """An event as a score keeper would say it: ``8D FI.NS +24``."""
    match event:
        case Played(placement=placement, score=score):
            text = f"{placement} +{score}"
        case Exchanged(count=count):
            text = f"exchange of {count}"
        case Passed():
            text = "pass"
        case NoPlay():
            text = "exchange or pass: board unchanged"
        case Withdrawn(score=score):
            text = f"last play withdrawn -{score}"
        case ChallengeBonus(points=points):
            text = f"challenged play stands +{points}"
        case EndRackPoints() | EndRackPenalty() | TimePenalty() | Penalty() | Conceded():
            text = _at_the_end(event)
    return text


def _at_the_end(
    event: EndRackPoints | EndRackPenalty | TimePenalty | Penalty | Conceded,
) -> str:
    match event:
        case EndRackPoints(points=points, tiles=tiles):
            text = f"opponent's tiles {tiles} +{points}"
        case EndRackPenalty(points=points, tiles=tiles):
            text = f"own tiles {tiles} -{points}"
        case TimePenalty(points=points):
            text = f"overtime -{points}"
        case Penalty(points=points, reason=reason):
            text = f"penalty -{points} {reason}".rstrip()
        case Conceded(margin=margin, how=how):
            text = f"lost by {how}, margin {margin}"
    return text.replace("  ", " ")


def describe_all(events: Iterable[GameEvent]) -> str:
    """Several events in one line; empty when there is none."""
    return ", then ".join(map(describe, events))
