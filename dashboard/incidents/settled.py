"""How an incident ends, as the recorder has worked it out: its ways, their orders, in words.

Asks nothing and works out no rule: facts, steps and settlements are those of the record.
"""

from dashboard.incidents.facts import Situation
from recorder.domain.lexicon import Verdict, WordList, adjudicate
from recorder.domain.notices import CodedText
from recorder.domain.orders import MOST_TEXT, Act, Outcome
from recorder.domain.procedures.settling import settled_by
from recorder.domain.standing_procedures import Settlement, StandingProcedure
from recorder.domain.tile_text import typed_words
from recorder.frames import desk
from recorder.texts import Catalogue, load_catalogue
from recorder.texts.forms import form
from recorder.texts.record import event_in_words, order_in_words
from recorder.texts.telling import RULE_TEXTS, coded_text, facts_in_words
from recorder.wire.orders import encode_act


def worded(text: CodedText, texts: Catalogue) -> str:
    """What the rules ask, find or leave open, for people."""
    return coded_text(text, RULE_TEXTS, texts)


def order_offered(act: Act, texts: Catalogue) -> desk.PlanOrder:
    """An order that a director can confirm."""
    type_name, data = encode_act(act)
    return {"label": order_in_words(act, texts), "act": {"type": type_name, "data": data}}


def settled(
    now: Situation, standing: StandingProcedure, listed: WordList | None = None
) -> desk.Plan:
    """The plan of a procedure as a page shows it, its other ways as alternatives.

    ``listed`` is the list that the dashboard has: its verdict on a challenge is shown where the
    recorder has none.
    """
    ways = standing.settlements or (Settlement(),)
    verdict = _verdict(now, standing, listed)
    if verdict is Verdict.BAD:
        ways = tuple(sorted(ways, key=lambda way: way.outcome is not Outcome.OFF))
    first, *others = (_way(now, standing, way) for way in ways)
    if listed is not None and verdict is not None:
        said = load_catalogue().text("list_verdict", verdict.value)
        first["numbers"] = [[form("says", name=listed.name), said]]
    return {**first, "alternatives": others}


def _verdict(
    now: Situation, standing: StandingProcedure, listed: WordList | None
) -> Verdict | None:
    """What the dashboard's list says of challenged words; None where the record has a verdict."""
    words = str(standing.facts.get("challenged", "")).split()
    is_open = any(way.outcome is not None for way in standing.settlements)
    if listed is None or not words or not is_open or "listed" in standing.facts:
        return None
    return adjudicate(typed_words(words, now.state.tile_set), listed)


def _way(now: Situation, standing: StandingProcedure, way: Settlement) -> desk.Plan:
    texts = load_catalogue().of_game(now.started.players)
    clock = now.frame["clock"]  # none where a camera alone divides the turns
    first_ms, second_ms = (0, 0) if clock is None else clock["remaining_ms"]
    said = texts.text("settlement", way.code) if way.code else ""
    words = {entry.name.number: event_in_words(entry.event) for entry in now.held}
    acts = settled_by(standing, way, now.held, (first_ms, second_ms))
    orders = [order_offered(act, texts.with_entries(words)) for act in acts]
    title = worded(standing.title, texts)
    facts = facts_in_words("procedure_fact", standing.facts, texts)
    ruling = [title, *facts, said, *(order["label"] for order in orders)]
    return {
        "title": title,
        "rule": standing.rule,
        "way": said,
        "player": standing.player,
        "numbers": [],
        "questions": [worded(asked, texts) for asked in standing.questions],
        "orders": orders,
        "alternatives": [],
        "ruling": "; ".join(filter(None, ruling))[:MOST_TEXT],
        "goes_on": way.goes_on,
    }
