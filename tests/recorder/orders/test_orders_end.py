"""How a director ends a game by orders: racks, overtime, forfeits, and no end at all."""

from dataclasses import replace

from recorder.domain.game import EndRackPenalty, TimePenalty
from recorder.domain.observations import Side
from recorder.domain.orders import (
    Accept,
    Banner,
    Concede,
    Correct,
    Decide,
    EndGame,
    EntryName,
    Note,
    SetEndRacks,
    SetTimePenalty,
    Undo,
)
from recorder.domain.record import NoticeGiven
from recorder.domain.tile_text import read_tiles
from recorder.lab.comparison import event_text
from recorder.log.port import Row
from recorder.orders.syntax import parse_order
from tests.folded import broadcast_frame
from tests.recorder.order_game import EMPTY, HAND, HAND_CAT, STARTED, UNSURE, OrderGame

HAND_C = """
...............
...............
......HAND.....
.....C.........
"""
RACKS = SetEndRacks(
    points=(EndRackPenalty(0, 9, read_tiles("QEEEE")), EndRackPenalty(1, 4, read_tiles("EEEE")))
)


def stopped(left_ms: int = 900_000) -> OrderGame:
    game = OrderGame(replace(STARTED, rules="naspa", confirmed=()))
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    game.stop_clock(left_ms=left_ms)
    return game


def turn_rows(game: OrderGame) -> list[Row]:
    return [row for row in game.rows() if "doubt" in row.body and row.body.get("group")]


def texts(game: OrderGame) -> list[str]:
    """The events that hold, in short."""
    return [event_text(event) for event in game.game_recorder.recorded.events]


def test_the_director_ends_a_game_that_nobody_played_out() -> None:
    """Both racks are asked for, given, and taken off; undone, the game goes on."""
    game = stopped()
    assert game.give(game.told(EndGame())) == ""
    assert turn_rows(game)[-1].body["doubt"]["reasons"][-1]["code"] == "racks_unknown"
    assert game.give(game.told(RACKS)) == ""
    assert texts(game) == ["1 8G HAND +16", "1 EndRackPenalty", "2 EndRackPenalty"]
    assert game.game_recorder.ruled().state.scores == (7, -4)
    assert turn_rows(game)[-1].body["doubt"] is None
    for order in ("o2", "o1"):
        assert game.give(game.told(Undo(order=order))) == ""
    assert texts(game) == ["1 8G HAND +16"]


def test_racks_are_typed_without_brackets_in_any_set() -> None:
    """``LL`` is one tile or two: the points that were given say which."""
    game = OrderGame(replace(STARTED, tile_set="spanish", rules="naspa", confirmed=()))
    assert game.give(game.told(EndGame())) == ""
    assert game.give(game.told(parse_order(["racks", "1", "-9", "ALL", "2", "-6", "CHA"]))) == ""
    assert [rack.tiles for rack in game.game_recorder.recorded.events] == [
        read_tiles("A[LL]"), read_tiles("[CH]A"),
    ]  # fmt: skip
    assert game.give(game.told(parse_order(["racks", "1", "-3", "ALL", "2", "-6", "[CH]A"]))) == ""
    assert game.game_recorder.recorded.events[0].tiles == read_tiles("ALL")


def test_overtime_at_the_end_is_counted_and_can_be_set_otherwise() -> None:
    """NASPA: ten points for the first minute; the director takes it away again."""
    game = stopped(left_ms=-5000)
    assert game.give(game.told(EndGame())) == ""
    assert game.game_recorder.recorded.events[-1] == TimePenalty(0, 10)
    assert game.give(game.told(SetTimePenalty(player=0, points=0))) == ""
    assert texts(game) == ["1 8G HAND +16"]
    assert game.give(game.told(SetTimePenalty(player=1, points=20))) == ""
    assert game.game_recorder.recorded.events[-1] == TimePenalty(1, 20)


