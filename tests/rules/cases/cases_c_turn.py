"""Cases C to C16: the press and what stands in for it, the right to challenge, courtesy draws."""

from recorder.domain.notices import Notice, Phase
from recorder.domain.rules.blanks.blanks import missing_at_press
from recorder.domain.rules.core.disclosure import route
from recorder.domain.rules.turn.courtesy import CourtesyTiles, after_decision, courtesy_from_ms
from recorder.domain.rules.turn.hold import (
    AfterPlay,
    Right,
    is_flash_draw,
    right_to_challenge,
    unpressed_draw,
)
from recorder.domain.rules.turn.press import CompletedBy, completed_by, hold_until_ms, stray_press
from tests.rules.case_book import HK, NAS, PSA, W1, W4, case
from tests.rules.laid import sq
from tests.rules.said import said

SECOND = 1000
PRESS = 0


@case("C1")
def _no_press_but_a_hand_in_the_bag() -> None:
    """The turn is complete with the hand in the bag, can be challenged, and nobody is informed."""
    assert completed_by(W1) is CompletedBy.HAND
    assert not route(W1, Notice.NOT_PRESSED, Phase.PLAYING).players
    standing = right_to_challenge(W1, AfterPlay(first_tile_out_ms=3 * SECOND))
    assert (standing.right, standing.steps) == (Right.OPEN, ())


@case("C2")
def _drawn_before_the_press() -> None:
    """The window runs from the first tile; that it does is for the director to confirm."""
    assert completed_by(NAS) is CompletedBy.DRAW
    assert hold_until_ms(NAS, 3 * SECOND) == 18 * SECOND
    assert unpressed_draw(NAS).open_questions
    facts = {"first_tile_out_ms": 3 * SECOND, "press_ms": 5 * SECOND}
    for call, right in ((17 * SECOND, Right.OPEN), (19 * SECOND, Right.LOST)):
        assert right_to_challenge(NAS, AfterPlay(challenge_ms=call, **facts)).right is right
    assert unpressed_draw(NAS).steps[0].seconds == 15


@case("C3")
def _a_sleeve_on_the_timer() -> None:
    """The director can take the press back; until then both readings stand, neither is a pass."""
    remedy = stray_press(W4, opponent_drew=False)
    assert {step.who for step in remedy.steps} == {"director"}
    assert remedy.events == ()
    assert said(remedy.steps[0].act) == "void the press, or let it stand"


@case("C4")
def _a_press_by_accident() -> None:
    """The turn goes on as long as the opponent has not drawn, who may get a minute."""
    remedy = stray_press(NAS, opponent_drew=False)
    assert "turn goes on" in said(remedy.steps[0].act)
    assert (remedy.steps[1].who, remedy.steps[1].seconds) == ("opponent", 60)
    assert stray_press(NAS, opponent_drew=True).for_director


@case("C5")
def _the_clock_comes_back_for_a_blank() -> None:
    """One turn, no pass: the letter is written and the clock pressed again."""
    for rules in (W4, HK, NAS):
        procedure = missing_at_press(rules, sq("H8"))
        assert procedure.events == ()
        assert [step.code for step in procedure.steps][1:] == ["write_letter", "press"]


HELD_AT = 4 * SECOND


@case("C6")
def _courtesy_draw_a_minute_after_the_press() -> None:
    """Counted from the press, whenever the hold was called."""
    for rules in (W1, PSA):
        assert courtesy_from_ms(rules, press_ms=PRESS, hold_ms=HELD_AT) == 60 * SECOND


@case("C7")
def _courtesy_draw_half_a_minute_after_the_hold() -> None:
    """Counted from the hold, and only once the time is over."""
    assert courtesy_from_ms(HK, press_ms=PRESS, hold_ms=HELD_AT) == 34 * SECOND + 1


@case("C8")
def _courtesy_draw_after_announcing_it() -> None:
    assert courtesy_from_ms(NAS, press_ms=PRESS, hold_ms=HELD_AT) == 19 * SECOND


@case("C9")
def _a_draw_too_fast() -> None:
    """A draw within the time to wait; the director can give the right back."""
    facts = AfterPlay(press_ms=PRESS, first_tile_out_ms=3200)
    assert is_flash_draw(NAS, 3200)
    standing = right_to_challenge(NAS, facts)
    assert standing.right is Right.LOST
    assert [step.rule for step in standing.steps] == ["HOLD-6"]


@case("C10")
def _a_hold_too_late() -> None:
    """Half a second after a tile that was drawn in good time."""
    facts = AfterPlay(press_ms=PRESS, first_tile_out_ms=6000, hold_ms=6500)
    standing = right_to_challenge(NAS, facts)
    assert (standing.right, standing.steps) == (Right.LOST, ())
    assert is_flash_draw(NAS, 6000) is False


WRITTEN_THEN_HELD = AfterPlay(press_ms=PRESS, wrote_ms=2 * SECOND, hold_ms=3 * SECOND)


@case("C11")
def _the_score_was_written() -> None:
    """Who writes has accepted; the sheet can be looked at."""
    standing = right_to_challenge(W1, WRITTEN_THEN_HELD)
    assert standing.right is Right.LOST
    assert [step.code for step in standing.steps] == ["inspect_sheet"]
    assert any("score sheet" in said(step.act) for step in standing.steps)


@case("C12")
def _the_score_was_written_and_nothing_follows() -> None:
    """Writing means nothing in the later version."""
    assert right_to_challenge(HK, WRITTEN_THEN_HELD).right is Right.OPEN


@case("C13")
def _written_with_an_empty_bag() -> None:
    """Then writing is no acceptance."""
    facts = AfterPlay(press_ms=PRESS, wrote_ms=2 * SECOND, challenge_ms=9 * SECOND, bag=0)
    assert right_to_challenge(W1, facts).right is Right.OPEN


@case("C14")
def _courtesy_tiles_go_back_unseen() -> None:
    """Four of them, and the opponent sees none."""
    (step,) = after_decision(W1, CourtesyTiles(count=4)).steps
    assert (step.who, step.tiles, step.done_when) == ("player", 4, "bag+4")
    assert "unseen" in said(step.act)


@case("C15")
def _courtesy_tiles_are_shown() -> None:
    """If they were not, the opponent looks at two more from the bag, or at all there are."""
    show, back = after_decision(NAS, CourtesyTiles(count=4)).steps
    assert ("show" in said(show.act), show.tiles, back.done_when) == (True, 4, "bag+4")
    for bag, seen in ((40, 6), (5, 5)):
        tiles = CourtesyTiles(count=4, returned_unseen=True, bag=bag)
        (look,) = after_decision(NAS, tiles).steps
        assert (look.who, look.tiles) == ("opponent", seen)


@case("C16")
def _courtesy_tiles_mixed_with_the_rack() -> None:
    """The whole rack is shown, as many go back as were drawn, and the director adds a penalty."""
    tiles = CourtesyTiles(count=4, on_rack=7, mixed=True)
    show, choose, back, penalty = after_decision(W1, tiles).steps
    assert (show.tiles, choose.tiles, back.who, back.tiles) == (7, 4, "opponent", 4)
    assert penalty.who == "director"
    assert "penalty" in said(penalty.act)
