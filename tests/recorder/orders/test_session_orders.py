"""Orders of a director through the recorder: real log, devices and console on the memory bus."""

from pathlib import Path

import pytest

import tilecast
from recorder.domain.board import Square, parse_square
from recorder.domain.game import Passed, Penalty, Played
from recorder.domain.observations import Side
from recorder.domain.orders import (
    Accept,
    Act,
    AdjustClock,
    Challenged,
    Correct,
    EntryName,
    Insert,
    Note,
    Outcome,
    Remove,
    Seated,
    TurnKind,
    Undo,
)
from recorder.domain.plays import parse_placement
from recorder.domain.recorded_turns import RecordedTurns
from recorder.domain.row_kind import Kind
from recorder.domain.tile_text import read_tile, write_tiles
from recorder.domain.tiles import Tile
from recorder.gcg import read_gcg
from recorder.lab.comparison import event_text, recorded_events
from recorder.log.port import Row
from recorder.projections.timeline import timeline
from recorder.wire.coded_text import CODED
from recorder.wire.control import decode_command
from recorder.wire.orders import OrderReply, decode_reply
from recorder.wire.topics import Audience, Down, DownChannel, table_filter
from tests.eventually import eventually
from tests.folded import broadcast_frame
from tests.recorder.session_table import VENUE, Table, board, play_two_turns, recorded, run

pytestmark = pytest.mark.slow


def sq(name: str) -> int:
    return parse_square(name)[0]


def texts(rows: list[Row]) -> list[str]:
    """The events that hold, in short."""
    return [event_text(event) for event in recorded_events(rows)]


def entry(rows: list[Row], word: str) -> EntryName:
    recorded = RecordedTurns()
    for row in rows:
        recorded.take(row)
    return next(
        name
        for name, place in recorded.entries()
        if isinstance(place.event, Played) and write_tiles(place.event.placement.word) == word
    )


def settle(tmp_path: Path, count: int) -> list[Row]:
    """The rows of the log once so many turns are recorded."""
    eventually(lambda: len(texts(recorded(tmp_path))) >= count, f"{count} turns are recorded")
    return recorded(tmp_path)


def test_a_corrected_letter_rescores_what_was_built_on_it(tmp_path: Path, table: Table) -> None:
    """HAND was BAND: its own points change, nobody's order of turns does."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    letters = ((sq("8G"), Tile("B")),)
    table.order(Correct(entry=entry(rows, "HAND"), letters=letters))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert texts(rows) == ["1 8G BAND +14", "2 9F CAT +13"]
    game = read_gcg((tmp_path / "live.gcg").read_bytes())
    assert game.final == (14, 13)
    frame = broadcast_frame(rows)
    assert [player["score"] for player in frame["players"]] == [14, 13]
    corrected = next(row for row in rows if row.kind is Kind.CORRECTED)
    ruled = next(row for row in rows if row.kind is Kind.RULED)
    assert corrected.body["ruled"] == [ruled.seq]
    assert ruled.seq in corrected.refs
    assert corrected.body["reason"] == "ruled"


LAID = ((Square(111), Tile("H")), (Square(112), Tile("A")), (Square(224), Tile("N")))
ACTS: list[tuple[str, Act, list[str]]] = [
    (
        "wrong score agreed",
        Correct(entry=EntryName(0), score=99),
        ["1 8G HAND +99", "2 9F CAT +14"],
    ),
    ("was a pass", Correct(entry=EntryName(0), kind=TurnKind.PASS), ["1 Passed", "2 9F CAT +6"]),
    ("never happened", Remove(entry=EntryName(0)), ["2 9F CAT +6"]),
    (
        "was laid against the rules",
        Correct(entry=EntryName(0), laid=LAID),
        ["1 illegal 8G=H 8H=A 15O=N +10", "2 9F CAT +14"],
    ),
    (
        "laid against the rules, for other points",
        Correct(entry=EntryName(0), laid=LAID, score=3),
        ["1 illegal 8G=H 8H=A 15O=N +3", "2 9F CAT +14"],
    ),
    (
        "lay elsewhere",
        Correct(entry=EntryName(0), placement=parse_placement("8D HAND")),
        ["1 8D HAND +12", "2 9F CAT +14"],
    ),
    (
        "came off",
        Challenged(entry=EntryName(0), outcome=Outcome.OFF),
        ["1 8G HAND +16", "1 Withdrawn", "2 9F CAT +6"],
    ),
    (
        "stood, and cost a turn and points",
        Challenged(entry=EntryName(0), outcome=Outcome.STANDS, bonus=5, penalty=3, turn_lost=True),
        ["1 8G HAND +16", "1 ChallengeBonus", "2 Penalty", "2 Passed", "2 9F CAT +14"],
    ),
    (
        "a pass was missed",
        Insert(after=EntryName(0), event=Passed(1)),
        ["1 8G HAND +16", "2 Passed", "2 9F CAT +14"],
    ),
    (
        "points taken off",
        Insert(after=EntryName(0), event=Penalty(0, 10, "INFR-1")),
        ["1 8G HAND +16", "1 Penalty", "2 9F CAT +14"],
    ),
    ("stands as it is", Accept(entry=EntryName(0)), ["1 8G HAND +16", "2 9F CAT +14"]),
]


def aimed(act: Act, name: EntryName) -> Act:
    from dataclasses import replace

    if isinstance(act, Insert):
        return replace(act, after=name)
    assert isinstance(act, Correct | Remove | Challenged | Accept)
    return replace(act, entry=name)


@pytest.mark.parametrize(("what", "act", "expected"), ACTS, ids=[what for what, *_ in ACTS])
def test_an_order_is_followed_undone_and_survives_a_restart(
    tmp_path: Path, table: Table, what: str, act: Act, expected: list[str]
) -> None:
    """The record reads as ordered; after a restart too; and undone as if nothing had been said."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    before = texts(rows)
    name = table.order(aimed(act, entry(rows, "HAND")))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert texts(rows) == expected
    recorder, store = run(tmp_path, table)
    assert recorded(tmp_path) == rows
    table.order(Undo(order=name))
    recorder.stop()
    store.close()
    assert texts(recorded(tmp_path)) == before


