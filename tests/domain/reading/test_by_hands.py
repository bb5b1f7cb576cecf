"""A table where no clock speaks, as the fold reads it live: by who reaches in, until one does."""

import pytest

from recorder.domain.board import EMPTY_BOARD, Board
from recorder.domain.instruments import PictureEdge, ReachedIn
from recorder.domain.notices import Notice
from recorder.domain.noticing.looks import NO_LOOK_MS, look_alarms
from recorder.domain.observations import (
    SYMBOLS,
    Announced,
    BoardSeen,
    ClockPressed,
    Observation,
    Say,
    Side,
    SquareCosts,
)
from recorder.domain.reading.table_fold import Stamped, open_table, take
from recorder.rulesets import load_rule_set
from recorder.texts.record import event_in_words
from recorder.tilesets import load_tile_set
from tests.boards import board_of

pytestmark = pytest.mark.slow

ADA, BEN, BESIDE = PictureEdge.BOTTOM, PictureEdge.TOP, PictureEdge.LEFT


class Table:
    """A table of two players; every look comes some seconds after the one before."""

    def __init__(self) -> None:
        self.state = open_table(
            load_tile_set("english"), starts_ms=(1_500_000, 1_500_000), left_player=0
        )
        self._row, self._ms = 0, 1_000_000

    def say(self, observation: Observation) -> None:
        self._row += 1
        self.state = take(
            self.state, Stamped(seq=self._row, at_ms=self._ms, observation=observation)
        )

    def sees(self, shown: Board, *edges: PictureEdge, after_s: int = 4) -> list[str]:
        """A look, reported with who reached in before it; the turns as they are then."""
        self._ms += 1000 * after_s
        if edges or not self._row:
            self.say(ReachedIn(frame=f"f{self._row}", edges=edges))
        symbols = "".join(shown.rows())
        costs = bytes(0 if symbol == mark else 160 for mark in symbols for symbol in SYMBOLS)
        seen = BoardSeen(
            frame=f"f{self._row}",
            squares=SquareCosts(costs),
            corners=((0.0, 0.0), (15.0, 0.0), (15.0, 15.0), (0.0, 15.0)),
            pose_score=1.0,
            turn_margin=50.0,
            covered=0.0,
            still_ms=300,
        )
        self.say(seen)
        return self.turns

    @property
    def turns(self) -> list[str]:
        """Player and event of every turn, with an exclamation mark where it is doubtful."""
        return [
            f"{event.player + 1} {event_in_words(event)}" + ("!" if group.doubts else "")
            for group in self.state.story()
            for event in group.events
        ]


def test_a_turn_counts_when_its_tiles_have_lain_and_changes_while_it_may():
    """Ten seconds, or the other player's arm; the same player's next tiles still belong to it."""
    table = Table()
    table.sees(EMPTY_BOARD)
    assert table.sees(board_of("8D QUALM"), ADA) == []
    assert table.state.clock.now.running == 0
    (first,) = table.sees(board_of("8D QUALM"), after_s=10)
    assert "QUALM" in first
    assert table.state.clock.now.running == 1
    (row,) = [group.ref for group in table.state.story()]
    (longer,) = table.sees(board_of("8D QUALMS"), ADA)
    assert "QUALMS" in longer
    assert [group.ref for group in table.state.story()] == [row]
    after = table.sees(board_of("8D QUALMS", "9F BOY"), BEN)
    assert after == [longer]
    assert table.state.clock.now.remaining_at(10**9) == (1_500_000, 1_500_000), "no clock, no time"
    assert table.sees(board_of("8D QUALMS", "9F BOY"), ADA)[1:] == table.turns[1:] != []


def test_what_lies_there_when_the_pictures_end_was_laid():
    """A video stops right after the last play."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUALM"), ADA)
    table.say(ReachedIn(frame="end", ended=True))
    assert len(table.turns) == 1


def test_a_camera_that_is_started_again_goes_on_where_it_ended():
    """Ended while a play was being laid, it is the same turn that the next look shows whole."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUALM"), ADA)
    table.say(ReachedIn(frame="end", ended=True))
    assert table.sees(board_of("8D QUALMS"), ADA) == []
    (whole,) = table.sees(board_of("8D QUALMS"), after_s=10)
    assert whole.startswith("1 8D QUALMS")
    assert len(table.sees(board_of("8D QUALMS", "9F BOY"), BEN)) == 1
    table.say(ReachedIn(frame="end", ended=True))
    assert len(table.turns) == 2


