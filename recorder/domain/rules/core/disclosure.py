"""Who may be told what, and when: the routing of everything that the recorder notices.

INT-1 to INT-3. The log gets everything at once. Nothing reaches the players during a game except
where the rule set makes outsiders speak; then the director's console says so, and a person
speaks. Public pages and commentators get facts of the game; a finding about a player's mistake
only once the director has published it.
"""

from collections.abc import Mapping

from recorder.domain.notices import Manner, Notice, Phase, Release, Routing
from recorder.domain.rules.core.parameters import Rules

_MUST_REPORT: Mapping[str, frozenset[Notice]] = {
    "stray_tile": frozenset({Notice.STRAY_TILE}),
    "disconnected_or_moved_tile": frozenset({Notice.DISCONNECTED_TILE, Notice.MOVED_TILE}),
    "rack_over_7": frozenset({Notice.RACK_OVER_SEVEN}),
    "clock_stopped_or_running_wrongly": frozenset({Notice.CLOCK_STOPPED_OR_RUNNING}),
    "doubtful_ruling": frozenset({Notice.DOUBTFUL_RULING}),
    "suspected_cheating": frozenset({Notice.SUSPECTED_CHEATING}),
}
_MUST_NOT_REPORT: Mapping[str, frozenset[Notice]] = {
    "scoring_error": frozenset({Notice.SCORING_ERROR}),
    "clock_on_wrong_side": frozenset({Notice.CLOCK_ON_WRONG_SIDE}),
}
_DIRECTOR_ONLY = frozenset({Notice.DOUBTFUL_RULING, Notice.SUSPECTED_CHEATING})
"""What outsiders must report, but to the director alone."""
_ALERTS = frozenset(
    {
        Notice.STRAY_TILE,
        Notice.MOVED_TILE,
        Notice.CLOCK_STOPPED_OR_RUNNING,
        Notice.DOUBTFUL_RULING,
        Notice.SUSPECTED_CHEATING,
        Notice.IMPROPER_RETURN,
        Notice.FOREIGN_TILE,
        Notice.FACT_IN_DISPUTE,
        Notice.DEVICE_FAULT,
        Notice.OVERTIME_NEAR_LIMIT,
        Notice.OVERTIME_LOST,
    }
)
"""What the director is told at once everywhere, for a ruling or a hand is needed."""
_SHOWN = frozenset(
    {
        Notice.DISCONNECTED_TILE,
        Notice.MISORIENTED_TILES,
        Notice.RACK_OVER_SEVEN,
        Notice.SCORING_ERROR,
        Notice.DRAW_OUT_OF_ORDER,
        Notice.FLASH_DRAW,
        Notice.SLIP_LEFTOVER,
        Notice.WRONG_TILE_SET,
        Notice.DOUBTFUL_READING,
    }
)
"""What stands on the director's page; everything else is only in the record."""
_KNOWLEDGE = frozenset({Notice.RACK_LETTERS, Notice.BAG_COUNT, Notice.BEST_PLAY})
_RUNNING = frozenset({Phase.BEFORE, Phase.PLAYING, Phase.OVER})


def route(rules: Rules, notice: Notice, phase: Phase) -> Routing:
    """Where a notice goes (INT-2), by the rule set and how far the game is.

    Never more than the rule set allows; where its text is lost or silent, the director's page and
    nothing else.
    """
    if notice in _KNOWLEDGE or notice is Notice.PHONY:
        return _sealed(notice, phase)
    if notice is Notice.FACT_IN_DISPUTE:
        return _dispute(rules)
    if notice is Notice.WRONG_TILE_SET and phase is Phase.BEFORE:
        why = "the set is to be complete before the game starts"
        return _finding(Manner.TELL_PLAYERS, why, players=True, rule="EQUIP-1")
    if _named(rules, "observer.must_not_report", _MUST_NOT_REPORT, notice):
        return _kept_back(rules, phase)
    if _named(rules, "observer.must_report", _MUST_REPORT, notice):
        return _reported(notice, phase)
    return _shown(rules, notice, phase)