def test_a_turn_that_no_longer_fits_is_a_doubt_and_never_dropped(
    tmp_path: Path, table: Table
) -> None:
    """HAND is moved onto the squares of CAT: CAT keeps its turn and its points, with a doubt."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    table.order(Correct(entry=entry(rows, "HAND"), placement=parse_placement("9H HAND")))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert texts(rows) == ["1 9H HAND +9", "2 9F CA.... +14"]
    doubt = [row for row in rows if row.kind is Kind.CORRECTED][-1].body["doubt"]
    assert doubt["reasons"] == [
        {"code": "other_tiles_there", "values": {"play": "9F CAT +14", "squares": "9H"}}
    ]


def test_a_refused_order_has_a_row_and_an_answer_that_name_entry_and_square(
    tmp_path: Path, table: Table
) -> None:
    """No such tile of that play: the reason says which, and nothing else changes."""
    answers: list[OrderReply] = []
    table.bus.subscribe(
        table_filter(VENUE, Audience.INTERNAL),
        lambda message: (
            answers.append(decode_reply(message.payload))
            if message.topic.endswith("/order")
            else None
        ),
    )
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    cat = entry(rows, "CAT")
    table.order(Correct(entry=cat, letters=((sq("8G"), read_tile("B")),)))
    table.order(Note(text="heard it said"))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    refused = next(row for row in rows if row.body["type"] == "order.refused")
    assert refused.kind is Kind.RULED
    assert refused.body["data"]["reason"] == {
        "code": "no_tile_laid",
        "values": {"entry": cat.number, "squares": "8G", "event": "9F CAT +14"},
    }
    assert [(one.id, one.ok) for one in answers] == [("o1", False), ("o2", True)]
    assert answers[0].reason == CODED.read(refused.body["data"]["reason"])
    assert texts(rows) == ["1 8G HAND +16", "2 9F CAT +14"]


def test_an_order_that_comes_twice_counts_once(tmp_path: Path, table: Table) -> None:
    """The same id in a new message is answered with the first row; another order is refused."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    bonus = Insert(after=entry(rows, "CAT"), event=Penalty(0, 5, "late"))
    table.order(bonus, id_="x")
    table.order(bonus, id_="x")
    table.order(Note(text="not the same"), id_="x")
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert [row.body["type"] for row in rows if row.kind is Kind.RULED] == [
        "order.insert", "order.repeated", "order.refused",
    ]  # fmt: skip
    assert texts(rows)[-1] == "1 Penalty"
    assert len(texts(rows)) == 3


def test_only_consoles_give_orders(tmp_path: Path, table: Table) -> None:
    """A clock cannot rule, whatever it sends; reported once, and its own events are still taken."""
    recorder, store = run(tmp_path, table)
    table.recorder = None
    for _ in range(20):
        table.order(Note(text="hello"), dev="clock")
    table.recorder = recorder
    table.press(Side.RIGHT, Side.LEFT)
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert [row for row in rows if row.kind is Kind.RULED] == []
    (refused,) = [row for row in rows if row.type == "recorder.refused"]
    assert (refused.table, refused.device, refused.body["data"]["code"]) == (1, "clock", "role")
    assert recorder.counters.refused == 20
    assert [row.key[2] for row in rows if row.type == "clock.press" and row.key] == [21]


