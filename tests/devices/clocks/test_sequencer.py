"""Every event of a clock once and in order, whatever the line does."""

import random

from devices.clocks.sequencer import Acknowledge, EventSequencer, GivenUp, Missing
from devices.tcc1.framing import TccFrame
from devices.tcc1.messages import Heartbeat
from recorder.domain.observations import ClockPressed, Side


def _event(seq: int) -> TccFrame:
    body = ClockPressed(side=Side.LEFT, left_ms=1000, right_ms=1000, running=Side.RIGHT)
    return TccFrame(dev="C1", boot="3f9a", seq=seq, t_ms=seq, body=body)


def _beat(seq_high: int, outbox: int) -> Heartbeat:
    return Heartbeat(
        left_ms=0,
        right_ms=0,
        running=Side.NONE,
        seq_high=seq_high,
        outbox=outbox,
        battery_percent=9,
    )


def test_a_lost_last_press_is_seen_in_the_heartbeat():
    """Nothing follows the last press of a game but heartbeats."""
    sequencer = EventSequencer("3f9a", 4)
    assert sequencer.heartbeat(_beat(5, 1), 0) == [Missing(5, 5)]


def test_a_lost_acknowledgement_is_repeated_at_the_heartbeat():
    """The clock's memory is small: it must learn what it may forget."""
    sequencer = EventSequencer("3f9a", 5)
    assert sequencer.heartbeat(_beat(5, 2), 0) == [Acknowledge(5)]
    assert sequencer.heartbeat(_beat(5, 0), 0) == []


def test_what_the_clock_has_forgotten_is_named_and_the_rest_goes_on():
    """An agent that was connected in mid-game misses the start, and says so."""
    sequencer = EventSequencer("3f9a", 0)
    sequencer.event(_event(8), 0)
    assert sequencer.heartbeat(_beat(8, 2), 600) == [GivenUp(1, 6), Missing(7, 7)]
    assert sequencer.event(_event(7), 700) == [_event(7), _event(8)]


def test_a_clock_that_never_resends_does_not_stop_the_game():
    """After twenty unanswered requests the presses that did come are kept."""
    sequencer = EventSequencer("3f9a", 0)
    steps = [step for n in range(40) for step in sequencer.event(_event(2), n * 600)]
    assert steps.count(Missing(1, 1)) == 20
    kept = [step for step in steps if not isinstance(step, Missing | Acknowledge)]
    assert kept == [GivenUp(1, 1), _event(2)]


def test_any_order_of_arrival_gives_every_event_once_in_order():
    """Shuffled, repeated, partly lost lines: 200 seeded tables."""
    rng = random.Random(7)
    for _ in range(200):
        sequencer = EventSequencer("3f9a", 0)
        kept: list[int] = []
        lines: list[TccFrame] = []
        now_ms = 0
        while sequencer.upto < 30:
            now_ms += 600
            lines += [_event(rng.randint(1, 30)) for _ in range(rng.randint(0, 12))]
            steps = [step for line in lines for step in sequencer.event(line, now_ms)]
            steps += sequencer.heartbeat(_beat(30, 30), now_ms + 500)
            kept += [step.seq for step in steps if isinstance(step, TccFrame)]
            asked = [step for step in steps if isinstance(step, Missing)]
            lines = [_event(seq) for ask in asked for seq in range(ask.first, ask.last + 1)]
            lines = [line for line in lines if rng.random() < 0.6]
        assert kept == list(range(1, 31))
