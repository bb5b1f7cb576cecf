"""Cases of group G on results: standings, byes, pairings, slips, ties, voided games."""

from collections.abc import Sequence
from fractions import Fraction

from recorder.domain.event.draws import Entrant, RoundDraw, australian, king_of_the_hill
from recorder.domain.event.meetings import Meetings
from recorder.domain.rules.ending.result_slip import SlipFacts, slip_change, submitted_by
from recorder.domain.rules.event.standings import Result, StandingsRow, ranked, standings
from recorder.matching import least_cost_pairs
from tests.rules.case_book import HK, NAS, PSA, W1, W4, case
from tests.rules.laid import played

PRINTED = (
    ("Chan Hok Hei", 3, 430),
    ("Wong Siu Ki", 2, 298),
    ("Wong Wai Ho", 2, 113),
    ("Cheung Siu Kwan", 2, 52),
    ("Lee Kwan Yee", 2, 120),
    ("Ho Ka Wai", 1, 15),
)
TABLE = tuple(
    StandingsRow(rank=place, player=name, wins=Fraction(wins), spread=spread)
    for place, (name, wins, spread) in enumerate(PRINTED, start=1)
)


def free(round_: int, player: str) -> Result:
    """A round without opponent, by the PSA's rules."""
    margin = PSA.get_whole("bye.spread")
    return Result(round=round_, first=player, second=None, margin=margin, bye=True)


def line(table: Sequence[StandingsRow], player: str) -> StandingsRow:
    return next(row for row in table if row.player == player)


FIELD = tuple(Entrant(place) for place in range(1, 7))
LEADERS_MET = Meetings({1: {2: (1,)}, 2: {1: (1,)}})


def by_place(draw: RoundDraw) -> list[tuple[int, int]]:
    """Pairs as places in an order, from 1."""
    return [pair.players for pair in draw.pairs]


@case("G27")
def _four_rounds_of_a_player() -> None:
    """Won by 70, tied, lost by 80, and a round without opponent."""
    results = (
        played(1, "A", "B", (450, 380)),
        played(2, "C", "A", (400, 400)),
        played(3, "A", "D", (310, 390)),
        free(4, "A"),
    )
    table = standings(PSA, "ABCD", results)
    assert (line(table, "A").wins, line(table, "A").spread) == (Fraction(5, 2), 40)
    assert sum(row.spread for row in table) == 50


@case("G28")
def _seven_players() -> None:
    """The bottom of the table has no opponent, and a win by 50."""
    results = [played(1, "A", "B", (400, 300)), played(1, "C", "D", (420, 350))]
    results += [played(1, "E", "F", (390, 380)), free(1, "G")]
    before = standings(PSA, "ABCDEFG", results)
    assert before[-1].player == "B"
    after = standings(PSA, "ABCDEFG", [*results, free(2, "B")])
    assert (line(after, "B").wins, line(after, "B").spread) == (1, -50)
    assert line(after, "B").spread - line(before, "B").spread == 50


@case("G29")
def _the_table_as_it_was_printed() -> None:
    """Neighbours meet; the two leaders have met before."""
    drawn = australian(FIELD, LEADERS_MET, least_cost_pairs)
    assert by_place(drawn) == [(1, 3), (2, 4), (5, 6)]
    assert dict(drawn.pairs[0].why.values)["met"] == "2"
    hill = king_of_the_hill(FIELD, LEADERS_MET)
    assert by_place(hill) == [(1, 2), (3, 4), (5, 6)]


@case("G30")
def _the_table_in_its_own_order() -> None:
    """One player stands below two whose spread is smaller: sorted first, paired then."""
    order = tuple(row.player for row in ranked(HK, TABLE))
    surnames = [name.rsplit(" ", 2)[0] for name in order]
    assert surnames == ["Chan", "Wong", "Lee", "Wong", "Cheung", "Ho"]
    assert (order[1], order[3]) == ("Wong Siu Ki", "Wong Wai Ho")


@case("G31")
def _a_counting_error_handed_in() -> None:
    """Agreed, handed in, and ten points short of the truth."""
    facts = SlipFacts(handed_in=True, written=(401, 388), agreed=(401, 388), computed=(401, 398))
    ruling = slip_change(NAS, facts)
    assert (ruling.changed, ruling.scores) == (False, (401, 388))


@case("G32")
def _scores_swapped_on_the_slip() -> None:
    """The right numbers under the wrong names."""
    facts = SlipFacts(handed_in=True, written=(388, 401), agreed=(401, 388), computed=(401, 388))
    ruling = slip_change(NAS, facts)
    assert (ruling.changed, ruling.scores) == (True, (401, 388))


@case("G33")
def _both_find_the_error_in_time() -> None:
    """Signed, still at the table, and both say that it is wrong; with one alone it stays."""
    for both in (True, False):
        facts = SlipFacts(
            handed_in=False,
            written=(401, 388),
            agreed=(401, 388),
            computed=(401, 398),
            both_agree=both,
        )
        ruling = slip_change(W1, facts)
        assert ruling.changed is both
        assert ruling.scores == ((401, 398) if both else (401, 388))


@case("G34")
def _level_at_the_end() -> None:
    """Nobody has won: what it counts, and who hands the slip in."""
    tied = (played(1, "A", "B", (400, 400)),)
    for rules in (PSA, NAS, W1, W4, HK):
        table = standings(rules, "AB", tied)
        assert {(row.wins, row.spread) for row in table} == {(Fraction(1, 2), 0)}
    assert submitted_by(NAS, (400, 400))[0] == 0
    assert submitted_by(NAS, (401, 400))[0] == 0
    assert submitted_by(PSA, (400, 400))[1]


@case("G35", skipped="the director voids games one by one, and the program has no part in it")
def _a_cheat_is_found() -> None:
    """After five rounds: the opponents lose what they won, or only ratings leave it out."""
