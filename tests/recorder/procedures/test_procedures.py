"""Signatures and procedures as orders: what stands open is a fold of the orders in force."""

from dataclasses import replace

import pytest

from recorder.domain.orders import (
    Act,
    BeginProcedure,
    CloseProcedure,
    Note,
    Order,
    Remove,
    Sign,
    TableOrder,
    TickStep,
    TimeStep,
    Undo,
)
from recorder.domain.record import OrderCarriedOut
from recorder.domain.row_kind import Kind
from recorder.domain.rulings.in_force import Ruling
from recorder.domain.rulings.procedures import procedure_runs
from recorder.lab.memory_log import MemoryEventLog
from recorder.log.port import NewRow, Row
from recorder.orders.syntax import parse_order
from recorder.projections.timeline import Timeline
from recorder.wire.orders import encode_order
from tests.recorder.order_game import OrderGame, played

BEGIN = BeginProcedure(key="p", code="overdraw", facts={"tiles": 1}, steps=3)


def given(game: OrderGame, act: Act) -> str:
    told = game.told(act)
    assert game.give(told) == ""
    return told.order.id


def story(rows: list[Row]) -> Timeline:
    """What the director's page is made from."""
    told = Timeline(1)
    for row in rows:
        told.advance(row)
    return told


def rulings(rows: list[Row]) -> list[Ruling]:
    return [
        Ruling.of(row.says, seq=row.seq, at_ms=row.at)
        for row in rows
        if isinstance(row.says, OrderCarriedOut)
    ]


def done(game: OrderGame) -> list[list[int]]:
    """The ticked steps of each open procedure."""
    return [one["done"] for one in story(game.rows()).procedures()]


def test_a_procedure_stands_open_until_it_is_closed() -> None:
    """Steps are ticked and unticked; closed, it is no longer there; undone, it is again."""
    game = played().copied()
    given(game, BEGIN)
    assert done(game) == [[]]
    given(game, TickStep(key="p", step=1))
    given(game, TickStep(key="p", step=0))
    assert done(game) == [[0, 1]]
    given(game, TickStep(key="p", step=1, done=False))
    assert done(game) == [[0]]
    closing = given(game, CloseProcedure(key="p"))
    assert done(game) == []
    given(game, Undo(order=closing))
    assert done(game) == [[0]]


def test_a_procedure_that_is_restated_keeps_who_began_it() -> None:
    """Other facts, another way or incident: the ticks are those that the new statement has."""
    game = played().copied()
    given(game, BEGIN)
    (first,) = story(game.rows()).procedures()
    given(game, TickStep(key="p", step=2))
    other = BeginProcedure(key="p", code="overdraw", facts={"tiles": 2}, steps=1, done=(0,))
    given(game, other)
    (now,) = story(game.rows()).procedures()
    assert (now["row"], now["at"], now["who"]) == (first["row"], first["at"], first["who"])
    assert (now["facts"], now["steps"], now["done"]) == ({"tiles": 2}, 1, [0])


def test_the_time_of_a_step_runs_from_its_order_on_for_every_page() -> None:
    """It is a state of the table: a restatement keeps it, the same order again begins it again."""
    game = played().copied()
    given(game, BEGIN)
    given(game, TimeStep(key="p", step=1))
    ordered = game.rows()[-1]
    (first,) = procedure_runs(rulings(game.rows()))
    given(game, replace(BEGIN, done=(0,)))
    (restated,) = procedure_runs(rulings(game.rows()))
    assert first.timed_ms == restated.timed_ms == {1: ordered.at}
    assert ordered.type == "order.procedure.time"
    assert game.give(game.told(TimeStep(key="p", step=3))).startswith("no_such_step")


REFUSED = [
    (TickStep(key="q", step=0), "no_procedure key=q"),
    (TickStep(key="p", step=3), "no_such_step key=p number=4 steps=3"),
    (BeginProcedure(key="r", code="spill", notice=1), "no_such_notice row=1"),
]