def _named(
    rules: Rules, name: str, meaning: Mapping[str, frozenset[Notice]], notice: Notice
) -> bool:
    words = rules.get(name, ())
    listed = words if isinstance(words, tuple) else ()
    return any(notice in meaning.get(str(word), frozenset()) for word in listed)


def _sealed(notice: Notice, phase: Phase) -> Routing:
    """What helps a player; of a phony the room must not even hear afterwards (CHAL-2)."""
    phony = notice is Notice.PHONY
    return Routing(
        director=Manner.LOOK_UP,
        players=False,
        commentator=Release.SEALED,
        public=Release.NEVER if phony and phase in _RUNNING else Release.SEALED,
        rule="CHAL-2" if phony else "INT-1",
        why="a phony stands until it is challenged" if phony else "it would help a player",
    )


def _dispute(rules: Rules) -> Routing:
    """Whether pictures of a broadcast may settle it (INT-3)."""
    video = rules.get("observer.stream_video_evidence")
    if video is True:
        why = "the fact may be given where the pictures show it"
        return _finding(Manner.ALERT, why, players=True, rule="INT-3")
    question = "whether pictures of the broadcast may settle it"
    why = "the director weighs the evidence"
    return _finding(Manner.ALERT, why, rule="INT-3", question="" if video is False else question)


def _kept_back(rules: Rules, phase: Phase) -> Routing:
    """What outsiders may not mention until both have signed; then at once, before the hand-in."""
    if phase in _RUNNING and rules.get("observer.silent_until") == "both_signed":
        return Routing(
            director=Manner.WITHHELD,
            players=False,
            commentator=Release.PUBLISHED,
            public=Release.NEVER,
            rule="INT-2",
            why="nobody outside may mention it until both have signed",
            later=Phase.SIGNED,
        )
    if phase in _RUNNING:
        question = "until when observers keep it to themselves (observer.silent_until)"
        why = "nobody outside may mention it"
        return _finding(Manner.LOOK_UP, why, question=question)
    if phase is Phase.SIGNED:
        why = "after the result is handed in a counting error stays"
        return _finding(Manner.TELL_PLAYERS, why, players=True, rule="END-9")
    return _finding(Manner.LOOK_UP, "the result is handed in", rule="END-9")


def _reported(notice: Notice, phase: Phase) -> Routing:
    if phase is Phase.SUBMITTED:
        return _finding(Manner.LOOK_UP, "the result is handed in", rule="END-9")
    if notice is Notice.DOUBTFUL_RULING:
        return _finding(Manner.ALERT, "suggest a second opinion")
    if notice in _DIRECTOR_ONLY:
        return _finding(Manner.ALERT, "outsiders report it to the director", rule="INFR-3")
    return _finding(Manner.TELL_PLAYERS, "whoever sees it must say so at once", players=True)


def _shown(rules: Rules, notice: Notice, phase: Phase) -> Routing:
    """No duty to report it: the director's page, or the record alone."""
    question = ""
    if not rules.usable("observer.must_report") and notice in _ALERTS | _SHOWN:
        question = "how far outsiders may step in (observer.must_report)"
    if phase is Phase.OVER and notice is Notice.SCORING_ERROR:
        why = "the director can have it put right before the hand-in"
        return _finding(Manner.ALERT, why, rule="END-9", question=question)
    if notice in _ALERTS:
        manner = Manner.LOOK_UP if phase is Phase.SUBMITTED else Manner.ALERT
        return _finding(manner, "for the director alone", question=question)
    if notice is Notice.RACK_OVER_SEVEN:
        return _finding(Manner.SHOW, _why_over_seven(rules), question=question)
    if notice in _SHOWN:
        return _finding(Manner.SHOW, "the players find it, or not", question=question)
    return _finding(Manner.LOOK_UP, "the players' own affair until they raise it")


def _why_over_seven(rules: Rules) -> str:
    if rules.get("overdraw.director_points_out") == "as_if_disclosed":
        return "the director may point it out; it then counts as disclosed"
    if rules.get("overdraw.opponent_notices_first") == "whole_rack_shown_opponent_picks_X":
        return "who speaks first decides the procedure"
    return "no outsider has to speak"


def _finding(
    manner: Manner, why: str, *, players: bool = False, rule: str = "INT-2", question: str = ""
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
