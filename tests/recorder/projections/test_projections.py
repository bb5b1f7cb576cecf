"""What the screens are shown, folded from rows of a real log."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recorder.domain.board import parse_square
from recorder.domain.game import (
    ChallengeBonus,
    EndRackPoints,
    IllegallyPlayed,
    Passed,
    Played,
    TimePenalty,
)
from recorder.domain.laying_faults import LayingFault
from recorder.domain.observations import ClockAct, ClockChanged, ClockPressed, Side
from recorder.domain.orders import EndGame, Order, TableOrder
from recorder.domain.plays import parse_placement
from recorder.domain.record import ProcedureOver, ProcedureStands
from recorder.domain.row_kind import Kind
from recorder.domain.standing_procedures import StandingProcedure
from recorder.domain.tile_text import read_tiles
from recorder.lab.memory_log import MemoryEventLog
from recorder.lab.scenario.play import play_through
from recorder.lab.scenario.text.grammar import parse_scenario
from recorder.projections.broadcast import Projection
from recorder.wire.events import encode_event
from recorder.wire.orders import encode_order
from recorder.wire.rows import write_row
from tests.dashboard.table_writer import OPENING, TableWriter, look_at
from tests.folded import broadcast_frame, score_sheet

START_MS = 1_800_000_000_000


@pytest.fixture
def table(write_table: Callable[[int], TableWriter]) -> TableWriter:
    return write_table(START_MS)


@pytest.mark.parametrize(
    ("rules", "prices"),
    [
        ({"rules": "wespa1"}, [[1, 10], [61, 20]]),
        ({"rules": "wespa4"}, None),
        ({"rules": "wespa4", "confirmed": ("overtime",)}, [[1, 10], [61, 20]]),
        ({"rules": "naspa", "overrides": {"overtime.points_per_minute": 5}}, [[1, 5], [61, 10]]),
        ({"rules": "naspa", "overrides": {"overtime.starts_at_s": 30}}, [[30, 10], [61, 20]]),
        ({"rules": "naspa", "overrides": {"overtime.points": 0}}, []),
        ({"rules": "rules_of_old"}, None),
    ],
)
def test_overtime_costs_what_the_rules_of_the_game_say(
    table: TableWriter, rules: dict[str, object], prices: list[list[int]] | None
) -> None:
    """What a set only inherits counts once it is confirmed; what is open is not guessed."""
    table.start(**rules)
    frame = broadcast_frame(table.rows)
    found = frame["clock"]["overtime"]
    assert (found[:2] if found else found) == prices


def test_a_play_shows_its_words_score_and_squares(table: TableWriter) -> None:
    """The last play is named with all its words, the scores and the unseen tiles follow."""
    table.start()
    table.play(0, "8D ZEPHYR")
    table.play(1, "7H AX")
    frame = broadcast_frame(table.rows)
    assert frame["board"][7] == "...ZEPHYR......"
    play = frame["last_play"]
    assert (play["kind"], play["player"], play["position"]) == ("play", 1, "7H")
    assert play["words"] == ["AX", "AY", "XR"]
    assert play["squares"] == ["7H", "7I"]
    assert play["total"] == play["score"] == frame["players"][1]["score"]
    assert frame["unseen"]["tiles"]["Z"] == 0
    assert frame["unseen"]["count"] == 92
    assert frame["turns"] == 2


def test_the_public_frame_holds_no_doubts_and_no_racks(table: TableWriter) -> None:
    """Whatever the recorder doubts or knows of racks, the public's frame does not name it."""
    table.start()
    doubt = {"reasons": ["SECRETDOUBT"], "alternatives": [], "squares": ["8D"]}
    table.record(
        Played(0, parse_placement("8D ZEPHYR"), 50, rack=read_tiles("SECRETS")), doubt=doubt
    )
    text = str(broadcast_frame(table.rows))
    assert "SECRET" not in text
    assert "rack" not in text
    assert "log_odds" not in text


def test_a_total_is_under_review_until_an_illegal_play_is_ruled_on(table: TableWriter) -> None:
    """Tiles that count nothing, and a question that is open: the end of the game is no answer."""

    def reviewed() -> list[bool]:
        frame = broadcast_frame(table.rows)
        return [] if frame is None else ["under_review" in who for who in frame["players"]]

    table.start()
    table.play(0, OPENING[0])
    laid = zip((parse_square("14A")[0], parse_square("14B")[0]), read_tiles("OX"), strict=True)
    turn = table.record(IllegallyPlayed(1, tuple(laid), (LayingFault.EARLIER_MOVED,), 0))
    opened = StandingProcedure(key="illegal-1", code="illegal_placement", group=turn.seq, player=1)
    table.write(Kind.RECORDED, write_row(ProcedureStands(procedure=opened)))
    assert reviewed() == [False, True]
    table.record(EndRackPoints(0, 12, read_tiles("QY")))
    assert reviewed() == [False, True], "the end of the game is no ruling"
    table.write(Kind.RECORDED, write_row(ProcedureOver(key="illegal-1")))
    assert reviewed() == [False, False]


