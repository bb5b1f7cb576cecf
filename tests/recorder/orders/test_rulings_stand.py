"""What later evidence can and cannot do to a turn that was ruled about."""

import pytest

from recorder.domain.board import square
from recorder.domain.game import Exchanged, Passed
from recorder.domain.instruments import SlipEntry, SlipMark, SlipSeen
from recorder.domain.notices import CodedText, Notice, coded
from recorder.domain.observations import Acted, Announced, Say, Side, TurnAct
from recorder.domain.orders import (
    BEGINNING,
    Accept,
    Challenged,
    Correct,
    Decide,
    EntryName,
    Insert,
    Outcome,
    Remove,
    Seated,
    TurnKind,
    Undo,
)
from recorder.domain.plays import parse_placement
from recorder.domain.record import NoticeGiven
from recorder.domain.tile_text import read_tile, read_tiles
from recorder.domain.tiles import Tile
from recorder.lab.comparison import event_text
from recorder.log.port import Row
from recorder.wire.coded_text import CODED
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT, UNSURE, OrderGame, played

HANDS_CAT = """
...............
...............
......HANDS....
.....CAT.......
"""
BLANK_CAT = """
...............
...............
......HAN?.....
.....CAT.......
"""


def texts(game: OrderGame) -> list[str]:
    """The events that hold, in short."""
    return [event_text(event) for event in game.game_recorder.recorded.events]


def names(game: OrderGame) -> list[EntryName]:
    return [name for name, _ in game.game_recorder.recorded.entries()]


def reasons(game: OrderGame) -> list[CodedText]:
    doubt = turn_rows(game)[-1].body["doubt"]
    return [] if doubt is None else [CODED.read(one) for one in doubt["reasons"]]


def turn_rows(game: OrderGame) -> list[Row]:
    return [row for row in game.rows() if "doubt" in row.body]


def doubted_hand() -> OrderGame:
    """HAND or HANO, nobody knows; the right player's press is the next."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND, UNSURE)
    return game


def test_looks_that_become_sure_of_something_else_are_a_doubt_and_change_nothing() -> None:
    """HANO was accepted, later looks are sure of HAND: it stays, and the director hears of it."""
    game = doubted_hand()
    assert game.give(game.told(Accept(entry=names(game)[0], candidate=1))) == ""
    assert texts(game) == ["1 8G HANO +14"]
    game.turn(Side.RIGHT, HAND_CAT)
    game.turn(Side.LEFT, HANDS_CAT)
    assert texts(game)[:2] == ["1 8G HANO +14", "2 9F CAT +14"]
    hand = next(row for row in reversed(game.rows()) if "HANO" in str(row.body.get("events")))
    assert [CODED.read(one) for one in hand.body["doubt"]["reasons"]] == [
        coded("reads_otherwise", who="Dora", reading="8G HAND +16")
    ]
    assert game.give(game.told(Accept(entry=names(game)[0]))) == ""
    assert reasons(game) == []


def test_an_accepted_candidate_is_heeded_by_the_turns_around_it() -> None:
    """If the D came later, HAN came first: the first turn follows, and goes back when undone."""
    game = played().copied()
    before = texts(game)
    assert game.give(game.told(Accept(entry=names(game)[2], candidate=1))) == ""
    assert texts(game) == [
        "1 8G HAN +12", "2 9F CAT +14", "1 8G ...D +8", "2 NoPlay", "1 8G ....Y +12",
    ]  # fmt: skip
    game.give(game.told(Undo(order="o1")))
    assert texts(game) == before


def test_a_removed_turn_stays_away_and_comes_back_when_undone() -> None:
    """The camera goes on seeing the tiles; the turns after it keep their places."""
    game = played().copied()
    before = texts(game)
    assert game.give(game.told(Remove(entry=names(game)[1]))) == ""
    assert texts(game) == ["1 8G HAND +16", "1 NoPlay", "2 NoPlay", "1 8G ....Y +12"]
    game.give(game.told(Undo(order="o1")))
    assert texts(game) == before


def test_an_order_in_place_of_another_counts_alone() -> None:
    """The first correction was a slip of the pen; undoing the second brings it back."""
    game = played().copied()
    first = game.told(Correct(entry=names(game)[0], score=61))
    assert game.give(first) == ""
    second = game.told(Correct(entry=names(game)[0], score=16), supersedes=first.order.id)
    assert game.give(second) == ""
    assert texts(game)[0] == "1 8G HAND +16"
    assert game.give(game.told(Undo(order=second.order.id))) == ""
    assert texts(game)[0] == "1 8G HAND +61"
    assert game.give(game.told(Undo(order=first.order.id))) == ""
    assert texts(game) == texts(played())


def test_an_order_that_another_rests_on_is_not_undone_first() -> None:
    """The letter was put into a play that only the first order made: the reason names the order."""
    game = played().copied()
    play = Correct(entry=names(game)[2], placement=parse_placement("10G OX"))
    assert game.give(game.told(play)) == ""
    letters = ((parse_placement("10G O").start, Tile("A")),)
    assert game.give(game.told(Correct(entry=names(game)[2], letters=letters))) == ""
    reason = game.give(game.told(Undo(order="o1")))
    assert reason == "rests_on_it"


def test_an_order_about_a_turn_that_was_put_in_never_hits_another_turn() -> None:
    """An exchange was put in first and made a pass: without it, HAND would become the pass."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    put_in = Insert(after=BEGINNING, event=Exchanged(0, 2))
    assert game.give(game.told(put_in)) == ""
    passed = Correct(entry=names(game)[0], kind=TurnKind.PASS)
    assert game.give(game.told(passed)) == ""
    assert texts(game) == ["1 Passed", "1 8G HAND +16"]
    assert game.give(game.told(Undo(order="o1"))) == "rests_on_it"
    assert texts(game) == ["1 Passed", "1 8G HAND +16"]
    assert game.give(game.told(Undo(order="o2"))) == ""
    assert game.give(game.told(Undo(order="o1"))) == ""
    blank = Correct(entry=names(game)[0], letters=((square(7, 9), read_tile("d")),))
    assert game.give(game.told(blank)) == ""
    assert game.give(game.told(Undo(order="o5"))) == "rests_on_it"
    assert texts(game) == ["1 8G HANd +12"]


