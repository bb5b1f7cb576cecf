"""Two divisions in one hall: tables of their own, nobody left out, a round done again."""

import pytest

from recorder.domain.errors import NotationError
from recorder.domain.event.next_round import pair_round
from recorder.domain.event.orders import EnterResult, EventOrder
from recorder.domain.event.seating import tables_for
from recorder.domain.event.wanted import Method, WantedRound
from recorder.domain.rules.core.parameters import NO_RULE_SET
from recorder.matching import least_cost_pairs
from recorder.orders.event_record import consequences_of
from recorder.orders.event_syntax import parse_event_order
from recorder.texts.event import read_back
from tests.event.test_identity import Desk

PEOPLE = tuple(f"player {d} {name}" for d in "AB" for name in ("Ann", "Bob", "Cat", "Dan"))


def drawn(desk: Desk, name: str) -> list[tuple[int, int, int]]:
    division = desk.register.event.division(name)
    wanted = WantedRound(
        round=division.paired_rounds + 1, method=Method.KOTH, order=sorted(division.by_number),
        seats=tables_for(desk.register.event, division, len(division.players)),
    )  # fmt: skip
    found = pair_round(NO_RULE_SET, division, wanted, least_cost_pairs)
    return [(pair.table, pair.first, pair.second) for pair in found.pairs]


def people(desk: Desk) -> dict[str, dict[int, str]]:
    return {
        division.name: {player.number: player.name for player in division.players}
        for division in desk.register.event.divisions
    }


def test_players_move_between_divisions_before_the_first_round() -> None:
    """With numbers that nobody had; what was undone and is brought back finds its people."""
    entered = ("player A Ann", "player A Bob 1500", "player A Cat", "player B Dan", "fixed A 2=7")
    desk = Desk(entered)
    assert desk.gives("undo e3", agreed=False) is None
    assert desk.gives("move A 2 to B", agreed=False) is None
    assert people(desk) == {"A": {1: "Ann"}, "B": {1: "Dan", 2: "Bob"}}
    assert desk.register.event.divisions[1].player(2).rating == 1500
    assert desk.register.event.divisions[0].fixed == {}
    assert desk.gives("move A 1 to C", agreed=False) == "event_unseen"  # a division that is new
    assert desk.gives("move B all to A", agreed=False) is None
    assert people(desk) == {"A": {1: "Ann", 4: "Dan", 5: "Bob"}}
    assert desk.gives("move a all to Open", agreed=False) is None
    assert desk.gives("player Open Eve", agreed=False) is None
    assert people(desk) == {"Open": {1: "Ann", 4: "Dan", 5: "Bob", 6: "Eve"}}
    assert desk.gives("undo e6") is None
    assert people(desk)["Open"] == {1: "Ann", 3: "Cat", 4: "Dan", 5: "Bob", 6: "Eve"}
    assert desk.gives("remove Open 3", agreed=False) is None
    assert desk.gives("move Open 1 to Open") == "event_name_taken"
    desk.gives("round Open 1 1:1-4 2:5-6")
    assert desk.gives("move Open 1 to B") == "event_paired"
    assert desk.gives("player B Ann") is None
    assert desk.gives("move B 1 to Open") == "event_paired"
    assert desk.gives("remove B all", agreed=False) == "event_unseen"  # who is in it
    assert desk.gives("remove B all") is None
    assert list(people(desk)) == ["Open"]


def test_a_draw_takes_the_tables_of_its_division() -> None:
    """Those it was given; else those that nobody else has; too few are named."""
    desk = Desk((*PEOPLE, "tables B 7-8"))
    assert [table for table, *_ in drawn(desk, "B")] == [7, 8]
    desk.gives("tables B any")
    desk.gives("round A 1 1:1-2 3:3-4")
    assert [table for table, *_ in drawn(desk, "B")] == [2, 4]
    desk.gives("tables B 7")
    with pytest.raises(NotationError, match="1 free tables for 2 games: give it more"):
        drawn(desk, "B")
    desk.gives("tables B 7-9")
    desk.gives("fixed B 4=9")
    assert drawn(desk, "B") == [(7, 1, 2), (9, 3, 4)]


def test_a_table_of_another_division_is_refused() -> None:
    """While its game is open, or where the table is the division's own."""
    desk = Desk((*PEOPLE, "round A 1 1:1-2 2:3-4"))
    assert desk.gives("round B 1 1:1-2 3:3-4", agreed=False) == "event_table_taken"
    assert desk.gives("round B 1 3:1-2 4:3-4", agreed=False) is None
    assert desk.gives("table B 1 1 2", agreed=False) == "event_table_taken"
    for result in ("A 1 400 2 300", "A 3 400 4 300", "B 1 400 2 300", "B 3 400 4 300"):
        assert desk.gives(result, agreed=False) is None
    assert desk.gives("round B 2 1:1-3 2:2-4", agreed=False) is None
    desk.gives("tables A 5-6")
    assert desk.gives("round B 2 5:1-3 6:2-4", agreed=False) == "event_table_taken"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("round A 1 1:1-2", "event_left_out"),
        ("round A 1 1:1-2 bye 3", "event_left_out"),
        ("round A 1 1:1-2 bye 3 out 9", "event_no_player"),
        ("round A 1 1:1-2 bye 3 out 3 4", "event_player_twice"),
        ("round A 1 1:1-2 bye 3 out 4", None),
        ("round A 1 1:1-2 2:3-4", None),
    ],
)
def test_nobody_is_left_out_unnamed(words: str, code: str | None) -> None:
    """A round names everybody who is there; who sits out counts as one who misses it."""
    desk = Desk(PEOPLE[:4])
    assert desk.gives(words, agreed=False) == code
    if code is None and "out" in words:
        division = desk.register.event.divisions[0]
        assert division.player(4).in_round(1).score == -50


