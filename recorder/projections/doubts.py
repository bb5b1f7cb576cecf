"""Events of a game and doubts about them as the director's page is drawn from. Pure."""

from typing import cast

from recorder.domain.board import name_across
from recorder.domain.game import GameEvent, Laid
from recorder.domain.record import Doubt
from recorder.frames import desk
from recorder.texts import Catalogue, load_catalogue
from recorder.texts.record import event_in_words, events_in_words
from recorder.texts.telling import coded_text
from recorder.wire.events import encode_event


def event_json(event: GameEvent) -> desk.EventFields:
    """An event with all that a page shows of it."""
    type_name, data = encode_event(event)
    squares = event.laid if isinstance(event, Laid) else ()
    fields = {
        "type": type_name,
        **data,
        "squares": [name_across(sq) for sq in squares],
        "text": event_in_words(event),
    }
    return cast("desk.EventFields", fields)


def doubt_json(doubt: Doubt, texts: Catalogue | None = None) -> desk.Doubt:
    """A doubt with its candidates, numbered from 1, as the director's page shows it."""
    candidates: list[desk.Candidate] = [
        {
            "candidate": number,
            "log_odds": alternative.log_odds,
            "text": events_in_words(alternative.events) or load_catalogue().text("event", "none"),
            "events": [event_json(event) for event in alternative.events],
        }
        for number, alternative in enumerate(doubt.alternatives, 1)
    ]
    others: list[desk.Alternative] = [
        {"text": candidate["text"], "log_odds": candidate["log_odds"]} for candidate in candidates
    ]
    return {
        "reasons": [coded_text(reason, "doubt", texts) for reason in doubt.reasons],
        "codes": [reason.code for reason in doubt.reasons],
        "squares": list(doubt.squares),
        "alternatives": others,
        "candidates": candidates,
    }
