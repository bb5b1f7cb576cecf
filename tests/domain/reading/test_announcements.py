"""What is said by buttons, folded with presses and looks: exchanges, passes, bonuses."""

from dataclasses import replace

import pytest

from recorder.domain.game import (
    ChallengeBonus,
    EndRackPoints,
    Exchanged,
    GameEvent,
    NoPlay,
    Passed,
    Played,
)
from recorder.domain.notices import CodedText, coded
from recorder.domain.observations import (
    Announced,
    BoardSeen,
    ClockAct,
    ClockChanged,
    ClockPressed,
    Observation,
    Say,
    Side,
)
from recorder.domain.reading.table_fold import Stamped, open_table, take
from recorder.domain.tiles import TileSet
from recorder.domain.turns import Turn
from recorder.tilesets import load_tile_set
from tests.domain.reading.test_reconstruct import HAND, HAND_WITH_CAT
from tests.looks import look

LEFT, RIGHT = Side.LEFT, Side.RIGHT
OTHER = {LEFT: RIGHT, RIGHT: LEFT}
CORNERS = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
ENGLISH = load_tile_set("english")
HANDS = """
...............
...............
......HANDS....
"""
HANDS_SEA = """
...............
...............
......HANDS....
..........E....
..........A....
"""
TIMES = {"left_ms": 1_500_000, "right_ms": 1_500_000}


class Table:
    """A table whose log rows are numbered from 1; player 1 sits on the left, and has begun."""

    def __init__(self, tile_set: TileSet | None = None, *, left_player: int = 0) -> None:
        self.seq = 0
        starts = (1_500_000, 1_500_000)
        tiles = tile_set or ENGLISH
        self.state = open_table(tiles, starts_ms=starts, left_player=left_player)
        self.press(RIGHT if left_player == 0 else LEFT)

    def take(self, observation: Observation) -> int:
        """One more row of the log; its number."""
        self.seq += 1
        stamped = Stamped(seq=self.seq, at_ms=1000 * self.seq, observation=observation)
        self.state = take(self.state, stamped)
        return self.seq

    def press(self, side: Side) -> int:
        """A half is pressed, the other one runs."""
        return self.take(ClockPressed(side=side, **TIMES, running=OTHER[side]))

    def stop_clock(self) -> int:
        return self.take(ClockChanged(act=ClockAct.PAUSE, **TIMES, running=Side.NONE))

    def start_clock(self, side: Side) -> int:
        return self.take(ClockChanged(act=ClockAct.RESUME, **TIMES, running=side))

    def show(self, rows: str) -> int:
        seen = BoardSeen(
            frame="f",
            squares=look(rows),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=50,
        )
        return self.take(seen)

    def turn(self, side: Side, rows: str) -> int:
        pressed = self.press(side)
        self.show(rows)
        return pressed

    def say(self, side: Side, say: Say, count: int = 0) -> int:
        """A button of the scorer's box."""
        return self.take(Announced(side=side, say=say, count=count))

    @property
    def groups(self) -> tuple[Turn, ...]:
        return self.state.story()

    @property
    def events(self) -> list[GameEvent]:
        return [event for group in self.groups for event in group.events]

    @property
    def doubts(self) -> list[CodedText]:
        return [doubt for group in self.groups for doubt in group.doubts]


@pytest.fixture
def table() -> Table:
    """An English game in which player 1 has played HAND."""
    opened = Table()
    opened.turn(LEFT, HAND)
    return opened


SAID = [
    pytest.param(Say.EXCHANGE, 3, Exchanged(1, 3), id="exchange"),
    pytest.param(Say.PASS, 0, Passed(1), id="pass"),
]


@pytest.mark.parametrize(("say", "count", "event"), SAID)
def test_said_before_the_press_it_is_what_the_turn_was(
    table: Table, say: Say, count: int, event: GameEvent
) -> None:
    """Announced, pressed, board unchanged: the turn is known, and rests on what was said."""
    said = table.say(RIGHT, say, count)
    pressed = table.turn(RIGHT, HAND)
    assert table.events[1:] == [event]
    last = table.groups[-1]
    assert (last.ref, last.refs, last.doubts) == (pressed, (pressed, pressed + 1, said), ())


@pytest.mark.parametrize(("say", "count", "event"), SAID)
def test_said_after_the_press_it_still_names_the_turn(
    table: Table, say: Say, count: int, event: GameEvent
) -> None:
    """The turn is undecided until somebody says it; the next press does not change that."""
    pressed = table.turn(RIGHT, HAND)
    assert table.events[1:] == [NoPlay(1)]
    said = table.say(RIGHT, say, count)
    assert table.events[1:] == [event]
    table.turn(LEFT, HANDS)
    assert table.events[1] == event
    assert table.groups[1].refs == (pressed, pressed + 1, said)
    assert table.doubts == []


@pytest.mark.parametrize("late", [False, True], ids=["before the press", "after the press"])
def test_a_play_on_the_board_stands_against_what_was_said(table: Table, late: bool) -> None:  # noqa: FBT001 - a case
    """The camera is believed, the director is informed."""
    if not late:
        table.say(RIGHT, Say.EXCHANGE, 3)
    table.turn(RIGHT, HAND_WITH_CAT)
    if late:
        table.say(RIGHT, Say.EXCHANGE, 3)
    assert isinstance(table.events[-1], Played)
    assert table.doubts == [coded("announced_and_played", player=1, said="exchange")]


