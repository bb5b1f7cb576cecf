"""Cases H: who is informed what, and facts for the director who asks."""

from recorder.domain.notices import Manner, Notice, Phase, Release
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.turn.hold import AfterPlay, Right, right_to_challenge
from tests.rules.case_book import ALL, NAS, W1, case


@case("H1")
def _eight_tiles_on_a_rack() -> None:
    """Outsiders have to say so at once."""
    told = route(NAS, Notice.OVERDRAW, Phase.PLAYING)
    assert (told.director, told.players) == (Manner.TELL_PLAYERS, True)
    assert told.later is None


@case("H2")
def _five_points_too_many() -> None:
    """Not a word until both have signed; then before the result is handed in."""
    _kept_until_signed(Notice.SCORE_ANNOUNCED)


@case("H3")
def _the_clock_of_the_wrong_player() -> None:
    """Their own affair until both have signed."""
    _kept_until_signed(Notice.CLOCK_WRONG_WAY)


def _kept_until_signed(notice: Notice) -> None:
    for phase in (Phase.PLAYING, Phase.OVER):
        told = route(NAS, notice, phase)
        assert (told.director, told.players) == (Manner.WITHHELD, False)
        assert (told.public, told.later) == (Release.NEVER, Phase.SIGNED)
    assert route(NAS, notice, Phase.SIGNED).players
    assert not route(NAS, notice, Phase.SUBMITTED).players


@case("H4")
def _both_clocks_stopped() -> None:
    """Nobody knows why: it is reported."""
    told = route(NAS, Notice.CLOCK_STOPPED, Phase.PLAYING)
    assert (told.director, told.players) == (Manner.TELL_PLAYERS, True)


@case("H5")
def _an_illegal_opening_while_the_opponent_thinks() -> None:
    """No hint of any kind, of whatever kind the placement is."""
    for fault in ("off_centre", "gap", "not_touching"):
        told = route(W1, Notice.ILLEGAL_PLACEMENT, Phase.PLAYING, fault)
        assert not told.players
        assert told.director is not Manner.TELL_PLAYERS
        assert told.public is told.commentator is Release.PUBLISHED
    assert (
        route(W1, Notice.ILLEGAL_PLACEMENT, Phase.PLAYING, "off_centre").director is Manner.LOOK_UP
    )


@case("H6")
def _a_phony_stays_unmentioned() -> None:
    """Under no rules does the room hear of it."""
    for rules in ALL:
        for phase in (Phase.PLAYING, Phase.OVER):
            told = route(rules, Notice.PHONY, phase)
            assert not told.players
            assert told.public is Release.NEVER
            assert told.commentator is Release.SEALED
            assert told.director is Manner.LOOK_UP


@case("H7")
def _a_streamed_game_and_a_score_in_dispute() -> None:
    """What the pictures show may be given; elsewhere the text has no such rule."""
    told = route(NAS, Notice.FACT_IN_DISPUTE, Phase.PLAYING)
    assert told.players
    assert told.open_questions == ()
    for rules in ALL:
        if rules is not NAS:
            other = route(rules, Notice.FACT_IN_DISPUTE, Phase.PLAYING)
            assert not other.players
            assert other.open_questions


@case("H8", skipped="every table of the program has a clock, or a camera that divides the turns")
def _without_a_clock_the_announcement_completes() -> None:
    """The score was said, the hand is not in the bag yet."""


@case("H9")
def _did_the_press_come_before_the_draw() -> None:
    """Asked for, the answer has the times and their accuracy; it judges nothing."""
    for drawn_ms, right in ((10_600, Right.LOST), (11_000, Right.UNDECIDED)):
        acts = AfterPlay(press_ms=10_000, first_tile_out_ms=drawn_ms, hold_ms=11_200)
        assert right_to_challenge(W1, acts).right is right
    # Unasked, nobody hears of a press that was left out.
    unasked = route(W1, Notice.DRAWN_BEFORE_PRESS, Phase.PLAYING)
    assert (unasked.director, unasked.players) == (Manner.LOOK_UP, False)