def test_a_play_that_was_taken_back_is_not_challenged_off_again() -> None:
    """The row that took it off is named.

    An earlier play of the same player can still be removed.
    """
    game = played().copied()
    hand, *_, handy = names(game)
    assert game.give(game.told(Challenged(entry=handy, outcome=Outcome.OFF))) == ""
    *_, handy, withdrawn = names(game)
    again = game.give(game.told(Challenged(entry=handy, outcome=Outcome.OFF)))
    assert again == f"withdrawn_already by={withdrawn.number} entry={handy.number}"
    assert game.give(game.told(Challenged(entry=hand, outcome=Outcome.OFF))) == ""
    assert texts(game)[:2] == ["1 8G HAND +16", "1 Withdrawn"]


@pytest.mark.parametrize("more", [{"bonus": 5}, {"penalty": 10}, {"turn_lost": True}])
def test_a_play_that_comes_off_costs_the_challenger_nothing(more: dict[str, int]) -> None:
    """Points and a lost turn are for a play that stands; with one that is removed: refused."""
    game = played().copied()
    before = texts(game)
    act = Challenged(entry=names(game)[0], outcome=Outcome.OFF, **more)
    assert game.give(game.told(act)).startswith("no_bonus_for_off")
    assert texts(game) == before


def test_another_verdict_replaces_the_first_with_its_cost() -> None:
    """Nobody has to say which one it replaces; undone, the first holds again."""
    game = played().copied()
    hand = names(game)[0]
    stands = Challenged(entry=hand, outcome=Outcome.STANDS, bonus=5, turn_lost=True)
    assert game.give(game.told(stands)) == ""
    assert texts(game)[:3] == ["1 8G HAND +16", "1 ChallengeBonus", "2 Passed"]
    hand = names(game)[0]
    assert game.give(game.told(Challenged(entry=hand, outcome=Outcome.OFF))) == ""
    assert texts(game)[:3] == ["1 8G HAND +16", "1 Withdrawn", "2 9F CAT +6"]
    assert game.give(game.told(Undo(order="o2"))) == ""
    assert texts(game)[:3] == ["1 8G HAND +16", "1 ChallengeBonus", "2 Passed"]