def test_a_total_is_under_review_while_a_doubt_is_about_it(table: TableWriter) -> None:
    """Another letter that scores alike is nothing to the public; a correction ends the review."""

    def reviewed() -> list[bool]:
        frame = broadcast_frame(table.rows)
        return [] if frame is None else ["under_review" in who for who in frame["players"]]

    def doubted(points: int) -> dict[str, Any]:
        type_name, data = encode_event(Played(0, parse_placement("8D ZEPHYS"), points))
        other = {"events": [{"type": type_name, "data": data}], "log_odds": 2.0}
        return {"reasons": ["letters"], "alternatives": [other], "squares": ["8I"]}

    table.start()
    table.record(Played(0, parse_placement("8D ZEPHYR"), 50), doubt=doubted(50))
    assert reviewed() == [False, False]
    table.record(Played(1, parse_placement("9D AX"), 9))
    later = table.record(Played(0, parse_placement("10D ED"), 50), doubt=doubted(46))
    assert reviewed() == [True, False]
    table.correct(later.seq, Played(0, parse_placement("10D ED"), 50))
    assert reviewed() == [False, False]


@pytest.mark.parametrize("left", [0, 1], ids=["first player left", "first player right"])
def test_clock_sides_become_players(table: TableWriter, left: int) -> None:
    """The left half of the clock belongs to anyone who sits there."""
    table.start(left_player=left)
    sides = (Side.LEFT, Side.RIGHT) if left == 0 else (Side.RIGHT, Side.LEFT)
    times = (111_000, 222_000) if left == 0 else (222_000, 111_000)
    press = ClockPressed(side=sides[0], left_ms=times[0], right_ms=times[1], running=sides[1])
    row = table.observe(press, "clock-1")
    frame = broadcast_frame(table.rows)
    assert frame["clock"]["remaining_ms"] == [111_000, 222_000]
    assert (frame["clock"]["running"], frame["clock"]["at"]) == (1, row.at)
    assert [player["on_turn"] for player in frame["players"]] == [False, True]
    assert frame["phase"] == "playing"


def test_a_forming_play_shows_only_sure_new_tiles(table: TableWriter) -> None:
    """New letters appear before the press, an uncertain one does not."""
    table.start()
    table.play(0, "8D ZEPHYR")
    assert table.state is not None
    sure = look_at(table.state, {"7H": "A", "7I": "X"})
    table.observe(sure)
    frame = broadcast_frame(table.rows)
    assert frame["forming"] == {"squares": {"7H": "A", "7I": "X"}}


def test_a_hand_over_the_board_changes_nothing_that_was_seen(table: TableWriter) -> None:
    """A covered tile stays as it was; a square covered from the start shows nothing."""
    table.start()
    assert table.state is not None
    table.observe(look_at(table.state, {"8H": "A"}))
    table.observe(look_at(table.state, {"8H": "#", "8I": "#", "8J": "T"}))
    frame = broadcast_frame(table.rows)
    assert frame["forming"] == {"squares": {"8H": "A", "8J": "T"}}


@pytest.mark.parametrize(
    ("new", "rest"),
    [
        ({f"3{column}": "A" for column in "ABCDEFGH"}, {}),
        ({"8H": "A"}, {"pose_score": 0.2}),
        ({"8H": "A"}, {"covered": 0.6}),
    ],
    ids=["more than a rack", "grid may be wrong", "mostly covered"],
)
def test_a_doubtful_look_forms_nothing(
    table: TableWriter, new: dict[str, str], rest: dict[str, float]
) -> None:
    """What cannot be a play, or was badly seen, never goes on air."""
    table.start()
    assert table.state is not None
    table.observe(look_at(table.state, new, **rest))
    frame = broadcast_frame(table.rows)
    assert frame["forming"] is None


def test_a_turned_board_forms_nothing(table: TableWriter) -> None:
    """When the accepted tiles are not where they were, the look is not about this position."""
    table.start()
    table.play(0, "8D ZEPHYR")
    assert table.state is not None
    gone = {f"8{column}": "." for column in "DEFGHI"}
    table.observe(look_at(table.state, {**gone, "F8": "Z", "E8": "E", "D8": "P"}))
    frame = broadcast_frame(table.rows)
    assert frame["forming"] is None