def test_who_has_left_is_seated_by_nobody() -> None:
    """Until they are back."""
    desk = Desk((*PEOPLE[:4], "left A 4"))
    assert desk.gives("round A 1 1:1-2 2:3-4", agreed=False) == "event_has_left"
    assert desk.gives("round A 1 1:1-2 bye 3", agreed=False) is None


def test_a_round_is_done_again() -> None:
    """Before anything is played as it likes; then games that stay keep their result, others ask."""
    desk = Desk((*PEOPLE[:4], "round A 1 1:1-2 2:3-4"))
    assert desk.gives("round A 1 1:1-3 2:2-4", agreed=False) is None
    desk.gives("round A 1 1:1-2 2:3-4")
    desk.gives("result A 1 1 431 2 380")
    assert desk.gives("round A 1 1:1-3 2:2-4", agreed=False) == "event_round_begun"
    assert desk.gives("round A 1 2:2-1 1:3-4 again", agreed=False) is None
    (game, other) = sorted(desk.register.event.divisions[0].games, key=lambda g: g.players)
    assert (game.table, game.start, game.scores) == (2, 2, (431, 380))
    assert (other.table, other.scores) == (1, None)
    swap = "round A 1 1:1-3 2:2-4 again"
    assert desk.gives(swap, agreed=False) == "event_unseen"
    order = EventOrder(id="x", who="d", act=parse_event_order(swap.split()))
    assert [c.code for c in consequences_of(desk.register, order).changes] == ["result_gone"]
    assert desk.gives(swap) is None
    assert {game.scores for game in desk.register.event.divisions[0].games} == {None}


def test_a_short_result_is_of_the_only_open_game() -> None:
    """Whatever the other division has played; in both it is asked, or the chosen one's."""
    rounds = ("round A 1 1:1-2 2:3-4", "round B 1 3:1-2 4:3-4", "result B 1 1 400 2 300")
    desk = Desk((*PEOPLE, *rounds))
    event = desk.register.event
    act = parse_event_order(["1", "431", "2", "380"], event)
    assert isinstance(act, EnterResult)
    assert (act.division, act.round) == ("A", 1)
    assert read_back(act, event) == "Ann beat Bob 431–380, division A, round 1, table 1"  # noqa: RUF001 - as read out
    with pytest.raises(NotationError, match="name their division first"):
        parse_event_order(["3", "431", "4", "380"], event)
    act = parse_event_order(["3", "400", "4", "400"], event, "b")
    assert read_back(act, event) == "Dan and Cat tied at 400, division B, round 1, table 4"


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("A 1 43 2 439", ["score_unlikely"]),
        ("A 1 0 2 0", ["no_scores"]),
        ("A 1 790 2 300", ["far_apart"]),
        ("A 1 431 2 380", []),
        ("A 3 300 4 400", ["has_result"]),
        ("A 3 400 4 300", []),
    ],
)
def test_an_unlikely_result_is_looked_at_once(words: str, codes: list[str]) -> None:
    """A missing digit, no scores at all, a result of a finished game; the same again is none."""
    desk = Desk((*PEOPLE[:4], "round A 1 1:1-2 2:3-4", "result A 1 3 400 4 300"))
    order = EventOrder(id="x", who="d", act=parse_event_order(words.split(), desk.register.event))
    assert [change.code for change in consequences_of(desk.register, order).changes] == codes
    assert desk.gives(words, agreed=False) == ("event_unseen" if codes else None)
    if codes:
        assert desk.gives(words) is None


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("noshow A 1 3 50", ["has_result"]),
        ("late A 1 4 50", ["has_result"]),
        ("neither A 1 3 50", ["has_result"]),
        ("noshow A 1 1 50", []),
        ("noshow A 1 5 50", []),
        ("noshow A 1 6 50", ["has_result"]),
        ("round A 3 1:1-3 2:2-4 3:5-7 out 6", ["round_skipped"]),
        ("round A 2 1:1-3 2:2-4 3:5-7 out 6", []),
        ("round A 4 1:1-3 2:2-4 3:5-7 out 6", ["round_beyond", "round_skipped"]),
        ("change A 2 name p1", ["name_shared"]),
        ("penalty A 1 1 -10", ["has_penalty"]),
        ("penalty A 1 1 -20", []),
        ("penalty A 1 2 -10", []),
        ("change A 2 name P2", []),
        ("round A 2 1:1-3 2:2-4 3:5-6 bye 7", ["second_bye"]),
        ("round A 2 1:1-3 2:2-4 3:5-7 bye 6", []),
        ("result A 2 7 50", ["second_bye"]),
        ("result A 2 6 50", []),
    ],
)
def test_an_unlikely_order_is_looked_at_once(words: str, codes: list[str]) -> None:
    """A forfeit of a finished game, or by the other player; a round that leaves one out."""
    played = ("result A 1 3 400 4 300", "noshow A 1 5 50", "penalty A 1 1 -20")
    people = (f"player A P{n}" for n in range(1, 8))
    desk = Desk((*people, "about rounds 3", "round A 1 1:1-2 2:3-4 3:5-6 bye 7", *played))
    order = EventOrder(id="x", who="d", act=parse_event_order(words.split(), desk.register.event))
    assert [change.code for change in consequences_of(desk.register, order).changes] == codes
    assert desk.gives(words, agreed=False) == ("event_unseen" if codes else None)