def test_later_looks_leave_a_ruled_turn_alone(tmp_path: Path, table: Table) -> None:
    """HAND was ruled to be BAND; the camera goes on seeing HAND, and says nothing new."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    table.order(Correct(entry=entry(rows, "HAND"), letters=((sq("8G"), read_tile("B")),)))
    table.think(Side.LEFT, 20)
    table.turn(Side.LEFT, board("8G HANDY", "9F CAT"))
    recorder.stop()
    store.close()
    rows = recorded(tmp_path)
    assert texts(rows) == ["1 8G BAND +14", "2 9F CAT +13", "1 8G ....Y +11"]
    assert [row.body["doubt"] for row in rows if row.kind is Kind.CORRECTED] == [None] * 2


def test_an_adjusted_clock_shows_at_once_and_goes_back_when_undone(
    tmp_path: Path, table: Table
) -> None:
    """The clock is informed, the frame has the new time; undone, both have the old one again."""
    told: list[bytes] = []
    topic = str(Down(VENUE, "clock", DownChannel.COMMAND))
    table.bus.subscribe(topic, lambda message: told.append(message.payload))
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    settle(tmp_path, 2)
    name = table.order(AdjustClock(player=0, left_ms=60_000))
    table.order(Undo(order=name))
    recorder.stop()
    commands = [decode_command(payload) for payload in told]
    assert [command.cmd for command in commands] == ["set", "set"]
    assert commands[0].args["left_ms"] == 60_000
    store.close()
    rows = recorded(tmp_path)
    seen = [row for row in rows if row.body["type"] == "clock.change"]
    assert [row.body["data"]["act"] for row in seen] == ["adjust", "adjust"]
    assert seen[0].body["data"]["left_ms"] == 60_000
    frame = broadcast_frame(rows)
    assert frame["clock"]["remaining_ms"][0] == pytest.approx(25 * 60_000 - 30_000, abs=1000)


def test_the_timeline_tells_a_page_all_that_an_order_names(tmp_path: Path, table: Table) -> None:
    """Entries under their names, pictures of the looks, orders with whether they count."""
    recorder, store = run(tmp_path, table)
    play_two_turns(table)
    rows = settle(tmp_path, 2)
    hand = entry(rows, "HAND")
    lost = table.order(Challenged(entry=hand, outcome=Outcome.STANDS, bonus=5))
    table.order(Remove(entry=EntryName(999)))
    table.order(Undo(order=lost))
    recorder.stop()
    store.close()
    items = timeline(recorded(tmp_path))
    orders = [item["order"] for item in items if "order" in item]
    assert [(one["type"], one["who"], one["in_force"]) for one in orders] == [
        ("order.challenge", "Dora", False),
        ("order.refused", "Dora", False),
        ("order.undo", "Dora", True),
    ]
    ruled, undone = [item for item in items if item["kind"] == "corrected"]
    assert [(one["entry"], one["part"], one["type"]) for one in ruled["entries"]] == [
        (ruled["seq"], 0, "game.played"),
        (ruled["seq"], 1, "game.challenge_bonus"),
    ]
    assert ruled["entries"][0]["squares"] == ["8G", "8H", "8I", "8J"]
    assert [one["id"] for one in ruled["orders"]] == [lost]
    assert (ruled["superseded_by"], undone["superseded_by"]) == (undone["seq"], None)
    assert undone["orders"] == []
    assert {one["picture"] for one in ruled["pictures"]} == {"ab" * 32}


def test_players_who_sit_the_other_way_round_get_their_own_turns(
    tmp_path: Path, table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """For the whole game, and the starter stays who it is; undone, it is as before."""
    recorder, store = run(tmp_path, table)
    table.press(Side.LEFT, Side.RIGHT)
    plays = ("8G HAND", "9F CAT", "10E TO")
    for number, side in enumerate((Side.RIGHT, Side.LEFT, Side.RIGHT), 1):
        table.think(side, 30)
        table.show(board(*plays[:number]))
        table.press(side, Side.LEFT if side is Side.RIGHT else Side.RIGHT)
        table.show(board(*plays[:number]))
    before = texts(settle(tmp_path, 3))
    order = table.order(Seated(player=1))
    eventually(lambda: _of_players(tmp_path) == [0, 1, 0], "Ada begins, each has their own turns")
    after = texts(recorded(tmp_path))
    table.order(Undo(order=order))
    eventually(lambda: texts(recorded(tmp_path)) == before, "as before the order")
    table.order(Seated(player=1))
    eventually(lambda: texts(recorded(tmp_path)) == after, "ordered again")
    recorder.stop()
    store.close()
    table.recorder = None
    frame = broadcast_frame(recorded(tmp_path))
    assert [player["seat"] for player in frame["players"]] == ["right", "left"]
    assert tilecast.main(["gcg", "check", str(tmp_path / "live.gcg")]) == 0, capsys.readouterr().out
    recorder, store = run(tmp_path, table)
    recorder.stop()
    store.close()
    assert texts(recorded(tmp_path)) == after


def _of_players(tmp_path: Path) -> list[int]:
    """Whose the turns are, in order."""
    return [event.player for event in recorded_events(recorded(tmp_path))]