def test_a_correction_refolds_everything_after_it(table: TableWriter) -> None:
    """An early letter is corrected: board, words, scores and totals are those of the new story."""
    table.start()
    first = table.play(0, "8D ZEPHYR")
    table.play(1, "7H AX")
    table.correct(first.seq, Played(0, parse_placement("8D ZEPHYr"), 40))
    frame = broadcast_frame(table.rows)
    assert frame["players"][0]["score"] == 40
    assert frame["board"][7] == "...ZEPHYr......"
    assert frame["unseen"]["blanks"] == 1
    assert frame["last_play"]["words"] == ["AX", "AY", "Xr"]
    assert score_sheet(table.rows)[0]["score"] == 40


def test_an_impossible_row_keeps_the_last_good_position(table: TableWriter) -> None:
    """A play on occupied squares cannot be folded: named, until a correction fixes it."""
    table.start()
    table.play(0, "8D ZEPHYR")
    data = {"player": 1, "position": "8D", "word": "ODD", "score": 9, "rack": ""}
    odd = table.write(Kind.RECORDED, {"type": "game.played", "data": data})
    projection = Projection(1)
    for row in table.rows:
        projection.advance(row)
    frame = projection.frame()
    assert projection.faults == [odd]
    assert frame["last_play"]["words"] == ["ZEPHYR"]
    again = {"supersedes": odd.seq, "events": [{"type": "game.played", "data": data}]}
    impossible = table.write(Kind.CORRECTED, {"type": "correction", **again}, refs=(odd.seq,))
    projection.advance(impossible)
    assert projection.faults
    projection.advance(table.correct(odd.seq, Played(1, parse_placement("F6 CO.Y"), 10)))
    assert projection.faults == []


def test_unknown_rows_are_passed_over(table: TableWriter) -> None:
    """A newer recorder may write types that this screen has never heard of."""
    table.start()
    table.write(Kind.RECORDED, {"type": "game.hold", "data": {"player": 1}})
    table.write(Kind.RULED, {"type": "ruling.adjust", "data": {}})
    projection = Projection(1)
    for row in table.rows:
        projection.advance(row)
    assert projection.faults == []
    assert projection.seq == 3


def test_a_game_that_was_ended_by_order_runs_on_no_clock(table: TableWriter) -> None:
    """The clock on the table may go on, and be pressed; on air it stands as it stood."""
    table.start()
    press = ClockPressed(side=Side.LEFT, left_ms=900_000, right_ms=800_000, running=Side.RIGHT)
    pressed = table.observe(press, "clock-1")
    order = TableOrder(table=table.table, order=Order(id="o1", who="Dora", act=EndGame()))
    type_name, data = encode_order(order)
    ended = table.write(Kind.RULED, {"type": type_name, "data": data})
    frame = broadcast_frame(table.rows)
    assert (frame["phase"], frame["clock"]["running"]) == ("over", None)
    assert frame["clock"]["remaining_ms"] == [900_000, 800_000 - (ended.at - pressed.at)]
    late = ClockPressed(side=Side.RIGHT, left_ms=900_000, right_ms=700_000, running=Side.LEFT)
    table.observe(late, "clock-1")
    frame = broadcast_frame(table.rows)
    assert frame["clock"]["running"] is None


def test_the_end_of_the_game_is_told_with_its_adjustments(table: TableWriter) -> None:
    """End-rack points and overtime change the scores, nobody is on turn, the game is over."""
    table.start()
    table.play(0, "8D ZEPHYR", points=50)
    table.record(ChallengeBonus(0, 5))
    table.record(EndRackPoints(0, 8, read_tiles("QUA")))
    table.record(TimePenalty(1, 10))
    frame = broadcast_frame(table.rows)
    assert frame["phase"] == "over"
    assert [player["score"] for player in frame["players"]] == [63, -10]
    assert not any(player["on_turn"] for player in frame["players"])
    assert frame["last_play"]["bonus"] == 5
    assert [(one["kind"], one["points"]) for one in frame["adjustments"]] == [
        ("end_rack", 8),
        ("time", -10),
    ]


def test_a_new_game_at_the_table_starts_from_nothing(table: TableWriter) -> None:
    """The next round's board is empty, and late rows of the last game do not reach it."""
    table.start()
    table.play(0, "8D ZEPHYR")
    table.start(("Cleo", "Dan"), game="g2")
    table.game = "g1"
    table.record(Passed(1))
    frame = broadcast_frame(table.rows)
    assert frame["game"] == "g2"
    assert [player["name"] for player in frame["players"]] == ["Cleo", "Dan"]
    assert frame["turns"] == 0


def test_rows_of_another_table_do_not_matter(table: TableWriter) -> None:
    """One log carries a room; a screen shows its table."""
    table.start()
    table.table = 2
    table.start(("Eve", "Fay"), game="g9")
    frames = [Projection(number) for number in (1, 2)]
    for row in table.rows:
        for projection in frames:
            projection.advance(row)
    first, second = (projection.frame() for projection in frames)
    assert (first["game"], second["game"]) == ("g1", "g9")


