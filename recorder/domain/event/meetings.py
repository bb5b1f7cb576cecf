"""What earlier rounds mean for the next one: who has met whom, who had a bye, who went first."""

from collections.abc import Mapping
from dataclasses import dataclass

from recorder.domain.event.divisions import BYE, EventDivision, PlayerRound
from recorder.domain.rules.start.starting import Begun


@dataclass(frozen=True, slots=True)
class Meetings:
    """Who has met whom before a round: for each player the others, with the rounds in order.

    BYE is somebody to have met, too.
    """

    by_player: Mapping[int, Mapping[int, tuple[int, ...]]]

    def of(self, player: int, other: int) -> tuple[int, ...]:
        """The rounds in which two have met; none for players who have not."""
        return self.met_by(player).get(other, ())

    def met_by(self, player: int) -> Mapping[int, tuple[int, ...]]:
        """Everybody whom a player has met."""
        return self.by_player.get(player, {})

    def byes(self, player: int) -> int:
        """How many byes a player has had."""
        return len(self.of(player, BYE))


def meetings_before(division: EventDivision, round_: int, *, zero_bye: bool = False) -> Meetings:
    """Pairs that were paired before a round, and byes; an absence is no bye.

    Two of whom one forfeited have not met, as in the feeds of TSH, where both played nobody. A
    pair that one of the two lines claims counts as met: it is not paired again by a mistake.
    ``zero_bye``: a bye counts 0, so that a margin of 0 is one where a feed does not say.
    """
    met: dict[int, dict[int, set[int]]] = {}
    for player in division.players:
        for number, seen in enumerate(player.rounds[: round_ - 1], start=1):
            if seen.opponent is None or (
                seen.opponent == BYE and not is_bye(seen, zero_bye=zero_bye)
            ):
                continue
            if seen.margin is not None and seen.score is None:
                continue
            for own, other in ((player.number, seen.opponent), (seen.opponent, player.number)):
                met.setdefault(own, {}).setdefault(other, set()).add(number)
    return Meetings(
        {
            player: {other: tuple(sorted(rounds)) for other, rounds in others.items()}
            for player, others in met.items()
        }
    )


def is_bye(seen: PlayerRound, *, zero_bye: bool = False) -> bool:
    """Whether a round without opponent was a bye: given as one, won, or not yet scored."""
    if seen.opponent != BYE or seen.bye is not None:
        return seen.bye is True
    return seen.score is None or seen.score > 0 or (zero_bye and seen.score == 0)


def starts_before(division: EventDivision, round_: int) -> dict[int, list[Begun]]:
    """How every player's earlier rounds began, as START-1 counts them."""
    return {
        player.number: [
            begun
            for seen in player.rounds[: round_ - 1]
            for begun in (_begun(seen),)
            if begun is not None
        ]
        for player in division.players
    }


def _begun(seen: PlayerRound) -> Begun | None:
    if seen.opponent == BYE:
        return Begun.BYE
    if seen.margin is not None and seen.score is None:
        return Begun.FORFEIT
    if seen.opponent is None or seen.start is None:
        return None
    return Begun.FIRST if seen.start == 1 else Begun.SECOND
