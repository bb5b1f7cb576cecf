"""What the bag's weight alone reports draws, where nothing ever speaks of a rack.

A weight says how many tiles left the bag, never who has them: a draw in two goes, and one before
their own press (TURN-3), are told from a wrong one by their numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import exp

from recorder.domain.game import Exchanged, Laid, Withdrawn
from recorder.domain.tile_account.course import is_calm
from recorder.domain.tile_account.sensor_reports import Sensed, sums
from recorder.domain.tile_account.sensor_spans import Dealt, Part, Span, Waiting
from recorder.domain.tile_account.unpressed import Unpressed, player_on_turn, unpressed_draws
from recorder.domain.tiles import RACK_SIZE
from recorder.domain.turns import Turn

LAID_MS = 3_000
"""Nobody lays a play so long after the bag that was drawn from for it has been weighed."""
_LIKELY = exp(-3.0)
"""A number of tiles this much less likely than the likeliest is not what was drawn."""
Chances = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Go:
    """The bag lifted and weighed again; ``out`` are the chances for how many tiles left it."""

    lift: Sensed
    weight: Sensed
    out: Chances


def drawn_by_weight(span: Span) -> int:
    """The tiles that likeliest left the bag in a span; 0 where nothing is known to compare with."""
    out = _total(_goes(span))
    return _likeliest(out) if out else 0


def most_by_weight(span: Span) -> int:
    """The most tiles that were likely out of the bag at once in a span, whatever went in again."""
    goes = _goes(span)
    return max(_likeliest(_total(goes[:count])) for count in range(len(goes) + 1))


def early_draws(
    group: Turn,
    later: Turn | None,
    span: Span,
    waiting: Sequence[Waiting],
    dealt: Dealt,
    *,
    bare_ms: tuple[int, int] | None = None,
) -> tuple[list[Unpressed], int | None]:
    """Draws before their own press after a turn, and the lift of the bag where they begin.

    ``later`` is the next turn, None while it goes on: by weight alone, tiles that nobody has to
    draw may then be for a play that is laid, and nothing is said of them until it is known. Nobody
    draws for a play of which no tile lies: from and until ``bare_ms`` the board had none.
    """
    if not _is_by_weight(group, span):
        early = unpressed_draws(group, span, len(waiting))
        return early, early[0].refs[1] if early else None
    due = _due(waiting, dealt)
    if not any(isinstance(event, Laid) for event in group.events):
        bare_ms = None  # an exchange of which nobody spoke takes tiles out as well
    if later is None:
        lift = _beyond_due(span, due, bare_ms)
        return [], None if lift is None else lift.seq
    early = _unpressed(group, later, span, due, dealt.bag - due)
    return early, early[0].refs[1] if early else None


def in_goes(
    parts: Sequence[Part], group: Turn, waiting: Sequence[Waiting], dealt: Dealt
) -> list[Part]:
    """The parts of a turn; by weight alone, the goes in which one player draws are one of them.

    Goes belong together as long as their tiles come to no more than what is due. One in which the
    bag came to hold more than before is no draw, and of no draw (RETURN-1).
    """
    found: list[Part] = []
    due = _due(waiting, dealt)
    for part in parts:
        before = found[-1] if found else None
        if _puts_back(group, part.span):
            found.append(replace(part, puts_back=True))
            continue
        if (
            before is not None
            and before.is_lifted
            and not before.puts_back
            and len(waiting) == 1
            and _is_by_weight(group, part.span)
            and drawn_by_weight(before.span) < due
        ):
            span = replace(part.span, from_ms=before.span.from_ms)
            if _share(_goes(span), due) >= _LIKELY or drawn_by_weight(span) < due:
                found[-1] = replace(before, span=span, is_last=part.is_last)
                continue
        found.append(part)
    return found


def _is_by_weight(group: Turn, span: Span) -> bool:
    """Whether the bag's weight alone reports its draws; not in an exchange, where tiles go back.

    Nor where a play came off the board.
    """
    moves = any(isinstance(event, Exchanged | Withdrawn) for event in group.events)
    counted = any(span.rack(player, span.until_ms) is not None for player in (0, 1))
    return span.readings.has_bag and not (counted or moves)


def _puts_back(group: Turn, span: Span) -> bool:
    """Whether tiles went into the bag, by its weight alone, in a turn in which none rightly do."""
    is_known = is_calm(group) and _is_by_weight(group, span)
    return is_known and drawn_by_weight(span) < 0


def _due(waiting: Sequence[Waiting], dealt: Dealt) -> int:
    """How many tiles those who wait have to draw, in order, from what should be in the bag."""
    bag = dealt.bag
    for who in waiting:
        bag -= min(RACK_SIZE - who.left, bag)
    return dealt.bag - bag


def _beyond_due(span: Span, due: int, bare_ms: tuple[int, int] | None) -> Sensed | None:
    """The first lift of the bag after all ``due`` tiles had left it; None where there is none.

    What goes into the bag then is for no play, nor what leaves it while none lies there.
    """
    goes = _goes(span)
    fits = [(_share(goes[:place], due), -place) for place in range(len(goes))]
    share, place = max(fits, default=(0.0, 0))
    draws = (go for go in goes[-place:] if _likeliest(go.out) >= 0)
    since_ms, until_ms = bare_ms or (0, 0)
    lifts = (
        go.lift for go in draws if go.lift.at_ms < since_ms or go.weight.at_ms + LAID_MS > until_ms
    )
    return next(lifts, None) if share >= _LIKELY else None


def _unpressed(group: Turn, later: Turn, span: Span, due: int, bag: int) -> list[Unpressed]:
    """Who was on turn drew for the play of the turn ``later``, and pressed then (TURN-3).

    So many tiles left the bag after the ``due`` as that play has to be made up for, from a ``bag``
    that should hold so many then.
    """
    player = player_on_turn(group)
    laid = [event for event in later.events if isinstance(event, Laid) and event.player == player]
    goes = _goes(span)
    if player is None or len(laid) != 1 or not goes:
        return []
    wanted = min(len(laid[0].laid), bag)
    fits = [
        (min(_share(goes[:place], due), _share(goes[place:], wanted)), place)
        for place in range(len(goes))
    ]
    share, place = max(fits)
    if share < _LIKELY:
        return []
    first, last = goes[place], goes[-1]
    refs = (first.lift.seq, first.lift.seq, last.weight.seq)
    return [Unpressed(ref=group.ref, refs=refs, player=player, at_ms=last.weight.at_ms)]


def _goes(span: Span) -> list[_Go]:
    """The times that the bag was lifted and weighed again, each with all that was taken in it."""
    found: list[_Go] = []
    lift: Sensed | None = None
    for report in span.heard:
        if report.is_lift:
            lift = lift or report
        elif report.is_weight and lift is not None:
            found.append(_Go(lift, report, report.taken))
            lift = None
        elif report.is_weight and found:
            go = found[-1]
            found[-1] = _Go(go.lift, report, sums(go.out, report.taken))
    return found


def _likeliest(out: Chances) -> int:
    return max(out, key=lambda tiles: out[tiles])


def _total(goes: Sequence[_Go]) -> Chances:
    return reduce(sums, (go.out for go in goes), {0: 1.0})


def _share(goes: Sequence[_Go], tiles: int) -> float:
    """How likely so many tiles left the bag in these goes, beside the likeliest number."""
    out = _total(goes)
    return out.get(tiles, 0.0) / max(out.values()) if out else 0.0