def test_folding_row_by_row_equals_folding_at_once(table: TableWriter) -> None:
    """Whether a screen was there from the start or came late, it shows the same."""
    table.start()
    assert table.state is not None
    one_by_one = Projection(1)
    for number, text in enumerate(OPENING):
        table.observe(look_at(table.state, {"1A": "E"}))
        table.play(number % 2, text)
        table.observe(
            ClockChanged(act=ClockAct.ADJUST, left_ms=5, right_ms=6, running=Side.LEFT), "clock"
        )
    table.observe(look_at(table.state, {"1A": "#", "2A": "I"}))
    for row in table.rows:
        one_by_one.advance(row)
        one_by_one.frame()
    assert one_by_one.frame() == broadcast_frame(table.log.read_from(1))


def test_a_line_has_the_time_of_its_turn_through_corrections(table: TableWriter) -> None:
    """A turn keeps its time: a correction changes the play alone."""
    table.start()
    press = table.observe(
        ClockPressed(side=Side.LEFT, left_ms=1_460_000, right_ms=1_500_000, running=Side.RIGHT)
    )
    first = table.play(0, "8D ZEPHYR", refs=(press.seq,))
    press = table.observe(
        ClockPressed(side=Side.RIGHT, left_ms=1_460_000, right_ms=1_490_000, running=Side.LEFT)
    )
    table.play(1, "7H AX", refs=(press.seq,))
    table.record(ChallengeBonus(1, 5), refs=(press.seq,))
    table.correct(first.seq, Played(0, parse_placement("8D ZEPHYRS"), 103))
    sheet = Projection(1)
    for row in table.rows:
        sheet.advance(row)
    times = [(line.n, line.ended and line.ended.spent_ms) for line in sheet.lines[:2]]
    assert times == [(1, 40_000), (2, 10_000)]
    assert sheet.lines[0].as_public()["spent_ms"] == 40_000
    assert sheet.lines[0].word == "ZEPHYRS"
    bonus = sheet.lines[2]
    assert "spent_ms" not in bonus.as_public(), "time is counted once"


def played(name: str) -> Projection:
    """The record of a scenario."""
    file = Path(__file__).parents[2] / "scenarios" / f"{name}.scn"
    log, sheet = MemoryEventLog(), Projection(1)
    play_through(parse_scenario(file.read_text("utf-8"), file.name), store=log)
    for row in log.read_from(1):
        sheet.advance(row)
    return sheet


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("079_sleeve.wespa4", [27, 40, 26 + 21, 27]),
        ("079_nothing_laid", [27, 37 + 21]),
        ("079_set_going_again", [27, 21 + 7]),
        ("075_one_too_few.naspa", [27, 34, 6 + 1 + 21]),
    ],
)
def test_a_press_that_ended_no_turn_does_not_divide_its_time(name: str, seconds: list[int]) -> None:
    lines = [line.as_json() for line in played(name).lines]
    times = [line["spent_ms"] for line in lines if "spent_ms" in line]
    assert times == [1000 * time for time in seconds]


def test_time_that_ran_before_the_clock_was_set_counts(table: TableWriter) -> None:
    """The director stops the clock after a press that was none, and gives a minute."""
    table.start()
    said = [
        ClockPressed(side=Side.LEFT, left_ms=1_470_000, right_ms=1_500_000, running=Side.RIGHT),
        ClockPressed(side=Side.RIGHT, left_ms=1_470_000, right_ms=1_498_000, running=Side.LEFT),
        ClockChanged(act=ClockAct.PAUSE, left_ms=1_465_000, right_ms=1_498_000, running=Side.NONE),
        ClockChanged(act=ClockAct.ADJUST, left_ms=1_525_000, right_ms=1_498_000, running=Side.NONE),
        ClockPressed(side=Side.LEFT, left_ms=1_515_000, right_ms=1_498_000, running=Side.RIGHT),
    ]
    press = [table.observe(change, "clock") for change in said][-1]
    table.play(0, "8D ZEPHYR", refs=(press.seq,))
    sheet = Projection(1)
    for row in table.rows:
        sheet.advance(row)
    assert sheet.lines[0].as_public()["spent_ms"] == 30_000 + 5_000 + 10_000


def test_turns_read_from_one_look_have_their_own_times() -> None:
    """A cover lay over the board for three presses; of a hole of several turns no time is known."""
    lines = [line.as_json() for line in played("101_covered_for_several_turns").lines]
    assert [line.get("spent_ms") for line in lines] == [
        *(22_000, 22_000, 18_000, 22_000, None, 30_000),
    ]
    assert [line["clocks"][line["player"]] for line in lines[:4]] == [
        *(1_478_000, 1_478_000, 1_460_000, 1_456_000),
    ]
