"""Cases C from C17: what challenges cost, what binds, verdicts and their mistakes, stops."""

from recorder.domain.game import ChallengeBonus, Passed, Penalty, Played, Withdrawn, replay
from recorder.domain.plays import parse_placement
from recorder.domain.rules.challenge.challenge import (
    Progress,
    check_slip,
    may_take_back,
    unclear_blank,
)
from recorder.domain.rules.challenge.penalties import ChallengedPlay, Cost, cost
from recorder.domain.rules.challenge.verdict import (
    ChallengeResult,
    after_verdict,
    correct_verdict,
    drawn_while_waiting,
    wrong_removal,
)
from recorder.domain.rules.core.parameters import listed
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.six_zeros import Zero, counts, zero_run
from recorder.domain.rules.turn.absent import brings_remedy, minor_infractions
from recorder.domain.rules.turn.press import ask_stop_reason
from recorder.rulesets import RuleSet
from recorder.tilesets import load_tile_set
from tests.rules.case_book import ALL, HK, NAS, PSA, W1, case, in_force
from tests.rules.said import said

ENGLISH = load_tile_set("english")
QUALM = Played(1, parse_placement("8D QUALM"), 52)
BOY = Played(0, parse_placement("9F BOY"), 23)
"""Player 0's play; it makes AB and LO with the word above it, and MY is not among the two that
are challenged."""


def challenged(rules: RuleSet, judged: str, *, wrong_before: int = 0, lexicon: str = "") -> Cost:
    """The price of a challenge of BOY by player 1; a plus or minus for each word."""
    words = [sign == "+" for sign in judged]
    verdict = ChallengedPlay(
        mover=0,
        words=len(words),
        stands=all(words),
        score=23,
        wrong_before=wrong_before,
    )
    return cost(rules, verdict, lexicon=lexicon)


@case("C17")
def _five_a_word_for_the_opponent() -> None:
    """Two good words: the mover gets ten more for the same turn, the challenger plays on."""
    price = challenged(NAS, "++", lexicon="CSW24")
    assert price.events == (ChallengeBonus(0, 10),)
    after = replay(ENGLISH, [QUALM, BOY, *price.events])
    assert after.scores == (33, 52)
    assert after.on_turn == 1


@case("C18")
def _five_a_turn() -> None:
    rules = in_force("wespa1", challenge__default="points_per_turn_5")
    assert challenged(rules, "++").points == 5


@case("C19")
def _ten_a_word() -> None:
    """Twice two fives; on whose score is for the organiser to say."""
    rules = in_force("wespa1", challenge__default="points_per_word_10")
    price = challenged(rules, "++")
    assert price.points == 20
    assert price.open_questions
    for where, event in (
        ("opponent_score", ChallengeBonus(0, 20)),
        ("challenger_minus", Penalty(1, 20, "CHAL-4")),
    ):
        told = in_force(
            "wespa1", challenge__default="points_per_word_10", challenge__points_go_to=where
        )
        assert challenged(told, "++").events == (event,)


@case("C20")
def _the_turn_is_lost() -> None:
    """A turn of nothing for the challenger; the mover draws and goes on once a tile was seen."""
    price = challenged(NAS, "++", lexicon="NWL23")
    assert (price.turn_lost, price.points) == (True, 0)
    assert price.events == (Passed(1),)
    after = replay(ENGLISH, [QUALM, BOY, *price.events])
    assert (after.scores, after.on_turn) == ((23, 52), 0)
    procedure = after_verdict(NAS, ChallengeResult(stands=True, score=23, tiles=3, due=3), price)
    draw, clock = procedure.steps
    assert (draw.who, draw.tiles) == ("player", 3)
    assert clock.who == "opponent"
    assert "challenged player's clock once a new tile has been seen" in said(clock.act)


@case("C21")
def _nothing_is_lost() -> None:
    price = challenged(PSA, "++")
    assert (price.points, price.turn_lost, price.seconds) == (0, False, None)
    assert price.events == ()


@case("C22")
def _one_of_four_is_bad() -> None:
    """The play is removed and no word costs anything; the turn is a zero where the set says so."""
    for rules in ALL:
        price = challenged(rules, "++-+", lexicon="CSW24")
        assert (price.points, price.turn_lost) == (0, False)
        assert price.events == (Withdrawn(0, 23),)
        after = replay(ENGLISH, [QUALM, BOY, *price.events])
        assert (after.scores, after.on_turn) == ((0, 52), 1)
        assert zero_run(after.events) == (Zero.CHALLENGED_OFF,)
        assert counts(rules, Zero.CHALLENGED_OFF) is (None if rules is NAS else True)


@case("C23")
def _the_second_wrong_challenge() -> None:
    rules = in_force("wespa1", challenge__default="dingle")
    first, second = (challenged(rules, "+", wrong_before=count) for count in (0, 1))
    assert (first.turn_lost, first.events) == (False, ())
    assert (second.turn_lost, second.events) == (True, (Passed(1),))


