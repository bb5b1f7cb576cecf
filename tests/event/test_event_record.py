"""The event in the log: entered, paired, scored, corrected and undone by orders, read as a feed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilecast
from recorder.domain.errors import DeviceError, NotationError
from recorder.domain.event.orders import (
    AdjournGame,
    ArrangeDivision,
    AssignDevice,
    ChangePlayer,
    CheckIn,
    ClaimResult,
    DescribeEvent,
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    ExchangeCameras,
    FixedSeat,
    ForfeitGame,
    LeaveEvent,
    MoveGame,
    MovePlayers,
    MovesFirst,
    PenaliseSpread,
    PlayByRules,
    PublishRound,
    ReplayGame,
    ResumeGame,
    ReturnToEvent,
    TableGame,
    UndoEventOrder,
    UseWords,
)
from recorder.domain.event.register import Register, refusal, register_of
from recorder.domain.event.seating import seating
from recorder.domain.instruments import DeviceRole
from recorder.domain.record import EventOrdered, OrderRefused
from recorder.domain.row_kind import Kind
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow
from recorder.orders.event_record import EventDesk, event_preview, event_register, judged_row
from recorder.orders.event_syntax import event_usage, parse_event_order
from recorder.wire.event_orders import EVENT_ORDER_TYPES, decode_event_order, encode_event_order
from tests.documents import document

WIRE = document("wire")
ACTS: tuple[EventAct, ...] = (
    DescribeEvent(name="Harbour Open", rounds=4),
    EnterPlayer(division="A", name="Brok, Ilse", rating=1500, ident="XT006003"),
    EnterPlayer(division="A", name="Caro, Mateo"),
    EnterPlayer(division="A", name="Dube, Thandi", rating=1400),
    ChangePlayer(division="A", number=2, rating=1450, prize_class=1),
    PublishRound(division="A", round=1, games=(TableGame(table=1, first=2, second=1),), bye=3),
    EnterResult(division="A", round=1, first=1, first_score=400, second=2, second_score=390),
    LeaveEvent(division="A", number=3),
    ReturnToEvent(division="A", number=3),
    PenaliseSpread(division="A", number=2, round=1, points=-20),
    UndoEventOrder(order="e8"),
)
GAME_ACTS: tuple[EventAct, ...] = (
    MoveGame(division="A", round=1, number=2, table=7),
    MovesFirst(division="A", round=1, number=1),
    AdjournGame(division="A", round=1, number=1),
    ResumeGame(division="A", round=1, number=1),
    ReplayGame(division="A", round=1, number=1),
    ClaimResult(division="A", round=1, number=1, own_score=400, other_score=390),
    ForfeitGame(division="A", round=1, number=1, how="no_show", margin=-50, other_margin=50),
)
SETTINGS: tuple[EventAct, ...] = (
    CheckIn(division="A", number=1),
    ChangePlayer(division="A", number=1, ident="AA000123"),
    MovePlayers(division="B", numbers=(4, 7), to="A", given=(5, 6)),
    PlayByRules(division="A", rules="psa", overrides={"timer.limit_s": 1200}, minutes=20),
    UseWords(division="A", file="lists/mine.txt"),
    ArrangeDivision(division="A", tables=(7, 8), fixed=(FixedSeat(number=1, table=7),), prizes=2),
    AssignDevice(device="cam-1", table=2, role=DeviceRole.BOARD_CAMERA),
    ExchangeCameras(tables=(1, 2), games=("g1", "g2"), cameras=("cam-1", "cam-2")),
)

ORDERS = tuple(
    EventOrder(id=f"e{number}", who="dir", act=act) for number, act in enumerate(ACTS, start=1)
)
OF_GAMES = tuple(
    EventOrder(id=f"g{number}", who="dir", act=act)
    for number, act in enumerate((*GAME_ACTS, *SETTINGS), start=1)
)


def test_every_order_comes_back_from_the_wire() -> None:
    """In an envelope or a row it is the same; there is one of every type."""
    every = (*ORDERS, *OF_GAMES)
    spelled = [encode_event_order(order) for order in every]
    assert {name for name, _ in spelled} == set(EVENT_ORDER_TYPES)
    for order, (name, data) in zip(every, spelled, strict=True):
        assert decode_event_order(name, json.loads(json.dumps(data))) == order
    with pytest.raises(DeviceError, match="unknown order"):
        decode_event_order("event.party", {})


def test_orders_about_one_game_of_a_round() -> None:
    """Moved, the other way round, adjourned, resumed; played again it has no result."""
    found = register_of((*ORDERS, *OF_GAMES[:3]))
    (game,) = found.event.divisions[0].games
    assert (game.table, game.start, game.adjourned, game.scores) == (7, 1, True, (400, 390))
    (game,) = register_of((*ORDERS, *OF_GAMES)).event.divisions[0].games
    assert (game.attempt, game.adjourned, game.scores) == (2, False, None)
    assert (game.forfeited, game.margins) == (True, (-50, 50))


def test_a_game_that_moves_sends_the_other_to_its_table() -> None:
    """Two pairs had sat down at each other's tables; their table waits for them, round by round."""
    players = [EnterPlayer(division="A", name=f"P{n}") for n in range(1, 5)]
    paired = (TableGame(table=1, first=1, second=2), TableGame(table=2, first=4, second=3))
    rounds = [PublishRound(division="A", round=n, games=paired) for n in (2, 1)]
    moved = MoveGame(division="A", round=1, number=2, table=2)
    acts = (*players, *rounds, moved)
    orders = [EventOrder(id=f"m{n}", who="dir", act=act) for n, act in enumerate(acts)]
    waiting = seating(register_of(orders).event).waiting
    assert [
        [(game.pairing.round, game.players) for game in waiting[table]] for table in (1, 2)
    ] == [
        [(1, ("P4", "P3")), (2, ("P1", "P2"))],
        [(1, ("P1", "P2")), (2, ("P4", "P3"))],
    ]


