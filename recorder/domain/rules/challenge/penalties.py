"""What a challenge costs, by every system of penalties the rule sets know.

The verdict is one for the whole play: words go in as a number, never one by one. Points are those
of the record's events; where the rule set does not say on whose score they go, no event is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.game import ChallengeBonus, GameEvent, Passed, Penalty, Withdrawn
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask, listed
from recorder.domain.rules.ending.six_zeros import Zero, counts

CHALLENGE_RULE = "CHAL-4"
_TIME_S = (30, 60)


class System(StrEnum):
    """Systems of penalties, as ``challenge.default`` names them."""

    SINGLE = "single"
    DOUBLE = "double"
    PER_WORD_5 = "points_per_word_5"
    PER_TURN_5 = "points_per_turn_5"
    PER_WORD_10 = "points_per_word_10"
    PER_TURN_10 = "points_per_turn_10"
    DINGLE = "dingle"
    FIVE_THEN_TEN = "5_then_10"
    GROWING = "5_5_10_20_30"
    TIME = "time_30_60s"
    VOID = "void"


_PER_WORD = {System.PER_WORD_5: 5, System.PER_WORD_10: 10}
_PER_TURN = {System.PER_TURN_5: 5, System.PER_TURN_10: 10}
_SERIES = {System.FIVE_THEN_TEN: (5, 10), System.GROWING: (5, 5, 10, 20, 30)}
"""Points of a player's first, second, ... wrong challenge in a game; the last goes on."""


@dataclass(frozen=True, slots=True)
class ChosenSystem:
    """The system of penalties of a game, None where neither set nor event names one.

    ``nonstandard``: known, but not among those that the set lets an organiser choose.
    """

    system: System | None
    nonstandard: bool = False
    open_questions: tuple[CodedText, ...] = ()


def system_of(rules: Rules, *, lexicon: str = "") -> ChosenSystem:
    """The system of penalties of a game (CHAL-4).

    The event names its own by overriding ``challenge.default``. Where the set has one for each
    lexicon, the beginning of ``lexicon`` decides: ``CSW24`` is a ``CSW``.
    """
    named = rules.get("challenge.default")
    if isinstance(named, Mapping):
        named = next((penalty for key, penalty in named.items() if lexicon.startswith(key)), None)
        if named is None:
            question = coded("penalty_wrong_challenge_lexicon", lexicon=f"{lexicon!r}")
            return ChosenSystem(None, open_questions=(question,))
    if named is None:
        return ChosenSystem(None, open_questions=ask(rules, "challenge.default"))
    system = System(str(named))
    allowed = listed(rules, "challenge.allowed")
    return ChosenSystem(system, nonstandard=bool(allowed) and system not in allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengedPlay:
    """One answer for a whole challenged play.

    ``words`` is how many words were challenged; ``stands``: all of them are acceptable.
    ``wrong_before``: how many wrong challenges this challenger has made in this game before.
    ``score`` is the play's.
    """

    mover: int
    words: int
    stands: bool
    score: int
    wrong_before: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a decided challenge costs, and what the record gets.

    ``bonus`` goes to the player whose play stands, ``penalty`` is taken from the challenger;
    ``points`` is what is at stake even where the set does not say which of the two it is.
    ``turn_lost``: the challenger's turn. ``seconds``: least and most time off the challenger's
    clock. ``next_on_turn`` is who plays next. ``zero``: the kind of turn without score that this
    makes, None for none; ``zero_counts`` whether it counts towards the six, None if open.
    """

    points: int = 0
    bonus: int = 0
    penalty: int = 0
    turn_lost: bool = False
    seconds: tuple[int, int] | None = None
    events: tuple[GameEvent, ...] = ()
    next_on_turn: int = 0
    zero: Zero | None = None
    zero_counts: bool | None = None
    open_questions: tuple[CodedText, ...] = ()


def cost(rules: Rules, chosen: ChosenSystem, play: ChallengedPlay) -> Cost:
    """What a decided challenge costs (CHAL-4, CHAL-5, CHAL-6, SCORE-5).

    A play with a bad word is removed and scores what the set says, which is nothing; the challenge
    costs nothing then, however many of its words were good. Otherwise the system decides.
    """
    if not play.stands:
        return Cost(
            events=(Withdrawn(play.mover, play.score),),
            next_on_turn=1 - play.mover,
            zero=Zero.CHALLENGED_OFF,
            zero_counts=counts(rules, Zero.CHALLENGED_OFF),
        )
    challenger = 1 - play.mover
    if chosen.system is None:
        return Cost(next_on_turn=challenger, open_questions=chosen.open_questions)
    if _loses_turn(chosen.system, play):
        return Cost(
            turn_lost=True,
            events=(Passed(challenger),),
            next_on_turn=play.mover,
            zero=Zero.LOST_CHALLENGE,
            zero_counts=counts(rules, Zero.LOST_CHALLENGE),
        )
    if chosen.system is System.TIME:
        least, most = _TIME_S
        question = coded("how_long_between", least=least, most=most)
        return Cost(seconds=_TIME_S, next_on_turn=challenger, open_questions=(question,))
    return _points(rules, play, points_at_stake(chosen.system, play))


def wrong_challenge_costs(rules: Rules, *, lexicon: str = "") -> tuple[Cost, ...]:
    """What a player's first, second, ... wrong challenge of one word costs; the last goes on.

    Empty where the rules name no system. The only place that computes it: frames carry it to every
    screen.
    """
    chosen = system_of(rules, lexicon=lexicon)
    if chosen.system is None:
        return ()
    play = ChallengedPlay(mover=0, words=1, stands=True, score=0)
    most = max(map(len, _SERIES.values()))
    costs = [cost(rules, chosen, replace(play, wrong_before=before)) for before in range(most)]
    while len(costs) > 1 and costs[-1] == costs[-2]:
        costs.pop()
    return tuple(costs)


def is_per_word(rules: Rules, *, lexicon: str = "") -> bool:
    """Whether a wrong challenge costs its points for each word that was challenged."""
    return system_of(rules, lexicon=lexicon).system in _PER_WORD


def points_at_stake(system: System, play: ChallengedPlay) -> int:
    """Points that a wrong challenge costs under a system; 0 where it costs something else."""
    if system in _PER_WORD:
        return _PER_WORD[system] * play.words
    if system in _SERIES:
        series = _SERIES[system]
        return series[min(play.wrong_before, len(series) - 1)]
    return _PER_TURN.get(system, 0)


def _loses_turn(system: System, play: ChallengedPlay) -> bool:
    return system is System.DOUBLE or (system is System.DINGLE and play.wrong_before > 0)


def _points(rules: Rules, play: ChallengedPlay, points: int) -> Cost:
    challenger = 1 - play.mover
    if not points:
        return Cost(next_on_turn=challenger)
    match rules.get("challenge.points_go_to"):
        case "opponent_score":
            event = ChallengeBonus(play.mover, points)
            return Cost(points=points, bonus=points, events=(event,), next_on_turn=challenger)
        case "challenger_minus":
            taken = Penalty(challenger, points, CHALLENGE_RULE)
            return Cost(points=points, penalty=points, events=(taken,), next_on_turn=challenger)
        case _:
            questions = ask(rules, "challenge.points_go_to")
            return Cost(points=points, next_on_turn=challenger, open_questions=questions)