def test_a_game_that_goes_on_at_a_table_with_another_is_looked_at_once() -> None:
    """Of another division, or of the next round; at a free table nobody asks."""
    people = ("player A P1", "player A P2", "player B P3", "player B P4")
    desk = Desk((*people, "round A 1 1:1-2", "adjourn A 1 1"))
    assert desk.gives("resume A 1 1", agreed=False) is None
    assert desk.gives("adjourn A 1 1") is None
    assert desk.gives("round B 1 1:1-2") is None
    order = EventOrder(id="x", who="d", act=parse_event_order(["resume", "A", "1", "1"]))
    (change,) = consequences_of(desk.register, order).changes
    assert (change.code, dict(change.values)["division"]) == ("table_shared", "B")
    assert desk.gives("resume A 1 1", agreed=False) == "event_unseen"
    assert desk.gives("table A 1 1 2") is None
    assert desk.gives("resume A 1 1", agreed=False) is None


def test_a_short_result_is_of_the_game_that_is_on() -> None:
    """Not of one that is adjourned; where two are open the round is asked for."""
    people = (f"player A P{n}" for n in range(1, 3))
    desk = Desk((*people, "round A 1 1:1-2", "adjourn A 1 1", "round A 2 1:2-1"))
    act = parse_event_order(["1", "431", "2", "380"], desk.register.event)
    assert isinstance(act, EnterResult)
    assert act.round == 2
    desk.gives("resume A 1 1")
    with pytest.raises(NotationError, match="open games in rounds 1, 2"):
        parse_event_order(["1", "431", "2", "380"], desk.register.event)
    desk.gives("result A 2 1 431 2 380")
    act = parse_event_order(["1", "400", "2", "380"], desk.register.event)
    assert isinstance(act, EnterResult)
    assert act.round == 1


def test_a_round_published_again_keeps_what_was_said_of_its_games() -> None:
    """Of those who still meet: a replay, a player's report, an adjourned game and its record."""
    people = (f"player A P{n}" for n in range(1, 7))
    said = ("replay A 1 1", "claim A 1 1 400 380", "adjourn A 1 3")
    desk = Desk((*people, "round A 1 1:1-2 2:3-4 3:5-6", *said))
    assert desk.gives("round A 1 2:1-2 1:4-3 3:6-5", agreed=False) is None
    first, second = (
        desk.register.event.divisions[0].game(1, frozenset(p)) for p in ((1, 2), (3, 4))
    )
    assert first is not None
    assert second is not None
    assert (first.table, first.attempt, second.adjourned) == (2, 2, True)
    assert (second.table, second.begun_at, second.start) == (1, 2, 4)
    desk.gives("claim A 1 2 380 400")
    game = desk.register.event.divisions[0].game(1, frozenset((1, 2)))
    assert game is not None
    assert game.scores == (400, 380)


def test_an_adjourned_game_is_not_paired_away_unseen() -> None:
    """While no game of the round has a result yet."""
    desk = Desk((*(f"player A P{n}" for n in range(1, 5)), "round A 1 1:1-2 2:3-4"))
    desk.gives("adjourn A 1 1")
    assert desk.gives("round A 1 1:1-3 2:2-4", agreed=False) == "event_unseen"
    assert desk.gives("round A 1 1:1-3 2:2-4") is None


def test_who_has_left_gets_no_bye() -> None:
    """A bye is a win: as with a game, they have to be brought back first."""
    desk = Desk((*(f"player A P{n}" for n in range(1, 4)), "left A 3"))
    assert desk.gives("round A 1 1:1-2 bye 3", agreed=False) == "event_has_left"
    desk.gives("returned A 3")
    assert desk.gives("round A 1 1:1-2 bye 3", agreed=False) is None


def test_a_new_division_and_a_person_in_two_are_asked_about() -> None:
    """A slip of the key begins no division unseen; capitals do not matter."""
    desk = Desk(PEOPLE)
    assert desk.gives("player a Zed", agreed=False) is None
    assert [division.name for division in desk.register.event.divisions] == ["A", "B"]
    assert desk.gives("player Q Zed", agreed=False) == "event_unseen"
    assert desk.gives("player B Zed", agreed=False) == "event_unseen"
