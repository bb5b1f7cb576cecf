"""Whatever is undone, corrected or brought back, results stay with the people who played them."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilecast
from recorder.domain.event.orders import (
    EnterPlayer,
    EnterResult,
    EventAct,
    EventOrder,
    UndoEventOrder,
)
from recorder.domain.event.register import Register, extended, register_of
from recorder.domain.record import OrderRefused
from recorder.lab.memory_log import MemoryEventLog
from recorder.orders.event_record import EventDesk, event_preview, judged_row
from recorder.orders.event_syntax import parse_event_order

pytestmark = pytest.mark.slow

HALL = (
    *("player A Ann 1900", "player A Bob 1800", "player A Bob Smith 1800", "player A Cat 1600"),
    *("player A Dan 1500", "player A Fay 1400", "round A 1 1:1-2 2:4-5 bye 6 out 3"),
    *("result A 1 1 400 2 300", "result A 1 4 510 5 290"),
)


class Desk:
    """Gives orders as a director does, and records what the recorder would."""

    def __init__(self, words: tuple[str, ...] = ()) -> None:
        self.log, self.desk = MemoryEventLog(), EventDesk()
        for said in words:
            assert self.gives(said) is None, said

    @property
    def register(self) -> Register:
        """The event as it is."""
        return self.desk.register

    def gives(self, words: str, *, agreed: bool = True) -> str | None:
        """The code of the reason why an order is refused; None: it is applied."""
        act = parse_event_order(words.split(), self.register.event)
        order = EventOrder(
            id=f"e{len(self.register.orders) + 1}", who="dir", act=act, agreed=agreed
        )
        row, reason = judged_row(self.register, order, 1)
        (stored,) = self.log.append([row])
        if not isinstance(stored.says, OrderRefused):
            self.desk.take(stored)
        return None if reason is None else reason.code

    def games(self) -> dict[tuple[int, str, str], tuple[int, int] | None]:
        return {
            (game.round, *sorted(division.player(n).name for n in game.players)): game.scores
            for division in self.register.event.divisions
            for game in division.games
        }


def test_undoing_a_double_entry_moves_nobody() -> None:
    """The entry is gone, and with it nothing else: nothing has to be agreed to."""
    desk = Desk(HALL)
    before = desk.games()
    assert desk.gives("undo e3", agreed=False) is None
    assert desk.games() == before
    (division,) = desk.register.event.divisions
    assert {p.number: p.name for p in division.players} == {
        1: "Ann", 2: "Bob", 4: "Cat", 5: "Dan", 6: "Fay"
    }  # fmt: skip


def test_a_number_is_given_once() -> None:
    """A later entry gets a new one, so that the entry undone can be brought back."""
    desk = Desk((*HALL, "undo e6", "player A Gil"))
    (division,) = desk.register.event.divisions
    assert division.by_number[7].name == "Gil"
    assert desk.gives("undo e10") is None
    (division,) = desk.register.event.divisions
    assert (division.by_number[6].name, division.player(6).in_round(1).score) == ("Fay", 50)


def test_what_an_undo_takes_along_is_agreed_to_first() -> None:
    """Cat has played: without her there is no round 1. It is named, and refused until then."""
    desk = Desk(HALL)
    undo = EventOrder(id="u", who="dir", act=UndoEventOrder(order="e4"))
    preview = event_preview(desk.register, undo)
    assert [change.code for change in preview.changes] == [
        "round_differs", *("result_gone",) * 4
    ]  # fmt: skip
    assert [order.id for order in preview.left_out] == ["e7", "e8", "e9"]
    before = desk.register.event
    assert desk.gives("undo e4", agreed=False) == "event_unseen"
    assert desk.register.event == before
    assert desk.gives("undo e4") is None
    assert desk.games() == {}
    assert desk.gives("undo e10") is None
    assert desk.register.event == before


def test_a_word_on_a_game_is_of_that_game_alone() -> None:
    """A round paired again leaves what was said of another opponent behind."""
    desk = Desk((*HALL[:7], "claim A 1 1 400 300", "round A 1 1:1-4 2:2-5 bye 6 out 3"))
    (act,) = [order.act for order in desk.register.orders if order.id == "e8"]
    assert getattr(act, "other", None) == 2
    desk.gives("undo e7")
    desk.gives("undo e8")
    assert desk.gives("undo e11") is None
    assert {order.id for order, _ in desk.register.left_out} <= {"e8"}
    (division,) = desk.register.event.divisions
    assert division.player(1).in_round(1).claim is None


def test_rows_without_identities_are_folded_as_before() -> None:
    """An old log: the number is the next one at the time of folding."""
    acts: list[EventAct] = [EnterPlayer(division="A", name=name) for name in ("Ann", "Bob", "Cat")]
    acts.append(UndoEventOrder(order="o1"))
    orders = [EventOrder(id=f"o{n}", who="dir", act=act) for n, act in enumerate(acts)]
    (division,) = register_of(orders).event.divisions
    assert [(p.number, p.name) for p in division.players] == [(1, "Ann"), (2, "Cat")]


def test_an_order_that_comes_twice_is_the_same(tmp_path: Path) -> None:
    """Also where the row has the identity that the order did not have."""
    desk = Desk(HALL[:1])
    again = EventOrder(id="e1", who="dir", act=EnterPlayer(division="A", name="Ann", rating=1900))
    assert desk.desk.row_of(EventOrder(id="e1", who="dir", act=again.act, agreed=True)) == 1
    assert desk.desk.row_of(EventOrder(id="e1", who="eve", act=again.act)) is None


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 9), st.integers(1, 3), st.data())
def test_what_is_undone_and_redone_leaves_every_other_result(
    players: int, rounds: int, data: st.DataObject
) -> None:
    """The same people, whatever order is undone; and back it is as it was."""
    desk = Desk(tuple(f"player A P{n}" for n in range(1, players + 1)))
    for round_ in range(1, rounds + 1):
        order = data.draw(st.permutations(range(1, players + 1)))
        pairs = list(zip(order[::2], order[1::2], strict=False))
        bye = f" bye {order[-1]}" if players % 2 else ""
        games = " ".join(f"{t}:{a}-{b}" for t, (a, b) in enumerate(pairs, start=1))
        assert desk.gives(f"round A {round_} {games}{bye}") is None
        for a, b in pairs:
            if data.draw(st.booleans()):
                assert desk.gives(f"result A {round_} {a} {300 + a} {b} {400 + b}") is None
    before, games_before = desk.register.event, desk.games()
    undone = data.draw(st.sampled_from(desk.register.orders))
    preview = event_preview(
        desk.register, EventOrder(id="u", who="d", act=UndoEventOrder(order=undone.id))
    )
    assert desk.gives(f"undo {undone.id}") is None
    own = undone.act if isinstance(undone.act, EnterResult) else None
    for place, scores in desk.games().items():
        if own is None or (own.round, f"P{own.first}") != place[:2]:
            assert scores is None or games_before[place] == scores
    lost = {place for place, scores in games_before.items() if scores} - {
        place for place, scores in desk.games().items() if scores
    }
    if len(lost) > (own is not None):
        assert preview.changes
    assert desk.gives(f"undo {desk.register.orders[-1].id}") is None
    assert desk.register.event == before


@settings(max_examples=20, deadline=None)
@given(st.randoms(use_true_random=False))
def test_orders_fold_to_the_same_event_one_by_one_and_at_once(chance: Random) -> None:
    """Whatever is ordered, and undone far back: a run of results is folded at once at the start."""
    words = [f"player {division} P{n}" for n in range(1, 7) for division in "AB"]
    while len(words) < 150:
        a, b, c, d, *rest = chance.sample(range(1, 7), 6)
        head = f"{chance.choice('AB')} {chance.randint(1, 3)}"
        pairs = f"1:{a}-{b} 2:{c}-{d} out {rest[0]} {rest[1]} again"
        points, other = chance.randint(250, 500), chance.randint(250, 500)
        result = f"result {head} {a} {points} {b} {other}"
        words += chance.choices(
            (
                *(result, f"result {head} {c} {points}", f"claim {head} {a} {points} {other}"),
                *(f"round {head} {pairs}", f"table {head} {a} {d}", f"replay {head} {c}"),
                *(f"left {head[0]} {d}", f"returned {head[0]} {d}", f"penalty {head[0]} {a} 1 -20"),
                f"undo e{chance.randint(1, len(words))}",
            ),
            (20, 2, 4, 3, 1, 1, 1, 1, 1, 3),
        )
        words += [f"round {head} {pairs}", result] if chance.random() < 0.3 else []
    orders = [
        EventOrder(id=f"e{n}", who="dir", act=parse_event_order(said.split()))
        for n, said in enumerate(words, start=1)
    ]
    register = register_of(())
    for order in orders:
        register = extended(register, order)
    at_once = register_of(orders)
    assert (register.event, register.left_out) == (at_once.event, at_once.left_out)


def test_the_command_asks_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names what else changes and records nothing; with --agree it does it; undo brings back."""
    log = tmp_path / "day.db"
    for words in HALL:
        assert tilecast.main(["event", "order", str(log), *words.split()]) == 0
    capsys.readouterr()
    assert tilecast.main(["event", "order", str(log), "undo", "e4"]) == 1
    said = capsys.readouterr().err
    assert "Cat 510, Dan 290 no longer counts" in said
    assert "the same order with --agree" in said
    assert tilecast.main(["event", "order", str(log), "undo", "e4", "--agree"]) == 0
    assert tilecast.main(["event", "order", str(log), "undo", "e10", "--agree"]) == 0
    assert tilecast.main(["event", "order", str(log)]) == 0
    listed = capsys.readouterr().out
    assert "(undone by e11)" in listed
    assert "(undone by e10)" not in listed
