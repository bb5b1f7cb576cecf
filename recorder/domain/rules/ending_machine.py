"""The ending of a game as a table of transitions (END-1, END-2, END-4, END-7)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Machine, Transition
from recorder.domain.rules.six_zeros import SixZeros, ZeroState


class Ending(StrEnum):
    """How far a game is from its result."""

    PLAYING = "playing"
    OUT = "out claimed"
    THINKING = "opponent thinks"
    HELD = "play-out held"
    CHALLENGED = "play-out challenged"
    DECLARABLE = "six zeros, not claimed"
    DIRECTOR = "director decides"
    RACKS = "racks counted"
    OVER = "over"


class End(StrEnum):
    """What moves a game towards its end, or back into play."""

    OUT = "last tile played"
    SHOWN = "opponent shows tiles"
    SILENCE = "time to react over"
    HOLD = "hold"
    CHALLENGE = "challenge"
    UPHELD = "challenge upheld"
    FAILED = "challenge failed"
    ZERO = "turn without score"
    SCORE = "turn with score"
    CLAIM = "end claimed"
    OVERTIME = "overtime limit passed"
    STOPPED = "director ends the game"
    CONCEDED = "resigned, left or forfeited"
    PLAYS_ON = "director lets play go on"
    ENDS = "director rules it over"
    WRITTEN = "racks entered"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingFacts:
    """The rules in force, and where the zeros stand after the turn that the event is about."""

    rules: Rules
    zeros: SixZeros | None = None


def _zeros_are(state: ZeroState) -> Any:
    return lambda facts: facts.zeros is not None and facts.zeros.state is state


def _silence_accepts(facts: EndingFacts) -> bool:
    return facts.rules.get("endgame.out_silence") == "play_accepted"


def _silence_starts_clock(facts: EndingFacts) -> bool:
    return facts.rules.get("endgame.out_silence") == "opponents_clock_may_run"


def _row(
    source: Ending, on: End, target: Ending, rule: str, when: Any = None, label: str = ""
) -> Transition[Ending, End, EndingFacts]:
    return Transition(source=source, on=on, target=target, rule=rule, when=when, label=label)


ENDING: Machine[Ending, End, EndingFacts] = Machine(
    name="ending",
    title="The ending of a game",
    initial=Ending.PLAYING,
    rows=(
        _row(Ending.PLAYING, End.OUT, Ending.OUT, "END-2"),
        _row(Ending.OUT, End.SHOWN, Ending.RACKS, "END-2"),
        _row(Ending.OUT, End.HOLD, Ending.HELD, "END-2"),
        _row(Ending.OUT, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        _row(
            Ending.OUT, End.SILENCE, Ending.RACKS, "END-2",
            _silence_accepts, "silence accepts",
        ),
        _row(
            Ending.OUT, End.SILENCE, Ending.THINKING, "END-2",
            _silence_starts_clock, "opponent's clock may run",
        ),
        _row(Ending.OUT, End.SILENCE, Ending.DIRECTOR, "END-2"),
        _row(Ending.THINKING, End.SHOWN, Ending.RACKS, "END-2"),
        _row(Ending.THINKING, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        _row(Ending.THINKING, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        _row(Ending.HELD, End.SHOWN, Ending.RACKS, "END-2"),
        _row(Ending.HELD, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        _row(Ending.HELD, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        _row(Ending.CHALLENGED, End.UPHELD, Ending.PLAYING, "END-2"),
        _row(Ending.CHALLENGED, End.FAILED, Ending.RACKS, "END-2"),
        _row(
            Ending.PLAYING, End.ZERO, Ending.RACKS, "END-4",
            _zeros_are(ZeroState.OVER), "six zeros, over by itself",
        ),
        _row(
            Ending.PLAYING, End.ZERO, Ending.DECLARABLE, "END-4",
            _zeros_are(ZeroState.DECLARABLE), "six zeros, to be claimed",
        ),
        _row(
            Ending.PLAYING, End.ZERO, Ending.DIRECTOR, "END-4",
            _zeros_are(ZeroState.DIRECTOR), "a kind that is not listed",
        ),
        _row(Ending.PLAYING, End.ZERO, Ending.PLAYING, "END-4"),
        _row(Ending.PLAYING, End.SCORE, Ending.PLAYING, "END-4"),
        _row(Ending.DECLARABLE, End.CLAIM, Ending.RACKS, "END-4"),
        _row(Ending.DECLARABLE, End.ZERO, Ending.DECLARABLE, "END-4"),
        _row(Ending.DECLARABLE, End.SCORE, Ending.PLAYING, "END-4"),
        _row(Ending.DECLARABLE, End.OUT, Ending.OUT, "END-2"),
        _row(Ending.PLAYING, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        _row(Ending.PLAYING, End.STOPPED, Ending.RACKS, "END-13"),
        _row(Ending.PLAYING, End.CONCEDED, Ending.OVER, "END-12"),
        _row(Ending.DIRECTOR, End.PLAYS_ON, Ending.PLAYING, "INT-4"),
        _row(Ending.DIRECTOR, End.STOPPED, Ending.RACKS, "INT-4"),
        _row(Ending.DIRECTOR, End.ENDS, Ending.OVER, "END-7"),
        _row(Ending.RACKS, End.WRITTEN, Ending.OVER, "END-3"),
    ),
)  # fmt: skip

MACHINES = (ENDING,)