@pytest.mark.parametrize(("act", "reason"), REFUSED)
def test_an_order_about_no_open_procedure_is_refused(act: Act, reason: str) -> None:
    """Another key, a step that it does not have, a row that is no notice."""
    game = played().copied()
    given(game, BEGIN)
    assert game.give(game.told(act)) == reason


def test_a_closed_procedure_takes_no_more_orders() -> None:
    """Anyone who wants it again begins another one."""
    game = played().copied()
    given(game, BEGIN)
    given(game, CloseProcedure(key="p", carried_out=False))
    for act in (TickStep(key="p", step=0), CloseProcedure(key="p"), BEGIN):
        assert game.give(game.told(act)) == "procedure_closed key=p"


def test_a_signature_is_an_order_and_goes_stale_with_the_record() -> None:
    """Undone it is none; what is corrected afterwards was not signed."""
    game = played().copied()
    signed = given(game, Sign(player=1))
    nobody, other = story(game.rows()).signatures()
    assert nobody is None
    assert (other["order"], other["stale"]) == (signed, False)
    given(game, Remove(entry=next(game.game_recorder.recorded.entries())[0]))
    assert story(game.rows()).signatures()[1]["stale"] is True  # type: ignore[index]
    given(game, Undo(order=signed))
    assert story(game.rows()).signatures() == [None, None]


def row_of(act: Act, v: int) -> Row:
    """A row of an order, as a release of that version wrote it."""
    told = TableOrder(table=1, order=Order(id="o", who="Dora", act=act))
    body = dict(zip(("type", "data"), encode_order(told), strict=True))
    log = MemoryEventLog()
    (row,) = log.append([NewRow(table=1, game="g", kind=Kind.RULED, at=1, body=body)])
    assert row is not None
    return replace(row, v=v)


def act_of(row: Row) -> Act:
    assert isinstance(row.says, OrderCarriedOut)
    return row.says.order.order.act


SIGNED = Note(text="result slip signed by player 2, Tom Reyes")
KEPT = Note(
    text='procedure open: Too many {"key":"k","incident":"overdraw","facts":{"mixed":false},'
    '"way":1,"steps":4,"done":[0,2],"off":[1],"text":"as told"}'
)


def test_a_note_of_today_is_a_note_whatever_it_says() -> None:
    """Only rows of version 1 have signatures and procedures in the text of notes."""
    assert act_of(row_of(SIGNED, 2)) == SIGNED
    assert act_of(row_of(SIGNED, 1)) == Sign(player=1)
    assert act_of(row_of(KEPT, 2)) == KEPT


def test_an_old_note_of_a_procedure_keeps_what_was_answered_and_done() -> None:
    """One that was cut off, or was never worked out, stands open by its title."""
    assert act_of(row_of(KEPT, 1)) == BeginProcedure(
        key="k",
        code="overdraw",
        facts={"title": "Too many", "mixed": False},
        way=1,
        steps=4,
        done=(0, 2),
        left_out=(1,),
        text="as told",
    )
    cut = Note(text=KEPT.text[:60])
    assert act_of(row_of(cut, 1)) == BeginProcedure(key="o", code="", facts={"title": "Too many"})


WORDS = [
    ("sign 2", Sign(player=1)),
    ("procedure begin p overdraw", BeginProcedure(key="p", code="overdraw")),
    (
        "procedure begin p overdraw 41 tiles=2 who=Ada",
        BeginProcedure(key="p", code="overdraw", notice=41, facts={"tiles": 2, "who": "Ada"}),
    ),
    ("procedure step p 1", TickStep(key="p", step=0)),
    ("procedure step p 2 undone", TickStep(key="p", step=1, done=False)),
    ("procedure time p 2", TimeStep(key="p", step=1)),
    ("procedure close p", CloseProcedure(key="p")),
    ("procedure close p dropped", CloseProcedure(key="p", carried_out=False)),
]


@pytest.mark.parametrize(("words", "act"), WORDS)
def test_tilecast_correct_says_them_in_words(words: str, act: Act) -> None:
    assert parse_order(words.split()) == act