@pytest.mark.parametrize("is_said_first", [True, False])
@pytest.mark.parametrize(("said", "doubts"), [(5, []), (10, ["second_bonus"])])
def test_points_that_are_said_and_ruled_count_once(
    *, is_said_first: bool, said: int, doubts: list[str]
) -> None:
    """The scorer keys them, the director enters them with the verdict, which has the last word."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    verdict = Challenged(entry=names(game)[0], outcome=Outcome.STANDS, bonus=5)
    if not is_said_first:
        assert game.give(game.told(verdict)) == ""
    game.see(Announced(side=Side.LEFT, say=Say.BONUS, count=said))
    if is_said_first:
        assert game.give(game.told(verdict)) == ""
    game.turn(Side.RIGHT, HAND_CAT)
    assert texts(game) == ["1 8G HAND +16", "1 ChallengeBonus", "2 9F CAT +14"]
    ruled = game.game_recorder.ruled()
    assert ruled.state.scores == (21, 14)
    shown = [group.firm for group in ruled.groups if group.events]
    assert [doubt.code for firm in shown for doubt in firm] == doubts


@pytest.mark.parametrize("is_off_first", [True, False])
def test_a_verdict_puts_a_play_back_and_what_comes_off_later_is_in_doubt(
    *, is_off_first: bool
) -> None:
    """The director has the last word on what was taken off before, the board on what is later."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND_CAT)
    game.stop_clock()
    game.at += 5_000
    if is_off_first:
        game.show(HAND)
        assert texts(game)[1:] == ["2 9F CAT +14", "2 Withdrawn"]
    cat = names(game)[1]
    assert game.give(game.told(Challenged(entry=cat, outcome=Outcome.STANDS))) == ""
    if is_off_first:
        assert texts(game)[1:] == ["2 9F CAT +14"]
    else:
        game.show(HAND)
        assert texts(game)[1:] == ["2 9F CAT +14", "2 Withdrawn"]
        assert reasons(game) == [coded("off_though_it_stands", who="Dora")]


@pytest.mark.parametrize("is_said_first", [True, False])
def test_points_said_for_a_play_that_comes_off_do_not_count(*, is_said_first: bool) -> None:
    """The scorer has keyed them; that is a doubt, and the verdict holds."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    verdict = game.told(Challenged(entry=names(game)[0], outcome=Outcome.OFF))
    if not is_said_first:
        assert game.give(verdict) == ""
    game.see(Announced(side=Side.LEFT, say=Say.BONUS, count=5))
    if is_said_first:
        assert game.give(verdict) == ""
    assert texts(game) == ["1 8G HAND +16", "1 Withdrawn"]
    shown = [group.firm for group in game.game_recorder.ruled().groups if group.events]
    assert [doubt.code for firm in shown for doubt in firm] == ["bonus_of_play_off"]


def test_two_turns_of_a_player_in_a_row_by_order_are_in_doubt() -> None:
    """The director has entered a pass, and then its player makes a turn; undone, all is well."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    passed = Insert(after=names(game)[0], event=Passed(1))
    assert game.give(game.told(passed)) == ""
    game.turn(Side.RIGHT, HAND_CAT)
    assert texts(game) == ["1 8G HAND +16", "2 Passed", "2 9F CAT +14"]
    assert [reason.code for reason in reasons(game)] == ["pressed_out_of_turn"]
    assert game.give(game.told(Undo(order="o1"))) == ""
    assert texts(game) == ["1 8G HAND +16", "2 9F CAT +14"]
    assert not any(group.doubts or group.firm for group in game.game_recorder.ruled().groups)


def test_a_play_whose_ground_an_order_takes_away_is_in_doubt_and_not_illegal() -> None:
    """The first turn is taken out, and a later play goes through its tiles: it broke no rule."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND_CAT)
    game.turn(Side.LEFT, HANDS_CAT)
    assert game.give(game.told(Remove(entry=names(game)[0]))) == ""
    assert reasons(game) == [coded("no_tiles_there", play="8G ....S +9", squares="8G 8H 8I 8J")]
    noticed = [row.says.notice.code for row in game.rows() if isinstance(row.says, NoticeGiven)]
    assert Notice.ILLEGAL_PLACEMENT not in noticed
    assert game.give(game.told(Undo(order="o1"))) == ""
    assert not any(group.doubts or group.firm for group in game.game_recorder.ruled().groups)


def test_a_turn_that_was_ruled_about_follows_the_seats() -> None:
    """A letter is put right, then the seats: the turn goes to the other player like any other."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    blank = Correct(entry=names(game)[0], letters=((square(7, 9), read_tile("d")),))
    assert game.give(game.told(blank)) == ""
    game.turn(Side.RIGHT, HAND_CAT)
    assert texts(game) == ["1 8G HANd +12", "2 9F CAT +14"]
    assert game.give(game.told(Seated(player=1))) == ""
    assert texts(game) == ["2 8G HANd +12", "1 9F CAT +14"]
    assert not any(group.firm for group in game.game_recorder.ruled().groups)
    assert game.give(game.told(Undo(order="o2"))) == ""
    assert texts(game) == ["1 8G HANd +12", "2 9F CAT +14"]