def test_an_adjourned_game_is_moved_alone() -> None:
    """Another game's move does not take it away; its own displaces nobody."""
    words = ["player A P1", "player A P2", "player A P3", "player A P4", "round A 1 1:1-2 2:3-4"]
    words += ["adjourn A 1 1", "table A 1 3 1"]
    acts = map(parse_event_order, map(str.split, words))
    orders = [EventOrder(id=f"m{n}", who="d", act=act) for n, act in enumerate(acts)]

    def seats(*more: str) -> dict[tuple[int, int], tuple[int | None, int | None]]:
        given = [EventOrder(id=w, who="d", act=parse_event_order(w.split())) for w in more]
        games = register_of([*orders, *given]).event.divisions[0].games
        return {game.players: (game.table, game.begun_at) for game in games}

    assert seats() == {(1, 2): (1, None), (3, 4): (1, None)}
    moved = ("table A 1 1 2", "resume A 1 1", "table A 1 2 5")
    assert seats(*moved) == {(1, 2): (5, 1), (3, 4): (1, None)}
    assert seats(*moved, "table A 1 1 1")[1, 2] == (1, None)


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (EnterPlayer(division="A", name="BROK, Ilse"), "event_name_taken"),
        (EnterPlayer(division="A", name="New", number=2), "event_number_taken"),
        (ChangePlayer(division="B", number=1), "event_no_division"),
        (LeaveEvent(division="A", number=9), "event_no_player"),
        (PublishRound(division="A", round=1, games=()), "event_round_begun"),
        (
            PublishRound(division="A", round=2, games=(TableGame(table=1, first=1, second=1),)),
            "event_player_twice",
        ),
        (
            PublishRound(
                division="A", round=2, games=(TableGame(table=1, first=1, second=2),), bye=2
            ),
            "event_player_twice",
        ),
        (EnterResult(division="A", round=2, first=1, first_score=1, second=2), "event_not_paired"),
        (
            EnterResult(division="A", round=1, first=1, first_score=1, second=3),
            "event_paired_otherwise",
        ),
        (EnterResult(division="A", round=1, first=1, first_score=50), "event_paired_otherwise"),
        (MoveGame(division="A", round=2, number=1, table=3), "event_not_paired"),
        (UndoEventOrder(order="e99"), "event_no_order"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_does_not_fit_is_refused(act: EventAct, code: str) -> None:
    """With a code; the row says so, and the event stays as it is."""
    log, found = MemoryEventLog(), register_of(ORDERS)
    reason = refusal(found, EventOrder(id="x", who="dir", act=act))
    assert reason.code == code
    (row,) = log.append([judged_row(found, EventOrder(id="x", who="dir", act=act), 1)[0]])
    assert isinstance(row.says, OrderRefused)
    assert event_register([row]) == Register(register_of(()).event)


def test_rows_make_the_same_event() -> None:
    """Written to a log and read again, among rows about other things."""
    log = MemoryEventLog()
    for order in ORDERS:
        log.append([NewRow.saying(EventOrdered(order=order), table=0, game="", at=1)])
    rows = list(log.read_from(1))
    assert {row.kind for row in rows} == {Kind.RULED}
    assert event_register(rows) == register_of(ORDERS)
    desk = EventDesk()
    for row in rows:
        desk.take(row)
    assert desk.register == register_of(ORDERS)


@pytest.mark.parametrize("order", [*ORDERS, *OF_GAMES], ids=lambda order: type(order.act).__name__)
def test_every_field_of_every_order_is_described(order: EventOrder) -> None:
    """In the page on what travels, each type in a section of its own."""
    name, data = encode_event_order(order)
    section = WIRE.split(f"### `{name}`", 1)[1].split("\n#", 1)[0]
    assert [key for key in data if key not in ("id", "who") and f"`{key}`" not in section] == []


@given(st.lists(st.integers(0, len(ORDERS) - 1), max_size=14))
def test_an_order_that_is_undone_leaves_no_trace(undone: list[int]) -> None:
    undoing = [
        EventOrder(id=f"u{n}", who="dir", act=UndoEventOrder(order=ORDERS[place].id))
        for n, place in enumerate(undone)
        if not isinstance(ORDERS[place].act, UndoEventOrder)
    ]
    gone = {order.act.order for order in undoing if isinstance(order.act, UndoEventOrder)}
    left = [order for order in ORDERS if order.id not in gone]
    assert register_of([*ORDERS, *undoing]).event == register_of(left).event


def test_a_player_cannot_be_undone_unseen() -> None:
    """Orders that rest on it no longer fit: the preview names them."""
    order = EventOrder(id="u", who="dir", act=UndoEventOrder(order="e2"))
    preview = event_preview(register_of(ORDERS), order)
    assert preview.reason is None
    assert {left.id for left in preview.left_out} >= {"e6", "e7"}


@pytest.mark.parametrize("line", [line for line in event_usage().splitlines() if line[0] != " "])
def test_every_order_can_be_written_in_words(line: str) -> None:
    """As the help shows them; with something else there, the help's line is the answer."""
    verb = line.split(maxsplit=1)[0]
    with pytest.raises(NotationError, match=f"write: {verb} "):
        parse_event_order([verb])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1 431 2 380", "A 1 1 431 2 380"),
        ("2 380 1 431", "A 1 2 380 1 431"),
        ("3 400 4 -5", "A 2 3 400 4 -5"),
        ("a 3 400 4 390", "A 2 3 400 4 390"),
    ],
)
def test_a_result_can_be_typed_in_short(words: str, expected: str) -> None:
    """The game that the two have still to play, else the last one that they have played."""
    event = register_of(SHORT_DAY).event
    assert parse_event_order(words.split(), event) == parse_event_order(
        ["result", *expected.split()]
    )


