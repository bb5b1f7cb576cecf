"""What an incident consists of: a form for its facts, and a plan made from the answers.

A plan has steps, numbers, questions to the director, and the orders that its result would be.
Knows no rule: those are in ``recorder.domain.rules``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dashboard.incidents.facts import Answers, Situation
from recorder.domain.errors import NotationError
from recorder.domain.game import Conceded, EndRackPenalty, EndRackPoints, GameEvent, TimePenalty
from recorder.domain.notices import CodedText
from recorder.domain.orders import (
    MOST_TEXT,
    Act,
    Concede,
    EndGame,
    EntryName,
    Insert,
    SetEndRacks,
    SetTimePenalty,
)
from recorder.domain.rules.core.procedure import Answer, Finding, Procedure
from recorder.domain.standing_procedures import NO_WORDS, is_timed
from recorder.frames import desk
from recorder.texts import load_catalogue
from recorder.texts.forms import by_director, form
from recorder.texts.record import order_in_words
from recorder.texts.telling import RULE_TEXTS, coded_text
from recorder.wire import Json
from recorder.wire.orders import encode_act


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentPlan:
    """What follows from an incident. ``player`` is whom "player" means in the steps.

    ``entries`` are those of the record in words, for orders that are about one.
    """

    procedure: Procedure
    player: int | None = None
    way: CodedText = NO_WORDS
    numbers: tuple[tuple[str, object], ...] = ()
    acts: tuple[Act, ...] = ()
    alternatives: tuple["IncidentPlan", ...] = ()
    questions: tuple[CodedText, ...] = ()
    entries: Mapping[EntryName, str] = field(default_factory=dict)

    def as_json(self) -> desk.Plan:
        """The plan as a page shows it; ``ruling`` is how its result may be worded."""
        numbers = [[name, _shown(value)] for name, value in self.numbers]
        figures = [f"{name} {value}" for name, value in numbers]
        acts = [order_in_words(act, entries=self.entries) for act in self.acts]
        title = worded(self.procedure.title)
        ruling = "; ".join([title, *figures, *acts])
        return {
            "title": title,
            "rule": self.procedure.rule,
            "way": worded(self.way),
            "player": self.player,
            "numbers": numbers,
            "steps": [
                {
                    "code": step.code,
                    "who": step.who.value,
                    "actor": load_catalogue().text("actor", step.who.value),
                    "act": worded(step.act),
                    "rule": step.rule,
                    "tiles": step.tiles,
                    "seconds": step.seconds,
                    "is_timed": is_timed(step.code, step.seconds),
                }
                for step in self.procedure.steps
            ],
            "questions": [
                worded(asked) for asked in (*self.procedure.open_questions, *self.questions)
            ],
            "orders": [_order(act, words) for act, words in zip(self.acts, acts, strict=True)],
            "alternatives": [plan.as_json() for plan in self.alternatives],
            "ruling": ruling[:MOST_TEXT],
        }


def worded(text: CodedText) -> str:
    """What the rules ask, find or leave open, for people."""
    return coded_text(text, RULE_TEXTS)


def _shown(value: object) -> object:
    return worded(value) if isinstance(value, CodedText) else value


def _order(act: Act, words: str) -> desk.PlanOrder:
    type_name, data = encode_act(act)
    return {"label": words, "act": {"type": type_name, "data": data}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """One kind of incident: its form for a situation, and the plan that its answers give."""

    name: str
    fields: Callable[[Situation], list[desk.IncidentField]]
    plan: Callable[[Situation, Answers], IncidentPlan]

    def as_json(self, now: Situation) -> desk.Incident:
        """The incident with its form, filled in."""
        return {
            "name": self.name,
            "title": load_catalogue().text("procedure", self.name),
            "fields": self.fields(now),
        }


def number(name: str, label: str, value: object = "", hint: str = "") -> desk.IncidentField:
    """A field for a whole number."""
    shown = "" if value is None else str(value)
    return {"name": name, "label": label, "type": "number", "value": shown, "hint": hint}


def choice(name: str, label: str, options: list[list[str]], value: str) -> desk.IncidentField:
    """A field with a few answers."""
    return {"name": name, "label": label, "type": "select", "options": options, "value": value}


def check(name: str, label: str, *, value: bool = False) -> desk.IncidentField:
    """A box to tick."""
    return {"name": name, "label": label, "type": "check", "value": value}


def words(name: str, label: str, value: str = "", hint: str = "") -> desk.IncidentField:
    """A field for words or letters."""
    return {"name": name, "label": label, "type": "text", "value": value, "hint": hint}


def known(name: str, label: str, value: str = "unknown") -> desk.IncidentField:
    """A field for yes, no, and that nobody knows."""
    options = [["no", form("no")], ["yes", form("yes")], ["unknown", form("nobody_knows")]]
    return choice(name, label, options, value)


def who(label: str, value: int) -> desk.IncidentField:
    """A field for one of the two players."""
    players = [[str(player), form("player", number=player + 1)] for player in (0, 1)]
    return {**choice("player", label, players, str(value)), "player": True}


def answered(title: CodedText, answer: Answer) -> IncidentPlan:
    """Whether something may be done, and why, as a plan without a step."""
    says = by_director(answer.allowed)
    asked = Procedure(answer.rule, title, open_questions=answer.open_questions)
    return IncidentPlan(
        procedure=asked,
        way=title,
        numbers=((form("allowed"), says), (form("why_answer"), answer.why)),
    )


def noted(title: CodedText, rule: str, findings: Sequence[Finding | None]) -> IncidentPlan:
    """What was found, for the director and the log; nothing where all was in order."""
    there = [finding for finding in findings if finding is not None]
    return IncidentPlan(
        procedure=Procedure(
            rule,
            title,
            open_questions=tuple(asked for found in there for asked in found.open_questions),
        ),
        way=title,
        numbers=tuple((form("found"), finding.text) for finding in there)
        or ((form("found"), form("nothing")),),
    )


def in_minutes(ms: int) -> str:
    """Time as a clock shows it, whole seconds: 24:05."""
    sign, seconds = ("-" if ms < 0 else ""), abs(ms) // 1000
    return f"{sign}{seconds // 60}:{seconds % 60:02d}"


def plan_of(incidents: Sequence[Incident], name: str, now: Situation, given: Json) -> desk.Plan:
    """The plan of an incident. NotationError when there is none, or an answer is at fault."""
    for incident in incidents:
        if incident.name == name:
            return incident.plan(now, Answers(given)).as_json()
    raise NotationError(f"no incident {name!r}; there are: {', '.join(i.name for i in incidents)}")


def acts_of(now: Situation, events: Sequence[GameEvent]) -> tuple[Act, ...]:
    """The orders by which events come into the record, after all that is there."""
    acts: list[Act] = []
    racks = tuple(
        end_rack for end_rack in events if isinstance(end_rack, EndRackPoints | EndRackPenalty)
    )
    after = EntryName(now.held[-1].row, now.held[-1].part) if now.held else EntryName(0)
    for event in events:
        match event:
            case EndRackPoints() | EndRackPenalty():
                continue
            case TimePenalty(player=player, points=points):
                acts.append(SetTimePenalty(player=player, points=points))
            case Conceded(player=player, margin=margin, how=how):
                acts.append(Concede(player=player, margin=margin, how=how))
            case _:
                acts.append(Insert(after=after, event=event))
    if racks:
        acts = [EndGame(), SetEndRacks(points=racks), *acts]
    return tuple(acts)