def test_a_press_is_the_better_witness():
    """From the first word of a clock on turns end at presses; what hands divided before, stays."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUALM"), ADA)
    table.sees(board_of("8D QUALM", "9F BOY"), BEN)
    press = ClockPressed(side=Side.RIGHT, left_ms=1_400_000, right_ms=1_300_000, running=Side.LEFT)
    table.say(press)
    assert len(table.sees(board_of("8D QUALM", "9F BOY"))) == 2
    more = table.sees(board_of("8D QUALM", "9F BOY", "10D ZAIL"), BEN, after_s=60)
    assert len(more) == 2, "no press: no turn, whoever reached in and however long it lies"
    assert table.state.clock.now.remaining_ms == (1_400_000, 1_300_000)


def test_an_exchange_said_by_a_button_is_a_turn_by_itself():
    """No board shows it, and no press ends it."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUALM"), ADA)
    table.say(Announced(side=Side.RIGHT, say=Say.EXCHANGE, count=3))
    assert [turn[0] for turn in table.turns] == ["1", "2"]
    assert "3" in table.turns[1]
    turns = table.sees(board_of("8D QUALM", "9F BOY"), ADA, after_s=30)
    assert turns == table.turns[:2], "not doubted: it is known why Ada lays again"
    assert not table.turns[-1].endswith("!")


@pytest.mark.parametrize("is_said", [False, True], ids=["unsaid", "said"])
def test_two_exchanges_that_nobody_says_are_doubted_at_the_play_after_them(*, is_said: bool):
    """Live, what is usual is known from the turns before: three are enough."""
    plays = ("8D QUALM", "9F BOY", "10D ZAIL", "8D .....Y")
    table = Table()
    table.sees(EMPTY_BOARD)
    for number in range(1, len(plays) + 1):
        table.sees(board_of(*plays[:number]), BEN if number % 2 == 0 else ADA, after_s=12)
    shown = board_of(*plays)
    for side, edge in ((Side.LEFT, ADA), (Side.RIGHT, BEN)):
        table.sees(shown, edge, after_s=20)
        if is_said:
            table.say(Announced(side=side, say=Say.EXCHANGE, count=3))
    table.sees(board_of(*plays, "H1 MAGICAL."), ADA, after_s=8)
    turns = table.sees(board_of(*plays, "H1 MAGICAL."), after_s=12)
    if is_said:
        assert len(turns) == 7
        assert not [turn for turn in turns if turn.endswith("!")]
        return
    assert [turn.endswith("!") for turn in turns] == [False, False, False, False, True]
    (doubt,) = table.state.story()[-1].doubts
    assert (doubt.code, dict(doubt.values)) == ("two_turns_unseen", {"seconds": 48, "usual": 12})


def test_an_exchange_said_before_the_first_tiles_is_the_first_turn():
    """Anyone who places first then moves second, and that edge is theirs."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.say(Announced(side=Side.LEFT, say=Say.EXCHANGE, count=3))
    table.sees(board_of("8D QUALM"), BEN)
    turns = table.sees(board_of("8D QUALM", "9F BOY"), ADA)
    assert [turn[0] for turn in turns] == ["1", "2"]
    assert "QUALM" in turns[1]
    assert table.sees(board_of("8D QUALM", "9F BOY"), BEN)[2].startswith("1")


@pytest.mark.parametrize("arm", [None, BEN])
def test_who_lays_after_the_other_reached_in_may_be_named_second(arm: PictureEdge | None):
    """An exchange before the first tiles shows on no board, nor does laying again elsewhere."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUALM"), *([arm] if arm else []), ADA)
    table.sees(EMPTY_BOARD, ADA)
    table.sees(board_of("8E QUALM"), ADA)
    (first,) = table.sees(board_of("8E QUALM"), after_s=10)
    assert first.startswith("1 8E QUALM")
    assert first.endswith("!") is (arm is not None)
    doubts = [doubt.code for group in table.state.story() for doubt in group.doubts]
    assert doubts == (["first_may_be_second"] if arm else [])
    later = table.sees(board_of("8E QUALM", "9F BOY"), BEN, after_s=10)
    assert not table.sees(board_of("8E QUALM", "9F BOY"), ADA)[1].endswith("!"), later


def test_half_a_game_is_no_game_and_is_told():
    """Nothing is guessed of a board that was full when the camera came; the director hears why."""
    full = board_of("8D QUALM", "9F BOY", "10D ZAIL", "H1 MAGICAL.", "1H .ANNERS")
    table = Table()
    assert table.sees(full) == []
    assert table.sees(full, ADA, after_s=20) == []
    rules = load_rule_set("wespa1")
    (alarm,) = look_alarms(table.state, rules)
    assert alarm.notice.code is Notice.OTHER_BOARD
    assert alarm.at_ms == 1_004_000 + NO_LOOK_MS
    table.sees(EMPTY_BOARD, after_s=20)
    assert list(look_alarms(table.state, rules)) == []


def test_an_arm_from_the_edge_beside_may_be_the_same_players():
    """Edges that face each other are two players; else what could be one play is doubtful."""
    table = Table()
    table.sees(EMPTY_BOARD)
    table.sees(board_of("8D QUA"), ADA)
    table.sees(board_of("8D QUALM"), BESIDE)
    assert table.turns[0].endswith("!")
    facing = Table()
    facing.sees(EMPTY_BOARD)
    facing.sees(board_of("8D QUA"), ADA)
    facing.sees(board_of("8D QUALM"), BEN)
    assert not facing.turns[0].endswith("!")