@case("C24")
def _a_growing_price() -> None:
    rules = in_force("wespa1", challenge__default="5_5_10_20_30")
    prices = [challenged(rules, "++", wrong_before=count).points for count in range(5)]
    assert prices == [5, 5, 10, 20, 30]
    assert sum(prices) == 70


@case("C25")
def _said_and_thought_better_of() -> None:
    """The word alone does not bind."""
    assert may_take_back(W1, Progress(said=True)) is True
    assert may_take_back(W1, Progress(said=True, stopped=True)) is False


@case("C26")
def _the_clock_forgotten() -> None:
    """Words on the slip bind just as well."""
    assert may_take_back(NAS, Progress(said=True)) is True
    assert may_take_back(NAS, Progress(said=True, written=True)) is False


@case("C27")
def _a_word_that_is_not_there() -> None:
    """A new slip may be written; what the first one costs is open."""
    found = check_slip(W1, slip=["BOYS"], formed=["BOY", "AB", "LO", "MY"])
    assert "BOYS" in said(found.title)
    assert [step.who for step in found.steps] == ["opponent"]
    assert found.for_director
    assert check_slip(W1, slip=["LO", "AB"], formed=["BOY", "AB", "LO", "MY"]) is None


@case("C28")
def _taken_off_wrongly_and_racked() -> None:
    """Two tiles of the play are back on the rack: too late."""
    assert correct_verdict(W1, ruled_good=False, touched=2).allowed is False
    assert correct_verdict(W1, ruled_good=False, touched=0).allowed is True


@case("C29")
def _let_stand_wrongly_and_not_racked() -> None:
    """The new tiles lie on the table: in time."""
    assert correct_verdict(W1, ruled_good=True, touched=0).allowed is True
    assert correct_verdict(W1, ruled_good=True, touched=1).allowed is False


def _y_left_behind(
    *, challenger_played: bool = False, mover_played: bool = False
) -> Procedure | None:
    return wrong_removal(
        NAS,
        play=frozenset({"9F", "9G", "9H"}),
        wrong=frozenset({"9H"}),
        challenger_played=challenger_played,
        mover_played=mover_played,
    )


@case("C30")
def _a_tile_left_behind() -> None:
    """It goes, and the other player gets a minute."""
    remedy = _y_left_behind()
    step, given = remedy.steps
    assert (step.who, step.tiles) == ("player", 1)
    assert "9H" in said(step.act)
    assert (given.who, given.code, given.seconds) == ("opponent", "add_time", 60)


@case("C31")
def _a_tile_left_behind_and_a_play() -> None:
    """The turn is taken again on the board as it should be."""
    remedy = _y_left_behind(challenger_played=True)
    stop, correct, again = remedy.steps
    assert "stop" in said(stop.act)
    assert "9H" in said(correct.act)
    assert again.who == "opponent"
    assert "turn again" in said(again.act)


@case("C32")
def _a_tile_left_behind_for_good() -> None:
    """Nothing is done any more."""
    remedy = _y_left_behind(challenger_played=True, mover_played=True)
    assert remedy.steps == ()
    assert "board stays" in said(remedy.title)


@case("C33")
def _words_one_by_one() -> None:
    """One bad word is enough; what it costs to have entered them singly is the director's."""
    result = challenged(NAS, "+-+")
    assert result.events == (Withdrawn(0, 23),)
    assert result.points == 0


@case("C34")
def _tiles_drawn_while_waiting() -> None:
    """The scale reports two tiles between the stopped clock and the verdict."""
    assert said(drawn_while_waiting(W1, 2).title).startswith("2 ")
    assert drawn_while_waiting(W1, 2).for_director
    assert not drawn_while_waiting(W1, 0).for_director


@case("C35")
def _three_small_things() -> None:
    """The third one that was pointed out brings a minute."""
    assert not brings_remedy(minor_infractions(NAS, 2))
    (step,) = minor_infractions(NAS, 3).steps
    assert (step.who, step.code, step.seconds) == ("director", "adjust_time", 60)


@case("C36")
def _stopped_to_compare_scores() -> None:
    assert "score_check" not in listed(W1, "clock.stop_reasons")
    assert "scoring_discrepancy" in listed(W1, "clock.stop_reasons")
    assert ask_stop_reason(HK, "score_check")


@case("C37")
def _the_blank_had_no_letter() -> None:
    """The verdict is undone, the letter written on its owner's time, and the choice is new."""
    price = challenged(NAS, "+", lexicon="CSW24")
    assert replay(ENGLISH, [QUALM, BOY, *price.events]).scores == (28, 52)
    late = Progress(said=True, stopped=True, written=True, blank_unclear=True)
    assert may_take_back(NAS, late) is True
    acts = [said(step.act) for step in unclear_blank(NAS).steps]
    undo, clock, letter, choice = (
        next(at for at, act in enumerate(acts) if words in act)
        for words in (
            "undo the verdict",
            "start the challenged player's clock",
            "write the",
            "challenge any",
        )
    )
    assert undo < clock < letter < choice
    assert may_take_back(W1, late) is False
