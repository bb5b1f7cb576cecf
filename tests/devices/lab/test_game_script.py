"""Game records as happenings at a table, and what a recorder makes of what can be seen of them."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from devices.lab.demonstration import load_game
from devices.lab.game_script import (
    Announce,
    Happening,
    PressClock,
    RunDown,
    SetRack,
    Show,
    StartClock,
    StopClock,
    Think,
    script,
)
from devices.lab.mishaps.verbs import staged
from devices.lab.peers.clock_firmware import ClockFace, ClockFirmware
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import Event
from recorder.domain.game import ChallengeBonus, Exchanged, GameEvent, NoPlay, Passed
from recorder.domain.observations import BoardSeen, Observation, Side
from recorder.domain.reading.table_fold import Stamped, open_table, take
from recorder.domain.tile_text import write_tiles
from recorder.gcg import GcgGame, read_gcg
from tests.looks import whole_look
from tests.recorder.session_table import START_MS

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[2] / "golden"
SIDES = (Side.LEFT, Side.RIGHT)
CORNERS = ((0.0, 0.0), (900.0, 0.0), (900.0, 900.0), (0.0, 900.0))
ZEROS = "bingo_with_blank_then_exchange_and_pass"
CHALLENGES = "phony_withdrawn_after_a_challenge_bonus"


def golden(name: str) -> GcgGame:
    return read_gcg((GOLDEN / f"{name}.gcg").read_bytes())


class Watched:
    """The table of a script, seen perfectly: its clock's lines and its still boards, folded."""

    def __init__(self, game: GcgGame) -> None:
        self.now_ms = 0
        self.seq = 0
        self.last_change_ms = 0
        face = ClockFace(left_ms=START_MS, right_ms=START_MS)
        self.clock = ClockFirmware("C1", "3f9a", face, lambda: self.now_ms)
        starts = (START_MS, START_MS)
        self.state = open_table(game.tile_set, starts_ms=starts, left_player=0)

    def watch(self, happenings: Iterable[Happening]) -> tuple[GameEvent, ...]:
        """Act everything out; the events that the fold reports it."""
        for happening in happenings:
            self._act(happening)
        return tuple(event for group in self.state.story() for event in group.events)

    def _act(self, happening: Happening) -> None:
        self.now_ms += 100
        match happening:
            case Think(seconds=seconds):
                self.now_ms += round(1000 * seconds)
                self._hear(self.clock.advance(round(1000 * seconds)))
            case PressClock(player=player):
                self._hear(self.clock.press(SIDES[player]))
            case StopClock():
                self._hear(self.clock.pause())
            case StartClock():
                self._hear(self.clock.resume())
            case Announce(player=player, say=say, count=count):
                self._hear(self.clock.say(SIDES[player], say, count))
            case Show(rows=rows, hand=None):
                self._look(rows)
            case Show():
                self.last_change_ms = self.now_ms

    def _hear(self, frames: Iterable[TccFrame]) -> None:
        for frame in frames:
            assert isinstance(frame.body, Event)
            self._take(frame.body)

    def _look(self, rows: tuple[str, ...]) -> None:
        seen = BoardSeen(
            frame="f",
            squares=whole_look(list(rows)),
            corners=CORNERS,
            pose_score=0.9,
            turn_margin=20.0,
            covered=0.0,
            still_ms=self.now_ms - self.last_change_ms,
        )
        self._take(seen)

    def _take(self, observation: Observation) -> None:
        self.seq += 1
        stamped = Stamped(seq=self.seq, at_ms=self.now_ms, observation=observation)
        self.state = take(self.state, stamped)


def test_racks_show_their_letters_and_overtime_is_thought_for() -> None:
    """Drawn, laid and taken back as in the record; who pays for overtime runs out of time."""
    happenings = list(script(load_game(None), seed=1))
    ida = [
        write_tiles(one.letters)
        for one in happenings
        if isinstance(one, SetRack) and not one.player
    ]
    assert ida[:5] == ["ADNNTWY", "DN", "DEHIINR", "I", "BEINOPR"]
    taken_back = ida.index("")  # REPLAIN is laid
    assert ida[taken_back - 1 : taken_back + 3] == ["AEILNPR", "", "REPLAIN", ""]
    at = happenings.index(RunDown(6.0))
    later = [one for one in happenings[at:] if isinstance(one, PressClock)]
    assert later[0] == PressClock(1)


@pytest.mark.parametrize("name", [ZEROS, CHALLENGES])
def test_with_a_box_the_fold_tells_the_whole_game(name: str) -> None:
    """Scores included: exchange, pass, bonus and phony come back in their places."""
    game = golden(name)
    watched = Watched(game)
    told = watched.watch(script(game, seed=1))
    assert [(type(event), event.player) for event in told] == [
        (type(event), event.player) for event in game.events
    ]
    assert [event for event in told if isinstance(event, ChallengeBonus)] == [
        event for event in game.events if isinstance(event, ChallengeBonus)
    ]
    counts = [event.count for event in game.events if isinstance(event, Exchanged)]
    assert [event.count for event in told if isinstance(event, Exchanged)] == counts
    announced = (Exchanged, Passed, ChallengeBonus)
    doubtful = [group for group in watched.state.story() if group.doubts]
    assert not any(isinstance(event, announced) for group in doubtful for event in group.events)


def test_without_a_box_the_fold_tells_turns_without_a_play_and_no_bonus() -> None:
    """What the evidence cannot tell is left open, and nothing else is lost."""
    game = golden(ZEROS)
    told = Watched(game).watch(script(game, seed=1, announced=False))
    kinds = {Exchanged: NoPlay, Passed: NoPlay}
    expected = [kinds.get(type(event), type(event)) for event in game.events]
    assert [type(event) for event in told] == expected


@pytest.mark.parametrize("name", [ZEROS, CHALLENGES])
def test_a_tile_put_right_before_the_press_leaves_no_trace(name: str) -> None:
    """The wrong board lay there still and was seen; at the press the play is that of the record."""
    game = golden(name)
    spoiled = list(staged(["correct", "exposure"], script(game, seed=1)))
    assert len(spoiled) > len(list(script(game, seed=1)))
    assert Watched(game).watch(spoiled) == Watched(game).watch(script(game, seed=1))
