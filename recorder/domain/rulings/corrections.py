"""What an event of the record becomes when a director says what it really was."""

from collections.abc import Iterable
from dataclasses import replace

from recorder.domain.board import Square, name_across
from recorder.domain.game import (
    TURNS,
    ChallengeBonus,
    Conceded,
    EndRackPenalty,
    EndRackPoints,
    Exchanged,
    GameEvent,
    IllegallyPlayed,
    Laid,
    NoPlay,
    Passed,
    Penalty,
    Played,
    TimePenalty,
    Unseen,
)
from recorder.domain.notices import PlainValue, coded
from recorder.domain.orders import Correct, TurnKind
from recorder.domain.reading.notation import notation
from recorder.domain.tiles import Tiles


class OrderRefusedError(Exception):
    """An order cannot be applied; ``why`` is a code that names entry and square."""

    def __init__(self, code: str, **values: PlainValue) -> None:
        self.why = coded(code, **values)
        super().__init__(str(self.why))


def corrected(event: GameEvent, act: Correct, *, agreed: bool) -> tuple[GameEvent, bool]:
    """The event as corrected, and whether its points are agreed so that none are computed.

    ``agreed`` says that of the event before. OrderRefusedError when it cannot be that.
    """
    if act.player is not None:
        event = replace(event, player=act.player)
    if act.placement is not None:
        if not isinstance(event, TURNS):
            raise OrderRefusedError(
                "no_turn_for_play", entry=act.entry.number, event=notation(event)
            )
        event, agreed = Played(event.player, act.placement, 0, _rack(event)), False
    if act.kind is not None:
        if not isinstance(event, TURNS):
            raise OrderRefusedError("no_turn", entry=act.entry.number, event=notation(event))
        event, agreed = _without_play(event.player, act), False
    if act.laid:
        event, agreed = _laid_illegally(event, act), False
    if act.letters:
        event, agreed = _with_letters(event, act), False
    if act.lifted:
        event, agreed = _with_lifted(event, act), True
    if act.score is not None:
        event, agreed = _with_points(event, act.score, act), True
    return event, agreed


def _rack(event: GameEvent) -> Tiles:
    return event.rack if isinstance(event, Laid | Exchanged | Passed) else ()


def _without_play(player: int, act: Correct) -> GameEvent:
    match act.kind:
        case TurnKind.EXCHANGE:
            return Exchanged(player, act.count)
        case TurnKind.PASS:
            return Passed(player)
        case _:
            return NoPlay(player)


def _laid_illegally(event: GameEvent, act: Correct) -> IllegallyPlayed:
    """The turn as an illegal laying; which faults it has follows from the board before it."""
    if not isinstance(event, TURNS):
        raise OrderRefusedError("no_turn", entry=act.entry.number, event=notation(event))
    return IllegallyPlayed(event.player, act.laid, (), 0, _rack(event))


def _with_lifted(event: GameEvent, act: Correct) -> IllegallyPlayed:
    if not isinstance(event, IllegallyPlayed):
        raise OrderRefusedError("no_illegal_laying", entry=act.entry.number, event=notation(event))
    _check_laid(event, act.lifted, act)
    return replace(event, lifted=act.lifted, score=0)


def _check_laid(event: Laid, squares: Iterable[Square], act: Correct) -> None:
    if strange := [sq for sq in squares if sq not in event.laid]:
        names = " ".join(map(name_across, strange))
        raise OrderRefusedError(
            "no_tile_laid", entry=act.entry.number, squares=names, event=notation(event)
        )


def _with_letters(event: GameEvent, act: Correct) -> Laid:
    if not isinstance(event, Laid):
        raise OrderRefusedError("no_letters", entry=act.entry.number, event=notation(event))
    letters = dict(act.letters)
    _check_laid(event, letters, act)
    if isinstance(event, IllegallyPlayed | Unseen):
        return replace(event, tiles=tuple((sq, letters.get(sq, tile)) for sq, tile in event.tiles))
    placement = event.placement
    pairs = zip(placement.squares(), placement.word, strict=True)
    word = tuple(letters.get(sq, tile) for sq, tile in pairs)
    return replace(event, placement=replace(placement, word=word))


def _with_points(event: GameEvent, points: int, act: Correct) -> GameEvent:
    match event:
        case Played() | IllegallyPlayed():
            return replace(event, score=points)
        case ChallengeBonus() | EndRackPoints() | EndRackPenalty() | TimePenalty() | Penalty():
            return replace(event, points=points)
        case Conceded():
            return replace(event, margin=points)
        case _:
            raise OrderRefusedError("no_points", entry=act.entry.number, event=notation(event))
