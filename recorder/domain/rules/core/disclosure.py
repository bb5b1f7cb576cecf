"""Who is informed of what, and when: the routing of everything that the recorder notices.

INT-1 to INT-3. The log gets everything at once. Nothing reaches the players during a game except
where the rule set makes outsiders speak; then the director's console says so, and a person
speaks. Public pages and commentators get facts of the game; a finding about a player's mistake
only once the director has published it.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from recorder.domain.board import Square, name_across
from recorder.domain.laying_faults import LayingFault
from recorder.domain.notices import (
    CodedText,
    Manner,
    Notice,
    Phase,
    PlainValue,
    Release,
    Routing,
    TableNotice,
    Why,
)
from recorder.domain.rules.core.parameters import NASPA, WESPA, Rules, has_remedy

_NOT_TOUCHING, _OVER_SEVEN = LayingFault.NOT_TOUCHING.value, LayingFault.OVER_SEVEN.value
_EARLIER_MOVED = LayingFault.EARLIER_MOVED.value
"""Faults of a placement that rule sets name beside the others."""
_MUST_REPORT: Mapping[str, frozenset[str]] = {
    NASPA: frozenset(
        {
            Notice.LOOSE_TILE,
            Notice.SPILL,
            _NOT_TOUCHING,
            _EARLIER_MOVED,
            Notice.TILE_MOVED,
            Notice.TILE_GONE,
            Notice.CHANGED_AFTER_PRESS,
            Notice.WRONG_REMOVAL,
            Notice.OVERDRAW,
            _OVER_SEVEN,
            Notice.CLOCK_STOPPED,
            Notice.DOUBTFUL_RULING,
        }
    ),
    WESPA: frozenset({Notice.SUSPECTED_CHEATING}),
}
"""What outsiders must say, by ``observer.procedure``."""
_MUST_NOT_REPORT: Mapping[str, frozenset[str]] = {
    NASPA: frozenset({Notice.SCORE_ANNOUNCED, Notice.CLOCK_WRONG_WAY})
}
_DIRECTOR_ONLY = frozenset({Notice.DOUBTFUL_RULING, Notice.SUSPECTED_CHEATING})
"""What outsiders must report, but to the director alone."""
_ALERTS: frozenset[str] = frozenset(
    {
        Notice.ABSENT,
        Notice.CHALLENGE_UNSETTLED,
        Notice.CHANGED_AFTER_PRESS,
        Notice.CLOCK_STOPPED,
        Notice.DEVICE_CONTRADICTS,
        Notice.DEVICE_LOST,
        Notice.DOUBTFUL_RULING,
        Notice.FACT_IN_DISPUTE,
        Notice.FOREIGN_TILE,
        Notice.IMPROPER_RETURN,
        Notice.LATE,
        Notice.LOOSE_TILE,
        Notice.NO_LOOK,
        Notice.OTHER_BOARD,
        Notice.OVERTIME_LOST,
        Notice.OVERTIME_NEAR_LIMIT,
        Notice.SPILL,
        Notice.SUSPECTED_CHEATING,
        Notice.TILE_GONE,
        Notice.TILE_MOVED,
        Notice.WRONG_REMOVAL,
    }
)
"""What the director is informed at once everywhere, for a ruling or a hand is needed."""
_SHOWN: frozenset[str] = frozenset(
    {
        *(fault.value for fault in LayingFault if fault is not LayingFault.OFF_CENTRE),
        Notice.ACCIDENTAL_PRESS,
        Notice.BLANK_CHANGED,
        Notice.BLANK_SPOKEN_OTHERWISE,
        Notice.BOARD_CLEARED,
        Notice.COUNTS_DISAGREE,
        Notice.COURTESY_MIXED,
        Notice.COURTESY_NOT_RETURNED,
        Notice.DOUBTFUL_READING,
        Notice.DRAWN_IN_ABSENCE,
        Notice.DRAWN_TOO_EARLY_ON_HOLD,
        Notice.DRAWN_WHILE_WAITING,
        Notice.NO_CLOCK,
        Notice.OUT_OF_ORDER,
        Notice.OVERDRAW,
        Notice.PLAY_AFTER_END,
        Notice.SCORE_ANNOUNCED,
        Notice.SET_INCOMPLETE,
        Notice.SIX_ZERO,
        Notice.SLIP_LEFTOVER,
        Notice.SLIP_WORD_NOT_PLAYED,
        Notice.TILE_TURNED,
        Notice.WRONG_WAY_ROUND,
    }
)
"""What stands on the director's page; everything else is only in the record."""
_IN_THE_RESULT = frozenset(
    {
        Notice.BLANK_SPOKEN_ONLY,
        Notice.BLANK_UNNAMED,
        Notice.SCORE_ANNOUNCED,
        Notice.SLIP_UNCLEAR,
    }
)
"""What stays wrong in the record of a finished game unless it is put right before the hand-in."""
_KNOWLEDGE = frozenset({Notice.RACK_LETTERS, Notice.BAG_COUNT, Notice.BEST_PLAY})
_RUNNING = frozenset({Phase.BEFORE, Phase.PLAYING, Phase.OVER})


def noticed(  # noqa: PLR0913 - each is named where it is given
    rules: Rules,
    code: Notice,
    rows: tuple[int, ...],
    phase: Phase = Phase.PLAYING,
    *,
    ref: int | None = None,
    player: int | None = None,
    squares: Iterable[Square] = (),
    numbers: Mapping[str, PlainValue] = MappingProxyType({}),
    evidence: tuple[CodedText, ...] = (),
) -> TableNotice:
    """A notice that rests on these rows, about the turn of the first unless ``ref`` is another."""
    return TableNotice(
        ref=rows[0] if ref is None else ref,
        refs=rows,
        code=code,
        player=player,
        squares=tuple(map(name_across, squares)),
        numbers=numbers,
        evidence=evidence,
        routing=route(rules, code, phase, str(numbers.get("fault", ""))),
    )


