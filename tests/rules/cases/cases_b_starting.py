"""Cases B: who starts, the first clock, the tiles before the game, and lateness."""

from recorder.domain.game import Passed
from recorder.domain.rules.ending.overtime import over_s, overtime_points
from recorder.domain.rules.ending.six_zeros import Zero, zero_run
from recorder.domain.rules.start.lateness import (
    BothLate,
    Late,
    LateTime,
    both_times,
    early_ms,
    forfeit,
    late_time,
)
from recorder.domain.rules.start.starting import (
    Balance,
    check_tiles,
    incomplete_after_start,
    incomplete_before_start,
    starters_pass,
    who_starts,
)
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tiles
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, W4, case
from tests.rules.said import said

ENGLISH = load_tile_set("english")


def clock(text: str) -> int:
    """An instant of the day, ``10:05:00``, in ms."""
    hours, minutes, seconds = (int(part) for part in text.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def minutes(text: str) -> int:
    """A time on a clock, ``17:30``, in ms."""
    return clock(f"0:{text}")


def late(rules: RuleSet, started: str, arrived: str) -> LateTime:
    """A player's time in a round of 10 o'clock."""
    facts = Late(
        scheduled_ms=clock("10:00:00"),
        clock_started_ms=clock(started),
        arrived_ms=clock(arrived),
    )
    return late_time(rules, facts)


def laid_out(without: str = "") -> Tiles:
    """The set without the tiles named."""
    tiles = "".join(str(face) * count for face, count in ENGLISH.counts.items())
    for face in without:
        tiles = tiles.replace(face, "", 1)
    return read_tiles(tiles)


@case("B1")
def _both_late_with_two_sides() -> None:
    """Each pays for the time until their own arrival."""
    for rules in (W1, PSA, W4):
        facts = BothLate(
            scheduled_ms=clock("10:00:00"),
            clock_started_ms=clock("10:02:00"),
            first_ms=clock("10:06:00"),
            second_ms=clock("10:09:00"),
        )
        times = both_times(rules, facts)
        assert times.assigned_ms == (minutes("21:00"), minutes("18:00"))
        assert times.deferred_ms == (0, 0)
        assert not times.open_questions


@case("B2")
def _late_but_not_very() -> None:
    """Seven and a half minutes gone: the game is played."""
    found = late(W1, "10:02:00", "10:09:30")
    assert (found.assigned_ms, found.may_decline) == (minutes("17:30"), False)
    assert found.forfeited is False


@case("B3")
def _very_late() -> None:
    """A second below the threshold: declining costs the margin unrated, a played game is rated."""
    found = late(W1, "10:02:00", "10:12:01")
    assert (found.assigned_ms, found.may_decline) == (minutes("14:59"), True)
    declined = forfeit(W1)
    assert declined.margin == 150


@case("B4")
def _very_late_in_later_versions() -> None:
    """The margin is smaller; in one of them the director can raise it."""
    for rules, raisable in ((HK, False), (W4, True)):
        assert late(rules, "10:02:00", "10:12:01").may_decline
        declined = forfeit(rules)
        assert declined.margin == 100
        assert any("raise the margin" in said(step.act) for step in declined.steps) is raisable


@case("B5")
def _late_to_the_second() -> None:
    """With exactly the threshold left there is no choice."""
    found = late(W1, "10:02:00", "10:12:00")
    assert (found.assigned_ms, found.may_decline) == (minutes("15:00"), False)


@case("B6")
def _never_came() -> None:
    """Their own time has run out, and with it the game."""
    for rules, margin in ((W1, 150), (PSA, 150), (W4, 100), (HK, 100)):
        facts = Late(
            scheduled_ms=clock("10:00:00"),
            clock_started_ms=clock("10:02:00"),
            now_ms=clock("10:27:00"),
        )
        found = late_time(rules, facts)
        assert (found.forfeited, found.assigned_ms) == (True, 0)
        assert not found.may_decline
        assert forfeit(rules).margin == margin


@case("B7")
def _late_after_a_grace() -> None:
    """The clock ran from five past; any time lost lets the player choose."""
    found = late(NAS, "10:05:00", "10:12:00")
    assert (found.assigned_ms, found.may_decline) == (minutes("18:00"), True)
    assert found.forfeited is False
    assert early_ms(NAS, clock("10:00:00"), clock("10:05:00")) == 0
    assert forfeit(NAS).margin == 50


def _both_late_on_one_clock() -> BothLate:
    return BothLate(
        scheduled_ms=clock("10:00:00"),
        clock_started_ms=clock("10:05:00"),
        first_ms=clock("10:08:20"),
        second_ms=clock("10:11:00"),
    )


@case("B8")
def _both_late_with_one_clock() -> None:
    """The second plays with what is shown, the first pays at the end."""
    times = both_times(NAS, _both_late_on_one_clock())
    assert times.assigned_ms == (minutes("25:00"), minutes("19:00"))
    assert times.deferred_ms == (minutes("3:20"), 0)


@case("B9")
def _the_deferred_time_is_due() -> None:
    deferred, _ = both_times(NAS, _both_late_on_one_clock()).deferred_ms
    over = over_s(minutes("2:10"), deferred_ms=deferred)
    assert over == 70
    assert overtime_points(NAS, over) == 20


@case("B10")
def _too_late_by_one_count_only() -> None:
    """More than the limit from the start of games, less by the clock."""
    found = late(NAS, "10:05:00", "10:27:00")
    assert found.assigned_ms == minutes("3:00")
    assert found.forfeited is None
    assert found.open_questions


@case("B11")
def _equal_firsts() -> None:
    """Who has gone second more often begins."""
    starter = who_starts(NAS, (Balance(2, 2), Balance(2, 3)))
    assert starter == (1, "most_seconds")


@case("B12")
def _tiles_drawn_for_the_start() -> None:
    """The players draw, and see themselves that the blank beats every letter."""
    even = Balance(firsts=2, seconds=2)
    starter = who_starts(W1, (even, even))
    assert starter == (None, "tile_draw")


@case("B13")
def _the_starter_starts_the_wrong_clock() -> None:
    """Before any tile is drawn that is a turn given up, and the start is used up."""
    (passed,) = starters_pass(NAS, 0, clock_started_ms=0, first_tile_out_ms=None)
    assert passed == Passed(0)
    assert zero_run([passed]) == (Zero.PASS,)
    assert starters_pass(NAS, 0, clock_started_ms=9, first_tile_out_ms=5) == ()
    assert starters_pass(W1, 0, clock_started_ms=0, first_tile_out_ms=None) == ()


@case("B14", skipped="no sensor sees the first tile before the clock in time to say so")
def _the_clock_runs_too_early() -> None:
    """The director hears of a clock that ran before a tile was out, and only then."""


@case("B15")
def _a_tile_is_missing() -> None:
    """It is named, and the next game does not begin by itself."""
    check = check_tiles(laid_out(without="K"), ENGLISH)
    assert (check.total, check.missing, check.is_whole) == (99, ((read_tile("K"), 1),), False)
    assert check_tiles(laid_out(), ENGLISH).is_whole
    for rules in ALL:
        open_case = incomplete_before_start(rules, "K", "", lack=1)
        assert [step.code for step in open_case.steps] == ["find_missing"]
        assert open_case.for_director is (rules is not NAS)


@case("B16")
def _a_tile_is_missing_too_late() -> None:
    """After the start nothing is put right."""
    assert [step.code for step in incomplete_after_start(W1).steps] == ["play_on"]
