"""Starting and lateness beyond the worked cases: what is silent, and what always holds."""

from hypothesis import given
from hypothesis import strategies as st

from recorder.domain.rules.start.lateness import BothLate, Late, both_times, late_time
from recorder.domain.rules.start.starting import (
    UNREADABLE,
    Balance,
    Begun,
    balance,
    check_tiles,
    who_starts,
)
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, NAS, PSA, W1, W4

ENGLISH, GERMAN = load_tile_set("english"), load_tile_set("german")
INSTANT = st.integers(0, 3_600_000)


def test_forfeits_alternate_and_byes_are_nothing() -> None:
    """Where the rule set says so; elsewhere they count nothing."""
    games = [Begun.FIRST, Begun.FORFEIT, Begun.FORFEIT, Begun.FORFEIT, Begun.BYE, Begun.SECOND]
    assert balance(NAS, games) == Balance(3, 2)
    assert balance(W1, games) == Balance(1, 1)


def test_equal_starts_of_unequal_records_draw_tiles() -> None:
    starter = who_starts(W1, (Balance(2, 2), Balance(2, 3)))
    assert starter == (None, "tile_draw")


def test_a_foreign_tile_that_cancels_in_the_count_is_found() -> None:
    """A hundred tiles, one K too few and one S too many."""
    tiles = "".join(str(face) * count for face, count in ENGLISH.counts.items()).replace("K", "S")
    check = check_tiles(read_tiles(tiles), ENGLISH)
    assert (check.total, check.missing, check.surplus) == (
        100,
        ((read_tile("K"), 1),),
        ((read_tile("S"), 1),),
    )
    assert not check.is_whole


def test_tiles_that_lie_face_down_are_only_counted() -> None:
    """Nothing is called missing on the strength of faces that nobody saw."""
    check = check_tiles((UNREADABLE,) * 100, ENGLISH)
    assert (check.total, check.missing, check.is_whole) == (100, (), True)
    assert not check_tiles((UNREADABLE,) * 99, ENGLISH).is_whole


@given(arrived=INSTANT, started=INSTANT, rules=st.sampled_from(ALL))
def test_assigned_time_is_never_more_than_the_limit_nor_less_than_nothing(
    arrived: int, started: int, rules: RuleSet
) -> None:
    """And nobody declines a full clock."""
    facts = Late(scheduled_ms=0, clock_started_ms=started, arrived_ms=arrived)
    found = late_time(rules, facts)
    assert 0 <= found.assigned_ms <= 1_500_000
    assert not (found.may_decline and found.assigned_ms == 1_500_000)
    assert not (found.may_decline and found.forfeited)


@given(
    start=INSTANT,
    waits=st.tuples(st.integers(0, 700_000), st.integers(0, 700_000)),
    rules=st.sampled_from((W1, PSA, W4, NAS)),
)
def test_two_late_players_pay_for_their_own_time_only(
    start: int, waits: tuple[int, int], rules: RuleSet
) -> None:
    """Assigned less deferred is the limit less the time to their own arrival, by either method."""
    first, second = start + waits[0], start + sum(waits)
    facts = BothLate(scheduled_ms=start, clock_started_ms=start, first_ms=first, second_ms=second)
    times = both_times(rules, facts)
    for arrived, assigned, deferred in zip(
        (first, second), times.assigned_ms, times.deferred_ms, strict=True
    ):
        assert assigned - deferred == 1_500_000 - (arrived - start)


@given(st.lists(st.sampled_from(list(Begun))))
def test_every_game_counts_at_most_once(games: list[Begun]) -> None:
    """Starts and seconds together are no more than the games."""
    for rules in ALL:
        counted = balance(rules, games)
        assert counted.firsts + counted.seconds <= len(games)