def test_points_for_overtime_wait_for_the_end_and_do_not_make_it() -> None:
    """Entered while the game goes on, they count once it is over; a stopped clock is no end."""
    game = OrderGame(replace(STARTED, rules="naspa", confirmed=()))
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND)
    assert game.give(game.told(SetTimePenalty(player=0, points=30))) == ""
    game.stop_clock()
    assert shown(game)["phase"] == "playing"
    assert game.game_recorder.ruled().state.scores == (16, 0)
    assert game.give(game.told(EndGame())) == ""
    assert shown(game)["phase"] == "over"
    assert game.game_recorder.ruled().state.scores == (-14, 0)


def shown(game: OrderGame) -> dict[str, object]:
    frame = broadcast_frame(game.rows())
    assert frame is not None
    return frame


def test_the_public_sees_a_banner_only_while_it_is_published() -> None:
    """Published, replaced, withdrawn; a decision, a note and an undone banner never show."""
    game = stopped()
    assert shown(game)["banner"] is None
    game.give(game.told(Decide(text="No bonus.", rule="CHAL-4")))
    game.give(game.told(Note(text="ask the scorer")))
    assert shown(game)["banner"] is None
    game.give(game.told(Banner(text="Adjudication")))
    game.give(game.told(Banner(text="Play goes on")))
    assert shown(game)["banner"] == "Play goes on"
    game.give(game.told(Undo(order="o4")))
    assert shown(game)["banner"] == "Adjudication"
    game.give(game.told(Banner(text="")))
    assert shown(game)["banner"] is None


def test_the_public_sees_how_a_game_was_decided() -> None:
    """Over, with the margin that no score shows."""
    game = stopped()
    assert (shown(game)["phase"], shown(game)["result"]) == ("playing", None)
    game.give(game.told(EndGame()))
    assert shown(game)["phase"] == "over"
    game.give(game.told(Concede(player=1, margin=100, how="forfeit")))
    assert shown(game)["result"] == {"loser": 1, "margin": 100, "how": "forfeit"}


def test_a_margin_is_asked_about_once_the_scores_it_came_from_are_others() -> None:
    """Until it is given again; a margin that a director chose is never asked about."""
    game = stopped()
    assert game.give(game.told(Concede(player=1, margin=66, how="resignation"))) == ""
    assert game.game_recorder.ruled().state.scores == (16, -50)
    play = next(row for row in turn_rows(game) if row.body["type"] == "game.played")
    assert game.give(game.told(Correct(entry=EntryName(play.seq), score=26))) == ""
    assert turn_rows(game)[-1].body["doubt"]["reasons"][-1]["code"] == "margin_now"
    assert game.game_recorder.ruled().state.scores == (26, 0)
    assert game.give(game.told(Concede(player=1, margin=76, how="resignation"), "o1")) == ""
    assert turn_rows(game)[-1].body["doubt"] is None
    assert game.game_recorder.ruled().state.scores == (26, -50)
    assert game.give(game.told(Concede(player=1, margin=90, how="resignation"), "o3")) == ""
    assert turn_rows(game)[-1].body["doubt"] is None


def test_tiles_put_away_after_the_end_are_no_notice() -> None:
    """The clock runs on, and a look that is taken while a doubt is settled accuses nobody."""
    game = OrderGame()
    game.turn(Side.RIGHT, EMPTY)
    game.turn(Side.LEFT, HAND, UNSURE)
    game.turn(Side.RIGHT, HAND_CAT)
    assert game.give(game.told(EndGame())) == ""
    assert game.give(game.told(RACKS)) == ""
    before = [row for row in game.rows() if isinstance(row.says, NoticeGiven)]
    game.show(HAND_C)
    game.at += 30_000
    doubted = next(row for row in turn_rows(game) if row.body["doubt"]["reasons"])
    assert game.give(game.told(Accept(entry=EntryName(doubted.seq)))) == ""
    assert [row for row in game.rows() if isinstance(row.says, NoticeGiven)] == before