def test_a_decision_in_words_changes_no_score() -> None:
    """It is in the log, with its rule and its entry, and nowhere else."""
    game = played().copied()
    words = Decide(text="The clock was left running.", rule="END-8", entry=names(game)[0])
    assert game.give(game.told(words)) == ""
    assert game.rows()[-1].body["data"]["rule"] == "END-8"
    assert texts(game) == texts(played())


def act(game: OrderGame, side: Side, what: TurnAct, count: int = 0, letter: str = "") -> None:
    """A button of the scorer's pad."""
    game.see(Acted(side=side, act=what, count=count, letter=read_tile(letter or ".")))


def facts(game: OrderGame, number: int) -> dict[str, int]:
    """What is known of a turn beside its events."""
    group = game.game_recorder.ruled().groups[number]
    return dict(group.facts)


def test_a_hold_and_a_challenge_are_facts_of_the_turn_with_their_times() -> None:
    """Held two seconds after the press, challenged one second later."""
    game = doubted_hand()
    act(game, Side.RIGHT, TurnAct.HOLD)
    act(game, Side.RIGHT, TurnAct.CHALLENGE)
    assert facts(game, 0) == {"hold_after_ms": 2000, "hold_ms": 1000, "challenge_after_ms": 3000}
    row = turn_rows(game)[-1]
    assert row.body["facts"]["challenge_after_ms"] == 3000
    assert row.body["events"][0]["data"]["word"] == "HAND"


def test_a_hold_that_ends_with_the_next_press_is_recorded_with_its_length() -> None:
    """Nobody says how it ended; the opponent simply plays on, four seconds later."""
    game = doubted_hand()
    act(game, Side.RIGHT, TurnAct.HOLD)
    game.at += 3000
    game.press(Side.RIGHT, Side.LEFT)
    row = next(row for row in reversed(game.rows()) if row.body.get("facts"))
    assert row.body["facts"] == {"hold_after_ms": 2000, "hold_ms": 4000}


def test_nobody_challenges_their_own_play() -> None:
    """The wrong button is a doubt, not a fact."""
    game = doubted_hand()
    act(game, Side.LEFT, TurnAct.CHALLENGE)
    assert reasons(game)[-1] == coded("pressed_on_own_turn", player=0, act="challenge")
    assert facts(game, 0) == {}


def test_an_announced_score_is_a_fact_and_the_director_may_take_it_as_agreed() -> None:
    """The board gives 16, 18 was said: the record has 16 until somebody rules."""
    game = doubted_hand()
    act(game, Side.LEFT, TurnAct.SCORE, 18)
    assert facts(game, 0) == {"announced": 18}
    assert texts(game) == ["1 8G HAND +16"]
    assert game.give(game.told(Correct(entry=names(game)[0], score=18))) == ""
    assert texts(game) == ["1 8G HAND +18"]
    assert reasons(game) == []


def test_a_named_blank_gets_its_letter_until_a_slip_is_seen() -> None:
    """The button names it; where a slip is in sight, what is written on it decides, if late."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, BLANK_CAT.replace("CAT", "..."))
    assert texts(game) == ["1 8G HAN? +12"]
    act(game, Side.LEFT, TurnAct.BLANK, 1, "D")
    assert texts(game) == ["1 8G HANd +12"]
    game.see(SlipSeen(entries=(SlipEntry(mark=SlipMark.EMPTY, confidence=0.9),)))
    assert texts(game) == ["1 8G HAN? +12"]
    game.see(
        SlipSeen(entries=(SlipEntry(mark=SlipMark.LETTER, letter=read_tile("T"), confidence=0.9),))
    )
    assert texts(game) == ["1 8G HANt +12"]
    given = [row.says for row in game.rows()]
    noticed = [one.notice.code for one in given if isinstance(one, NoticeGiven)]
    assert noticed == [
        "blank_unnamed", "blank_spoken_only", "blank_spoken_otherwise", "blank_late",
    ]  # fmt: skip


def test_the_slip_alone_names_blanks_in_their_order() -> None:
    """The first blank played is the first row of the slip, whatever else is on it."""
    game = OrderGame()
    game.see(SlipSeen(entries=()))
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    game.turn(Side.RIGHT, HAND_CAT.replace("CAT", "C?T"))
    rows = (
        SlipEntry(mark=SlipMark.LETTER, letter=read_tile("A"), confidence=0.9),
        SlipEntry(mark=SlipMark.UNREADABLE, confidence=0, marked=read_tiles("BC")),
    )
    game.see(SlipSeen(entries=rows))
    assert texts(game)[1] == "2 9F CaT +10"
