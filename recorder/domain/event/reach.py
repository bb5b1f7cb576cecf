"""What the players of a division can still win, after the last round that is finished."""

from recorder.domain.event.cop_round import tally_of
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.placing import placings
from recorder.domain.event.prospects import gibson_spread, reachable
from recorder.domain.rules.core.parameters import Rules


def finished_rounds(division: EventDivision) -> int:
    """The last round of which, and of all before, every game has its result."""
    open_ = [game.round for game in division.games if not game.played]
    return min([division.scored_rounds, *(round_ - 1 for round_ in open_)])


def places_in_reach(division: EventDivision, rules: Rules) -> dict[int, tuple[int, int]]:
    """By player the best and the worst place still possible; nothing where nobody can say.

    That takes the number of rounds, and one that is still to come; while everybody can reach every
    place there is nothing to say. Players who have left reach nothing any more, and keep nobody
    from a place: in the end they are below everybody.
    """
    after, last = finished_rounds(division), division.last_round or 0
    left = last - after
    if left <= 0 or not after:
        return {}
    players = division.by_number
    rows = [row for row in placings(rules, division, after) if players[row.number].takes_part(last)]
    places = reachable([tally_of(row) for row in rows], left, gibson_spread(left))
    if set(places) == {(1, len(rows))}:
        return {}
    return {row.number: found for row, found in zip(rows, places, strict=True)}