def route(rules: Rules, notice: Notice, phase: Phase, fault: str = "") -> Routing:
    """Where a notice goes (INT-2), by the rule set and how far the game is.

    Never more than the rule set allows; where its text is lost or silent, the director's page and
    nothing else. ``fault`` says what is wrong with an illegal placement.
    """
    if notice in _KNOWLEDGE or notice is Notice.PHONY:
        return _sealed(notice, phase)
    if notice is Notice.FACT_IN_DISPUTE:
        return _dispute(rules)
    if notice is Notice.SET_INCOMPLETE and phase is Phase.BEFORE:
        why = Why.BEFORE_THE_START
        return _finding(Manner.TELL_PLAYERS, why, players=True, rule="EQUIP-1")
    school = str(rules.get("observer.procedure"))
    if {notice, fault} & _MUST_NOT_REPORT.get(school, frozenset()):
        return _kept_back(phase)
    if {notice, fault} & _MUST_REPORT.get(school, frozenset()):
        return _reported(notice, phase)
    return _shown(rules, notice, phase, fault)


def _sealed(notice: Notice, phase: Phase) -> Routing:
    """What helps a player; of a phony the room must not even hear afterwards (CHAL-2)."""
    phony = notice is Notice.PHONY
    return Routing(
        director=Manner.LOOK_UP,
        players=False,
        commentator=Release.SEALED,
        public=Release.NEVER if phony and phase in _RUNNING else Release.SEALED,
        rule="CHAL-2" if phony else "INT-1",
        why=Why.PHONY_STANDS if phony else Why.HELPS_A_PLAYER,
    )


def _dispute(rules: Rules) -> Routing:
    """Whether pictures of a broadcast may settle it (INT-3)."""
    if has_remedy(rules, "observer.procedure"):
        return _finding(Manner.ALERT, Why.PICTURES_MAY_SHOW, players=True, rule="INT-3")
    question = "observer.stream_video_evidence"
    return _finding(Manner.ALERT, Why.WEIGHED_BY_DIRECTOR, rule="INT-3", question=question)


def _kept_back(phase: Phase) -> Routing:
    """What outsiders may not mention until both have signed; then at once, before the hand-in."""
    if phase in _RUNNING:
        return Routing(
            director=Manner.WITHHELD,
            players=False,
            commentator=Release.PUBLISHED,
            public=Release.NEVER,
            rule="INT-2",
            why=Why.SILENT_UNTIL_SIGNED,
            later=Phase.SIGNED,
        )
    if phase is Phase.SIGNED:
        return _finding(Manner.TELL_PLAYERS, Why.LAST_CHANCE, players=True, rule="END-9")
    return _finding(Manner.LOOK_UP, Why.SUBMITTED, rule="END-9")


def _reported(notice: Notice, phase: Phase) -> Routing:
    if phase is Phase.SUBMITTED:
        return _finding(Manner.LOOK_UP, Why.SUBMITTED, rule="END-9")
    if notice is Notice.DOUBTFUL_RULING:
        return _finding(Manner.ALERT, Why.SECOND_OPINION)
    if notice in _DIRECTOR_ONLY:
        return _finding(Manner.ALERT, Why.REPORTED_TO_DIRECTOR, rule="INFR-3")
    return _finding(Manner.TELL_PLAYERS, Why.REPORTED_AT_ONCE, players=True)


def _shown(rules: Rules, notice: Notice, phase: Phase, fault: str) -> Routing:
    """No duty to report it: the director's page, or the record alone."""
    question = ""
    if not rules.usable("observer.procedure") and {notice, fault} & (_ALERTS | _SHOWN):
        question = "observer.must_report"
    if phase in (Phase.OVER, Phase.SIGNED) and notice in _IN_THE_RESULT:
        return _finding(Manner.ALERT, Why.BEFORE_HAND_IN, rule="END-9", question=question)
    if notice in _ALERTS:
        manner = Manner.LOOK_UP if phase is Phase.SUBMITTED else Manner.ALERT
        return _finding(manner, Why.FOR_DIRECTOR, question=question)
    if notice is Notice.OVERDRAW or fault == _OVER_SEVEN:
        return _finding(Manner.SHOW, _why_over_seven(rules), question=question)
    if {notice, fault} & _SHOWN:
        return _finding(Manner.SHOW, Why.FOUND_OR_NOT, question=question)
    return _finding(Manner.LOOK_UP, Why.PLAYERS_AFFAIR)


def _why_over_seven(rules: Rules) -> Why:
    if rules.get("overdraw.director_points_out") == "as_if_disclosed":
        return Why.POINTED_OUT
    if rules.get("overdraw.opponent_notices_first") == "whole_rack_shown_opponent_picks_X":
        return Why.FIRST_SPEAKER_DECIDES
    return Why.NOBODY_HAS_TO


def _finding(
    manner: Manner, why: Why, *, players: bool = False, rule: str = "INT-2", question: str = ""
) -> Routing:
    return Routing(
        director=manner,
        players=players,
        commentator=Release.PUBLISHED,
        public=Release.PUBLISHED,
        rule=rule,
        why=why,
        open_questions=(question,) if question else (),
    )