def test_of_two_buttons_the_last_one_counts_and_the_director_hears_of_it(table: Table) -> None:
    """A slip of the finger is put right by the scorer; nothing is dropped."""
    wrong = table.say(RIGHT, Say.EXCHANGE, 3)
    right = table.say(RIGHT, Say.EXCHANGE, 4)
    table.turn(RIGHT, HAND)
    assert table.events[1:] == [Exchanged(1, 4)]
    assert table.groups[-1].refs[-2:] == (wrong, right)
    assert table.doubts == [coded("announced_twice", player=1, first="-3", then="-4")]


def test_the_same_button_twice_says_nothing_new(table: Table) -> None:
    """A bouncing switch makes no doubt."""
    table.say(RIGHT, Say.PASS)
    table.say(RIGHT, Say.PASS)
    table.turn(RIGHT, HAND)
    assert table.events[1:] == [Passed(1)]
    assert table.doubts == []


def test_what_fits_no_turn_becomes_a_doubt_of_the_next_group() -> None:
    """Player 2 cannot pass before anybody has moved."""
    table = Table()
    said = table.say(RIGHT, Say.PASS)
    table.turn(LEFT, HAND)
    assert table.doubts == [coded("announced_out_of_turn", player=1, said="pass")]
    assert said in table.groups[0].refs
    assert isinstance(table.events[0], Played)


def test_a_turn_without_a_look_of_its_own_is_known_when_it_was_said(table: Table) -> None:
    """Two presses before a look: the first was announced, so the record has both turns."""
    table.say(RIGHT, Say.EXCHANGE, 2)
    table.press(RIGHT)
    table.press(LEFT)
    table.show(HANDS)
    first, exchange, last = table.events
    assert isinstance(first, Played)
    assert exchange == Exchanged(1, 2)
    assert isinstance(last, Played)
    assert last.player == 0


def test_a_lost_press_does_not_tie_an_exchange_to_the_play_before_it(table: Table) -> None:
    """Player 2's press is lost; player 1's exchange counts for the press after it."""
    table.say(LEFT, Say.EXCHANGE, 5)
    table.start_clock(LEFT)
    table.turn(LEFT, HAND)
    assert isinstance(table.events[0], Played)
    assert table.events[1] == Exchanged(0, 5)
    assert not any(doubt.code == "announced_and_played" for doubt in table.doubts)


def test_a_challenge_bonus_stands_between_the_turns(table: Table) -> None:
    """Its row is its place in the game (CHAL-4)."""
    table.stop_clock()
    said = table.say(LEFT, Say.BONUS, 5)
    table.start_clock(RIGHT)
    table.turn(RIGHT, HAND_WITH_CAT)
    assert table.events[1] == ChallengeBonus(0, 5)
    assert [group.ref for group in table.groups] == sorted(group.ref for group in table.groups)
    assert table.groups[1].refs == (said,)
    assert table.doubts == []


def test_a_bonus_waits_until_the_challenged_play_is_read(table: Table) -> None:
    """A hand covers the board while the challenge is decided: first the play, then its bonus."""
    table.press(RIGHT)
    table.stop_clock()
    table.say(RIGHT, Say.BONUS, 10)
    assert len(table.groups) == 1
    table.show(HAND_WITH_CAT)
    assert isinstance(table.events[1], Played)
    assert table.events[2] == ChallengeBonus(1, 10)
    assert table.doubts == []


@pytest.mark.parametrize(
    ("side", "doubt"),
    [
        (RIGHT, coded("bonus_without_play", player=1)),
        (LEFT, coded("second_bonus", player=0)),
    ],
)
def test_a_bonus_without_a_fresh_play_counts_and_is_doubted(
    table: Table, side: Side, doubt: CodedText
) -> None:
    """The points are in the record as said, and the director is asked."""
    table.say(LEFT, Say.BONUS, 5)
    table.say(side, Say.BONUS, 5)
    assert len([event for event in table.events if isinstance(event, ChallengeBonus)]) == 2
    assert table.doubts == [doubt]


def _over() -> Table:
    """Fourteen tiles: player 1 is out after HAND and SEA, player 2 passed, the clock stands."""
    counts = dict(zip("HNDSEACTI", [1, 1, 1, 1, 1, 2, 1, 2, 4], strict=True))
    faces = (face for face in ENGLISH.faces if face.label in counts)
    few = tuple(replace(face, count=counts[face.label]) for face in faces)
    table = Table(TileSet("fourteen", few, blanks=0))
    table.turn(LEFT, HAND)
    table.say(RIGHT, Say.PASS)
    table.turn(RIGHT, HAND)
    table.turn(LEFT, HANDS_SEA)
    table.stop_clock()
    return table


def test_a_challenged_play_out_brings_its_bonus_before_the_racks() -> None:
    """Said after the clock was stopped for good, the points still come before the end-rack."""
    table = _over()
    ending = table.groups[-1]
    assert isinstance(ending.events[0], EndRackPoints)
    said = table.say(LEFT, Say.BONUS, 5)
    last = table.groups[-1]
    assert last.ref == ending.ref
    assert last.refs == (ending.ref, said)
    assert last.events == (ChallengeBonus(0, 5), *ending.events)
    assert last.doubts == ()


def test_what_is_said_after_the_game_is_doubted_at_its_end() -> None:
    """No press will come; the director hears of it with the ending."""
    table = _over()
    table.say(RIGHT, Say.PASS)
    assert isinstance(table.events[-1], EndRackPoints)
    assert table.doubts == [coded("announced_at_the_end", player=1, said="pass")]
