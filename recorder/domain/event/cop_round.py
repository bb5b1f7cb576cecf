"""A round of a division by COP: standings and meetings as ranks, and the answer as players."""

from collections.abc import Sequence

from recorder.domain.errors import NotationError
from recorder.domain.event.cop import CopField, CopSettings, Simulator, cop
from recorder.domain.event.divisions import EventDivision
from recorder.domain.event.draws import DrawnPair, Matching, RoundDraw
from recorder.domain.event.meetings import Meetings
from recorder.domain.event.placing import Placing
from recorder.domain.event.prospects import Tally
from recorder.domain.event.wanted import WantedRound

_USUAL_PRIZES = 4


def rounds_of(division: EventDivision) -> int:
    """How many rounds the division plays; NotationError where nobody has said."""
    if division.last_round is None:
        raise NotationError(
            f"division {division.name}: set the number of rounds first, to know who"
            " cannot be caught, for example: about rounds 18"
        )
    return division.last_round


def tally_of(row: Placing) -> Tally:
    """What a player has, as who can catch whom is reckoned."""
    return Tally(int(2 * row.wins), row.spread)


def cop_draw(
    division: EventDivision,
    wanted: WantedRound,
    rows: Sequence[Placing],
    meetings: Meetings,
    matching: Matching,
    simulator: Simulator,
) -> RoundDraw:
    """The round by COP; NotationError where no allowed pairing seats everybody."""
    rows = sorted(rows, key=lambda row: (-row.wins, -row.spread))
    ranks = {row.number: rank for rank, row in enumerate(rows)}
    players = [division.player(row.number) for row in rows]
    before = wanted.round - 1
    field = CopField(
        rows=[tally_of(row) for row in rows],
        met={
            (rank, ranks[other]): len(rounds)
            for number, rank in ranks.items()
            for other, rounds in meetings.met_by(number).items()
            if other in ranks and rank < ranks[other]
        },
        byes=[meetings.byes(row.number) for row in rows],
        last=frozenset(
            (rank, ranks[other])
            for number, rank in ranks.items()
            if (other := division.player(number).in_round(before).opponent)
            if rank < ranks.get(other, 0)
        ),
        paired=before,
        results=min(before, division.scored_rounds),
        classes=[player.prize_class for player in players],
        pinned=[(ranks[a], ranks[b]) for a, b in wanted.locked],
    )
    settings = CopSettings(
        rounds=max(rounds_of(division), wanted.round),
        places=min(wanted.prizes or _USUAL_PRIZES, len(rows)),
        class_prizes=division.class_prizes,
    )
    found = cop(field, settings, simulator, matching)
    if found.missing:
        raise NotationError(
            f"division {division.name}: COP finds no round around the locked pairs; the leader, or"
            " who must meet them, is in one of those: unlock it, or pair by another method"
        )
    pairs = tuple(
        DrawnPair((rows[high].number, rows[low].number), why) for (high, low), why in found.pairs
    )
    return RoundDraw(pairs, None if found.bye is None else rows[found.bye].number)