def test_a_short_result_of_nobody_is_named() -> None:
    """Two who are not paired, two who are paired in several divisions."""
    twins = [
        EventOrder(id=f"t{n}", who="dir", act=parse_event_order(words.split()))
        for n, words in enumerate(("player B X", "player B Y", "round B 1 9:1-2"))
    ]
    event = register_of([*SHORT_DAY, *twins]).event
    with pytest.raises(NotationError, match="not paired"):
        parse_event_order(["1", "400", "3", "390"], event)
    with pytest.raises(NotationError, match="name their division"):
        parse_event_order(["1", "400", "2", "390"], event)


SHORT_DAY = tuple(
    EventOrder(id=f"s{n}", who="dir", act=parse_event_order(words.split()))
    for n, words in enumerate(
        [
            *("player A P1", "player A P2", "player A P3", "player A P4"),
            *("round A 1 1:1-2 2:3-4", "result A 1 3 410 4 400", "round A 2 2:4-3"),
        ]
    )
)
"""Players 1 and 2 have a game of round 1 to play, 3 and 4 one of round 2."""


class Director:
    """Gives orders to a log from the command line, and looks at what it holds."""

    def __init__(self, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.log = log
        self.capsys = capsys

    def orders(self, line: str, *options: str) -> Any:
        assert (
            tilecast.main(["event", "order", str(self.log), *line.split(), *options, "--json"]) == 0
        )
        return json.loads(self.capsys.readouterr().out)

    def asks(self, command: str, *options: str) -> Any:
        """Standings or pairings of division A."""
        words = ["event", command, str(self.log), "--division", "A", *options, "--json"]
        assert tilecast.main(words) == 0
        return json.loads(self.capsys.readouterr().out)

    def plays(self, round_: int, paired: dict[str, Any], lead: int = 30) -> None:
        """Every game of a round: who moves first wins."""
        for n, pair in enumerate(paired["pairs"]):
            scores = f"{pair['first']} {400 + lead + n} {pair['second']} 400"
            self.orders(f"result A {round_} {scores}")


def test_what_is_refused_is_said_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1, the reason on standard error; a round that has begun is not paired again."""
    director = Director(tmp_path / "tilecast.db", capsys)
    for name in ("Ashdown, Vera", "Brok, Ilse"):
        director.orders(f"player A {name}")
    director.orders("round A 1 1:1-2")
    director.orders("result A 1 1 400 2 390")
    assert tilecast.main(["event", "order", str(director.log), "round", "A", "1", "1:2-1"]) == 1
    assert "refused: Round 1 of division A has results" in capsys.readouterr().err
    words = ["event", "pair", str(director.log), "--method", "koth", "--round", "1", "--publish"]
    assert tilecast.main(words) == 1
    assert "Round 1 of division A has results" in capsys.readouterr().err
    assert tilecast.main(["event", "order", str(director.log)]) == 0
    assert "division A, round 1: 1 Ashdown, Vera 400" in capsys.readouterr().out
    assert tilecast.main(["event", "order", str(director.log), "player", "A;B", "X"]) == 1
    assert "division" in capsys.readouterr().err


def test_publishing_takes_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A feed of others is not written to."""
    path = tmp_path / "a.t"
    path.write_text("Brok, Ilse 1500;;\nCaro, Mateo 1400;;\n")
    assert tilecast.main(["event", "pair", str(path), "--method", "koth", "--publish"]) == 1
    assert "--publish takes a log" in capsys.readouterr().err
