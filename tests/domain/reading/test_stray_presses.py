"""What is taken for a press by accident, and what for a pass of few words (TURN-5)."""

import pytest

from recorder.domain.game import GameEvent, NoPlay, Passed, Played
from recorder.domain.plays import parse_placement
from recorder.domain.rules.core.parameters import Rules
from recorder.domain.sensed_turns.stray_presses import as_meant, stray_notices
from recorder.domain.tile_account.readings import Counted, Zone
from recorder.domain.tile_account.sensor_reports import Sensed
from recorder.domain.turns import Press, Turn
from recorder.rulesets import load_rule_set

PRESSES = (Press(10, 20_000, 0), Press(20, 23_000, 1), Press(30, 60_000, 0))


def turn(ref: int, event: GameEvent, **facts: int) -> Turn:
    return Turn(ref=ref, refs=(ref,), events=(event,), log_odds=9.0, facts=facts)


def counted(at_ms: int, tiles: int) -> Sensed:
    reading = Counted(source="rack_counter_1", zone=Zone.RACK_1, count=tiles)
    return Sensed(seq=at_ms, at_ms=at_ms, reading=reading, player=0)


HALF, REST = (Played(0, parse_placement(text), 0) for text in ("8F CAT", "8F ...ERS"))
TURNS = (turn(10, HALF), turn(20, NoPlay(1)), turn(30, REST))
KEPT = (counted(19_000, 4),)


@pytest.mark.parametrize(
    ("turns", "sensed", "total"),
    [
        (TURNS, (*KEPT, counted(30_000, 7)), 100),
        (TURNS, KEPT, 14),
        ((TURNS[0], turn(20, Passed(1)), TURNS[2]), KEPT, 100),
        ((turn(10, HALF, announced=10), *TURNS[1:]), KEPT, 100),
        (TURNS, (Sensed(seq=22, at_ms=22_000, reading=None),), 100),
        ((*TURNS[:2], turn(30, Played(0, parse_placement("H7 OX"), 9))), KEPT, 100),
    ],
    ids=["drawn", "bag empty", "pass announced", "score said", "bag lifted", "another play"],
)
def test_a_quick_pass_stays_a_turn(
    turns: tuple[Turn, ...], sensed: tuple[Sensed, ...], total: int
) -> None:
    """Who has drawn had done; what is no part of the same play is the next one."""
    assert as_meant(turns, PRESSES, sensed, total) == turns


def test_where_nothing_counts_tiles_half_a_play_stands_until_the_rest_is_laid() -> None:
    """The director is asked; no turn is taken away from the record for it."""
    assert as_meant(TURNS[:2], PRESSES[:2], (), 100) == TURNS[:2]
    (told,) = stray_notices(TURNS[:2], PRESSES[:2], (), 100, rules())
    assert (told.code, told.player) == ("accidental_press", 0)
    (whole,) = as_meant(TURNS, PRESSES, (), 100)
    (play,) = whole.events
    assert isinstance(play, Played)
    assert str(play.placement) == "8F CATERS"


@pytest.mark.parametrize("back_ms", [26_000, 45_000])
def test_a_pass_without_a_word_hides_no_play(back_ms: int) -> None:
    """Six seconds later it may be one: the play stands, and is asked about, until it is drawn for.

    What was half a play after all becomes one with its rest.
    """
    presses = (PRESSES[0], Press(20, back_ms, 1), PRESSES[2])
    assert as_meant(TURNS[:2], presses[:2], KEPT, 100) == TURNS[:2]
    (told,) = stray_notices(TURNS[:2], presses[:2], KEPT, 100, rules())
    assert (told.code, told.player) == ("accidental_press", 0)
    drawn = (*KEPT, counted(back_ms + 1_000, 7))
    assert stray_notices(TURNS[:2], presses[:2], drawn, 100, rules()) == ()
    (whole,) = as_meant(TURNS, presses, KEPT, 100)
    (play,) = whole.events
    assert isinstance(play, Played)
    assert str(play.placement) == "8F CATERS"


def test_a_press_that_the_director_lets_stand_is_a_turn() -> None:
    """Nor is it asked about any more."""
    assert as_meant(TURNS[:2], PRESSES[:2], KEPT, 100, {10}) == TURNS[:2]
    assert stray_notices(TURNS[:2], PRESSES[:2], KEPT, 100, rules(), {10}) == ()


def rules() -> Rules:
    return load_rule_set("wespa4")
