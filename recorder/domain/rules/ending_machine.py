"""The ending of a game as a table of transitions (END-1, END-2, END-4, END-7)."""

from dataclasses import dataclass
from enum import StrEnum

from recorder.domain.rules.force import Rules
from recorder.domain.rules.machine import Guard, Machine, Transition
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


def _zeros_are(words: str, state: ZeroState) -> Guard[EndingFacts]:
    return Guard(words, lambda facts: facts.zeros is not None and facts.zeros.state is state)


def _silence_accepts(facts: EndingFacts) -> bool:
    return facts.rules.get("endgame.out_silence") == "play_accepted"


def _silence_starts_clock(facts: EndingFacts) -> bool:
    return facts.rules.get("endgame.out_silence") == "opponents_clock_may_run"


_ACCEPTS = Guard("silence accepts", _silence_accepts)
_CLOCK_RUNS = Guard("opponent's clock may run", _silence_starts_clock)
_ZEROS_END = _zeros_are("six zeros, over by itself", ZeroState.OVER)
_ZEROS_CLAIMED = _zeros_are("six zeros, to be claimed", ZeroState.DECLARABLE)
_ZEROS_UNLISTED = _zeros_are("a kind that is not listed", ZeroState.DIRECTOR)

ENDING: Machine[Ending, End, EndingFacts] = Machine(
    name="ending",
    title="The ending of a game",
    initial=Ending.PLAYING,
    rows=(
        Transition(Ending.PLAYING, End.OUT, Ending.OUT, "END-2"),
        Transition(Ending.OUT, End.SHOWN, Ending.RACKS, "END-2"),
        Transition(Ending.OUT, End.HOLD, Ending.HELD, "END-2"),
        Transition(Ending.OUT, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        Transition(Ending.OUT, End.SILENCE, Ending.RACKS, "END-2", _ACCEPTS),
        Transition(Ending.OUT, End.SILENCE, Ending.THINKING, "END-2", _CLOCK_RUNS),
        Transition(Ending.OUT, End.SILENCE, Ending.DIRECTOR, "END-2"),
        Transition(Ending.THINKING, End.SHOWN, Ending.RACKS, "END-2"),
        Transition(Ending.THINKING, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        Transition(Ending.THINKING, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        Transition(Ending.HELD, End.SHOWN, Ending.RACKS, "END-2"),
        Transition(Ending.HELD, End.CHALLENGE, Ending.CHALLENGED, "END-2"),
        Transition(Ending.HELD, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        Transition(Ending.CHALLENGED, End.UPHELD, Ending.PLAYING, "END-2"),
        Transition(Ending.CHALLENGED, End.FAILED, Ending.RACKS, "END-2"),
        Transition(Ending.PLAYING, End.ZERO, Ending.RACKS, "END-4", _ZEROS_END),
        Transition(Ending.PLAYING, End.ZERO, Ending.DECLARABLE, "END-4", _ZEROS_CLAIMED),
        Transition(Ending.PLAYING, End.ZERO, Ending.DIRECTOR, "END-4", _ZEROS_UNLISTED),
        Transition(Ending.PLAYING, End.ZERO, Ending.PLAYING, "END-4"),
        Transition(Ending.PLAYING, End.SCORE, Ending.PLAYING, "END-4"),
        Transition(Ending.DECLARABLE, End.CLAIM, Ending.RACKS, "END-4"),
        Transition(Ending.DECLARABLE, End.ZERO, Ending.DECLARABLE, "END-4"),
        Transition(Ending.DECLARABLE, End.SCORE, Ending.PLAYING, "END-4"),
        Transition(Ending.DECLARABLE, End.OUT, Ending.OUT, "END-2"),
        Transition(Ending.PLAYING, End.OVERTIME, Ending.DIRECTOR, "END-7"),
        Transition(Ending.PLAYING, End.STOPPED, Ending.RACKS, "END-13"),
        Transition(Ending.PLAYING, End.CONCEDED, Ending.OVER, "END-12"),
        Transition(Ending.DIRECTOR, End.PLAYS_ON, Ending.PLAYING, "INT-4"),
        Transition(Ending.DIRECTOR, End.STOPPED, Ending.RACKS, "INT-4"),
        Transition(Ending.DIRECTOR, End.ENDS, Ending.OVER, "END-7"),
        Transition(Ending.RACKS, End.WRITTEN, Ending.OVER, "END-3"),
    ),
)

MACHINES = (ENDING,)
