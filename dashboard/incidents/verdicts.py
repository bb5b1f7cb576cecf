"""Incidents around a challenge: its slip, what can be taken back, the verdict, tiles taken off."""

from dashboard.incidents.facts import Answers, Situation
from dashboard.incidents.plan import Incident, IncidentPlan, acts_of, answered, check, who, words
from recorder.domain.errors import NotationError
from recorder.domain.game import Exchanged, Laid, Passed
from recorder.domain.notices import coded
from recorder.domain.rules.challenge.challenge import (
    Progress,
    challengeable,
    change_words,
    check_slip,
    concede,
    is_binding,
    may_take_back,
)
from recorder.domain.rules.challenge.penalties import Lookups, one_verdict, separate_lookup
from recorder.domain.rules.challenge.verdict import second_look
from recorder.domain.rules.core.procedure import Procedure
from recorder.domain.rules.ending.six_zeros import Zero
from recorder.domain.rules.turn.courtesy import securing_bag_s
from recorder.domain.tiles import BLANK
from recorder.texts.forms import by_rules, form

_STEPS = {
    "said": "word_was_spoken",
    "stopped": "both_clocks_were_stopped",
    "written": "words_are_on_slip",
    "moving": "slip_under_way",
    "adjudicated": "verdict_there",
    "blank_unclear": "play_blank_unclear",
    "tile_found": "tile_turned_up_at_play_out",
}


def _formed(now: Situation) -> list[str]:
    """The words of the newest play, in capitals."""
    return [] if now.last_play is None else _words_at(now, now.last_play)


def _words_at(now: Situation, at: int) -> list[str]:
    line = now.held[at].line
    return [] if line is None else [word.upper() for word in line["words"]]


def _come_so_far(now: Situation) -> set[str]:
    """What the record has of a challenge: called, both clocks standing, a blank without letter."""
    at, clock = now.last_play, now.frame["clock"]
    play = None if at is None else now.held[at].event
    blank = isinstance(play, Laid) and BLANK in play.laid.values()
    known = {
        "said": play is not None,
        "stopped": clock is not None and clock["running"] is None,
        "blank_unclear": blank,
    }
    return {name for name, is_so in known.items() if is_so}


def _quiet(now: Situation) -> Zero | None:
    """What the newest turn was, where it was no play."""
    match now.held[-1].event if now.held else None:
        case Passed():
            return Zero.PASS
        case Exchanged():
            return Zero.EXCHANGE
        case _:
            return None


def _slip(now: Situation, answers: Answers) -> IncidentPlan:
    formed = answers.text("formed").upper().split()
    quiet = _quiet(now)
    about = challengeable(formed, quiet=quiet, played_out=answers.yes("out"))
    wrong = check_slip(now.rules, slip=answers.text("slip").upper().split(), formed=formed)
    numbers: list[tuple[str, object]] = [
        (form("challenge_goes"), about.rule),
        (form("words_can_about"), " ".join(about.words) or form("none")),
    ]
    seconds = securing_bag_s(now.rules)
    if seconds is not None:
        numbers.append((form("opponent_may_keep_bag"), f"{seconds} s"))
    in_order = Procedure(about.rule, coded("all_words_slip_were_formed"))
    return IncidentPlan(procedure=wrong or in_order, player=now.last_player, numbers=tuple(numbers))


def _take_back(now: Situation, answers: Answers) -> IncidentPlan:
    progress = Progress(**{name: answers.yes(name) for name in _STEPS})
    plan = answered(coded("challenge_may_taken_back"), may_take_back(now.rules, progress))
    binding = by_rules(is_binding(now.rules, progress))
    return IncidentPlan(
        procedure=plan.procedure,
        player=1 - now.last_player,
        way=plan.way,
        numbers=(*plan.numbers, (form("challenge_binds"), binding)),
        alternatives=(
            answered(coded("words_slip_may_changed"), change_words(now.rules, progress)),
            answered(coded("mover_may_give_without_verdict"), concede(now.rules)),
            answered(coded("verdict_may_looked_again"), second_look(now.rules)),
        ),
    )


def _one_by_one(now: Situation, answers: Answers) -> IncidentPlan:
    said = answers.text("results").lower().split()
    if not said or not set(said) <= {"good", "bad"}:
        raise NotationError("results: good or bad for each entry is needed, as in good bad")
    results = tuple(word == "good" for word in said)
    lookups = Lookups(
        challenger=answers.player(), results=results, own_error=answers.yes("own_error")
    )
    found = separate_lookup(now.rules, lookups)
    stands = "stands" if found.stands else form("comes_off")
    return IncidentPlan(
        procedure=Procedure(
            "CHAL-10",
            coded("words_were_entered_one_one"),
            events=found.events,
            open_questions=found.open_questions,
        ),
        player=1 - answers.player(),
        numbers=(
            (form("entries_count"), found.entered),
            (form("play"), stands),
            (
                form("one_entry_all_would_say"),
                form("good") if one_verdict(results) else form("bad"),
            ),
        ),
        acts=acts_of(now, found.events),
    )


VERDICT_INCIDENTS = (
    Incident(
        name="slip_words",
        fields=lambda now: [
            words("slip", form("words_slip")),
            words("formed", form("words_turn_formed"), " ".join(_formed(now))),
            check("out", form("turn_play_out")),
        ],
        plan=_slip,
    ),
    Incident(
        name="take_back",
        fields=lambda now: [
            check(name, form(label), value=name in _come_so_far(now))
            for name, label in _STEPS.items()
        ],
        plan=_take_back,
    ),
    Incident(
        name="one_by_one",
        fields=lambda now: [
            who(form("who_challenged"), 1 - now.last_player),
            words("results", form("what_came_out_order_entered"), hint=form("such_good_bad")),
            check("own_error", form("challenger_alone_blame")),
        ],
        plan=_one_by_one,
    ),
)
