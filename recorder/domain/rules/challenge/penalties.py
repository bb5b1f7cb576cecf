"""What a challenge costs, by every system of penalties the rule sets know.

The verdict is one for the whole play: words go in as a number, never one by one. Points are those
of the record's events; where the rule set does not say on whose score they go, no event is made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from recorder.domain.game import ChallengeBonus, GameEvent, Passed, Penalty, Withdrawn
from recorder.domain.notices import CodedText, coded
from recorder.domain.rules.core.parameters import Rules, ask

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


def system_of(rules: Rules, *, lexicon: str = "") -> System | None:
    """The system of penalties of a game, None where neither set nor event names one (CHAL-4).

    The event names its own by overriding ``challenge.default``. Where the set has one for each
    lexicon, the beginning of ``lexicon`` decides: ``CSW24`` is a ``CSW``.
    """
    named = rules.get("challenge.default")
    if isinstance(named, Mapping):
        named = next((penalty for key, penalty in named.items() if lexicon.startswith(key)), None)
    return None if named is None else System(str(named))


def _ask_system(rules: Rules, lexicon: str) -> tuple[CodedText, ...]:
    if rules.usable("challenge.default"):
        return (coded("penalty_wrong_challenge_lexicon", lexicon=f"{lexicon!r}"),)
    return ask(rules, "challenge.default")


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

    ``points`` is what is at stake even where the set does not say on whose score they go.
    ``turn_lost``: the challenger's turn. ``seconds``: least and most time off the challenger's
    clock.
    """

    points: int = 0
    turn_lost: bool = False
    seconds: tuple[int, int] | None = None
    events: tuple[GameEvent, ...] = ()
    open_questions: tuple[CodedText, ...] = ()


def cost(rules: Rules, play: ChallengedPlay, *, lexicon: str = "") -> Cost:
    """What a decided challenge costs (CHAL-4, CHAL-5, CHAL-6, SCORE-5).

    A play with a bad word is removed and scores what the set says, which is nothing; the challenge
    costs nothing then, however many of its words were good. Otherwise the system decides.
    """
    if not play.stands:
        return Cost(events=(Withdrawn(play.mover, play.score),))
    system = system_of(rules, lexicon=lexicon)
    if system is None:
        return Cost(open_questions=_ask_system(rules, lexicon))
    if system is System.DOUBLE or (system is System.DINGLE and play.wrong_before):
        return Cost(turn_lost=True, events=(Passed(1 - play.mover),))
    if system is System.TIME:
        least, most = _TIME_S
        question = coded("how_long_between", least=least, most=most)
        return Cost(seconds=_TIME_S, open_questions=(question,))
    return _points(rules, play, system)


def _points(rules: Rules, play: ChallengedPlay, system: System) -> Cost:
    points = _PER_TURN.get(system, 0) + _PER_WORD.get(system, 0) * play.words
    if system in _SERIES:
        points = _SERIES[system][min(play.wrong_before, len(_SERIES[system]) - 1)]
    if not points:
        return Cost()
    entered = entries(play.mover, points).get(str(rules.get("challenge.points_go_to")))
    if entered is None:
        return Cost(points=points, open_questions=ask(rules, "challenge.points_go_to"))
    return Cost(points=points, events=(entered,))


def entries(mover: int, points: int) -> dict[str, GameEvent]:
    """How points of a wrong challenge can be entered, by the choices of ``challenge.points_go_to``.

    ``mover`` (0 or 1) is whose play stands.
    """
    return {
        "opponent_score": ChallengeBonus(mover, points),
        "challenger_minus": Penalty(1 - mover, points, CHALLENGE_RULE),
    }


def wrong_challenge_costs(rules: Rules, *, lexicon: str = "") -> tuple[tuple[Cost, ...], bool]:
    """What a player's first, second, ... wrong challenge of one word costs; the last goes on.

    Also whether points are for each word. Empty where the rules name no system. The only place that
    computes it: frames carry it to every screen.
    """
    system = system_of(rules, lexicon=lexicon)
    if system is None:
        return (), False
    play = ChallengedPlay(mover=0, words=1, stands=True, score=0)
    plays = [replace(play, wrong_before=n) for n in range(max(map(len, _SERIES.values())))]
    costs = [cost(rules, play, lexicon=lexicon) for play in plays]
    while len(costs) > 1 and costs[-1] == costs[-2]:
        costs.pop()
    return tuple(costs), is_per_word(rules, lexicon=lexicon)


def is_per_word(rules: Rules, *, lexicon: str = "") -> bool:
    """Whether the points of a wrong challenge are for each word that was challenged."""
    return system_of(rules, lexicon=lexicon) in _PER_WORD
